/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_THREADS_H
#define PERF_SPE_THREADS_H

/* The number in the variable PERF_SPE_THREADS, at least 1; 0 if it is not set */
unsigned int threads_asked(void);
/* CPUs that this process may run on, which taskset or a container can restrict */
unsigned int threads_cpus(void);

#endif
