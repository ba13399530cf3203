// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read any bytes as the log of a heap.  The first byte chooses how long the part of a chunk is
 * that the bytes fill, and whether the header is made of them too.  A block that is found must
 * have the address, and be live at a time between its begin and its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/heap/heap.h"
#include "heap/heap_format.h"
#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define QUERIES 64

struct seen {
	uint64_t records, last;
	size_t nr;
	struct heap_record queries[QUERIES];
};

static void count(void *context, const struct heap_record *rec)
{
	(void)rec;
	++*(uint64_t *)context;
}

static void in_order(void *context, const struct heap_record *rec)
{
	struct seen *s = context;

	if (rec->time < s->last)
		abort();
	s->last = rec->time;
	s->records++;
	if (s->nr < QUERIES)
		s->queries[s->nr++] = *rec;
}

static void ask(const struct heap_blocks *b, uint64_t address, uint64_t time)
{
	struct heap_found f, only;
	bool found = heap_blocks_find(b, address, time, &f);

	if (heap_blocks_only(b, address, &only) && address - only.start >= only.block->size)
		abort();
	if (!found)
		return;
	if (address - f.start >= f.block->size || time < f.block->begin ||
	    (f.life == HEAP_LIVE) != (time < f.block->end))
		abort();
	if (heap_blocks_site(b, f.block->site) >> 56)
		abort();
}

static void read_log(struct heap_log *l)
{
	struct seen seen = { 0 };
	struct heap_blocks *b;
	uint64_t records = 0;
	size_t i;

	heap_log_each(l, count, &records);
	heap_log_sorted(l, in_order, &seen);
	if (records != seen.records)
		abort();
	b = heap_blocks_new(l);
	for (i = 0; i < seen.nr; i++) {
		const struct heap_record *rec = &seen.queries[i];

		ask(b, rec->address, rec->time);
		ask(b, rec->address + rec->size / 2, rec->time + 1);
		ask(b, rec->address + rec->size - 1, rec->time - 1);
		ask(b, rec->address - 1, UINT64_MAX - 1);
	}
	heap_blocks_free(b);
}

/* The bytes as a file: a header, and chunks whose begin they are */
static void write_log(int fd, const uint8_t *bytes, size_t len, size_t part, bool raw)
{
	struct heap_header h = { .header_bytes = HEAP_CHUNK, .chunk_bytes = HEAP_CHUNK,
				 .clock = HEAP_COUNTER, .pid = 10 };
	uint64_t chunk = 1;

	memcpy(h.magic, HEAP_MAGIC, sizeof(h.magic));
	h.chunks = (len + part - 1) / part;
	if (raw)
		memcpy(&h, bytes, len < sizeof(h) ? len : sizeof(h));
	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)(h.chunks < 99 ? h.chunks + 1 : 9) * HEAP_CHUNK) ||
	    pwrite(fd, &h, sizeof(h), 0) != sizeof(h))
		abort();
	for (; len; chunk++) {
		size_t now = len < part ? len : part;

		if (pwrite(fd, bytes, now, (off_t)(chunk * HEAP_CHUNK)) != (ssize_t)now)
			abort();
		bytes += now;
		len -= now;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static int fd = -1;
	static char path[64];
	struct heap_log log;

	if (fd < 0) {
		fd = memfd_create("heap", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0)
		abort();
	if (!len)
		return 0;
	write_log(fd, bytes + 1, len - 1, 128 + 32 * (size_t)(bytes[0] >> 1), bytes[0] & 1);
	if (!heap_log_open(&log, path)) {
		read_log(&log);
		heap_log_close(&log);
	}
	return 0;
}
