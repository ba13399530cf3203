/* SPDX-License-Identifier: GPL-2.0-only */
/* What a data address of the kernel belongs to. */
#ifndef PERF_SPE_DATA_KERNEL_H
#define PERF_SPE_DATA_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/data/data_place.h"
#include "symbols/kernel/kernel_layout.h"
#include "symbols/resolve.h"

/* All zero at first; filled by the first call */
struct data_kernel {
	bool ready;
	struct kernel_layout layout;
	uint64_t start, end;		/* of the kernel's image; 0: unknown */
};

/*
 * Set the place of @address, and the addresses from *@low to *@high - 1 that are known
 * to have the same place.  Returns true: it is the same at any time.
 */
bool data_kernel_find(struct data_kernel *k, const struct resolver *r,
		      uint64_t address, uint64_t *low, uint64_t *high,
		      struct data_place *place);

#endif
