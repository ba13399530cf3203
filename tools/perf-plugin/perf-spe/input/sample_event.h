/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_SAMPLE, as the uapi header linux/perf_event.h lays it out: the parts that call
 * stacks and SPE records in samples need.
 */
#ifndef PERF_SPE_SAMPLE_EVENT_H
#define PERF_SPE_SAMPLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct pd_attr;
struct pd_event;

/* A part that the sample does not have is NULL with a length of 0.  All point into the event. */
struct pd_sample {
	bool has_tid, has_time, has_cpu, has_id;
	int32_t pid, tid;
	uint32_t cpu;
	uint64_t time;		/* ns of the perf clock */
	uint64_t id;		/* of the event */
	const uint8_t *chain;	/* words of 64 bits: addresses and PERF_CONTEXT_... */
	uint64_t chain_len;	/* words */
	uint64_t regs_mask;	/* which user registers, by bit; 0: none */
	const uint8_t *regs;	/* their values, 64 bits each */
	const uint8_t *stack;	/* the user stack from its pointer upwards */
	uint64_t stack_len;	/* bytes that are valid */
	const uint8_t *aux;	/* PERF_SAMPLE_AUX: the newest bytes of the AUX area */
	uint64_t aux_len;
};

/* Read the sample @ev of an event with @attr; false if it is too short for its parts. */
bool sample_event_read(const struct pd_attr *attr, const struct pd_event *ev,
		       struct pd_sample *s);

/* The value of user register @number in the sample; false if it does not have it. */
bool sample_event_register(const struct pd_sample *s, unsigned int number, uint64_t *value);

#endif
