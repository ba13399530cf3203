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

/* Note where layout @index has which value, for armspe_columns_next(). */
void armspe_columns_learn(struct armspe_decoder *dec, unsigned int index);

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

static inline bool half_matches(const uint8_t *bytes, const uint8_t *match,
				const uint8_t *mask)
{
	armspe_wide differ = { 0, 0 };
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < SHORT_BYTES; i += 16)
		differ |= (wide_load(bytes + i) ^ wide_aligned(match + i)) &
			  wide_aligned(mask + i);
	return !(differ[0] | differ[1]);
}

#else

static inline bool half_matches(const uint8_t *bytes, const uint8_t *match,
				const uint8_t *mask)
{
	uint64_t differ = 0;
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < SHORT_BYTES; i += 8)
		differ |= (load64(bytes + i) ^ load64(match + i)) &
			  load64(mask + i);
	return !differ;
}

#endif

/* @left bytes are readable, not less than SHORT_REACH. */
static inline bool shape_matches(const struct armspe_shape *s,
				 const uint8_t *bytes, size_t left)
{
	if (!half_matches(bytes, s->match, s->mask))
		return false;
	if (__builtin_expect(s->span <= SHORT_BYTES, 1))
		return true;
	return left >= LONG_REACH &&
	       half_matches(bytes + SHORT_BYTES, s->match + SHORT_BYTES,
			    s->mask + SHORT_BYTES);
}

/*
 * Looks at the first SHORT_BYTES only.  As many steps for each record: a loop
 * that stopped at the leaf could not be predicted.
 */
static inline unsigned int tree_find(const struct armspe_decoder *dec,
				     const uint8_t *bytes)
{
	unsigned int node = ROOT, step;

	for (step = dec->steps; step; step--)
		node = dec->node[node][bytes[dec->node_at[node]]];
	return node;
}

#endif
#endif
