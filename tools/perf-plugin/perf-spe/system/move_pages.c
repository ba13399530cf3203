// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/system.h"
#include "util/util.h"

/* Of the kernel's <linux/mempolicy.h>: only pages that no other process uses */
#define MOVE_OWN_PAGES	2

int pages_where(int32_t pid, void *const *pages, size_t count, int *nodes)
{
	return syscall(SYS_move_pages, pid, count, pages, NULL, nodes, 0) < 0 ? -errno : 0;
}

int pages_move(int32_t pid, void *const *pages, size_t count, const int *to, int *nodes)
{
	/* A positive result counts pages that did not move; nodes[] tells which. */
	return syscall(SYS_move_pages, pid, count, pages, to, nodes, MOVE_OWN_PAGES) < 0 ?
	       -errno : 0;
}

bool process_name(int32_t pid, char *name, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	return sysfs_line(path, name, size);
}
