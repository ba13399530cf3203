/* SPDX-License-Identifier: GPL-2.0-only */
/* The vectors as machine code.  Only the text section of the object is used. */

__asm__(".arch armv8.7-a+sve+sve2+memtag+ls64+pauth+crypto+fp16+fp16fml+bf16+i8mm+dotprod\n\t.text");
#define V(text, ...) __asm__(text);
#include "vectors.h"
