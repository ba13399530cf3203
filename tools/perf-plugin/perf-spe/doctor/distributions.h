/* SPDX-License-Identifier: GPL-2.0-only */
/* Linux distributions: their packages, and how to change the kernel's command line. */
#ifndef PERF_SPE_DOCTOR_DISTRIBUTIONS_H
#define PERF_SPE_DOCTOR_DISTRIBUTIONS_H

#include <stdbool.h>

/* Texts that can use the words {kernel}, {codename} and {argument} */
struct distribution {
	const char *id;			/* in --json */
	const char *name;
	const char *driver_in;		/* where its kernels have the driver */
	const char *get_driver;
	const char *get_perf;		/* for this kernel */
	const char *newer_perf;		/* the same, if an older perf is installed */
	const char *add_argument;	/* to the kernel's command line */
	const char *remove_argument;
	const char *mok;		/* the key with which DKMS signs modules */
	bool stricter;			/* its kernels know perf_event_paranoid above 2 */
};

/* The value of NAME=value, or NAME="value", in an os-release file; NULL without it */
char *distribution_value(const char *os_release, const char *name);

/*
 * The row for an os-release file (NULL: unreadable) and a kernel's release; the last
 * row fits every distribution.
 */
const struct distribution *distribution_find(const char *os_release, const char *kernel);

#endif
