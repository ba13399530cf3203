/* SPDX-License-Identifier: GPL-2.0-only */
/* The block of the heap that a sample's data address is in, with its call site as text. */
#ifndef PERF_SPE_HEAP_NAMES_H
#define PERF_SPE_HEAP_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "armspe.h"
#include "analysis/heap/heap_blocks.h"
#include "symbols/data/data_place.h"
#include "symbols/resolve.h"

struct heap_names;

struct heap_name {
	const char *site;	/* "make_table at table.c:12", or "make_table+0x1c" */
	uint64_t size, offset;
	enum heap_life life;
};

/* Reads the logs beside @data at the first question.  NULL without a file of data. */
struct heap_names *heap_names_new(const struct resolver *r, const char *data);
void heap_names_free(struct heap_names *n);
/* Whether record --heap made the recording */
bool heap_names_followed(const struct heap_names *n);
/*
 * Several threads may ask at the same time.  False if no block is known.  Equal sites are the
 * same pointer, valid until heap_names_free().
 */
bool heap_names_find(struct heap_names *n, struct owner owner,
		     const struct armspe_record *rec, struct heap_name *name);
/* The same as a place; false too if the block has been freed. */
bool heap_names_place(struct heap_names *n, struct owner owner,
		      const struct armspe_record *rec, struct data_place *place);
/* "live", "freed", ...: a word_fn */
const char *heap_life_name(unsigned int life);

#endif
