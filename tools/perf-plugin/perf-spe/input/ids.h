/* SPDX-License-Identifier: GPL-2.0-only */
/* Ids of processes, threads and CPUs. */
#ifndef PERF_SPE_IDS_H
#define PERF_SPE_IDS_H

#define NO_ID (-1)	/* an unknown process, thread or CPU */

#endif
