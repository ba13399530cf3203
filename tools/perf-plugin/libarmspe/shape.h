/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognising a layout: what decoding to records (shape.c) and decoding to
 * columns (columns.c) have in common.
 */
#ifndef ARMSPE_SHAPE_H
#define ARMSPE_SHAPE_H

#include "internal.h"

/* Loads are little-endian: other hosts always parse. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARMSPE_SHAPES_USED

#define ROOT		ARMSPE_SHAPES	/* inner nodes follow the layouts */

/* load[]: so many of each size, in this order; the rest of a size is idle. */
#define LOADS_64	6
#define LOADS_32	2
#define LOADS_16	5
/* Of these a record usually has no more: the others are looked at apart. */
#define USUAL_64	4
#define USUAL_16	4

_Static_assert(LOADS_64 + LOADS_32 + LOADS_16 == ARMSPE_SHAPE_LOADS, "all");

/*
 * The rows of a layout in a batch, and where that begins.  There are so many
 * that FILL_STEP divides them, as the last one is there again and again.
 */
#define FILL_STEP	4

_Static_assert(ARMSPE_BATCH % FILL_STEP == 0, "a batch has room for these");

struct armspe_rows {
	const uint8_t *bytes;
	const struct armspe_row *row;
	size_t n;
};

/* Fill the columns of @r, rows of layout @s in the batch that begins at @row. */
void armspe_fill(const struct armspe_columns *cols, size_t row,
		 const struct armspe_shape *s, const struct armspe_rows *r);

/* A record of a batch begins at one of these. */
#define FROM_MAX	0xffff

/* Bytes that recognising looks at, and loads may reach, in short layouts */
#define SHORT_BYTES	(ARMSPE_SHAPE_BYTES / 2)
#define SHORT_REACH	(SHORT_BYTES + 8)
#define LONG_REACH	(ARMSPE_SHAPE_BYTES + 8)

static inline uint64_t load64(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

#if defined(__SSE2__) || defined(__ARM_NEON)

/* The compiler's own vectors, so that one text serves every architecture */
typedef uint64_t armspe_wide __attribute__((vector_size(16)));

static inline armspe_wide wide_load(const uint8_t *from)
{
	armspe_wide wide;

	memcpy(&wide, from, sizeof(wide));
	return wide;
}

static inline armspe_wide wide_aligned(const uint8_t *from)
{
	return wide_load(__builtin_assume_aligned(from, 16));
}

static inline bool half_matches(const uint8_t *bytes,
				const struct armspe_key *key)
{
	armspe_wide differ = { 0, 0 };
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < SHORT_BYTES; i += 16)
		differ |= (wide_load(bytes + i) ^
			   wide_aligned(key->part[i / 16].match)) &
			  wide_aligned(key->part[i / 16].mask);
	return !(differ[0] | differ[1]);
}

#else

static inline bool half_matches(const uint8_t *bytes,
				const struct armspe_key *key)
{
	uint64_t differ = 0;
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < SHORT_BYTES; i += 8)
		differ |= (load64(bytes + i) ^
			   load64(key->part[i / 16].match + i % 16)) &
			  load64(key->part[i / 16].mask + i % 16);
	return !differ;
}

#endif

/*
 * Whether layout @index is that of @bytes, of which @left are readable and not
 * less than SHORT_REACH: first what is to be seen in SHORT_BYTES, then, of a
 * layout that is longer, the rest.
 */
static inline bool shape_begins(const struct armspe_decoder *dec,
				unsigned int index, const uint8_t *bytes)
{
	return half_matches(bytes, &dec->key[0][index]);
}

static inline bool shape_ends(const struct armspe_decoder *dec,
			      unsigned int index, const uint8_t *bytes,
			      size_t left)
{
	return dec->span[index] <= SHORT_BYTES ||
	       (left >= LONG_REACH &&
		half_matches(bytes + SHORT_BYTES, &dec->key[1][index]));
}

/* What leads to a node, and at which byte to look there */
#define BRANCH(node, at)	((uint16_t)((node) << 8 | (at)))

/*
 * The layout that may be that of @bytes: looks at the first SHORT_BYTES only.
 * As many steps for each record, one or more: a loop that stopped at the leaf
 * could not be predicted.
 */
static inline unsigned int tree_find(const uint16_t *node, unsigned int root,
				     unsigned int steps, const uint8_t *bytes)
{
	unsigned int branch = root;

	do
		branch = node[(branch & 0xff00) + bytes[branch & 0xff]];
	while (--steps);
	return branch >> 8;
}

#endif
#endif
