// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module under test.
 */
#include "loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int spe_module_unload(void)
{
	return syscall(SYS_delete_module, "arm_spe_pmu", O_NONBLOCK) ? -errno : 0;
}

int spe_module_load(void)
{
	const char *path = getenv("ARM_SPE_MODULE");
	int fd, ret;

	if (!path)
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}
