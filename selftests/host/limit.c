// SPDX-License-Identifier: GPL-2.0-only
#include "limit.h"
#include "test.h"

#define LL(x)	((unsigned long long)(x))
#define SHOW(s)	"head %llu size %llu wakeup %llu bufsize %llu page %u record %u align %u%s%s", \
	LL((s)->head), LL((s)->size), LL((s)->wakeup), LL((s)->bufsize), (s)->page, (s)->record, \
	(s)->align, (s)->saved ? " saved" : "", (s)->overwrite ? " overwrite" : ""

/* The smallest padding after which a record may start. */
static u64 least_pad(const struct spe_space *s)
{
	u64 pad;

	for (pad = 0; ; pad++) {
		u64 position = s->head + pad, offset = position % s->bufsize;

		if (s->bufsize - offset < s->record)
			continue;
		/*
		 * Not where the unit could stop just short of the wakeup, but
		 * padding goes no further than the buffer's end.
		 */
		if (!s->overwrite && (offset || !pad) && s->wakeup > position &&
		    s->wakeup - position < s->record)
			continue;
		if (offset % s->align == 0 || (s->saved && pad == 0))
			return pad;
	}
}

/* The furthest limit that the free space allows after that padding. */
static u64 furthest_limit(const struct spe_space *s, u64 pad)
{
	u64 start = (s->head + pad) % s->bufsize;
	u64 limit, best = 0;

	for (limit = s->page; limit <= s->bufsize; limit += s->page)
		if (limit >= start + s->record &&
		    (!s->most || limit - start <= s->most) &&
		    (s->overwrite || pad + (limit - start) < s->size))
			best = limit;
	return best;
}

/* The first limit that reaches the next wakeup and holds a record. */
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

/* Every promise of limit.h, by brute force. */
static void check_plan(const struct spe_space *s)
{
	struct spe_plan plan = spe_limit_plan(s);
	u64 pad = least_pad(s), best = furthest_limit(s, pad), wakeup;

	CHECK(plan.run == (best != 0), SHOW(s));
	if (!plan.run) {
		CHECK(!plan.pad && !plan.start && !plan.limit, SHOW(s));
		return;
	}
	CHECK(plan.pad == pad, SHOW(s));
	CHECK(plan.start == (s->head + pad) % s->bufsize, SHOW(s));
	if (s->overwrite) {
		CHECK(plan.limit == best, SHOW(s));
		return;
	}
	wakeup = wakeup_limit(s, pad);
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
				.page = rows[i].page, .record = rows[i].record,
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

/* A hypervisor may allow less at once than the buffer holds. */
TEST(every_space_with_a_largest_window)
{
	for (unsigned int pages = 2; pages <= 4; pages++) {
		struct spe_space s = {
			.page = 16, .record = 8, .align = 4, .bufsize = 64, .most = pages * 16,
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
	struct spe_space s = { .page = 16, .record = 8, .align = 4, .bufsize = 64, .overwrite = true };

	for (s.head = 0; s.head < 300; s.head++) {
		check_plan(&s);
		CHECK(spe_limit_plan(&s).limit == s.bufsize, SHOW(&s));
	}
}

/* Wherever the head is: two pages, all read, have room for a record. */
TEST(an_empty_buffer_has_room)
{
	for (unsigned int record = 16; record <= 2048; record *= 2) {
		struct spe_space s = {
			.page = 4096, .record = record, .align = record, .bufsize = 8192,
			.size = 8191, .watermark = 4096,
		};

		for (s.head = 0; s.head < 8192; s.head++)
			CHECK(spe_limit_plan(&s).run, SHOW(&s));
	}
}

TEST(four_gigabytes)
{
	struct spe_space s = {
		.page = 4096, .record = 64, .align = 64, .bufsize = 1ULL << 32,
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

/* perf's own arithmetic: aux_wakeup = rounddown(aux_head, watermark). */
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

/* A small deterministic generator: failures come again. */
static u64 seed;

static u64 draw(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % below;
}

/*
 * perf, a reader and the unit, as service.c joins them: the unit writes whole
 * records until it stops; books are kept after it was let go on; the reader
 * frees what it likes.  Byte by byte, nothing unread is written over, and
 * every byte up to the head was written once, as a record or as padding.
 */
struct sim {
	struct spe_space s;
	u64 tail, mark, end;
	unsigned int owner[256];	/* lap that last wrote each byte */
};

static void sim_write(struct sim *sim, u64 position, u64 bytes)
{
	for (; bytes--; position++) {
		unsigned int *owner = &sim->owner[position % sim->s.bufsize];

		CHECK(*owner == position / sim->s.bufsize, "position %llu written twice or skipped",
		      LL(position));
		CHECK(position < sim->tail + sim->s.bufsize, "position %llu unread", LL(position));
		(*owner)++;
	}
}

/* What perf_aux_output_begin() would say. */
static void sim_begin(struct sim *sim)
{
	u64 used = sim->s.head - sim->tail;

	CHECK(used < sim->s.bufsize - 1, "perf would give no handle at %llu", LL(sim->s.head));
	sim->end = sim->s.head + sim->s.bufsize - 1 - used;
}

static bool sim_plan(struct sim *sim, bool saved)
{
	struct spe_plan plan;
	u64 space, ptr;

	sim->s.saved = saved;
	sim->s.size = sim->end - sim->s.head;
	sim->s.wakeup = spe_limit_wakeup(sim->s.head, sim->s.watermark);
	plan = spe_limit_plan(&sim->s);
	if (!plan.run)
		return false;
	sim_write(sim, sim->s.head, plan.pad);
	sim->mark = sim->s.head + plan.pad;
	/* Records of any size up to the largest, until one might not fit. */
	for (ptr = plan.start; plan.limit - ptr >= sim->s.record; ) {
		space = 1 + draw(sim->s.record);
		sim_write(sim, sim->mark + (ptr - plan.start), space);
		ptr += space;
	}
	CHECK(spe_limit_advance(sim->mark, plan.start, plan.limit, ptr, &sim->s.head), "lost the pointer");
	return true;
}

static void sim_run(struct sim *sim)
{
	unsigned int stops = 0, runs = 0;

	sim_begin(sim);
	for (int step = 0; step < 4000; step++) {
		/* Early from what was known, then with what the reader freed. */
		if (sim_plan(sim, true)) {
			runs++;
			sim_begin(sim);
			continue;
		}
		sim_begin(sim);
		if (sim_plan(sim, draw(2))) {
			runs++;
		} else {
			stops++;
			sim->tail += draw(sim->s.head - sim->tail + 1);
			sim_begin(sim);
		}
	}
	CHECK(runs > 200 && stops > 10, "%u runs, %u stops", runs, stops);
}

TEST(nothing_is_written_over_or_left_out)
{
	for (unsigned int pages = 2; pages <= 16; pages++) {
		for (u64 watermark = 4; watermark <= pages * 16; watermark += 7) {
			struct sim sim = {
				.s = {
					.page = 16, .record = 8, .align = 1,
					.bufsize = pages * 16, .watermark = watermark,
				},
			};

			seed = pages * 1000 + watermark;
			sim_run(&sim);
		}
	}
}
