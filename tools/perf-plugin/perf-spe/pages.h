/* SPDX-License-Identifier: GPL-2.0-only */
/* Which memory samples touched: pages, and regions of neighbouring pages. */
#ifndef PERF_SPE_PAGES_H
#define PERF_SPE_PAGES_H

#include "fields.h"

#define PAGE_BYTES	4096u
/* What lies further apart is another region. */
#define REGION_GAP	((uint64_t)16 << 20)

struct touched {
	uint64_t loads, stores;
	uint64_t timed, cycles;		/* of total latency */
};

struct page {
	int32_t pid;			/* NO_ID: physical, or the kernel's */
	uint64_t address;
	uint64_t lines;			/* one bit for each 64 bytes */
	struct touched touched;
};

struct region {
	int32_t pid;
	uint64_t start, end;
	uint64_t pages, lines;
	struct touched touched;
};

struct pages {
	bool physical;			/* by data physical address */
	struct page **table;		/* hash, a power of two */
	size_t nr_table, room_table;
	uint64_t samples;		/* with an address */
	bool timed;			/* all of them have a time */
	uint64_t first, last;		/* of perf's clock, or the sample's number */
	/* After pages_finish() */
	struct page **hot;		/* most samples first */
	struct region *regions;		/* most samples first */
	size_t nr_regions, room_regions;
	uint64_t lines, huge;		/* touched: of 64 bytes, of 2 MiB */
};

/* Whose and which address a row accessed; false where it has none. */
bool pages_address(const struct pages *p, const struct row *row, int32_t *pid,
		   uint64_t *address);

/* A row_fn, of rows with their owner; @context is the struct pages. */
void pages_add(void *context, const struct row *row);
void pages_finish(struct pages *p);
void pages_free(struct pages *p);

#endif
