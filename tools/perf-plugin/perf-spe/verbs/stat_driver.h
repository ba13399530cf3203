/* SPDX-License-Identifier: GPL-2.0-only */
/* perf spe stat --driver */
#ifndef PERF_SPE_STAT_DRIVER_H
#define PERF_SPE_STAT_DRIVER_H

/*
 * Print the driver's counters on the machine below @root ("": this one).  Returns
 * the exit status.
 */
int stat_driver(const char *root);

#endif
