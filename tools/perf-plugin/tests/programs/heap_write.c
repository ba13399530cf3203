// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a heap's log as a followed program of arm64 would, from lines on standard input:
 * heap-write PID PARENT ID START OUT
 *   alloc TIME ADDRESS SIZE SITE
 *   free TIME ADDRESS
 * Numbers are in C notation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap/heap_format.h"

static uint64_t chunk[HEAP_CHUNK / 8];

int main(int argc, char **argv)
{
	struct heap_header h = { .header_bytes = HEAP_CHUNK, .chunk_bytes = HEAP_CHUNK,
				 .clock = HEAP_COUNTER, .chunks = 1 };
	static char room[HEAP_CHUNK];
	uint64_t v[4], *at = chunk;
	char line[256], what[16];
	FILE *out;
	int n;

	if (argc != 6)
		return 2;
	memcpy(h.magic, HEAP_MAGIC, 8);
	h.pid = atoi(argv[1]);
	h.parent = atoi(argv[2]);
	h.id = strtoull(argv[3], NULL, 0);
	h.start = strtoull(argv[4], NULL, 0);
	while (fgets(line, sizeof(line), stdin)) {
		n = sscanf(line, "%15s %li %li %li %li", what, (long *)&v[0], (long *)&v[1],
			   (long *)&v[2], (long *)&v[3]);
		if (n < 3)
			return 2;
		*at++ = HEAP_BASE | (uint64_t)h.pid << 32;
		*at++ = v[0];
		*at++ = n == 5 ? HEAP_ALLOC | v[2] << 32 : HEAP_FREE;
		*at++ = v[1];
		if (n == 5)
			*at++ = v[3];
	}
	out = fopen(argv[5], "w");
	memcpy(room, &h, sizeof(h));
	if (!out || !fwrite(room, sizeof(room), 1, out) || !fwrite(chunk, sizeof(chunk), 1, out) ||
	    fclose(out))
		return 1;
	return 0;
}
