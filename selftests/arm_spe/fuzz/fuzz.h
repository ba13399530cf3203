/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzzer of perf's system calls for kernels with an SPE driver.
 *
 * main.c	options, the tasks' lives, and what must hold at the end
 * calls.c	the calls that a task makes
 * buffers.c	those on mapped buffers
 * attr.c	random attributes of events
 * disturb.c	root's task: CPU hotplug, module parameters, sysctls
 *
 * Reproducing a run: a step is a call with its arguments.  Seed, task, life and number of the
 * step determine what is drawn for it, so the same seed gives the same steps.  A task then takes
 * the next of its events for which the call makes sense.  What the kernel answers, and when tasks
 * run, may differ.
 */
#ifndef ARM_SPE_FUZZ_H
#define ARM_SPE_FUZZ_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pmu.h"

#define FUZZ_TASKS	4	/* the last two are an ordinary user's */
#define FUZZ_EVENTS	8	/* events that a task holds at a time */
#define FUZZ_FIELDS	48
#define FUZZ_CALLS	24
#define FUZZ_ERRORS	134	/* error numbers */
#define FUZZ_NOBODY	65534

struct dice {
	uint64_t state;
};

/* The generator of one step; LEVEL tells children's steps from their parents'. */
struct dice dice_of(uint64_t seed, unsigned int task, unsigned int life, unsigned int step,
		    unsigned int level);
uint64_t dice_word(struct dice *dice);
/* A number below BELOW. */
unsigned int draw(struct dice *dice, unsigned int below);
/* True once in N times. */
static inline bool once_in(struct dice *dice, unsigned int n)
{
	return !draw(dice, n);
}

/* What the machine has; read once, at the start. */
struct machine {
	uint32_t spe, sampler;			/* types of PMUs; 0: there is none */
	uint32_t core;
	uint32_t service, call, exec;		/* ids of tracepoints; 0: there is none */
	uint32_t cpus;
	struct spe_field field[FUZZ_FIELDS];	/* of the SPE PMU's attributes */
	unsigned int fields;
	struct spe_field batch;			/* the one that spe_sample_N has alone */
};

void machine_read(struct machine *machine);

/*
 * Fills an attribute.  In most cases perf accepts it: from an ordinary user, or for a member of a
 * group that another event leads.
 */
void draw_attr(struct dice *dice, const struct machine *machine, bool root, bool member,
	       union spe_attr *attr);

/* Shared by all tasks. */
struct shared {
	atomic_bool stop;
	atomic_int pid[FUZZ_TASKS];
	atomic_uint calls[FUZZ_CALLS], done[FUZZ_CALLS];
	atomic_uint errors[FUZZ_ERRORS];	/* of perf_event_open() */
	atomic_uint samplers;			/* events of spe_sample_N */
	atomic_uint lives, disturbances, offline;
};

struct event {
	int fd;				/* -1: none */
	int pid, cpu;
	void *data, *aux;		/* NULL: not mapped */
	size_t data_size, aux_size;
	bool writable, spe;		/* spe: has an AUX buffer */
};

struct task {
	uint64_t seed;
	unsigned int number, life, level;
	bool root, verbose;
	const struct machine *machine;
	struct shared *shared;
	struct event event[FUZZ_EVENTS];
};

/* The next of a task's events, from a drawn one on, that fits a call; sometimes any. */
struct event *next_event(struct task *task, struct dice *dice,
			 bool (*fits)(const struct event *event));

/* Each call returns whether the kernel did what it asked for. */
bool map_data(struct event *event, struct dice *dice);
bool map_aux(struct event *event, struct dice *dice);
void unmap_all(struct event *event);
bool call_map_data(struct task *task, struct dice *dice);
bool call_map_aux(struct task *task, struct dice *dice);
bool call_unmap_data(struct task *task, struct dice *dice);
bool call_unmap_aux(struct task *task, struct dice *dice);
bool call_tail(struct task *task, struct dice *dice);
bool call_scribble(struct task *task, struct dice *dice);
bool call_look(struct task *task, struct dice *dice);

/* Makes one random call. */
void call_any(struct task *task, unsigned int step);
/* The name of a call, or NULL after the last one. */
const char *call_name(unsigned int call);
/* Only prints what call_any() would draw first. */
void call_print(const struct task *task, unsigned int step);

/* Changes CPUs, parameters and sysctls until told to stop; then restores them. */
void disturb(uint64_t seed, const struct machine *machine, struct shared *shared, bool verbose);

/* A short piece of work, with system calls that tracepoints see. */
void work(unsigned int amount);

#endif
