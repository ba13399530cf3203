/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stacks of a recording: samples of an event such as cycles that runs beside the SPE
 * event.  Equal chains are stored once, because a program is mostly in few of them.
 */
#ifndef PERF_SPE_CALL_SAMPLES_H
#define PERF_SPE_CALL_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash_table.h"

struct pd_sample;

/*
 * A call chain as the kernel walked it.  Addresses have the form of SPE's instruction
 * addresses, with the Exception level (1 for any of the kernel's).  The first of each level is
 * that of an instruction, the others are of calls: the return address less 4.
 */
struct call_chain {
	int32_t pid;
	uint32_t count;
	uint64_t lr;		/* user's link register at the sample; 0: not recorded */
	uint64_t address[];	/* the innermost first */
};

/* Registers and a copy of the stack, to be unwound with DWARF */
struct user_stack {
	uint64_t regs_mask;
	const uint8_t *regs, *stack;	/* see struct pd_sample */
	uint64_t stack_len;
};

struct call_sample {
	uint64_t time;			/* ns of the perf clock */
	int32_t pid, tid;
	const struct call_chain *chain;	/* of the kernel alone if user_stack is set */
	const struct user_stack *user_stack;	/* NULL: the chain is all there is */
};

struct call_samples {
	bool wanted;			/* false: call_samples_add() is not called */
	bool copies;			/* the bytes of events do not last */
	struct call_sample *samples;	/* in file order */
	size_t nr, room;
	uint64_t drops;			/* calls of call_samples_forget() */
	size_t attr;			/* the event that they are of; PD_NO_ATTR: several */
	const char *event;		/* its name, where no recording has that; or NULL */
	/* Private */
	struct hash_table chains;	/* struct call_chain * */
	void **blocks;			/* owned copies */
	size_t nr_blocks, room_blocks;
};

/* Keep @s, a sample of the event @attr, if it has a stack, a thread and a time. */
void call_samples_add(struct call_samples *c, size_t attr, const struct pd_sample *s);
/* Drop samples from before @time, and chains that no other sample has.  Not for copied stacks. */
void call_samples_forget(struct call_samples *c, uint64_t time);
void call_samples_free(struct call_samples *c);

#endif
