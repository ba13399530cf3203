// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chooses which bytes of the AUX buffer a sample of another event carries.
 */
#include "parse.h"
#include "window.h"

/* If the ways have not met after so many records, they may never: give up. */
#define SPE_WINDOW_SYNC_RECORDS	16

static u64 spe_window_min(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* A place in the buffer. */
struct spe_cursor {
	const struct spe_window_space *s;
	u64 pos;
	u64 offset;	/* pos % bufsize */
};

static struct spe_cursor spe_cursor(const struct spe_window_space *s, u64 pos)
{
	return (struct spe_cursor) { s, pos, pos % s->bufsize };
}

static void spe_cursor_move(struct spe_cursor *c, u64 bytes)
{
	c->pos += bytes;
	c->offset += bytes;
	if (c->offset >= c->s->bufsize)
		c->offset -= c->s->bufsize;
}

static u8 spe_cursor_byte(const struct spe_cursor *c)
{
	return c->s->data[c->offset];
}

/* The size of the packet that starts here. */
static u32 spe_cursor_packet(const struct spe_cursor *c)
{
	u64 next = c->offset + 1 < c->s->bufsize ? c->offset + 1 : 0;

	return spe_parse_size(c->s->data[c->offset], c->s->data[next]);
}

/*
 * Follows the packets from SPE_PARSE_PACKET_MAX bytes at once.  Bit n of "ways" is set if
 * a way has reached the byte n after the cursor.  Returns true with the cursor where all
 * ways have met.
 */
static bool spe_window_meet(struct spe_cursor *c)
{
	u64 end = spe_window_min(c->s->head,
				 c->pos + SPE_WINDOW_SYNC_RECORDS * (u64)c->s->record);
	u32 ways = (1U << SPE_PARSE_PACKET_MAX) - 1;

	while (c->pos < end) {
		if (ways == 1)
			return true;
		if (ways & 1)
			ways |= 1U << spe_cursor_packet(c);
		ways >>= 1;
		spe_cursor_move(c, 1);
	}
	return false;
}

/* Moves from a packet to the end of its record.  Returns false if that is beyond head. */
static bool spe_window_skip_record(struct spe_cursor *c)
{
	while (c->pos < c->s->head) {
		bool ends = spe_parse_ends(spe_cursor_byte(c));

		spe_cursor_move(c, spe_cursor_packet(c));
		if (ends)
			return c->pos <= c->s->head;
	}
	return false;
}

/* The position of the first record at low or later; head if there is none. */
static u64 spe_window_from(const struct spe_window_space *s, u64 low)
{
	struct spe_cursor c = spe_cursor(s, low);

	if (low == s->first)
		return low;
	if (s->align == s->record)
		return spe_window_min((low + s->align - 1) & ~(u64)(s->align - 1), s->head);
	if (spe_window_meet(&c) && spe_window_skip_record(&c))
		return c.pos;
	return s->known >= low ? s->known : s->head;
}

/* The end of the last whole record. */
static u64 spe_window_to(const struct spe_window_space *s, u64 from)
{
	struct spe_cursor c = spe_cursor(s, from);
	u64 to = from;

	while (spe_window_skip_record(&c))
		to = c.pos;
	return to;
}

struct spe_window spe_window_choose(const struct spe_window_space *s)
{
	/* A record's size before the oldest byte, the unit may have begun to overwrite. */
	u64 bytes = spe_window_min(s->want, s->bufsize - s->record);
	u64 low = s->head - s->first > bytes ? s->head - bytes : s->first;
	struct spe_window w = { .from = spe_window_from(s, low), .to = s->head };

	if (s->cut)
		w.to = spe_window_to(s, w.from);
	return w;
}
