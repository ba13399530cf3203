// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* Damage, and the end of a record: behind them the decoder asks for the proof of resync.c. */
static const uint8_t damage[] = { 0x20, 0x20, SPE_HDR_END };

/* A rest, and what the proof of the record behind it may read */
#define ENOUGH	(8u * SPE_RECORD_BYTES_MAX)

/* Behind a rest is a record.  The decoder reads all bytes if there is none, so try that this often. */
#define FAR		(2u * SPE_RECORD_BYTES_MAX)
#define FAR_MOST	8u

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

static bool is_padding(const uint8_t *bytes, size_t len)
{
	while (len && *bytes == SPE_HDR_PADDING) {
		bytes++;
		len--;
	}
	return !len;
}

/*
 * Whether a sound record is at @at, or behind padding there, and then another that begins alike.
 * @copy has room for them behind the bytes of damage.  Counts in @far how often there is no record
 * nearby.
 */
static bool is_record(struct armspe_decoder *dec, const uint8_t *bytes, size_t len, size_t at,
		      uint8_t *copy, unsigned int *far)
{
	struct armspe_record rec;
	enum armspe_status status;
	size_t first;

	memcpy(copy + sizeof(damage), bytes + at, len - at);
	armspe_decoder_feed(dec, copy, sizeof(damage) + len - at, 0);
	do {
		status = armspe_record_next(dec, &rec);
	} while (status == ARMSPE_DAMAGED);
	if (status != ARMSPE_OK || rec.offset > FAR)
		++*far;
	if (status != ARMSPE_OK)
		return false;
	first = (size_t)rec.offset;
	return is_padding(copy + sizeof(damage), first - sizeof(damage)) &&
	       armspe_record_next(dec, &rec) == ARMSPE_OK && copy[rec.offset] == copy[first];
}

size_t record_rest(const uint8_t *bytes, size_t len)
{
	size_t take = len < ENOUGH ? len : ENOUGH, rest, at;
	uint8_t *copy = xrealloc(NULL, sizeof(damage) + take);
	struct armspe_decoder *dec = decoder_new();
	unsigned int far = 0;

	memcpy(copy, damage, sizeof(damage));
	memcpy(copy + sizeof(damage), bytes, take);
	armspe_decoder_feed(dec, copy, sizeof(damage) + take, 0);
	rest = find(dec, copy) - sizeof(damage);
	/* A rest that begins inside a packet may hide the first record. */
	for (at = 0; at < take && at < SPE_RECORD_BYTES_MAX && far < FAR_MOST; at++)
		if (is_record(dec, bytes, take, at, copy, &far)) {
			if (at > rest || !is_padding(bytes + at, rest - at))
				rest = at;
			break;
		}
	free(dec);
	free(copy);
	return rest <= SPE_RECORD_BYTES_MAX ? rest : 0;
}
