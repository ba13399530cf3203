// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps a perf event open in the background until the guest ends.  The program itself exits as
 * soon as the event is open.
 *
 * With the first event of a task perf patches its calls into the scheduler, and a second after
 * the last event it removes them, while other CPUs execute that code.  QEMU drops its
 * translation of the page before the new instruction is in memory.  If the host is busy,
 * another virtual CPU may execute the page in between: it translates the old instruction again
 * and keeps it.  Then perf misses task switches and warns (ctx_sched_out() as called by
 * perf_event_exec()).  With this event perf patches the code once, before anything else runs,
 * and not during tests.
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
