/* SPDX-License-Identifier: GPL-2.0-only */
/* The callers of a record's function, and why a record has none: see stacks.h. */
#ifndef PERF_SPE_CALLER_H
#define PERF_SPE_CALLER_H

#include <stdint.h>

struct place;

/* A caller of a function: the place of the call, and who called this function */
struct caller {
	const struct caller *outer;	/* NULL: none */
	const struct place *place;
	uint32_t number;	/* of all callers, from 0; outer's is smaller */
	uint32_t function;	/* equal for places in the same function */
	uint32_t path;		/* equal if these functions are all the way out */
};

/* Why a record has a stack, or none */
enum stack_status {
	STACK_FOUND,
	STACK_NO_KEY,		/* the record has no time, thread or function */
	STACK_NO_SAMPLE,	/* no sample of the thread is near enough */
	STACK_NOT_IN,		/* its function is in no near sample's stack */
	STACK_DIFFER,		/* the samples before and after have other callers */
	NR_STACK_STATUS
};

#endif
