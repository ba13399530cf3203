// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

MODULE_DESCRIPTION("Unit tests of the Arm SPE driver's pure files");
MODULE_LICENSE("GPL");
