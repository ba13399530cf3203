// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layouts of records.
 *
 * The headers and padding of a record decide where every value in it stands;
 * values vary, layouts hardly do.  A layout is kept as words to compare under
 * a mask, header and padding bytes being 0xff in it and payload bytes 0x00,
 * and as a list of loads:
 *
 *   bytes   b0 .. .. .. .. .. .. .. 99 .. .. 98 .. .. 52 .. .. 49 .. 00 01
 *   mask    ff 00 00 00 00 00 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 ff ff
 *   loads      PC                      ISSUE    TOTAL    EVENTS   OP
 *
 * Equal headers give an equal parse, so the packet-by-packet parser stays the
 * only definition of the format: a layout is learnt from it, never built by
 * hand.  Loads are little-endian: other hosts always parse.
 */
#include "internal.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

_Static_assert(sizeof(struct armspe_record) < UINT16_MAX, "load.to fits");

static inline uint64_t load64(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

static inline bool shape_matches(const struct armspe_shape *s,
				 const uint8_t *bytes, size_t left)
{
	uint64_t differ = 0;
	uint32_t i;

	if (left < s->reach)
		return false;
	for (i = 0; i < s->words; i++)
		differ |= (load64(bytes + 8 * i) ^ s->match[i]) & s->mask[i];
	return !differ;
}

static inline void shape_load(const struct armspe_shape *s,
			      const uint8_t *bytes, struct armspe_record *rec)
{
	uint8_t *to = (uint8_t *)rec;
	uint32_t i = 0;

	for (; i < s->loads64; i++)
		memcpy(to + s->load[i].to, bytes + s->load[i].from, 8);
	for (; i < s->loads32; i++)
		memcpy(to + s->load[i].to, bytes + s->load[i].from, 4);
	for (; i < s->loads16; i++)
		memcpy(to + s->load[i].to, bytes + s->load[i].from, 2);
	rec->events = load64(bytes + s->events_from) & s->events_mask;
	rec->source = (uint16_t)(load64(bytes + s->source_from) &
				 s->source_mask);
	rec->op_payload = bytes[s->op_from];

	rec->bytes = s->bytes;
	rec->valid = s->valid;
	rec->addr_valid = s->addr_valid;
	rec->counter_valid = s->counter_valid;
	rec->packets = s->packets;
	rec->padding = s->padding;
	rec->unknown = 0;
	rec->context_valid = s->context_valid;
	rec->op_class = s->op_class;
	rec->source_bytes = s->source_bytes;
}

bool armspe_shape_decode(struct armspe_decoder *dec, struct armspe_record *rec)
{
	const uint8_t *bytes = dec->bytes + dec->pos;
	size_t left = dec->len - dec->pos;
	struct armspe_shape *last;
	unsigned int i, found;

	if (!dec->nr_shapes)
		return false;
	/* Records of a loop come in a repeating order. */
	last = &dec->shapes[dec->shape];
	found = last->next;
	if (!shape_matches(&dec->shapes[found], bytes, left)) {
		for (i = 0; i < dec->nr_shapes; i++)
			if (shape_matches(&dec->shapes[i], bytes, left))
				break;
		if (i == dec->nr_shapes)
			return false;
		last->next = (uint8_t)i;
		found = i;
	}
	dec->shape = found;
	shape_load(&dec->shapes[found], bytes, rec);
	return true;
}

struct shape_builder {
	struct armspe_shape *shape;
	uint32_t at;		/* of the packet's payload, in the record */
	uint8_t mask[8 * ARMSPE_SHAPE_WORDS];
	uint8_t match[8 * ARMSPE_SHAPE_WORDS];
};

static void build_load(struct shape_builder *b, size_t to)
{
	struct armspe_shape *s = b->shape;

	s->load[s->loads16].from = (uint16_t)b->at;
	s->load[s->loads16].to = (uint16_t)to;
	s->loads16++;
}

/* Loads of one size are neighbours: the list is built size by size. */
static void build_by_size(struct shape_builder *b,
			  const struct armspe_packet *p, unsigned int size)
{
	switch (p->type) {
	case ARMSPE_ADDRESS:
		if (size == 8)
			build_load(b, offsetof(struct armspe_record, addr) +
				   8u * p->index);
		break;
	case ARMSPE_TIMESTAMP:
		if (size == 8)
			build_load(b, offsetof(struct armspe_record,
					       timestamp));
		break;
	case ARMSPE_CONTEXT:
		if (size == 4)
			build_load(b, offsetof(struct armspe_record, context) +
				   4u * p->index);
		break;
	case ARMSPE_COUNTER:
		if (size == 2)
			build_load(b, offsetof(struct armspe_record, counter) +
				   2u * p->index);
		break;
	default:
		break;
	}
}

/* The packets whose value is zero-extended or alone of its size */
static void build_single(struct shape_builder *b,
			 const struct armspe_packet *p)
{
	struct armspe_shape *s = b->shape;
	uint64_t mask = ~0ULL >> (64 - 8 * (p->payload_bytes ?
					    p->payload_bytes : 8));

	switch (p->type) {
	case ARMSPE_EVENTS:
		s->events_from = b->at;
		s->events_mask = mask;
		break;
	case ARMSPE_DATA_SOURCE:
		s->source_from = b->at;
		s->source_mask = mask;
		break;
	case ARMSPE_OP_TYPE:
		s->op_from = b->at;
		break;
	default:
		break;
	}
}

static void build_pass(struct shape_builder *b, const uint8_t *bytes,
		       unsigned int size)
{
	struct armspe_packet p;
	uint32_t pos;

	for (pos = 0; pos < b->shape->bytes; pos += armspe_packet_bytes(&p)) {
		armspe_packet_decode(bytes + pos, b->shape->bytes - pos, &p);
		memset(b->mask + pos, 0xff, p.header_bytes);
		memcpy(b->match + pos, bytes + pos, p.header_bytes);
		b->at = pos + p.header_bytes;
		build_by_size(b, &p, size);
		build_single(b, &p);
	}
}

/* A layout is left out where it is long or holds packets of unknown meaning. */
static bool shape_fits(const struct armspe_record *rec)
{
	return rec->bytes <= 8 * ARMSPE_SHAPE_WORDS && !rec->unknown &&
	       rec->packets <= ARMSPE_SHAPE_LOADS;
}

void armspe_shape_learn(struct armspe_decoder *dec,
			const struct armspe_record *rec)
{
	struct shape_builder b;
	struct armspe_shape *s;
	unsigned int slot;

	if (!shape_fits(rec))
		return;
	/* With all places taken, the one after the last used is given up. */
	slot = dec->nr_shapes < ARMSPE_SHAPES ? dec->nr_shapes++ :
	       (dec->shape + 1) % ARMSPE_SHAPES;
	s = &dec->shapes[slot];
	memset(s, 0, sizeof(*s));
	memset(&b, 0, sizeof(b));
	b.shape = s;
	s->bytes = rec->bytes;
	s->words = (rec->bytes + 7) / 8;
	build_pass(&b, dec->bytes + dec->pos, 8);
	s->loads64 = s->loads16;
	build_pass(&b, dec->bytes + dec->pos, 4);
	s->loads32 = s->loads16;
	build_pass(&b, dec->bytes + dec->pos, 2);
	memcpy(s->mask, b.mask, sizeof(s->mask));
	memcpy(s->match, b.match, sizeof(s->match));

	/* Whole words are read, and eight bytes for any events or source. */
	s->reach = 8 * s->words;
	if (s->reach < s->events_from + 8)
		s->reach = s->events_from + 8;
	if (s->reach < s->source_from + 8)
		s->reach = s->source_from + 8;

	s->valid = rec->valid;
	s->addr_valid = rec->addr_valid;
	s->counter_valid = rec->counter_valid;
	s->context_valid = rec->context_valid;
	s->packets = rec->packets;
	s->padding = rec->padding;
	s->op_class = rec->op_class;
	s->source_bytes = rec->source_bytes;
	s->next = (uint8_t)slot;
	dec->shape = slot;
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
