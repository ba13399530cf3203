// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps an event of perf's open for as long as the guest lives, in the
 * background; ends itself as soon as it is.
 *
 * With the first event of a task perf patches its calls into the scheduler,
 * and a second after the last it takes them out again, while other CPUs run
 * that code.  QEMU forgets what it had translated of a page before the new
 * instruction is in place: a virtual CPU that comes by in between, which takes
 * a host that is busy elsewhere, translates the old one again and keeps it.
 * perf is then not told of task switches, and warns (ctx_sched_out() as called
 * by perf_event_exec()).  Here it happens once, while nothing else has begun
 * to run, and not in the middle of a test time and again.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void hold(int ready)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};

	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0) {
		perror("hold: perf_event_open");
		_exit(1);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	close(ready);
	for (;;)
		pause();
}

int main(void)
{
	char byte;
	int ready[2];

	if (pipe(ready)) {
		perror("hold: pipe");
		return 1;
	}
	switch (fork()) {
	case -1:
		perror("hold: fork");
		return 1;
	case 0:
		close(ready[0]);
		hold(ready[1]);
	}
	close(ready[1]);
	return read(ready[0], &byte, 1) == 1 ? 0 : 1;
}
