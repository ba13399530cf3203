/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of processes, threads and CPUs. */
#ifndef PERF_SPE_IDS_H
#define PERF_SPE_IDS_H

#define NO_ID (-1)	/* of a process, thread or CPU that is not known */

#endif
