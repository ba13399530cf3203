/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a decoder remembers.  Private: armspe.h only declares the structure. */
#ifndef ARMSPE_DECODER_H
#define ARMSPE_DECODER_H

#include "armspe.h"

/* How many layouts of records a decoder remembers, and how long ones. */
#define ARMSPE_SHAPES		24
#define ARMSPE_SHAPE_BYTES	128
#define ARMSPE_SHAPE_LOADS	13
#define ARMSPE_SHAPE_HEAD	32

/* Records that decoding to columns recognises before it loads their values. */
#define ARMSPE_BATCH	256

/* Half of a layout: which bytes to compare, and with what.  See shape.c. */
struct armspe_key {
	/* Aligned, so that wide instructions may read them where they are */
	struct {
		uint8_t mask[16], match[16];
	} part[ARMSPE_SHAPE_BYTES / 2 / 16]
		__attribute__((aligned(ARMSPE_DECODER_ALIGN)));
};

/* A layout: which bytes of a record that matches its key become which value. */
struct armspe_shape {
	struct armspe_load {
		uint8_t from;
		uint16_t to;
	} load[ARMSPE_SHAPE_LOADS];
	uint64_t events_mask;
	uint16_t source_mask;
	uint8_t loads_64, loads_32, loads_16;
	uint8_t events_from, source_from, op_from;
	uint8_t head[ARMSPE_SHAPE_HEAD];	/* record from bytes to source */
	uint64_t packets_padding;	/* padding in the upper half */
};

struct armspe_decoder {
	const uint8_t *bytes;	/* of the piece; owned by the caller */
	size_t len;
	size_t pos;		/* of the next byte to decode */
	uint64_t offset;	/* stream offset of bytes[0] */
	struct armspe_totals totals;
	/* Known layouts; used by shape.c and columns.c */
	unsigned int nr_shapes;
	unsigned int misses;
	unsigned int nr_nodes;
	unsigned int steps;
	bool alike;
	uint16_t root;
	uint16_t node[2 * ARMSPE_SHAPES][256];
	struct armspe_key key[2][ARMSPE_SHAPES];
	uint8_t span[ARMSPE_SHAPES];	/* with the padding behind it */
	struct armspe_shape shapes[ARMSPE_SHAPES];
	/* Rows of each layout, and where their records begin; columns.c */
	struct armspe_row {
		uint16_t from;
		uint16_t row;
	} batch[ARMSPE_SHAPES][ARMSPE_BATCH];
};

_Static_assert(__alignof__(struct armspe_decoder) == ARMSPE_DECODER_ALIGN,
	       "the header states the alignment");

#endif
