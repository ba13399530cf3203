/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the programs and libraries of a process are in its memory: all of each, with the
 * parts that have no mapping of the file, as .bss.
 */
#ifndef PERF_SPE_IMAGES_H
#define PERF_SPE_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "input/process.h"
#include "symbols/symbols.h"
#include "util/hash_table.h"

struct image {
	uint64_t start, end;	/* run-time addresses */
	uint64_t bias;		/* run-time address minus the file's own */
	struct map map;		/* of its code */
	struct dso *dso;
};

struct images {
	struct hash_table by_process;
};

/*
 * The image of @p at @address and @time, NULL if there is none: the latest one whose code is
 * mapped then.  With UINT64_MAX, if the time is not known, the only one that ever was there.
 * Reads the headers of all files that @p executes on the first call.
 */
const struct image *images_find(struct images *all, struct symbols *syms,
				const struct process *p, uint64_t address,
				uint64_t time);
/*
 * Whether images_find() finds the same from *@from on, in ns of perf's clock, whatever other
 * mappings say
 */
bool images_stable(struct images *all, struct symbols *syms, const struct process *p,
		   uint64_t address, uint64_t *from);
void images_free(struct images *all);

/* Which part of its file an address of an image is in; NULL if none */
const struct segment *image_segment(const struct image *image, uint64_t address);

#endif
