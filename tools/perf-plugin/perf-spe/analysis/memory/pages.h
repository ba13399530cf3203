/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that samples accessed, as pages and regions of neighbouring pages.
 * mem reads the samples twice: the first time finds the ranges of addresses and
 * of time that the second time divides into steps.
 */
#ifndef PERF_SPE_PAGES_H
#define PERF_SPE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/memory/nodes.h"
#include "util/hash_table.h"

#define PAGE_BYTES	4096u
#define HUGE_BYTES	((uint64_t)2 << 20)
/* Pages that are further apart belong to different regions. */
#define REGION_GAP	((uint64_t)16 << 20)

struct touched {
	uint64_t loads, stores;
	uint64_t timed, cycles;		/* of total latency */
};

/* A load or store, as the second reading sees it */
struct touch {
	uint32_t whose;
	uint64_t address;
	uint64_t time;			/* from pages.first on */
	uint64_t cycles;		/* of total latency, 0 without */
};

struct page {
	uint32_t whose;			/* owner_number(); 0: physical, or the kernel's */
	uint64_t address;
	uint64_t lines;			/* one bit for each 64 bytes */
	uint64_t when;			/* one bit for each step of time, see working_set.h */
	int32_t node;			/* NUMA node, or one of NODE_... */
	struct touched touched;
	uint32_t rank, region;		/* see touchers.h: 1 for the first; 0: not shown */
};

struct region {
	uint32_t whose;
	uint64_t start, end;
	uint64_t pages, lines;
	struct touched touched;
};

struct pages {
	bool physical;			/* by data physical address */
	struct nodes nodes;
	struct hash_table table;	/* struct page * */
	uint64_t samples;		/* with an address */
	uint64_t cycles;		/* of their total latency */
	bool timed;			/* all of them have a time */
	uint64_t first, last;		/* of perf's clock, or the sample's number */
	/* After pages_finish() */
	struct page **hot;		/* most samples first */
	struct region *regions;		/* most samples first */
	size_t nr_regions, room_regions;
	struct page **by_address;
	uint64_t lines, huge;		/* touched: of 64 bytes, of 2 MiB */
	uint64_t walked;		/* samples of the second time */
};

/* A row_fn, of rows with their owner; @context is the struct pages. */
void pages_add(void *context, const struct row *row);
void pages_finish(struct pages *p);
/* For the second reading of the same rows; false if a row has no address */
bool pages_touch(struct pages *p, const struct row *row, struct touch *t);
/* The page of an address that pages_add() has seen, or NULL */
struct page *pages_find(const struct pages *p, uint32_t whose, uint64_t address);
/* Whether two pages lie in the same 2 MiB of the same process */
bool pages_same_huge(const struct page *a, const struct page *b);
/* The fewest pages that hold @percent of the samples */
size_t pages_holding(const struct pages *p, unsigned int percent);
uint64_t pages_touches(const struct touched *t);
void pages_free(struct pages *p);

#endif
