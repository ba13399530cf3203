/* SPDX-License-Identifier: GPL-2.0-only */
/* The event whose samples have the call stacks of record --stacks and top --stacks. */
#ifndef PERF_SPE_STACK_EVENT_H
#define PERF_SPE_STACK_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct pmu_request;

enum stack_method {
	STACKS_NONE,
	STACKS_FP,		/* the kernel follows frame pointers */
	STACKS_DWARF,		/* perf copies the user's stack, for perf-spe to unwind */
};

/* Samples a second on each CPU, if the kernel lets perf take so many */
#define STACKS_FP_FREQ		4000
#define STACKS_DWARF_FREQ	1000	/* each has 8 KiB of stack */

/* Take the value of --stacks, NULL for its default; false after a message. */
bool stacks_parse(const char *verb, const char *text, enum stack_method *stacks);

/*
 * Bytes of SPE records in each sample: by default as many as perf record --aux-sample takes, at
 * least one record, at most what perf 6.1 lets into a sample beside the rest.
 */
#define AUX_SAMPLE_DEFAULT	4096
#define AUX_SAMPLE_LEAST	64
#define AUX_SAMPLE_MOST		61440

/* Take the value of --aux-sample, NULL for its default; false after a message. */
bool aux_sample_parse(const char *verb, const char *text, uint64_t *bytes);

/* The event as perf_event_open(2) takes it */
struct stack_attr {
	const char *name;	/* "cycles" or "cpu-clock" */
	uint32_t type;		/* PERF_TYPE_... */
	uint64_t config;
	uint64_t freq;		/* samples a second on each CPU */
};

/* The same choice as stack_event() makes; @stacks is not STACKS_NONE. */
struct stack_attr stack_attr(const char *root, enum stack_method stacks);
/*
 * The event for perf record, such as "cycles/call-graph=fp,freq=4000/u": cycles if a PMU of
 * the CPUs counts them, cpu-clock if none does.  If @aux_sample is not 0, its samples carry so
 * many bytes of SPE records; then it must be in the group of an SPE event.  To be freed.
 */
char *stack_event(const char *root, enum stack_method stacks, uint64_t aux_sample,
		  const struct pmu_request *req);

#endif
