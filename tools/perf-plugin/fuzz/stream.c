// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as a stream: records, columns and, where nothing is damaged, the
 * same stream in pieces tell the same.  The first byte of the input says how
 * long the pieces are.
 */
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define BYTES_MAX 8192
#define ROWS_MAX (BYTES_MAX / 2)

/* What is compared of a record; of damage offset and bytes */
struct seen {
	uint64_t offset, events, pc;
	uint32_t bytes, valid, addr_valid;
	bool damaged;
};

static struct seen whole[BYTES_MAX], other[BYTES_MAX];
static struct armspe_decoder *dec;

static void start(const uint8_t *bytes, size_t len)
{
	if (!dec)
		dec = decoder_new();
	dec = armspe_decoder_init(dec, armspe_decoder_size());
	armspe_decoder_feed(dec, bytes, len, 0);
}

static void note(struct seen *to, const struct armspe_record *rec, bool damaged)
{
	memset(to, 0, sizeof(*to));
	to->offset = rec->offset;
	to->bytes = rec->bytes;
	to->damaged = damaged;
	if (damaged)
		return;
	to->valid = rec->valid;
	to->addr_valid = rec->addr_valid;
	if (rec->valid & ARMSPE_HAS_EVENTS)
		to->events = rec->events;
	if (rec->addr_valid & 1)
		to->pc = rec->addr[SPE_ADDR_PC];
}

/* Everything up to the end of the piece, behind @count; how many there are */
static size_t read_piece(struct seen *to, size_t count)
{
	struct armspe_record rec;
	size_t before, after, piece_len;

	piece_len = armspe_decoder_position(dec) + armspe_decoder_left(dec);
	for (;;) {
		enum armspe_status status;

		before = armspe_decoder_position(dec);
		status = armspe_record_next(dec, &rec);
		if (status == ARMSPE_END || status == ARMSPE_CUT)
			return count;
		after = armspe_decoder_position(dec);
		if (after <= before ||
		    after + armspe_decoder_left(dec) != piece_len ||
		    count == BYTES_MAX || !rec.bytes)
			abort();
		note(&to[count++], &rec, status == ARMSPE_DAMAGED);
	}
}

static size_t read_pieces(const uint8_t *bytes, size_t len, size_t step)
{
	static uint8_t joined[BYTES_MAX];
	size_t at, left = 0, count = 0;

	start(joined, 0);
	for (at = 0; at < len; at += step) {
		size_t part = len - at < step ? len - at : step;

		/* What was cut goes in front of what follows. */
		memmove(joined, joined + armspe_decoder_position(dec), left);
		memcpy(joined + left, bytes + at, part);
		armspe_decoder_feed(dec, joined, left + part, at - left);
		count = read_piece(other, count);
		left = armspe_decoder_left(dec);
	}
	return count;
}

static size_t read_columns(const uint8_t *bytes, size_t len)
{
	static uint64_t offset[ROWS_MAX], events[ROWS_MAX], pc[ROWS_MAX];
	static uint32_t size[ROWS_MAX], valid[ROWS_MAX], addr_valid[ROWS_MAX];
	struct armspe_columns cols = {
		.room = ROWS_MAX, .offset = offset, .bytes = size,
		.valid = valid, .addr_valid = addr_valid, .events = events,
	};
	enum armspe_status status;
	size_t count = 0, i;

	cols.addr[SPE_ADDR_PC] = pc;
	start(bytes, len);
	do {
		cols.rows = 0;
		status = armspe_columns_next(dec, &cols);
		for (i = 0; i < cols.rows; i++) {
			struct armspe_record rec = {
				.offset = offset[i], .bytes = size[i],
				.valid = valid[i], .addr_valid = addr_valid[i],
				.events = events[i],
			};

			rec.addr[SPE_ADDR_PC] = pc[i];
			note(&other[count++], &rec, false);
		}
		if (status == ARMSPE_DAMAGED) {
			struct armspe_record rec = {
				.offset = cols.skipped_offset,
				.bytes = (uint32_t)cols.skipped_bytes,
			};

			note(&other[count++], &rec, true);
		}
	} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const struct armspe_totals *totals;
	size_t count, step;
	bool damaged;

	if (len < 2 || len > BYTES_MAX)
		return 0;
	step = 1 + bytes[0];
	bytes++;
	len--;
	start(bytes, len);
	count = read_piece(whole, 0);
	totals = armspe_decoder_totals(dec);
	damaged = totals->damaged;
	if (totals->records + totals->damages != count)
		abort();
	if (read_columns(bytes, len) != count ||
	    memcmp(whole, other, count * sizeof(*whole)))
		abort();
	if (!damaged && (read_pieces(bytes, len, step) != count ||
			 memcmp(whole, other, count * sizeof(*whole))))
		abort();
	return 0;
}
