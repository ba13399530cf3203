// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests: makes the SPE device look like under other kernels.
 *
 *   what=unmake	a kernel configured without an SPE driver: removes the platform
 *		device that the kernel has created from the MADT
 *   what=bind	a kernel that has loaded another SPE driver: binds the device to this module
 *   what=builtin	a kernel with a built-in SPE driver: until this module is unloaded,
 *		the driver arm_spe_pmu seems to belong to no module
 */
#include <linux/err.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/string.h>

static char *what = "bind";
module_param(what, charp, 0444);

static int take(struct platform_device *device)
{
	return 0;
}

static const struct of_device_id of_match[] = {
	{ .compatible = "arm,statistical-profiling-extension-v1" },
	{ }
};

static const struct platform_device_id id_match[] = {
	{ "arm,spe-v1", 0 },
	{ }
};

static struct platform_driver rival = {
	.probe = take,
	.id_table = id_match,
	.driver = {
		.name = "spe_rival",
		.of_match_table = of_match,
	},
};

/* The device is a static object of the kernel, so remove it but do not free it. */
static int unmake(void)
{
	struct device *device = bus_find_device_by_name(&platform_bus_type, NULL, "arm,spe-v1");

	if (!device)
		return -ENODEV;
	platform_device_del(to_platform_device(device));
	put_device(device);
	return 0;
}

static struct device_driver *builtin;
static struct module *builtin_owner;

static int disown(void)
{
	builtin = driver_find("arm_spe_pmu", &platform_bus_type);
	if (!builtin)
		return -ENODEV;
	builtin_owner = builtin->owner;
	builtin->owner = NULL;
	return 0;
}

static int __init device_init(void)
{
	if (!strcmp(what, "unmake"))
		return unmake();
	if (!strcmp(what, "builtin"))
		return disown();
	return platform_driver_register(&rival);
}

static void __exit device_exit(void)
{
	if (!strcmp(what, "bind"))
		platform_driver_unregister(&rival);
	if (builtin)
		builtin->owner = builtin_owner;
}

module_init(device_init);
module_exit(device_exit);

MODULE_DESCRIPTION("The SPE device as other kernels have it, for tests of arm_spe_pmu");
MODULE_LICENSE("GPL");
