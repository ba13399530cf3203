// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/util.h"

#define MOST	256

unsigned int threads_asked(void)
{
	const char *text = getenv("PERF_SPE_THREADS");
	long number = text ? strtol(text, NULL, 10) : 0;

	if (!text)
		return 0;
	return number < 1 ? 1 : number > MOST ? MOST : (unsigned int)number;
}

unsigned int threads_cpus(void)
{
	long online;
	cpu_set_t set;

	/* It fails on machines with more CPUs than the set has room for. */
	if (!sched_getaffinity(0, sizeof(set), &set))
		return (unsigned int)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online < 1 ? 1 : (unsigned int)online;
}

unsigned int threads_most(void)
{
	unsigned int asked = threads_asked();

	return asked ? asked : threads_cpus();
}

struct share {
	pthread_t thread;
	bool started;
	void (*fn)(void *context, size_t number);
	void *context;
	size_t number;
};

static void *run(void *context)
{
	const struct share *share = context;

	share->fn(share->context, share->number);
	return NULL;
}

void threads_each(size_t nr, void (*fn)(void *context, size_t number), void *context)
{
	struct share *shares = xcalloc(nr, sizeof(*shares));
	size_t i;

	for (i = 1; i < nr; i++) {
		shares[i] = (struct share){ .fn = fn, .context = context, .number = i };
		shares[i].started = !pthread_create(&shares[i].thread, NULL, run, &shares[i]);
	}
	for (i = 0; i < nr; i++)
		if (!shares[i].started)
			fn(context, i);
	for (i = 1; i < nr; i++)
		if (shares[i].started)
			pthread_join(shares[i].thread, NULL);
	free(shares);
}
