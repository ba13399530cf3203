// SPDX-License-Identifier: GPL-2.0-only
#include "loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int spe_module_remove(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

int spe_module_insert(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

int spe_module_unload(void)
{
	return spe_module_remove("arm_spe_pmu");
}

int spe_module_load(void)
{
	const char *path = getenv("ARM_SPE_MODULE");

	return path ? spe_module_insert(path) : -ENOENT;
}
