/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a test leaves in the kernel: references on the driver's module, perf events, AUX buffers
 * and memory.  An SPE event and a mapped AUX buffer each hold a reference on the module.
 */
#ifndef ARM_SPE_TEST_LEFTOVERS_H
#define ARM_SPE_TEST_LEFTOVERS_H

#include <stdbool.h>
#include <stdio.h>

enum leftover {
	LEFT_REFERENCES,	/* on arm_spe and arm_spe_pmu; -1: neither is loaded */
	LEFT_EVENTS,		/* struct perf_event; -1: the kernel does not count them */
	LEFT_AUX,		/* AUX buffers that the driver has mapped for the unit */
	LEFT_SLAB,		/* kB, SUnreclaim in /proc/meminfo */
	LEFT_PERCPU,		/* kB, Percpu there */
	LEFT_PAGES,		/* kB that no line of /proc/meminfo explains, as AUX pages */
	LEFTOVERS
};

struct leftovers {
	long amount[LEFTOVERS];
};

void leftovers_count(struct leftovers *left);

/*
 * Waits up to SECONDS until no more is left than BEFORE: the kernel frees an event only after a
 * grace period.  Prints each amount, and says which one has grown.  SLACK is how many kB of slab
 * and per-CPU memory there may be more; four times as many of pages.  Returns whether nothing is
 * left.
 */
bool leftovers_check(const struct leftovers *before, long slack, unsigned int seconds, FILE *out);

#endif
