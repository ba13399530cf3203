// SPDX-License-Identifier: GPL-2.0-only
/* Which bytes of the AUX buffer a sample of another event carries: whole records only. */
#include "window.h"
#include "test.h"

/*
 * An AUX buffer that a unit has filled, and where its records start.  The packets are those of
 * D18.1.1: header bytes and sizes are written down here once more, from the manual's table.
 */
#define BUFSIZE	4096
#define RECORDS	512

struct stream {
	u8 *data;		/* BUFSIZE bytes, so that ASan finds a read outside */
	u64 head;
	u64 end;		/* of the newest record, without padding */
	u64 *start;		/* RECORDS positions where a record starts, in a ring */
	unsigned int records;
	u32 align;
	u32 chance;
};

static u32 chance(struct stream *s, u32 below)
{
	s->chance = s->chance * 1664525 + 1013904223;
	return (s->chance >> 8) % below;
}

static void put(struct stream *s, u8 byte)
{
	s->data[s->head++ % BUFSIZE] = byte;
}

/* Header bytes for payloads of 1, 2, 4 and 8 bytes: the rows 0x40, 0x80 and 0xc0 of D18.1.1. */
static void packet(struct stream *s, bool extended, u8 row, u32 log2)
{
	static const u8 likely[] = { 0x00, 0x01, 0x71, 0xb0, 0x20, 0x62, 0xff, 0x99 };

	if (extended)
		put(s, 0x20 + chance(s, 0x20));
	put(s, row + 0x10 * log2 + 2);
	/* Half of the bytes look like padding, End or a header. */
	for (u32 i = 0; i < 1U << log2; i++)
		put(s, chance(s, 2) ? chance(s, 256) : likely[chance(s, ARRAY_SIZE(likely))]);
}

static void end(struct stream *s, bool timestamp)
{
	if (!timestamp) {
		put(s, 0x01);
	} else {
		put(s, 0x71);
		for (int i = 0; i < 8; i++)
			put(s, chance(s, 256));
	}
	s->end = s->head;
	while (s->head % s->align)
		put(s, 0x00);
}

/* A record of at most 64 bytes. */
static void record(struct stream *s)
{
	static const u8 rows[] = { 0x40, 0x80, 0xc0 };
	u32 packets = 1 + chance(s, 5);

	s->start[s->records++ % RECORDS] = s->head;
	for (u32 i = 0; i < packets; i++)
		packet(s, !chance(s, 4), rows[chance(s, 3)], chance(s, 4));
	end(s, chance(s, 2));
}

static struct stream stream(u32 align, u32 seed)
{
	return (struct stream) {
		.data = malloc(BUFSIZE), .start = malloc(RECORDS * sizeof(u64)),
		.align = align, .chance = seed,
	};
}

static void drop(struct stream *s)
{
	free(s->data);
	free(s->start);
}

static struct spe_window_space space(const struct stream *s, u64 first, u64 want)
{
	return (struct spe_window_space) {
		.data = s->data, .bufsize = BUFSIZE, .first = first, .known = first,
		.head = s->head, .want = want, .record = 64, .align = s->align,
	};
}

/* The oldest record of the stream that starts at "low" or later, or the head. */
static u64 oldest(const struct stream *s, u64 low)
{
	u64 best = s->head;

	for (unsigned int i = 0; i < s->records && i < RECORDS; i++)
		if (s->start[i] >= low && s->start[i] < best)
			best = s->start[i];
	return best;
}

/* Between the position and the next record there is at most padding. */
static bool starts(const struct stream *s, u64 pos)
{
	for (; pos < oldest(s, pos) && pos < s->head; pos++)
		if (s->data[pos % BUFSIZE])
			return false;
	for (unsigned int i = 0; i < s->records && i < RECORDS; i++)
		if (s->start[i] == pos)
			return true;
	return pos == s->head;
}

TEST(nothing_is_chosen_from_an_empty_session)
{
	struct stream s = stream(1, 1);
	struct spe_window_space x;
	struct spe_window w;

	s.head = 5000;
	x = space(&s, 5000, 512);
	w = spe_window_choose(&x);
	CHECK(w.from == 5000 && w.to == 5000, "%llu to %llu", w.from, w.to);
	drop(&s);
}

TEST(a_short_session_is_chosen_whole)
{
	struct stream s = stream(1, 2);
	struct spe_window_space x;
	struct spe_window w;

	for (int i = 0; i < 10; i++)
		record(&s);
	x = space(&s, 0, s.head);
	w = spe_window_choose(&x);
	CHECK(w.from == 0 && w.to == s.head, "%llu to %llu of %llu", w.from, w.to, s.head);
	/* Older bytes do not count: they may be another CPU's. */
	x = space(&s, s.start[4], BUFSIZE);
	w = spe_window_choose(&x);
	CHECK(w.from == s.start[4] && w.to == s.head, "%llu to %llu", w.from, w.to);
	drop(&s);
}

/* Whatever the size, the bytes begin and end between records, and few records are left out. */
TEST(each_window_begins_between_records)
{
	static const u32 aligns[] = { 1, 2, 4, 8, 16, 32, 64 };

	for (size_t a = 0; a < ARRAY_SIZE(aligns); a++) {
		struct stream s = stream(aligns[a], 3);
		u64 left_out = 0, windows = 0;

		while (s.records < 400) {
			record(&s);
			for (u64 want = 0; want <= BUFSIZE; want += 8 + want / 16) {
				struct spe_window_space x = space(&s, 0, want);
				struct spe_window w = spe_window_choose(&x);
				u64 most = want < BUFSIZE - 64 ? want : BUFSIZE - 64;
				u64 low = s.head > most ? s.head - most : 0;

				CHECK(w.to == s.head && w.from >= low && w.from <= s.head,
				      "align %u: %llu to %llu of %llu", s.align, w.from, w.to, s.head);
				CHECK(starts(&s, w.from), "align %u, head %llu, want %llu: from %llu",
				      s.align, s.head, want, w.from);
				if (want < 512 || !w.from)
					continue;
				windows++;
				left_out += w.from - oldest(&s, low);
			}
		}
		/* On average less than two records. */
		CHECK(left_out <= windows * 100, "align %u: %llu bytes in %llu windows", s.align,
		      left_out, windows);
		if (aligns[a] == 64)
			CHECK(!left_out, "%llu bytes", left_out);
		drop(&s);
	}
}

/* With PMBIDR_EL1.Align of a record's size each multiple of it is a start. */
TEST(aligned_records_need_no_search)
{
	struct stream s = stream(64, 9);

	for (int i = 0; i < 40; i++)
		record(&s);
	for (u64 want = 960; want <= 1088; want++) {
		struct spe_window_space x = space(&s, 0, want);
		struct spe_window w = spe_window_choose(&x);

		CHECK(w.from == s.head - want / 64 * 64, "%llu bytes: from %llu of %llu", want,
		      w.from, s.head);
	}
	drop(&s);
}

/*
 * D18.1.1: the second byte of a header tells the size.  The last two bytes and the first ones of the
 * buffer are a header and half of its payload of eight bytes, which looks like End packets.
 */
TEST(header_at_the_end_of_the_buffer_is_whole)
{
	for (u64 at = BUFSIZE - 3; at <= BUFSIZE; at++) {
		struct stream s = stream(1, 10);
		struct spe_window_space x;
		struct spe_window w;

		s.head = at;
		put(&s, 0x20);
		put(&s, 0x72);
		for (int i = 0; i < 4; i++)
			put(&s, 0x01);
		x = space(&s, at, 1024);
		x.cut = true;
		w = spe_window_choose(&x);
		CHECK(w.from == at && w.to == at, "at %llu: %llu to %llu", at, w.from, w.to);
		drop(&s);
	}
}

/* PMBSR_EL1.DL: the unit stopped inside of the newest record. */
TEST(an_incomplete_record_is_left_out)
{
	static const u32 aligns[] = { 1, 64 };

	for (size_t a = 0; a < ARRAY_SIZE(aligns); a++) {
		struct stream s = stream(aligns[a], 4);
		u64 last = 0;

		for (int i = 0; i < 200; i++) {
			u64 head = s.head, full;
			struct spe_window_space x;
			struct spe_window w;

			record(&s);
			if (head < 1200) {
				last = head;
				continue;
			}
			full = s.head;
			/* Cut off one byte and more, but never all. */
			s.head = s.end - 1 - chance(&s, s.end - head - 1);
			x = space(&s, 0, 1024);
			x.cut = true;
			w = spe_window_choose(&x);
			CHECK(w.from < w.to, "%llu to %llu", w.from, w.to);
			CHECK(starts(&s, w.from), "from %llu", w.from);
			CHECK(w.to > last && w.to <= head, "to %llu, record before at %llu to %llu",
			      w.to, last, head);
			CHECK(starts(&s, w.to), "to %llu, head %llu", w.to, head);
			last = head;
			/* The same with nothing cut off: the flag alone leaves out no record. */
			s.head = full;
			x = space(&s, 0, 1024);
			x.cut = true;
			w = spe_window_choose(&x);
			CHECK(w.to == s.end, "to %llu, record to %llu", w.to, s.end);
		}
		drop(&s);
	}
}

/*
 * D18.1.1: the header 0x62 has four bytes of payload.  If these are 0x62 too, each byte may be a
 * header, and ways from two bytes that are not a multiple of five apart never meet.
 */
static void ambiguous(struct stream *s, u64 bytes)
{
	while (bytes--)
		put(s, 0x62);
}

TEST(bytes_that_tell_nothing_need_a_known_start)
{
	struct stream s = stream(1, 5);
	struct spe_window_space x;
	struct spe_window w;

	ambiguous(&s, 3000);
	x = space(&s, 0, 2000);
	w = spe_window_choose(&x);
	CHECK(w.from == s.head && w.to == s.head, "%llu to %llu", w.from, w.to);
	x.known = 1500;
	w = spe_window_choose(&x);
	CHECK(w.from == 1500 && w.to == 3000, "%llu to %llu", w.from, w.to);
	/* Known, but older than what fits. */
	x.known = 999;
	w = spe_window_choose(&x);
	CHECK(w.from == s.head, "%llu to %llu", w.from, w.to);
	x.known = 1000;
	w = spe_window_choose(&x);
	CHECK(w.from == 1000, "%llu to %llu", w.from, w.to);
	/* Ten bytes of padding bring all ways together, but no record ends before the head. */
	memset(s.data + 1500, 0, 10);
	x.known = 0;
	w = spe_window_choose(&x);
	CHECK(w.from == s.head && w.to == s.head, "%llu to %llu", w.from, w.to);
	/* An End packet after a multiple of five bytes: what follows is the next record. */
	s.data[1510 + 100] = 0x01;
	w = spe_window_choose(&x);
	CHECK(w.from == 1611 && w.to == s.head, "%llu to %llu", w.from, w.to);
	drop(&s);
}

/*
 * D18.1.1: a packet has at most two bytes of header and eight of payload, so one of ten bytes that
 * follow each other starts a packet.  If nine of them are padding, the tenth starts one too.
 */
TEST(ten_bytes_are_enough_to_find_a_start)
{
	struct stream s = stream(1, 8);
	struct spe_window_space x;
	struct spe_window w;

	record(&s);
	for (int i = 0; i < 9; i++)
		put(&s, 0x00);
	put(&s, 0x01);
	record(&s);
	x = space(&s, 0, s.head - (s.start[1] - 10));
	w = spe_window_choose(&x);
	CHECK(w.from == s.start[1], "from %llu, record at %llu", w.from, s.start[1]);
	drop(&s);
}

/* The search gives up after 16 records of the largest size: the cost of a sample has a bound. */
TEST(the_search_for_a_start_has_a_bound)
{
	for (u64 before = 1000; before <= 1100; before++) {
		struct stream s = stream(1, 6);
		struct spe_window_space x;
		struct spe_window w;
		u64 low;

		ambiguous(&s, 500 + before);
		/* Ten bytes of padding bring all ways together; a record follows. */
		for (int i = 0; i < 10; i++)
			put(&s, 0x00);
		low = 500;
		put(&s, 0x01);
		record(&s);
		x = space(&s, 0, s.head - low);
		w = spe_window_choose(&x);
		/* 16 records of 64 bytes are 1024 bytes; the ways meet at the fifth of the padding. */
		if (before + 4 < 1024)
			CHECK(w.from == s.start[0], "%llu: %llu", before, w.from);
		else
			CHECK(w.from == s.head, "%llu: %llu", before, w.from);
		drop(&s);
	}
}

/* A writable mapping lets the reader write anything at any time. */
TEST(any_bytes_are_safe)
{
	struct stream s = stream(1, 7);

	for (int round = 0; round < 2000; round++) {
		struct spe_window_space x;
		struct spe_window w;
		u32 kind = chance(&s, 3);

		for (u64 i = 0; i < BUFSIZE; i++)
			s.data[i] = kind ? chance(&s, kind == 1 ? 256 : 64) : 0x7f;
		s.head = chance(&s, 3 * BUFSIZE);
		x = space(&s, chance(&s, s.head + 1), chance(&s, 2 * BUFSIZE));
		x.known = x.first + chance(&s, s.head - x.first + 1);
		x.cut = chance(&s, 2);
		w = spe_window_choose(&x);
		CHECK(w.from >= x.first && w.from <= w.to && w.to <= s.head &&
		      w.to - w.from <= x.want && w.to - w.from <= BUFSIZE - 64,
		      "%llu to %llu of %llu to %llu, want %llu", w.from, w.to, x.first, s.head, x.want);
	}
	drop(&s);
}
