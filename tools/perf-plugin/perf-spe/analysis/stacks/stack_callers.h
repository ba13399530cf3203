/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree of callers, as stacks.c makes it of chains of addresses.  Its nodes belong to struct
 * stacks; the tables in which they are found are needed only until the last chain.
 */
#ifndef PERF_SPE_STACK_CALLERS_H
#define PERF_SPE_STACK_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "armspe.h"
#include "symbols/resolve.h"
#include "util/hash_table.h"

struct caller;
struct map;
struct stacks;

/* An address of a process, and what it is */
struct spot {
	uint32_t process;	/* owner_number(); 0: the kernel's */
	uint64_t raw;		/* as in struct call_chain */
	const struct map *map;	/* of one mapping alone; NULL: always, or see @changes */
	bool changes;		/* there is a spot for each mapping that was at the address */
	uint64_t from;		/* if not: ns of perf's clock, since when it holds */
	struct place place;
	uint32_t function;
};

struct stack_callers {
	struct stacks *s;
	const struct resolver *r;
	uint64_t from;			/* stack_spot() increases it to the spot's; UINT64_MAX: */
					/* it depends on the time */
	/* Private */
	struct hash_table spots;	/* struct spot * */
	struct hash_table callers;	/* struct caller_slot * */
	struct hash_table paths;	/* of struct number_slot: by outer path and function */
};

/* Whether an address in the form of SPE's is a user's */
static inline bool stack_user(uint64_t raw)
{
	return !armspe_addr_el(raw);
}

/* What was at the address @raw of process @pid at @time */
const struct spot *stack_spot(struct stack_callers *b, int32_t pid, uint64_t raw, uint64_t time);
/* The place @spot, called from @outer (NULL: it has no callers) */
const struct caller *stack_caller(struct stack_callers *b, const struct caller *outer,
				  const struct spot *spot);
void stack_callers_free(struct stack_callers *b);

#endif
