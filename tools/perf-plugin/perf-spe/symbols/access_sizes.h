/* SPDX-License-Identifier: GPL-2.0-only */
/* How many bytes an instruction loads or stores, which no SPE packet tells */
#ifndef PERF_SPE_ACCESS_SIZES_H
#define PERF_SPE_ACCESS_SIZES_H

#include <stdint.h>

#include "symbols/code/a64_code.h"
#include "symbols/resolve.h"

#define ACCESS_SIZES_FILES	32u
#define ACCESS_SIZES_KNOWN	4096u	/* a power of two */

/* All zero at first */
struct access_sizes {
	/* The files that were asked for last, open; those that cannot be read have no elf */
	struct a64_code files[ACCESS_SIZES_FILES];
	unsigned int next;		/* to be replaced */
	struct {
		const struct dso *dso;
		uint64_t address;
		unsigned int bytes;
	} known[ACCESS_SIZES_KNOWN];
};

/*
 * The bytes that the load or store at @place accesses from its address on; 0 if the file cannot
 * be read, or if a64_access() does not know the instruction.
 */
unsigned int access_size(struct access_sizes *sizes, const struct place *place);
void access_sizes_free(struct access_sizes *sizes);

#endif
