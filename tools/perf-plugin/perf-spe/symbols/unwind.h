/* SPDX-License-Identifier: GPL-2.0-only */
/* Call chains of user code from registers and a copy of the stack, by DWARF (libdwfl). */
#ifndef PERF_SPE_UNWIND_H
#define PERF_SPE_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/resolve.h"

struct user_stack;
struct unwinder;

/* The longest chain; the outermost callers of a longer one are left out. */
#define UNWIND_DEPTH	128

struct unwinder *unwinder_new(const struct resolver *r);
void unwinder_free(struct unwinder *u);
/*
 * The chain of process @pid at @time (ns of perf's clock), as in struct call_chain; @raw has
 * room for UNWIND_DEPTH addresses.  Returns their number: of a stack that cannot be unwound
 * further, what is known of it; 0 without registers of arm64.
 */
size_t unwind(struct unwinder *u, int32_t pid, uint64_t time, const struct user_stack *stack,
	      uint64_t *raw);

#endif
