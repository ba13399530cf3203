/* SPDX-License-Identifier: GPL-2.0-only */
/* What stacks.c prepares and stack_finder.c searches. */
#ifndef PERF_SPE_STACKS_PRIVATE_H
#define PERF_SPE_STACKS_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/stacks/caller.h"
#include "util/hash_table.h"

struct session;

struct stack_sample {
	uint64_t time;			/* ns of perf's clock */
	const struct caller *leaf;	/* the sampled place, as the innermost caller */
	int32_t tid;
};

/* Its samples are those from number @from to @end, not included. */
struct stack_thread {
	int32_t tid;
	size_t from, end;
};

/* A function that is in any stack */
struct stack_function {
	const char *object, *symbol;
	uint32_t number;
};

struct stacks {
	const struct session *session;
	uint64_t within;
	struct stack_sample *samples;	/* by thread, then by time */
	size_t nr_samples;
	struct stack_thread *threads;	/* by tid */
	size_t nr_threads;
	struct hash_table functions;	/* of struct stack_function */
	size_t nr_callers;
	void **blocks;			/* owned: places and callers */
	size_t nr_blocks, room_blocks;
	struct stack_builder *builder;	/* for stacks_add(); NULL: no sample will follow */
	size_t taken;			/* of the session's call samples */
	uint64_t drops;			/* of the session when this was made */
};

extern const struct hash_kind stack_functions;
uint64_t stack_function_hash(const char *object, const char *symbol);

#endif
