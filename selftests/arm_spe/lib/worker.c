// SPDX-License-Identifier: GPL-2.0-only
#include "worker.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int spe_pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
}

static void serve(int from, int to, spe_work work)
{
	uint64_t rounds;

	while (read(from, &rounds, sizeof(rounds)) == sizeof(rounds)) {
		work(rounds);
		if (write(to, "", 1) != 1)
			break;
	}
	_exit(0);
}

int spe_worker_start(struct spe_worker *worker, int cpu, spe_work work)
{
	int down[2], up[2];

	memset(worker, 0, sizeof(*worker));
	if (pipe(down))
		return -errno;
	if (pipe(up))
		return -errno;
	worker->pid = fork();
	if (worker->pid < 0)
		return -errno;
	if (!worker->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(down[1]);
		close(up[0]);
		if (cpu >= 0 && spe_pin(cpu))
			_exit(1);
		/* The first byte reports that the task is pinned. */
		if (write(up[1], "", 1) != 1)
			_exit(1);
		serve(down[0], up[1], work);
	}
	close(down[0]);
	close(up[1]);
	worker->to = down[1];
	worker->from = up[0];
	return spe_worker_wait(worker);
}

int spe_worker_begin(struct spe_worker *worker, uint64_t rounds)
{
	return write(worker->to, &rounds, sizeof(rounds)) == sizeof(rounds) ?
		0 : -EPIPE;
}

int spe_worker_wait(struct spe_worker *worker)
{
	char done;

	return read(worker->from, &done, 1) == 1 ? 0 : -EPIPE;
}

void spe_worker_stop(struct spe_worker *worker)
{
	if (worker->pid <= 0)
		return;
	close(worker->to);
	close(worker->from);
	/*
	 * A later worker has inherited this pipe's ends, so closing ours may not end the loop.
	 */
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
	worker->pid = 0;
}
