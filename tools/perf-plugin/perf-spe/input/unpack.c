// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compressed events (perf record -z): perf cuts one zstd stream into COMPRESSED
 * events at any byte.  Unpacked bytes stay in memory, because sessions point to
 * names in them.  perf does not compress AUX data.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

#ifdef HAVE_ZSTD

#include <zstd.h>

#define PART		((size_t)1 << 17)
#define BLOCK_HEADER	3u

static int fail(const char *path, uint64_t offset, const char *what)
{
	say("%s: cannot unpack the events at offset 0x%" PRIx64 ": %s; copy the file again, or record without -z",
	    path, offset, what);
	return -1;
}

/* Begin a block with the incomplete event at the end of the last block. */
static void block_begin(struct unpacked *u)
{
	size_t rest = u->len - u->pos;
	uint8_t *block = xrealloc(NULL, rest + PART);

	if (rest)
		memcpy(block, u->bytes + u->pos, rest);
	u->blocks = array_grow(u->blocks, u->nr_blocks, &u->room_blocks,
			       sizeof(*u->blocks));
	u->bytes = block;
	u->len = rest;
	u->pos = 0;
	u->blocks[u->nr_blocks++] = block;
}

int unpack_event(struct unpacked *u, const char *path, uint64_t offset,
		 const uint8_t *from, size_t len)
{
	ZSTD_inBuffer in = { from, len, 0 };
	size_t room = u->len - u->pos + PART;

	if (!u->stream)
		u->stream = ZSTD_createDStream();
	if (!u->stream)
		return fail(path, offset, "out of memory");
	block_begin(u);
	u->offset = offset;
	for (;;) {
		ZSTD_outBuffer out = { u->blocks[u->nr_blocks - 1], room,
				       u->len };
		size_t result = ZSTD_decompressStream(u->stream, &out, &in);

		if (ZSTD_isError(result))
			return fail(path, offset, ZSTD_getErrorName(result));
		u->total += out.pos - u->len;
		u->len = out.pos;
		/* No real recording has more than 1 GiB; a hostile file may unpack to terabytes. */
		if (u->total > file_budget()) {
			char *why = xformat("they are larger than %" PRIu64 " MiB", file_budget() >> 20);

			fail(path, offset, why);
			free(why);
			return -1;
		}
		if (out.pos < room && in.pos == in.size) {
			/* zstd asks for what a frame or a block begins with: RFC 8878, 3.1.1.2 */
			u->cut = result && result != BLOCK_HEADER;
			return 0;
		}
		if (out.pos == room) {
			room *= 2;
			u->bytes = u->blocks[u->nr_blocks - 1] =
				xrealloc(u->blocks[u->nr_blocks - 1], room);
		}
	}
}

void unpack_free(struct unpacked *u)
{
	ZSTD_freeDStream(u->stream);
	while (u->nr_blocks)
		free(u->blocks[--u->nr_blocks]);
	free(u->blocks);
}

#else

int unpack_event(struct unpacked *u, const char *path, uint64_t offset,
		 const uint8_t *from, size_t len)
{
	(void)u;
	(void)from;
	(void)len;
	say("%s: cannot unpack the events at offset 0x%" PRIx64 ": this perf-spe was built without libzstd; record without -z",
	    path, offset);
	return -1;
}

void unpack_free(struct unpacked *u)
{
	(void)u;
}

#endif
