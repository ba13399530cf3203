/* SPDX-License-Identifier: GPL-2.0-only */
/* A child process that runs work on request, pinned to a CPU. */
#ifndef ARM_SPE_TEST_WORKER_H
#define ARM_SPE_TEST_WORKER_H

#include <stdint.h>
#include <sys/types.h>

struct spe_worker {
	pid_t pid;
	int to, from;		/* pipes; -1 where closed */
};

typedef void (*spe_work)(uint64_t rounds);

/* CPU -1: not pinned.  Returns 0 or a negative error number. */
int spe_worker_start(struct spe_worker *worker, int cpu, spe_work work);

/* Starts the work, and waits for its end; return 0 or a negative error number. */
int spe_worker_begin(struct spe_worker *worker, uint64_t rounds);
int spe_worker_wait(struct spe_worker *worker);

/* Kills the worker; does nothing if it never started (pid 0). */
void spe_worker_stop(struct spe_worker *worker);

/* Pins the calling task to CPU; returns 0 or a negative error number. */
int spe_pin(int cpu);

#endif
