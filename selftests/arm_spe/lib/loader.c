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

static int insert(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return ret;
}

int spe_module_insert(const char *path)
{
	return insert(path, "");
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

int spe_module_load_with(const char *parameters)
{
	const char *path = getenv("ARM_SPE_MODULE");

	return path ? insert(path, parameters) : -ENOENT;
}

int spe_module_load(void)
{
	return spe_module_load_with("");
}
