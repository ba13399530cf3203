/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the host tests share. */

#ifndef HOST_H
#define HOST_H

#include <stdbool.h>

struct SPEInsn;

void ok(bool passed, const char *name);

/* operands.c: compares registers and conditions with the assembly @text. */
bool same_operands(const char *text, const struct SPEInsn *insn);

/* predicates.c: compares predicates, sizes and counts of SVE and SME with @text. */
bool same_predicates(const char *text, const struct SPEInsn *insn);

/* records.c: packets, byte by byte, as D18.2 defines them. */
void records(void);

/* features.c: the packets, events and types that each version allows. */
void features(void);

/* caches.c: the model's caches and TLB. */
void caches(void);

#endif
