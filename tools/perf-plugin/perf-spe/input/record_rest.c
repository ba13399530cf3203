// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/decoder.h"
#include "input/record_rest.h"
#include "util/memory.h"

/* Damage, and the end of a record: behind them the decoder asks for the proof of resync.c. */
static const uint8_t damage[] = { 0x20, 0x20, SPE_HDR_END };

/* A rest, and what the proof of the record behind it may read */
#define ENOUGH	(8u * SPE_RECORD_BYTES_MAX)

/*
 * The rest of a record decodes to records too.  Mostly they have unknown packets, and
 * resync.c finds the first place that is none of them.  A rest that begins at a packet is
 * sound, but begins with another byte than the records behind it: those of one CPU
 * begin alike.
 *
 *   rest             | records
 *   99 .. 52 .. 71 .. | b0 .. 52 .. 71 .. | b0 .. 52 .. 71 ..
 *   ^ another byte      ^ alike             ^
 */
static size_t find(struct armspe_decoder *dec, const uint8_t *bytes)
{
	size_t at, first = 0, end = 0, rest = 0;	/* @end is 0: no record before */
	struct armspe_record rec;
	enum armspe_status status;

	for (;;) {
		status = armspe_record_next(dec, &rec);
		at = status == ARMSPE_OK ? (size_t)rec.offset : armspe_decoder_position(dec);
		if (status == ARMSPE_DAMAGED) {
			rest = at;
			end = 0;
			continue;
		}
		if (status == ARMSPE_END || (end && bytes[at] == bytes[first]))
			return rest;
		if (end)
			rest = end;
		if (status == ARMSPE_CUT)
			return rest;
		first = at;
		end = at + rec.bytes;
	}
}

size_t record_rest(const uint8_t *bytes, size_t len)
{
	size_t take = len < ENOUGH ? len : ENOUGH, rest;
	uint8_t *copy = xrealloc(NULL, sizeof(damage) + take);
	struct armspe_decoder *dec = decoder_new();

	memcpy(copy, damage, sizeof(damage));
	memcpy(copy + sizeof(damage), bytes, take);
	armspe_decoder_feed(dec, copy, sizeof(damage) + take, 0);
	rest = find(dec, copy) - sizeof(damage);
	free(dec);
	free(copy);
	return rest <= SPE_RECORD_BYTES_MAX ? rest : 0;
}
