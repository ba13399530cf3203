// SPDX-License-Identifier: GPL-2.0-only
/* How far the unit may write, for every state of small buffers. */
#include "limit.h"
#include "test.h"

#define LL(x)	((unsigned long long)(x))
#define SHOW(s)	"head %llu size %llu wakeup %llu bufsize %llu page %u record %u align %u%s%s", \
	LL((s)->head), LL((s)->size), LL((s)->wakeup), LL((s)->bufsize), (s)->page, (s)->record, \
	(s)->align, (s)->saved ? " saved" : "", (s)->overwrite ? " overwrite" : ""

/* The end of the piece that contains an offset. */
static u64 piece_end(const struct spe_space *s, u64 offset)
{
	for (u32 i = 0; i < s->nr_pieces; i++)
		if (s->pieces[i].offset > offset)
			return s->pieces[i].offset;
	return s->bufsize;
}

static u64 piece_base(const struct spe_space *s, u64 offset)
{
	u64 base = 0;

	for (u32 i = 0; i < s->nr_pieces && s->pieces[i].offset <= offset; i++)
		base = s->pieces[i].base;
	return base;
}

static bool piece_begins(const struct spe_space *s, u64 offset)
{
	for (u32 i = 0; i < s->nr_pieces; i++)
		if (s->pieces[i].offset == offset)
			return true;
	return false;
}

/* One piece.  No offset looks like its address. */
static const struct spe_piece whole[] = { { 0, 0xffff800012340000 } };

#define WHOLE	.pieces = whole, .nr_pieces = 1

/* The smallest padding after which a record may start. */
static u64 least_pad(const struct spe_space *s)
{
	u64 pad;

	for (pad = 0; ; pad++) {
		u64 position = s->head + pad, offset = position % s->bufsize;

		if (piece_end(s, offset) - offset < s->record)
			continue;
		/*
		 * The start must not be so close to the wakeup that the unit stops just short of
		 * it.  The start of the next piece is allowed even then, because padding does not
		 * go beyond the end of a piece.
		 */
		if (!s->overwrite && (!piece_begins(s, offset) || !pad) && s->wakeup > position &&
		    s->wakeup - position < s->record)
			continue;
		if (offset % s->align == 0 || (s->saved && pad == 0))
			return pad;
	}
}

/* The largest limit that the free space allows after this padding. */
static u64 furthest_limit(const struct spe_space *s, u64 pad)
{
	u64 start = (s->head + pad) % s->bufsize;
	u64 limit, best = 0;

	for (limit = s->page; limit <= piece_end(s, start); limit += s->page)
		if (limit >= start + s->record &&
		    (!s->max_bytes || limit - start <= s->max_bytes) &&
		    (s->overwrite || pad + (limit - start) < s->size))
			best = limit;
	return best;
}

/* The first limit that reaches the next wakeup and leaves space for a record. */
static u64 wakeup_limit(const struct spe_space *s, u64 pad)
{
	u64 position = s->head + pad, start = position % s->bufsize;
	u64 wakeup = s->wakeup, limit;

	for (; wakeup <= position; wakeup = position - position % s->watermark + s->watermark)
		;
	for (limit = s->page; ; limit += s->page)
		if (limit >= start + s->record && limit - start >= wakeup - position)
			return limit;
}

/* Checks every promise of limit.h by brute force. */
static void check_plan(const struct spe_space *s)
{
	struct spe_plan plan = spe_limit_plan(s);
	u64 pad = least_pad(s), best = furthest_limit(s, pad), wakeup;

	CHECK(plan.run == (best != 0), SHOW(s));
	if (!plan.run) {
		CHECK(!plan.pad && !plan.start && !plan.limit && !plan.base, SHOW(s));
		return;
	}
	CHECK(plan.base == piece_base(s, plan.start), SHOW(s));
	CHECK(plan.pad == pad, SHOW(s));
	CHECK(plan.start == (s->head + pad) % s->bufsize, SHOW(s));
	if (s->overwrite) {
		CHECK(plan.limit == best, SHOW(s));
		return;
	}
	wakeup = wakeup_limit(s, pad);
	CHECK(plan.wakeup == s->wakeup, SHOW(s));
	CHECK(plan.limit == (wakeup < best ? wakeup : best), SHOW(s));
}

static void check_positions(struct spe_space s)
{
	for (s.size = 0; s.size <= s.bufsize; s.size++) {
		for (s.wakeup = s.head > 4 ? s.head - 4 : 0;
		     s.wakeup <= s.head + s.bufsize + s.page; s.wakeup += 3) {
			s.watermark = 1 + s.wakeup % 23;
			check_plan(&s);
		}
	}
}

static void check_buffers(u64 base, bool saved)
{
	static const struct { unsigned int page, record, align; } rows[] = {
		{ 8, 4, 1 }, { 8, 4, 2 }, { 8, 4, 4 }, { 8, 4, 8 }, { 8, 1, 1 }, { 16, 2, 4 }, { 16, 8, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned int pages = 2; pages <= 4; pages++) {
			struct spe_space s = {
				WHOLE, .page = rows[i].page, .record = rows[i].record,
				.align = rows[i].align, .saved = saved,
				.bufsize = (u64)pages * rows[i].page,
			};
			u64 start = base - base % s.bufsize;

			for (s.head = start; s.head < start + s.bufsize; s.head++)
				check_positions(s);
		}
	}
}

TEST(every_space_of_small_buffers)
{
	check_buffers(0, false);
}

TEST(every_space_from_a_saved_pointer)
{
	check_buffers(0, true);
}

TEST(every_space_beyond_32_bits_of_traffic)
{
	check_buffers((1ULL << 32) + 12345, false);
}

TEST(every_space_at_positions_past_signed_longs)
{
	check_buffers((1ULL << 63) + 777, true);
}

/* A hypervisor may allow the unit fewer bytes at once than the buffer has. */
TEST(every_space_with_a_largest_window)
{
	for (unsigned int pages = 2; pages <= 4; pages++) {
		struct spe_space s = {
			WHOLE, .page = 16, .record = 8, .align = 4, .bufsize = 64, .max_bytes = pages * 16,
		};

		for (s.head = 0; s.head < s.bufsize; s.head++) {
			s.overwrite = false;
			check_positions(s);
			s.overwrite = true;
			s.size = 0;
			check_plan(&s);
		}
	}
}

TEST(overwrite_always_runs_to_the_end)
{
	struct spe_space s = {
		WHOLE, .page = 16, .record = 8, .align = 4, .bufsize = 64, .overwrite = true,
	};

	for (s.head = 0; s.head < 300; s.head++) {
		check_plan(&s);
		CHECK(spe_limit_plan(&s).limit == s.bufsize, SHOW(&s));
	}
}

/* If the reader has read everything, two pages have space for a record at any head. */
TEST(an_empty_buffer_has_room)
{
	for (unsigned int record = 16; record <= 2048; record *= 2) {
		struct spe_space s = {
			WHOLE, .page = 4096, .record = record, .align = record, .bufsize = 8192,
			.size = 8191, .watermark = 4096,
		};

		for (s.head = 0; s.head < 8192; s.head++)
			CHECK(spe_limit_plan(&s).run, SHOW(&s));
	}
}

TEST(four_gigabytes)
{
	struct spe_space s = {
		WHOLE, .page = 4096, .record = 64, .align = 64, .bufsize = 1ULL << 32,
		.head = (5ULL << 32) + 640, .size = (1ULL << 32) - 1,
		.wakeup = (5ULL << 32) + (1ULL << 31), .watermark = 1ULL << 31,
	};
	struct spe_plan plan = spe_limit_plan(&s);

	CHECK(plan.run && plan.pad == 0 && plan.start == 640, SHOW(&s));
	CHECK(plan.limit == 1ULL << 31, "%#llx", LL(plan.limit));
	s.wakeup = 0;
	s.watermark = 1ULL << 50;
	CHECK(spe_limit_plan(&s).limit == 1ULL << 32, "not the whole buffer");
	s.bufsize = 1ULL << 40;
	s.size = s.bufsize - 1;
	CHECK(spe_limit_plan(&s).limit == 1ULL << 40, "a terabyte");
}

/* All ways to scatter pages: a bit of @cuts says that a piece begins at this page. */
static u32 cut(struct spe_piece *pieces, unsigned int pages, unsigned int cuts, u32 page)
{
	u32 nr = 0;

	for (unsigned int i = 0; i < pages; i++)
		if (!i || cuts & 1U << i)
			pieces[nr++] = (struct spe_piece) { (u64)i * page, 0x40000 - 0x1000ULL * i };
	return nr;
}

TEST(every_space_of_every_scattered_buffer)
{
	for (unsigned int pages = 2; pages <= 4; pages++) {
		for (unsigned int cuts = 0; cuts < 1U << pages; cuts += 2) {
			struct spe_piece pieces[4];
			struct spe_space s = {
				.pieces = pieces, .nr_pieces = cut(pieces, pages, cuts, 16),
				.page = 16, .record = 8, .align = 4, .bufsize = pages * 16ULL,
			};

			for (s.head = 0; s.head < s.bufsize; s.head++) {
				s.saved = false;
				s.overwrite = true;
				s.size = 0;
				check_plan(&s);
				s.overwrite = false;
				check_positions(s);
				s.saved = true;
				check_positions(s);
			}
		}
	}
}

/* The last page of a terabyte of single pages, in descending order. */
TEST(a_piece_is_found_among_many)
{
	enum { PIECES = 100000 };
	static struct spe_piece pieces[PIECES];
	struct spe_space s = {
		.pieces = pieces, .nr_pieces = PIECES, .page = 4096, .record = 64, .align = 64,
		.bufsize = PIECES * 4096ULL, .size = PIECES * 4096ULL - 1, .watermark = 1ULL << 40,
	};

	for (u64 i = 0; i < PIECES; i++)
		pieces[i] = (struct spe_piece) { i * 4096, ~0ULL - i * 8192 };
	for (u64 i = 0; i < PIECES; i++) {
		struct spe_plan plan;

		s.head = 7 * s.bufsize + i * 4096 + 64 * (i % 64);
		plan = spe_limit_plan(&s);
		CHECK(plan.run && !plan.pad && plan.base == pieces[i].base, SHOW(&s));
		CHECK(plan.limit == (i + 1) * 4096, SHOW(&s));
	}
}

/*
 * Tries to continue the plan of a session from every position that the session may have reached.
 * Either the rest of the plan keeps all promises, or spe_limit_continue() refuses it and leaves
 * it unchanged.
 */
static void check_continue(struct spe_space s, struct spe_plan old, u64 mark)
{
	u64 size = s.size;

	for (s.head = mark > 3 ? mark - 3 : 0; s.head <= mark + s.bufsize; s.head++) {
		for (s.size = size % 7; s.size <= s.bufsize; s.size += 7) {
			struct spe_plan plan = old, fresh = spe_limit_plan(&s);
			bool holds = spe_limit_continue(&plan, mark, s.head, s.size, s.wakeup,
							s.record, s.align);

			if (!holds) {
				CHECK(plan.start == old.start && plan.pad == old.pad, SHOW(&s));
				continue;
			}
			CHECK(fresh.run && !plan.pad && !fresh.pad, SHOW(&s));
			CHECK(plan.start == fresh.start && plan.base == fresh.base, SHOW(&s));
			/*
			 * The reader may have freed space since, so the old limit may be below a
			 * new one.
			 */
			CHECK(plan.limit <= fresh.limit && plan.limit >= plan.start + s.record,
			      SHOW(&s));
		}
	}
}

TEST(a_plan_that_still_holds_is_continued)
{
	struct spe_piece pieces[3];
	struct spe_space s = {
		.pieces = pieces, .nr_pieces = cut(pieces, 3, 4, 16), .page = 16, .record = 8,
		.align = 4, .bufsize = 48, .watermark = 24,
	};
	unsigned int again = 0;

	for (s.head = 0; s.head < 96; s.head++) {
		s.wakeup = spe_limit_wakeup(s.head, s.watermark);
		for (s.size = 0; s.size <= s.bufsize; s.size++) {
			struct spe_plan plan = spe_limit_plan(&s);

			check_continue(s, plan, s.head + plan.pad);
			again += plan.run && spe_limit_continue(&plan, s.head + plan.pad,
								s.head + plan.pad,
								s.size - plan.pad, s.wakeup,
								s.record, s.align);
		}
	}
	CHECK(again > 500, "%u", again);
}

/* Perf computes aux_wakeup = rounddown(aux_head, watermark). */
TEST(wakeups_are_where_perf_puts_them)
{
	for (u64 watermark = 1; watermark < 40; watermark++)
		for (u64 head = 0; head < 200; head++) {
			u64 wakeup = spe_limit_wakeup(head, watermark);

			CHECK(wakeup > head && wakeup <= head + watermark && wakeup % watermark == 0,
			      "head %llu watermark %llu: %llu", LL(head), LL(watermark), LL(wakeup));
		}
	CHECK(spe_limit_wakeup((1ULL << 40) + 5, 1 << 20) == (1ULL << 40) + (1 << 20), "large");
}

TEST(the_pointer_is_believed_only_inside_its_plan)
{
	u64 head;

	for (u64 ptr = 0; ptr < 200; ptr++) {
		bool in = ptr >= 32 && ptr <= 96;

		CHECK(spe_limit_advance(1000, 32, 96, ptr, &head) == in, "%llu", LL(ptr));
		CHECK(head == (in ? 1000 + ptr - 32 : 1000), "%llu: %llu", LL(ptr), LL(head));
	}
	CHECK(!spe_limit_advance(1000, 32, 96, -64ULL, &head), "below the buffer");
}

/*
 * The smallest watermark wakes the reader often, but does not cause an interrupt storm.  With
 * every two services the unit advances by at least a page, whatever it writes before each.
 */
TEST(the_smallest_watermark_makes_no_storm_of_services)
{
	const u64 page = 4096, record = 64, size = 16 * page;
	/* Leaves space for a single record on the first page. */
	const u64 first = page - record;
	u64 head = first;

	for (int service = 0; service < 1000; service++) {
		struct spe_space space = {
			.head = head, .size = size, .wakeup = spe_limit_wakeup(head, 1),
			.watermark = 1, .bufsize = size, .page = page, .record = record,
			.align = record, .saved = true, WHOLE,
		};
		struct spe_plan plan = spe_limit_plan(&space);

		CHECK(plan.run, "service %d", service);
		/* The unit stops when less space than a record needs is left. */
		head += plan.pad + (plan.limit - plan.start) / record * record;
		CHECK((head - first) * 2 >= service * page, "service %d: %llu bytes", service,
		      (unsigned long long)(head - first));
	}
}
