// SPDX-License-Identifier: GPL-2.0-only
#include "loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

static const char *module_name(void)
{
	const char *name = getenv("ARM_SPE_NAME");

	return name ? name : "arm_spe_pmu";
}

const char *spe_module_file(const char *file)
{
	static char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/%s", module_name(), file);
	return path;
}

int spe_module_unload(void)
{
	return spe_module_remove(module_name());
}

int spe_module_load(void)
{
	const char *path = getenv("ARM_SPE_MODULE");

	return path ? spe_module_insert(path) : -ENOENT;
}
