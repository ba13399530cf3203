/* SPDX-License-Identifier: GPL-2.0-only */
/* Compressed events of a perf.data file (perf record -z). */
#ifndef PERF_SPE_UNPACK_H
#define PERF_SPE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpacked {
	void *stream;
	const uint8_t *bytes;		/* of the newest block */
	size_t len, pos;
	uint64_t offset;		/* of its event, in the file */
	uint64_t total;
	bool cut;			/* the compressed bytes so far end inside a block */
	uint8_t **blocks;
	size_t nr_blocks, room_blocks;
};

/*
 * Unpack the @len bytes of the COMPRESSED event at @offset of the file @path, and
 * append the result to what is unpacked.  Returns 0, or -1 after a message.
 */
int unpack_event(struct unpacked *u, const char *path, uint64_t offset,
		 const uint8_t *from, size_t len);
void unpack_free(struct unpacked *u);

#endif
