// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layouts of records.
 *
 * The headers and padding of a record decide where every value in it stands;
 * values vary, layouts hardly do.  A layout is kept as 64 or 128 bytes to
 * compare under a mask, header and padding bytes being 0xff in it and payload
 * bytes 0x00, and as a list of loads:
 *
 *   bytes   b0 .. .. .. .. .. .. .. 99 .. .. 98 .. .. 52 .. .. 49 .. 00 01
 *   mask    ff 00 00 00 00 00 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 ff ff
 *   loads      PC                      ISSUE    TOTAL    EVENTS   OP
 *
 * Equal headers give an equal parse, so the packet-by-packet parser stays the
 * only definition of the format: a layout is learnt from it, never built by
 * hand.  The padding behind a record, up to 64 or 128 bytes from its start,
 * counts as part of its layout: cores that align records always write the
 * same.
 *
 * Samples come in no order that a branch predictor could learn, so a layout is
 * found without branching: a tree over header bytes, in which each inner node
 * looks at one place where all layouts below it have a header, is walked as
 * many steps as it is deep; a layout leads to itself.  Whether it is the right
 * one the comparison says.
 *
 *                    byte 14?                    node[inner][byte at node_at]
 *            48 /    49 |    \ 4a
 *          other     byte 27?    branch          leaves are layouts
 *                 b2 /     \ 71
 *               load       barrier
 */
#include "shape.h"

#ifdef ARMSPE_SHAPES_USED

#define AHEAD		1024	/* bytes: the first look at a line must not wait */

_Static_assert(offsetof(struct armspe_record, events) -
	       offsetof(struct armspe_record, bytes) == ARMSPE_SHAPE_HEAD,
	       "head is the record from bytes to source");

static inline void shape_load(const struct armspe_shape *restrict s,
			      const uint8_t *restrict bytes,
			      struct armspe_record *restrict rec)
{
	const struct armspe_load *load = s->load;
	uint8_t *to = (uint8_t *)rec;
	unsigned int i;

	memcpy(&rec->bytes, s->head, ARMSPE_SHAPE_HEAD);
#pragma GCC unroll 4
	for (i = 0; i < USUAL_64; i++, load++)
		memcpy(to + load->to, bytes + load->from, 8);
	load = s->load + LOADS_64;
#pragma GCC unroll 4
	for (i = 0; i < LOADS_32; i++, load++)
		memcpy(to + load->to, bytes + load->from, 4);
#pragma GCC unroll 4
	for (i = 0; i < USUAL_16; i++, load++)
		memcpy(to + load->to, bytes + load->from, 2);
	for (i = USUAL_64; i < s->loads_64; i++)
		memcpy(to + s->load[i].to, bytes + s->load[i].from, 8);
	for (i = USUAL_16; i < s->loads_16; i++, load++)
		memcpy(to + load->to, bytes + load->from, 2);
	rec->events = load64(bytes + s->events_from) & s->events_mask;
	rec->source = (uint16_t)(load64(bytes + s->source_from) &
				 s->source_mask);
	rec->op_payload = bytes[s->op_from];
}

bool armspe_shape_decode(struct armspe_decoder *restrict dec,
			 struct armspe_record *restrict rec)
{
	const uint8_t *bytes = dec->bytes + dec->pos;
	size_t left = dec->len - dec->pos;
	const struct armspe_shape *s;

	if (left < SHORT_REACH || !dec->nr_shapes)
		return false;
	/* Also behind the end: a prefetch is only a hint. */
	__builtin_prefetch((const void *)((uintptr_t)bytes + AHEAD));
	s = &dec->shapes[tree_find(dec, bytes)];
	if (!shape_matches(s, bytes, left))
		return false;
	shape_load(s, bytes, rec);
	rec->offset = dec->offset + dec->pos;
	dec->totals.records++;
	dec->totals.packets += s->packets_padding & 0xffffffff;
	dec->totals.padding += s->packets_padding >> 32;
	/*
	 * Where records are aligned every span is the same.  As a branch, not
	 * as a conditional move, it is predicted, and the CPU looks at the
	 * next record before it knows which layout this one has.
	 */
	if (s->span == SHORT_BYTES) {
		dec->pos += SHORT_BYTES;
	} else {
		__asm__ volatile("");
		dec->pos += s->span;
	}
	return true;
}

/* ------------------------------------------------------------- the tree */

static bool is_header(const struct armspe_shape *s, unsigned int at)
{
	return s->mask[at];
}

/*
 * The place where the layouts in @set all have a header and differ most;
 * *kinds says how many different headers stand there.
 */
static unsigned int tree_choose(const struct armspe_decoder *dec, uint32_t set,
				unsigned int *kinds)
{
	unsigned int at, i, best = 0;

	*kinds = 1;
	for (at = 0; at < SHORT_BYTES; at++) {
		uint8_t seen[256] = { 0 };
		unsigned int count = 0;

		for (i = 0; i < dec->nr_shapes; i++) {
			if (!(set >> i & 1))
				continue;
			if (!is_header(&dec->shapes[i], at))
				break;
			count += !seen[dec->shapes[i].match[at]]++;
		}
		if (i == dec->nr_shapes && count > *kinds) {
			*kinds = count;
			best = at;
		}
	}
	return best;
}

static unsigned int tree_first(uint32_t set)
{
	unsigned int i = 0;

	while (!(set >> i & 1))
		i++;
	return i;
}

static bool is_single(uint32_t set)
{
	return !(set & (set - 1));
}

/*
 * Inner nodes for all known layouts, first come first split.  False where two
 * of them have no place to tell them apart.
 */
static bool tree_build(struct armspe_decoder *dec)
{
	uint32_t sets[2 * ARMSPE_SHAPES];
	uint8_t depth[2 * ARMSPE_SHAPES];
	unsigned int node, i, b, kinds;

	for (i = 0; i < dec->nr_shapes; i++) {
		dec->node_at[i] = 0;
		memset(dec->node[i], (int)i, sizeof(dec->node[i]));
	}
	dec->nr_nodes = ROOT + 1;
	sets[ROOT] = (1u << dec->nr_shapes) - 1;
	depth[ROOT] = 1;
	for (node = ROOT; node < dec->nr_nodes; node++) {
		unsigned int at = tree_choose(dec, sets[node], &kinds);

		if (kinds == 1 && !is_single(sets[node]))
			return false;
		dec->steps = depth[node];
		/* Any layout will do for a byte that none of them has. */
		dec->node_at[node] = (uint8_t)at;
		memset(dec->node[node], (int)tree_first(sets[node]),
		       sizeof(dec->node[node]));
		for (b = 0; b < 256 && kinds > 1; b++) {
			uint32_t below = 0;

			for (i = 0; i < dec->nr_shapes; i++)
				if (sets[node] >> i & 1 &&
				    dec->shapes[i].match[at] == b)
					below |= 1u << i;
			if (!below)
				continue;
			if (!is_single(below)) {
				sets[dec->nr_nodes] = below;
				depth[dec->nr_nodes] = depth[node] + 1;
			}
			dec->node[node][b] = (uint8_t)(is_single(below) ?
				tree_first(below) : dec->nr_nodes++);
		}
	}
	return true;
}

/* ------------------------------------------------------------- learning */

/* Places for loads that a layout does not use: reserved, so never valid. */
#define IDLE_64		offsetof(struct armspe_record, addr[5])
#define IDLE_32		offsetof(struct armspe_record, context[3])
#define IDLE_16		offsetof(struct armspe_record, counter[3])

struct shape_builder {
	struct armspe_shape *shape;
	unsigned int loads_64, loads_32, loads_16;
	bool full;			/* a load found no place */
};

static void build_load(struct shape_builder *b, unsigned int from, size_t to,
		       unsigned int *used, unsigned int first,
		       unsigned int limit)
{
	struct armspe_load *load = &b->shape->load[first + *used];

	if (*used == limit) {
		b->full = true;
		return;
	}
	load->from = (uint8_t)from;
	load->to = (uint16_t)to;
	++*used;
}

static void build_packet(struct shape_builder *b,
			 const struct armspe_packet *p, unsigned int from)
{
	struct armspe_shape *s = b->shape;
	uint64_t mask = ~0ULL;

	if (p->payload_bytes)
		mask >>= 64 - 8 * p->payload_bytes;
	switch (p->type) {
	case ARMSPE_ADDRESS:
		build_load(b, from, offsetof(struct armspe_record, addr) +
			   8u * p->index, &b->loads_64, 0, LOADS_64);
		break;
	case ARMSPE_TIMESTAMP:
		build_load(b, from, offsetof(struct armspe_record, timestamp),
			   &b->loads_64, 0, LOADS_64);
		break;
	case ARMSPE_CONTEXT:
		build_load(b, from, offsetof(struct armspe_record, context) +
			   4u * p->index, &b->loads_32, LOADS_64, LOADS_32);
		break;
	case ARMSPE_COUNTER:
		build_load(b, from, offsetof(struct armspe_record, counter) +
			   2u * p->index, &b->loads_16, LOADS_64 + LOADS_32,
			   LOADS_16);
		break;
	case ARMSPE_EVENTS:
		s->events_from = (uint8_t)from;
		s->events_mask = mask;
		break;
	case ARMSPE_DATA_SOURCE:
		s->source_from = (uint8_t)from;
		s->source_mask = (uint16_t)mask;
		break;
	case ARMSPE_OP_TYPE:
		s->op_from = (uint8_t)from;
		break;
	default:
		break;
	}
}

static void shape_init(struct armspe_shape *s)
{
	unsigned int i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < ARMSPE_SHAPE_LOADS; i++)
		s->load[i].to = (uint16_t)(i < LOADS_64 ? IDLE_64 :
			i < LOADS_64 + LOADS_32 ? IDLE_32 : IDLE_16);
}

/* False where the record has more values of one size than loads. */
static bool shape_build(struct armspe_shape *s, const uint8_t *bytes,
			size_t left, const struct armspe_record *rec)
{
	struct shape_builder b = { .shape = s };
	struct armspe_packet p;
	size_t behind = (rec->bytes <= SHORT_BYTES ? SHORT_BYTES :
			 ARMSPE_SHAPE_BYTES) - rec->bytes;
	unsigned int pos;

	shape_init(s);
	for (pos = 0; pos < rec->bytes; pos += armspe_packet_bytes(&p)) {
		armspe_packet_decode(bytes + pos, rec->bytes - pos, &p);
		memset(s->mask + pos, 0xff, p.header_bytes);
		memcpy(s->match + pos, bytes + pos, p.header_bytes);
		build_packet(&b, &p, pos + p.header_bytes);
	}
	if (behind > left - rec->bytes)
		behind = left - rec->bytes;
	behind = armspe_padding_run(bytes + rec->bytes, behind);
	memset(s->mask + rec->bytes, 0xff, behind);

	memcpy(s->head, &rec->bytes, sizeof(s->head));
	s->span = (uint8_t)(rec->bytes + behind);
	s->packets_padding = (uint64_t)(rec->padding + behind) << 32 |
			     rec->packets;
	s->loads_64 = (uint8_t)b.loads_64;
	s->loads_32 = (uint8_t)b.loads_32;
	s->loads_16 = (uint8_t)b.loads_16;
	return !b.full;
}

/*
 * With all places taken, or two layouts alike in their first half, a new one
 * begins the list afresh one time in 256, so that streams of very many layouts
 * do not only learn.
 */
static bool worth_learning(struct armspe_decoder *dec,
			   const struct armspe_record *rec)
{
	if (rec->bytes > ARMSPE_SHAPE_BYTES || rec->unknown)
		return false;
	return (dec->nr_shapes < ARMSPE_SHAPES && !dec->alike) ||
	       !(++dec->misses % 256);
}

void armspe_shape_learn(struct armspe_decoder *dec,
			const struct armspe_record *rec)
{
	struct armspe_shape *s;

	if (!worth_learning(dec, rec))
		return;
	if (dec->nr_shapes == ARMSPE_SHAPES || dec->alike)
		dec->nr_shapes = 0;
	dec->alike = false;
	s = &dec->shapes[dec->nr_shapes];
	if (!shape_build(s, dec->bytes + dec->pos, dec->len - dec->pos, rec))
		return;
	dec->nr_shapes++;
	if (tree_build(dec)) {
		armspe_columns_learn(dec, dec->nr_shapes - 1);
		return;
	}
	dec->alike = true;
	dec->nr_shapes--;
	tree_build(dec);
}

#else

bool armspe_shape_decode(struct armspe_decoder *dec, struct armspe_record *rec)
{
	(void)dec;
	(void)rec;
	return false;
}

void armspe_shape_learn(struct armspe_decoder *dec,
			const struct armspe_record *rec)
{
	(void)dec;
	(void)rec;
}

#endif
