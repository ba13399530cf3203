/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU's attributes in sysfs.
 */
#ifndef SPE_SYSFS_H
#define SPE_SYSFS_H

#include <linux/sysfs.h>

extern const struct attribute_group *spe_sysfs_groups[];
void spe_sysfs_init(void);

#endif /* SPE_SYSFS_H */
