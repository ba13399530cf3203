/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading and unloading modules. */
#ifndef ARM_SPE_TEST_LOADER_H
#define ARM_SPE_TEST_LOADER_H

/* Return 0 or a negative error number; -EWOULDBLOCK if the module is in use. */
int spe_module_remove(const char *name);
int spe_module_insert(const char *path);

/*
 * "/sys/module/MODULE/FILE" of the module under test, until the next call.  ARM_SPE_NAME
 * names the module; by default it is arm_spe_pmu.
 */
const char *spe_module_file(const char *file);

/* Unloads the module under test. */
int spe_module_unload(void);

/*
 * Loads the file that ARM_SPE_MODULE names, and sets its budget of time to that of the module
 * that spe_module_unload() removed: the rig switches it off for most programs, whose sessions a
 * slow host would pause.  Return 0 or a negative error number.
 */
int spe_module_load(void);
int spe_module_load_with(const char *parameters);

#endif
