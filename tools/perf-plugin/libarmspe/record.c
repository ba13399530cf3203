// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Record layer: D18.1.2 and D18.1.3.
 *
 * A record is everything from the first packet that is not padding to an End
 * or Timestamp packet.  Most records repeat a few layouts.  The parser learns each
 * layout, and afterwards recognises the whole record at once (shape.c).  Both ways
 * give the same result.
 */
#include "internal.h"

/*
 * Marks INDEX @index of an address or counter as used.  Returns false if it was
 * used before and is architected.  How often a record has an IMPLEMENTATION DEFINED
 * INDEX is IMPLEMENTATION DEFINED too: the last packet counts, as in shape.c.
 */
static bool claim_index(uint32_t *valid, unsigned int index)
{
	uint32_t bit = 1u << index;
	bool again = *valid & bit & ~SPE_INDEX_IMPDEF_MASK;

	*valid |= bit;
	return !again;
}

/* Sets bit @index of *valid.  Returns false if the record had such a packet before. */
static bool claim32(uint32_t *valid, unsigned int index)
{
	uint32_t bit = 1u << index;

	if (*valid & bit)
		return false;
	*valid |= bit;
	return true;
}

static bool record_add_context(struct armspe_record *rec,
			       const struct armspe_packet *p)
{
	uint32_t valid = rec->context_valid;

	if (!claim32(&valid, p->index))
		return false;
	rec->context_valid = (uint8_t)valid;
	rec->context[p->index] = (uint32_t)p->payload;
	return true;
}

/* Packets that a record has at most once: Figures D18-13, -17, -22 and -38. */
static bool record_add_single(struct armspe_record *rec,
			      const struct armspe_packet *p)
{
	static const uint8_t has[] = {
		[ARMSPE_TIMESTAMP] = ARMSPE_HAS_TIMESTAMP,
		[ARMSPE_EVENTS] = ARMSPE_HAS_EVENTS,
		[ARMSPE_DATA_SOURCE] = ARMSPE_HAS_SOURCE,
		[ARMSPE_OP_TYPE] = ARMSPE_HAS_OP,
	};

	_Static_assert(sizeof(has) == ARMSPE_OP_TYPE + 1,
		       "no type above the operation's has its own bit");
	if (rec->valid & has[p->type])
		return false;
	rec->valid |= has[p->type];
	switch (p->type) {
	case ARMSPE_TIMESTAMP:
		rec->timestamp = p->payload;
		break;
	case ARMSPE_EVENTS:
		rec->events = p->payload;
		break;
	case ARMSPE_DATA_SOURCE:
		rec->source = (uint16_t)p->payload;
		rec->source_bytes = p->payload_bytes;
		break;
	default:
		rec->op_class = p->index;
		rec->op_payload = (uint8_t)p->payload;
		break;
	}
	return true;
}

/* Returns false if the record had such a packet before. */
static bool record_add(struct armspe_record *rec,
		       const struct armspe_packet *p)
{
	switch (p->type) {
	case ARMSPE_ADDRESS:
		if (!claim_index(&rec->addr_valid, p->index))
			return false;
		rec->addr[p->index] = p->payload;
		return true;
	case ARMSPE_COUNTER:
		if (!claim_index(&rec->counter_valid, p->index))
			return false;
		rec->counter[p->index] = (uint16_t)p->payload;
		return true;
	case ARMSPE_CONTEXT:
		return record_add_context(rec, p);
	case ARMSPE_END_OF_RECORD:
		return true;
	default:
		return record_add_single(rec, p);
	}
}

static void record_clear(struct armspe_record *rec)
{
	rec->bytes = 0;
	rec->valid = 0;
	rec->addr_valid = 0;
	rec->counter_valid = 0;
	rec->packets = 0;
	rec->padding = 0;
	rec->unknown = 0;
	rec->context_valid = 0;
}

static enum armspe_status record_damaged(struct armspe_record *rec,
					 uint32_t again)
{
	rec->bytes = again;
	return ARMSPE_DAMAGED;
}

enum armspe_status armspe_record_parse(const uint8_t *bytes, size_t len,
				       struct armspe_record *rec)
{
	struct armspe_packet p;

	record_clear(rec);
	for (;;) {
		uint32_t at = rec->bytes;
		enum armspe_status status =
			armspe_packet_decode(bytes + at, len - at, &p);

		if ((status == ARMSPE_END || status == ARMSPE_CUT) &&
		    len < SPE_RECORD_BYTES_MAX)
			return ARMSPE_CUT;
		rec->bytes += armspe_packet_bytes(&p);
		if (status != ARMSPE_OK || rec->bytes > SPE_RECORD_BYTES_MAX)
			return record_damaged(rec, 0);
		if (p.type == ARMSPE_PADDING) {
			rec->padding += p.header_bytes;
			continue;
		}
		if (p.type == ARMSPE_UNKNOWN || p.reserved)
			rec->unknown++;
		else if (!record_add(rec, &p))
			return record_damaged(rec, at);
		rec->packets++;
		if (p.type == ARMSPE_END_OF_RECORD ||
		    p.type == ARMSPE_TIMESTAMP)
			return rec->packets > 1 ? ARMSPE_OK :
						  record_damaged(rec, 0);
	}
}
