// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The decoder: from a piece of bytes to one record after the other.  It knows the layouts
 * of records that it has seen (shape.c), and skips damage (resync.c).
 */
#include "internal.h"

size_t armspe_decoder_size(void)
{
	return sizeof(struct armspe_decoder);
}

struct armspe_decoder *armspe_decoder_init(void *memory, size_t size)
{
	struct armspe_decoder *dec = memory;

	if (!memory || (uintptr_t)memory % ARMSPE_DECODER_ALIGN ||
	    size < sizeof(*dec))
		return NULL;
	memset(&dec->totals, 0, sizeof(dec->totals));
	dec->nr_shapes = 0;
	dec->misses = 0;
	dec->alike = false;
	armspe_decoder_feed(dec, NULL, 0, 0);
	return dec;
}

void armspe_decoder_feed(struct armspe_decoder *dec, const uint8_t *bytes,
			 size_t len, uint64_t offset)
{
	dec->bytes = bytes;
	dec->len = len;
	dec->pos = 0;
	dec->offset = offset;
}

size_t armspe_decoder_position(const struct armspe_decoder *dec)
{
	return dec->pos;
}

size_t armspe_decoder_left(const struct armspe_decoder *dec)
{
	return dec->len - dec->pos;
}

const struct armspe_totals *
armspe_decoder_totals(const struct armspe_decoder *dec)
{
	return &dec->totals;
}

bool armspe_decoder_rewind(struct armspe_decoder *dec, size_t position,
			   const struct armspe_totals *totals)
{
	if (position > dec->pos)
		return false;
	dec->pos = position;
	dec->totals = *totals;
	return true;
}

static void decoder_count(struct armspe_decoder *dec,
			  const struct armspe_record *rec)
{
	dec->pos += rec->bytes;
	dec->totals.records++;
	dec->totals.packets += rec->packets;
	dec->totals.padding += rec->padding;
	dec->totals.unknown += rec->unknown;
}

static enum armspe_status record_next_parse(struct armspe_decoder *dec,
					    struct armspe_record *rec)
{
	const uint8_t *bytes = dec->bytes + dec->pos;
	size_t left = dec->len - dec->pos;
	enum armspe_status status;

	rec->offset = dec->offset + dec->pos;
	status = armspe_record_parse(bytes, left, rec);
	switch (status) {
	case ARMSPE_OK:
		armspe_shape_learn(dec, rec);
		decoder_count(dec, rec);
		break;
	case ARMSPE_DAMAGED:
		left = armspe_resync_find(bytes, left, rec->bytes);
		/* rec->bytes has 32 bits: report longer damage as several runs. */
		if (left > UINT32_MAX)
			left = UINT32_MAX;
		rec->bytes = (uint32_t)left;
		dec->pos += left;
		dec->totals.damaged += left;
		dec->totals.damages++;
		break;
	default:
		break;
	}
	return status;
}

enum armspe_status armspe_record_next(struct armspe_decoder *dec,
				      struct armspe_record *rec)
{
	size_t run;

	if (armspe_shape_decode(dec, rec))
		return ARMSPE_OK;
	run = armspe_padding_run(dec->bytes + dec->pos, dec->len - dec->pos);
	dec->pos += run;
	dec->totals.padding += run;
	if (dec->pos == dec->len)
		return ARMSPE_END;
	if (run && armspe_shape_decode(dec, rec))
		return ARMSPE_OK;
	return record_next_parse(dec, rec);
}
