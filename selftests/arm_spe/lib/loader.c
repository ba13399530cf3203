// SPDX-License-Identifier: GPL-2.0-only
#include "loader.h"
#include "pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BUDGET	"parameters/cpu_time_max_percent"

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

/* The budget of the module that was unloaded last, in percent; negative: it had none. */
static long budget = -ENOENT;

int spe_module_unload(void)
{
	long percent = spe_read_number(spe_module_file(BUDGET));
	int ret = spe_module_remove(module_name());

	if (!ret)
		budget = percent;
	return ret;
}

int spe_module_load_with(const char *parameters)
{
	const char *path = getenv("ARM_SPE_MODULE");
	int ret = path ? insert(path, parameters) : -ENOENT;
	char text[24];

	if (ret || budget < 0)
		return ret;
	snprintf(text, sizeof(text), "%ld", budget);
	return spe_write_file(spe_module_file(BUDGET), text);
}

int spe_module_load(void)
{
	return spe_module_load_with("");
}
