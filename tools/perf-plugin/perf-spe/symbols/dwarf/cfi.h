/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file's unwind information says of an instruction. */
#ifndef PERF_SPE_CFI_H
#define PERF_SPE_CFI_H

#include <stdbool.h>
#include <stdint.h>

struct cfi;
struct dso;

/*
 * Whether the function that has the instruction at the file's own address @address keeps its
 * return address in the link register there: a leaf function, or one that has not stored it
 * yet.  Chains of frame pointers lack the caller of such a function.  False without unwind
 * information, or for another machine than arm64.
 */
bool cfi_return_in_register(struct dso *dso, uint64_t address);
void cfi_free(struct cfi *c);

#endif
