/* SPDX-License-Identifier: GPL-2.0-only */
/* What the host tests share. */

#ifndef HOST_H
#define HOST_H

#include <stdbool.h>

struct SPEInsn;

void ok(bool passed, const char *name);

/* operands.c: whether registers and element size are those of the assembly. */
bool same_operands(const char *text, const struct SPEInsn *insn);

/* records.c: packets, byte by byte, as D18.2 draws them. */
void records(void);

/* features.c: what versions and optional features leave of them. */
void features(void);

/* caches.c: the pretended caches and TLB. */
void caches(void);

#endif
