/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's variables. */
#ifndef PERF_SPE_KERNEL_DATA_H
#define PERF_SPE_KERNEL_DATA_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;
struct symbol;

/*
 * Read the variables from the file that kernel_init() found; again: nothing.  The
 * caller must hold elf_lock().
 */
void kernel_data_load(struct kernel *k);
/* The variable at a run-time address, of kernel or module; NULL if none is known. */
const struct symbol *kernel_data_find(const struct kernel *k, uint64_t address);
/*
 * The run-time addresses of the kernel's image; false if they are not known.  Set
 * by kernel_data_load().
 */
bool kernel_data_image(const struct kernel *k, uint64_t *start, uint64_t *end);

#endif
