/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognises layouts.  Decoding to records (shape.c) and decoding to columns
 * (columns.c) both use this.
 */
#ifndef ARMSPE_SHAPE_H
#define ARMSPE_SHAPE_H

#include "internal.h"

/* The loads are little-endian: big-endian hosts parse every record. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARMSPE_SHAPES_USED

#define ROOT		ARMSPE_SHAPES	/* inner nodes follow the layouts */

/* load[] has this many loads of each size, in this order.  Some may be unused. */
#define LOADS_64	6
#define LOADS_32	2
#define LOADS_16	5
/* Most records have no more than these: code checks for the others separately. */
#define USUAL_64	4
#define USUAL_16	4

_Static_assert(LOADS_64 + LOADS_32 + LOADS_16 == ARMSPE_SHAPE_LOADS, "all");

/*
 * The rows of a layout in a batch, and the first byte of the batch.  The last row
 * is repeated until the number of rows is a multiple of FILL_STEP.
 */
#define FILL_STEP	4

_Static_assert(ARMSPE_BATCH % FILL_STEP == 0, "a batch has room for these");

struct armspe_rows {
	const uint8_t *bytes;
	const struct armspe_row *row;
	size_t n;
};

/* Fills the columns of @r: the rows of layout @s in the batch that starts at @row. */
void armspe_fill(const struct armspe_columns *cols, size_t row,
		 const struct armspe_shape *s, const struct armspe_rows *r);

/* Largest offset of a record in a batch */
#define FROM_MAX	0xffff

/* Short layouts: bytes that the comparison covers, and that loads may read */
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

/* The compiler's vector type, so that one source serves every architecture */
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
 * Do @bytes have layout @index?  shape_begins() compares the first SHORT_BYTES,
 * shape_ends() the rest of a longer layout.  @left bytes are readable, at least
 * SHORT_REACH.
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

/* A branch: the node that it leads to, and the position that this node looks at */
#define BRANCH(node, at)	((uint16_t)((node) << 8 | (at)))

/*
 * Returns the only layout that @bytes may have, from their first SHORT_BYTES.  It
 * takes the same number of steps, at least one, for each record: a CPU could not
 * predict a loop that stops at the leaf.
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
