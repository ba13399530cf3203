// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layouts of records.
 *
 * The headers and the padding of a record decide where each value is.  Values vary
 * from record to record, layouts hardly do.  A layout is 64 or 128 bytes to compare
 * under a mask, which is 0xff for header and padding bytes and 0x00 for payload
 * bytes, and a list of loads:
 *
 *   bytes   b0 .. .. .. .. .. .. .. 99 .. .. 98 .. .. 52 .. .. 49 .. 00 01
 *   mask    ff 00 00 00 00 00 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 ff ff
 *   loads      PC                      ISSUE    TOTAL    EVENTS   OP
 *
 * Records with equal headers parse alike.  So the decoder learns layouts from the
 * packet-by-packet parser, which stays the only definition of the format.  The
 * padding after a record, up to 64 or 128 bytes from its start, is part of its
 * layout: a core that aligns records always writes the same padding.
 *
 * A branch predictor cannot learn the order of samples, so the search for a layout
 * has no branch.  It walks a tree: each inner node looks at one byte where all
 * layouts below it have a header.  The walk always takes as many steps as the tree
 * is deep, and a leaf leads to itself.  The comparison then shows whether the
 * record has the layout that was found.
 *
 *                    byte 14?                    node[inner][byte at node_at]
 *            48 /    49 |    \ 4a
 *          other     byte 27?    branch          leaves are layouts
 *                 b2 /     \ 71
 *               load       barrier
 */
#include "shape.h"

#ifdef ARMSPE_SHAPES_USED

#define AHEAD		1024	/* bytes to prefetch ahead, so that no access waits for memory */

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
	unsigned int index;

	if (left < SHORT_REACH || !dec->nr_shapes)
		return false;
	/* A prefetch is a hint, so it may go beyond the end. */
	__builtin_prefetch((const void *)((uintptr_t)bytes + AHEAD));
	index = tree_find(dec->node[0], dec->root, dec->steps, bytes);
	if (!shape_begins(dec, index, bytes) ||
	    !shape_ends(dec, index, bytes, left))
		return false;
	s = &dec->shapes[index];
	shape_load(s, bytes, rec);
	rec->offset = dec->offset + dec->pos;
	dec->totals.records++;
	dec->totals.packets += s->packets_padding & 0xffffffff;
	dec->totals.padding += s->packets_padding >> 32;
	/*
	 * If records are aligned, every span is the same.  Use a branch, which
	 * the CPU predicts, and no conditional move: so the CPU starts on the
	 * next record before it knows the layout of this one.
	 */
	if (dec->span[index] == SHORT_BYTES) {
		dec->pos += SHORT_BYTES;
	} else {
		__asm__ volatile("");
		dec->pos += dec->span[index];
	}
	return true;
}

/* ------------------------------------------------------------- the keys */

static uint8_t *key_mask(struct armspe_decoder *dec, unsigned int index,
			 unsigned int at)
{
	struct armspe_key *key = &dec->key[at / SHORT_BYTES][index];

	return &key->part[at % SHORT_BYTES / 16].mask[at % 16];
}

static uint8_t *key_match(struct armspe_decoder *dec, unsigned int index,
			  unsigned int at)
{
	struct armspe_key *key = &dec->key[at / SHORT_BYTES][index];

	return &key->part[at % SHORT_BYTES / 16].match[at % 16];
}

/* ------------------------------------------------------------- the tree */

/*
 * Returns the position at which all layouts in @set have a header byte and differ
 * most.  *kinds is the number of different header bytes there.
 */
static unsigned int tree_choose(struct armspe_decoder *dec, uint32_t set,
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
			if (!*key_mask(dec, i, at))
				break;
			count += !seen[*key_match(dec, i, at)]++;
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

/* The inner nodes while tree_build() runs */
struct tree {
	uint32_t set[2 * ARMSPE_SHAPES];	/* the layouts below */
	uint8_t at[2 * ARMSPE_SHAPES];		/* the position that it looks at */
	uint8_t depth[2 * ARMSPE_SHAPES];
	bool alike;			/* two layouts cannot be told apart */
};

static void node_lead(struct armspe_decoder *dec, unsigned int node,
		      uint16_t branch)
{
	unsigned int b;

	for (b = 0; b < 256; b++)
		dec->node[node][b] = branch;
}

/* Returns the branch to the layouts in @set: to a leaf, or to a new node. */
static uint16_t tree_add(struct armspe_decoder *dec, struct tree *t,
			 uint32_t set, unsigned int depth)
{
	unsigned int node = dec->nr_nodes, kinds;

	if (is_single(set) && node > ROOT)
		return BRANCH(tree_first(set), 0);
	t->set[node] = set;
	t->depth[node] = (uint8_t)depth;
	t->at[node] = (uint8_t)tree_choose(dec, set, &kinds);
	t->alike |= kinds == 1 && !is_single(set);
	dec->nr_nodes++;
	return BRANCH(node, t->at[node]);
}

static void tree_split(struct armspe_decoder *dec, struct tree *t,
		       unsigned int node)
{
	uint32_t set = t->set[node], left = set;

	/* A byte that no layout has may lead to any: the comparison fails. */
	node_lead(dec, node, BRANCH(tree_first(set), 0));
	while (left) {
		uint8_t byte = *key_match(dec, tree_first(left),
					   t->at[node]);
		uint32_t below = 0;
		unsigned int i;

		for (i = 0; i < dec->nr_shapes; i++)
			if (set >> i & 1 &&
			    *key_match(dec, i, t->at[node]) == byte)
				below |= 1u << i;
		dec->node[node][byte] = tree_add(dec, t, below,
						 t->depth[node] + 1u);
		left &= ~below;
	}
}

/*
 * Builds the inner nodes for all known layouts, breadth first.  Returns false if no
 * position tells two layouts apart.
 */
static bool tree_build(struct armspe_decoder *dec)
{
	struct tree t = { .alike = false };
	unsigned int node;

	for (node = 0; node < dec->nr_shapes; node++)
		node_lead(dec, node, BRANCH(node, 0));
	dec->nr_nodes = ROOT;
	dec->root = tree_add(dec, &t, (1u << dec->nr_shapes) - 1, 1);
	for (node = ROOT; node < dec->nr_nodes && !t.alike; node++) {
		tree_split(dec, &t, node);
		dec->steps = t.depth[node];
	}
	return !t.alike;
}

/* ------------------------------------------------------------- learning */

/* Unused loads write to these fields.  Their INDEX is reserved, so they are never valid. */
#define IDLE_64		offsetof(struct armspe_record, addr[5])
#define IDLE_32		offsetof(struct armspe_record, context[3])
#define IDLE_16		offsetof(struct armspe_record, counter[3])

struct shape_builder {
	struct armspe_shape *shape;
	unsigned int loads_64, loads_32, loads_16;
	bool full;			/* the layout has too few loads */
};

static void build_load(struct shape_builder *b, unsigned int from, size_t to,
		       unsigned int *used, unsigned int first,
		       unsigned int limit)
{
	struct armspe_load *load = &b->shape->load[first];
	struct armspe_load *end = load + *used;

	/* The last packet with this INDEX counts. */
	while (load < end && load->to != to)
		load++;
	if (load == b->shape->load + first + limit) {
		b->full = true;
		return;
	}
	*used += load == end;
	load->from = (uint8_t)from;
	load->to = (uint16_t)to;
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

/* Every record of layout @index has these @len bytes at @pos. */
static void key_put(struct armspe_decoder *dec, unsigned int index,
		    unsigned int pos, const uint8_t *bytes, size_t len)
{
	for (; len--; pos++, bytes++) {
		*key_mask(dec, index, pos) = 0xff;
		*key_match(dec, index, pos) = *bytes;
	}
}

static void key_init(struct armspe_decoder *dec, unsigned int index)
{
	unsigned int half;

	for (half = 0; half < 2; half++)
		memset(&dec->key[half][index], 0, sizeof(struct armspe_key));
}

/*
 * Makes layout @index of the record at dec->pos.  Returns false if the record has
 * more values of one size than a layout has loads.
 */
static bool shape_build(struct armspe_decoder *dec, unsigned int index,
			const struct armspe_record *rec)
{
	const uint8_t *bytes = dec->bytes + dec->pos;
	size_t left = dec->len - dec->pos - rec->bytes;
	struct armspe_shape *s = &dec->shapes[index];
	struct shape_builder b = { .shape = s };
	struct armspe_packet p;
	size_t behind = (rec->bytes <= SHORT_BYTES ? SHORT_BYTES :
			 ARMSPE_SHAPE_BYTES) - rec->bytes;
	unsigned int pos;

	shape_init(s);
	key_init(dec, index);
	for (pos = 0; pos < rec->bytes; pos += armspe_packet_bytes(&p)) {
		armspe_packet_decode(bytes + pos, rec->bytes - pos, &p);
		key_put(dec, index, pos, bytes + pos, p.header_bytes);
		build_packet(&b, &p, pos + p.header_bytes);
	}
	behind = armspe_padding_run(bytes + rec->bytes,
				    behind < left ? behind : left);
	key_put(dec, index, rec->bytes, bytes + rec->bytes, behind);

	memcpy(s->head, &rec->bytes, sizeof(s->head));
	dec->span[index] = (uint8_t)(rec->bytes + behind);
	s->packets_padding = (uint64_t)(rec->padding + behind) << 32 |
			     rec->packets;
	s->loads_64 = (uint8_t)b.loads_64;
	s->loads_32 = (uint8_t)b.loads_32;
	s->loads_16 = (uint8_t)b.loads_16;
	return !b.full;
}

/*
 * If the list of layouts is full, or two are alike in their first half, start a new
 * list at every 256th miss only.  A stream of very many layouts would otherwise spend
 * all time on learning.
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
	if (!worth_learning(dec, rec))
		return;
	if (dec->nr_shapes == ARMSPE_SHAPES || dec->alike)
		dec->nr_shapes = 0;
	dec->alike = false;
	if (!shape_build(dec, dec->nr_shapes, rec))
		return;
	dec->nr_shapes++;
	if (tree_build(dec))
		return;
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
