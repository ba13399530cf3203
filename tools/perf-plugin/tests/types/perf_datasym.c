// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's own workload "datasym": the source file of Linux's tools/perf itself, which one.sh puts
 * into workloads/.  It runs until a signal comes.
 */
#include <signal.h>
#include <unistd.h>

#include "witness.h"

/* What the file takes from perf's headers */
#define __maybe_unused __attribute__((unused))
#define DEFINE_WORKLOAD(name) int name##_is_used

/* QEMU logs each instruction, so half a second is a long time. */
#define alarm(seconds) ualarm((seconds) * 500000, 0)
/* Locals of the program's only function: their names are in scope only inside it. */
#define signal(number, handler)						\
	(LOCAL(sec, int), LOCAL(argc, int), LOCAL(argv, const char **), signal(number, handler))
#include "workloads/datasym.c"

int main(void)
{
	const char *seconds = "1";

	LOCAL(seconds, const char *);
	OBJECT(done, sig_atomic_t);
	OBJECT(workload_datasym_buf1, struct buf);
	MEMBER(struct buf, data1, char);
	MEMBER(struct buf, reserved, char[55]);
	MEMBER(struct buf, data2, char);
	printf("# %d\n", datasym(1, &seconds));
	return 0;
}
