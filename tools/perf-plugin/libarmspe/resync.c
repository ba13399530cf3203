// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where decoding goes on after damage.
 *
 * D18.1.1 gives nearly every byte a meaning as a header and D18.1.3 has
 * software skip unknown packets by their size, so damage shows only in what
 * no conforming PE can write.  A record is damaged where
 *
 *   - the second byte of an extended header is itself 0x20-0x3f;
 *   - it holds two packets of one kind: two of one architected Address, Counter
 *     or Context INDEX, two Operation Type, Events or Data Source packets.  A
 *     lost End or Timestamp packet shows this way;
 *   - it has not ended after 2048 bytes, the largest PMSIDR_EL1.MaxSize;
 *   - it holds nothing but its End or Timestamp packet.  Only padding may
 *     stand between records (D18.1.3).
 *
 * That no record holds two packets of one kind is an assumption of this project:
 * D18 nowhere says so.  But a record describes one operation, D18.2 gives each
 * such packet one meaning in it, and no rule tells which of two values counts.  The
 * assumption is needed, too: two records whose border is lost read as one, and only
 * the second PC, Events or Operation Type packet shows it.  A unit that writes two of
 * a kind in each record has all of them reported as damage, none misread in silence.
 *
 * Such a record is given up from its first byte; nothing in it is used.  The
 * next record boundary is the first of these places:
 *
 *   1. the repeated packet, if it has the header of the record's first packet:
 *      records of one PE begin alike, so this record lost its end and the next
 *      one begins here;
 *   2. each place after bytes that read as an End packet (0x01) or a Timestamp
 *      packet (0x71 and eight bytes), searched from the record's first byte on.
 *
 * The decoder accepts such a place if, after any padding, one of these follows:
 *
 *   - a sound record: it is complete, Tables D18-1 and D18-2 define each of its
 *     packets without reserved values, no packet comes twice, and it has the
 *     Events packet, which every record has besides its End or Timestamp packet
 *     (D17.6.7, D17.6.10);
 *   - the beginning of a sound record that the end of the bytes cuts off;
 *   - two records, both complete and with the Events packet, that are sound but for
 *     unknown or reserved packets and begin with the same header.  A newer unit may
 *     write such packets in each record, and D18.1.3 has software skip them.  The
 *     end of the bytes may cut the second one.
 *   - nothing.
 *
 * Two, because unknown packets also are what the rest of a record looks like if it
 * is decoded from its middle.  A record behind that rest is sound, or begins with
 * another header than the rest does.
 *
 *          given up, counted as damaged
 *      v-----------------------------------v
 *   ...| PC | LAT | ?? | .. 01 .. | .. | 01 | padding | PC | LAT | EVENTS .. | 01 |
 *      ^ bad record           ^           ^           ^ sound
 *                             not sound    decoding goes on here
 *
 *      v------------v
 *   ...| PC | LAT | | PC | LAT | EVENTS .. | 01 |
 *      ^ bad record  ^ the second PC: decoding goes on here
 *
 * Without such a place the rest of the bytes is damaged.  The decoder tries each
 * byte as a boundary once.  Behind the padding a try reads at most 6144 bytes: a
 * record, padding up to the largest PMBIDR_EL1.Align, and another record.
 */
#include "internal.h"

#define TIMESTAMP_BYTES 9

static bool begins_alike(const uint8_t *bytes, const uint8_t *again, size_t len)
{
	return len && bytes[0] == again[0] &&
	       (!header_is_extended(bytes[0]) ||
		(len > 1 && bytes[1] == again[1]));
}

/* The record in the first @at of @bytes has unknown packets.  Does another follow? */
static bool another_follows(const uint8_t *bytes, size_t len, size_t at)
{
	const uint8_t *next = bytes + at;
	size_t left = len - at, run;
	struct armspe_record rec;

	run = armspe_padding_run(next, left < SPE_RECORD_BYTES_MAX ?
				 left : SPE_RECORD_BYTES_MAX);
	next += run;
	left -= run;
	if (!begins_alike(bytes, next, left))
		return false;
	switch (armspe_record_parse(next, left, &rec)) {
	case ARMSPE_OK:
		return rec.unknown && rec.valid & ARMSPE_HAS_EVENTS;
	case ARMSPE_CUT:
		return true;
	default:
		return false;
	}
}

static bool boundary_holds(const uint8_t *bytes, size_t len)
{
	struct armspe_record rec;
	size_t run = armspe_padding_run(bytes, len);

	if (run == len)
		return true;
	bytes += run;
	len -= run;
	switch (armspe_record_parse(bytes, len, &rec)) {
	case ARMSPE_OK:
		return rec.valid & ARMSPE_HAS_EVENTS &&
		       (!rec.unknown || another_follows(bytes, len, rec.bytes));
	case ARMSPE_CUT:
		return !rec.unknown;
	default:
		return false;
	}
}

size_t armspe_resync_find(const uint8_t *bytes, size_t len, size_t again)
{
	size_t pos;

	if (again && begins_alike(bytes, bytes + again, len - again) &&
	    boundary_holds(bytes + again, len - again))
		return again;
	for (pos = 0; pos < len; pos++) {
		size_t boundary;

		if (bytes[pos] == SPE_HDR_END)
			boundary = pos + 1;
		else if (bytes[pos] == SPE_HDR_TIMESTAMP)
			boundary = pos + TIMESTAMP_BYTES;
		else
			continue;
		if (boundary <= len &&
		    boundary_holds(bytes + boundary, len - boundary))
			return boundary;
	}
	return len;
}
