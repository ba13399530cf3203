// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each case writes the log of a heap, and asks for blocks at times and addresses whose answer
 * follows from the log by hand.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/heap/heap.h"
#include "heap/heap_format.h"
#include "input/input.h"
#include "test.h"

#define CHUNKS 2

/* Each chunk is of one thread, and has its records in order of time. */
struct writer {
	uint64_t words[CHUNKS][HEAP_CHUNK / 8];
	size_t at[CHUNKS];
};

static struct writer *w;

static void begin(void)
{
	int i;

	w = calloc(1, sizeof(*w));
	for (i = 0; i < CHUNKS; i++) {
		w->words[i][0] = HEAP_BASE | (uint64_t)(10 + i) << 32;
		w->at[i] = 2;
	}
}

static void given(int chunk, uint64_t time, uint64_t address, uint64_t size, uint64_t site)
{
	uint64_t *at = &w->words[chunk][w->at[chunk]];
	bool large = size >> 32;

	at[0] = (large ? HEAP_LARGE : HEAP_ALLOC | size << 32) | time << HEAP_KIND_BITS;
	at[1] = address;
	at[2] = site;
	if (large)
		at[3] = size;
	w->at[chunk] += large ? 4 : 3;
}

static void freed(int chunk, uint64_t time, uint64_t address)
{
	uint64_t *at = &w->words[chunk][w->at[chunk]];

	at[0] = HEAP_FREE | time << HEAP_KIND_BITS;
	at[1] = address;
	w->at[chunk] += 2;
}

static struct heap_blocks *blocks(void)
{
	static char page[HEAP_CHUNK];
	struct heap_header h = { .header_bytes = HEAP_CHUNK, .chunk_bytes = HEAP_CHUNK,
				 .clock = HEAP_COUNTER, .chunks = CHUNKS, .pid = 10 };
	int fd = memfd_create("log", 0);
	struct heap_blocks *b;
	struct heap_log log;
	char path[64];

	memcpy(h.magic, HEAP_MAGIC, sizeof(h.magic));
	memcpy(page, &h, sizeof(h));
	if (fd < 0 || write(fd, page, sizeof(page)) != sizeof(page) ||
	    write(fd, w->words, sizeof(w->words)) != sizeof(w->words))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (heap_log_open(&log, path) < 0)
		abort();
	b = heap_blocks_new(&log);
	CHECK_EQ(log.damaged, 0);
	heap_log_close(&log);
	close(fd);
	free(w);
	return b;
}

/* At @time the address belongs to the block that begins at @start with @size bytes; 0: to none */
#define HAS(b, time, address, start_, size_, life_)				\
	do {									\
		struct heap_found f_ = { 0 };					\
										\
		CHECK_EQ(heap_blocks_find(b, address, time, &f_), !!(size_));	\
		if (f_.block) {							\
			CHECK_EQ(f_.start, start_);				\
			CHECK_EQ(f_.block->size, size_);			\
			CHECK_EQ(f_.life, life_);				\
		}								\
	} while (0)

static void reuse(void)
{
	struct heap_blocks *b;
	struct heap_found f;

	begin();
	given(0, 100, 0x1000, 64, 0x400010);
	freed(0, 200, 0x1000);
	given(0, 300, 0x1000, 32, 0x400020);
	freed(0, 400, 0x1000);
	given(0, 500, 0x1000, 48, 0x400010);
	b = blocks();
	CHECK_EQ(heap_blocks_count(b), 3);
	CHECK_EQ(heap_blocks_sites(b), 2);
	HAS(b, 99, 0x1000, 0, 0, 0);
	HAS(b, 100, 0x1000, 0x1000, 64, HEAP_LIVE);
	HAS(b, 199, 0x103f, 0x1000, 64, HEAP_LIVE);
	HAS(b, 199, 0x1040, 0, 0, 0);
	HAS(b, 200, 0x1000, 0x1000, 64, HEAP_FREED);
	HAS(b, 350, 0x101f, 0x1000, 32, HEAP_LIVE);
	/* Only the first block had this byte until then. */
	HAS(b, 350, 0x1020, 0x1000, 64, HEAP_FREED);
	HAS(b, 450, 0x1000, 0x1000, 32, HEAP_FREED);
	HAS(b, 600, 0x102f, 0x1000, 48, HEAP_LIVE);
	CHECK(heap_blocks_find(b, 0x1000, 600, &f));
	CHECK_EQ(heap_blocks_site(b, f.block->site), 0x400010);
	/* One block alone ever had byte 48, and three had byte 0. */
	CHECK(heap_blocks_only(b, 0x1030, &f));
	CHECK_EQ(f.block->size, 64);
	CHECK_EQ(f.life, HEAP_LIFE_UNKNOWN);
	CHECK(!heap_blocks_only(b, 0x1000, &f));
	heap_blocks_free(b);
}

static void realloc_in_place(void)
{
	struct heap_blocks *b;

	begin();
	given(0, 100, 0x1000, 64, 0x400010);
	freed(0, 200, 0x1000);
	given(0, 200, 0x1000, 128, 0x400020);
	freed(0, 300, 0x1000);
	given(0, 300, 0x1000, 16, 0x400020);
	b = blocks();
	HAS(b, 199, 0x1000, 0x1000, 64, HEAP_LIVE);
	HAS(b, 199, 0x1040, 0, 0, 0);
	HAS(b, 200, 0x1000, 0x1000, 128, HEAP_LIVE);
	HAS(b, 200, 0x107f, 0x1000, 128, HEAP_LIVE);
	HAS(b, 300, 0x100f, 0x1000, 16, HEAP_LIVE);
	HAS(b, 300, 0x1010, 0x1000, 128, HEAP_FREED);
	heap_blocks_free(b);
}

/* The thread of chunk 0 frees what that of chunk 1 got before: its chunk comes first in the file. */
static void other_thread(void)
{
	struct heap_blocks *b;

	begin();
	freed(0, 200, 0x1000);
	given(1, 100, 0x1000, 64, 0x400010);
	given(1, 250, 0x1000, 32, 0x400010);
	b = blocks();
	HAS(b, 199, 0x1000, 0x1000, 64, HEAP_LIVE);
	HAS(b, 200, 0x1000, 0x1000, 64, HEAP_FREED);
	HAS(b, 250, 0x1000, 0x1000, 32, HEAP_LIVE);
	heap_blocks_free(b);
}

/* One thread frees a block, and at the same tick of the counter another gets its address. */
static void same_time(void)
{
	struct heap_blocks *b;
	int first;

	for (first = 0; first < 2; first++) {
		begin();
		given(first, 100, 0x1000, 64, 0x400010);
		freed(first, 200, 0x1000);
		given(!first, 200, 0x1000, 32, 0x400020);
		freed(!first, 300, 0x1000);
		b = blocks();
		HAS(b, 199, 0x1000, 0x1000, 64, HEAP_LIVE);
		HAS(b, 200, 0x1000, 0x1000, 32, HEAP_LIVE);
		HAS(b, 299, 0x1000, 0x1000, 32, HEAP_LIVE);
		HAS(b, 300, 0x1000, 0x1000, 32, HEAP_FREED);
		heap_blocks_free(b);
	}
}

/* The free of a large block was lost, and smaller ones are where it was. */
static void inside(void)
{
	struct heap_blocks *b;
	uint64_t i;

	begin();
	given(0, 100, 0x10000, 0x10000, 0x400010);
	for (i = 0; i < 100; i++)
		given(0, 200 + i, 0x10000 + 0x100 * i + 0x40, 32, 0x400020);
	b = blocks();
	for (i = 0; i < 100; i++) {
		uint64_t start = 0x10000 + 0x100 * i + 0x40;

		HAS(b, 199 + i, start, 0x10000, 0x10000, HEAP_LIVE);
		HAS(b, 200 + i, start + 31, start, 32, HEAP_LIVE);
		HAS(b, 1000, start + 32, 0x10000, 0x10000, HEAP_LIVE);
	}
	HAS(b, 1000, 0x20000, 0, 0, 0);
	heap_blocks_free(b);
}

static void lost_free(void)
{
	struct heap_blocks *b;

	begin();
	given(0, 100, 0x1000, 64, 0x400010);
	given(0, 200, 0x1000, 32, 0x400020);
	/* Nothing was there. */
	freed(0, 250, 0x5000);
	freed(0, 300, 0x1000);
	freed(0, 310, 0x1000);
	b = blocks();
	HAS(b, 199, 0x1000, 0x1000, 64, HEAP_LIVE);
	HAS(b, 200, 0x1000, 0x1000, 32, HEAP_LIVE);
	HAS(b, 250, 0x1020, 0x1000, 64, HEAP_FREED);
	HAS(b, 305, 0x1000, 0x1000, 32, HEAP_FREED);
	HAS(b, 305, 0x5000, 0, 0, 0);
	heap_blocks_free(b);
}

/* A block of 5 GiB, one at the end of the address space, one without bytes, one with a tag */
static void extremes(void)
{
	struct heap_blocks *b;

	begin();
	given(0, 100, 0x7f0000001000, UINT64_C(5) << 30, 0x400010);
	given(0, 110, 0xfffffffffff000, 0x1000, 0x400010);
	given(0, 120, 0x3000, 0, 0x400010);
	given(0, 130, 0xab00000000004000, 16, 0xab00000000400010);
	b = blocks();
	HAS(b, 150, 0x7f0000001000 + (UINT64_C(5) << 30) - 1, 0x7f0000001000, UINT64_C(5) << 30, HEAP_LIVE);
	HAS(b, 150, 0x7f0000001000 + (UINT64_C(5) << 30), 0, 0, 0);
	HAS(b, 150, 0xffffffffffffff, 0xfffffffffff000, 0x1000, HEAP_LIVE);
	HAS(b, 150, 0x3000, 0, 0, 0);
	HAS(b, 150, 0x400f, 0x4000, 16, HEAP_LIVE);
	CHECK_EQ(heap_blocks_sites(b), 1);
	heap_blocks_free(b);
}

const struct test_case heap_cases[] = {
	{ "heap: an address belongs to several blocks in turn", reuse },
	{ "heap: realloc in place", realloc_in_place },
	{ "heap: a thread frees a block of another, whose chunk is later in the file", other_thread },
	{ "heap: a free and an allocation at the same time, in either order", same_time },
	{ "heap: blocks inside of a block whose end is lost", inside },
	{ "heap: two blocks without a free between them", lost_free },
	{ "heap: large, empty and tagged blocks", extremes },
	{ 0 },
};
