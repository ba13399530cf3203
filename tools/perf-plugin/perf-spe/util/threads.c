// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>
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
