/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading and unloading the module under test. */
#ifndef ARM_SPE_TEST_LOADER_H
#define ARM_SPE_TEST_LOADER_H

/* 0 or a negative error number; -EWOULDBLOCK of a module in use. */
int spe_module_unload(void);

/* Loads the file that ARM_SPE_MODULE names: 0 or a negative error number. */
int spe_module_load(void);

#endif
