/* SPDX-License-Identifier: GPL-2.0-only */
/* A part of an AUX area, from a file or from the kernel. */
#ifndef PERF_SPE_PIECE_H
#define PERF_SPE_PIECE_H

#include <stdbool.h>
#include <stdint.h>

/* One AUXTRACE event's data */
struct piece {
	uint64_t file_offset;
	const uint8_t *bytes;
	uint64_t len;
	uint64_t offset;	/* in the AUX area's stream */
	uint32_t idx;
	int32_t cpu, tid;	/* NO_ID: any */
	bool inside;		/* the first byte may be inside of a record */
};

#endif
