/* SPDX-License-Identifier: GPL-2.0-only */
/* The vectors as machine code.  Only the text section of the object is used. */

__asm__(".arch armv8.8-a+sve2+sve2-aes+memtag+ls64+pauth+crypto+fp16+fp16fml+bf16+i8mm+dotprod+f64mm+sme+sme-f64+sme-i64+mops\n\t.text");
#define V(text, ...) __asm__(text);
#include "vectors.h"
