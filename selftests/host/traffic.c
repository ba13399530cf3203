// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of limit.h over time: perf, a reader and the unit together. */
#include "limit.h"
#include "test.h"

#define LL(x)	((unsigned long long)(x))

/* A deterministic generator, so that failures can be reproduced. */
static u64 seed;

static u64 draw(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % below;
}

/*
 * Simulates perf, a reader and the unit as service.c joins them.  The unit writes whole records
 * until it stops.  The driver resumes the unit before it publishes the AUX head to perf.  The
 * reader frees any amount.  The simulation checks that no unread byte is overwritten, and that
 * each byte up to the head is written once, as part of a record or as padding.
 */
struct sim {
	struct spe_space s;
	u64 tail, mark, end;
	unsigned int owner[256];	/* lap that last wrote this byte */
	struct spe_piece pieces[16];
};

/* A piece begins at the first page, and at each page whose bit is set. */
static struct sim sim_of(unsigned int pages, u64 watermark, unsigned int cuts)
{
	struct sim sim = {
		.s = {
			.page = 16, .record = 8, .align = 1, .bufsize = pages * 16,
			.watermark = watermark,
		},
	};

	for (unsigned int i = 0; i < pages; i++)
		if (!i || cuts >> i & 1)
			sim.pieces[sim.s.nr_pieces++] = (struct spe_piece) { i * 16, i };
	return sim;
}

static void sim_write(struct sim *sim, u64 position, u64 bytes)
{
	for (; bytes--; position++) {
		unsigned int *owner = &sim->owner[position % sim->s.bufsize];

		CHECK(*owner == position / sim->s.bufsize, "position %llu written twice or skipped",
		      LL(position));
		CHECK(position < sim->tail + sim->s.bufsize,
		      "position %llu written before it was read", LL(position));
		(*owner)++;
	}
}

/* Computes what perf_aux_output_begin() would return. */
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
	/* Records of any size up to the largest, until the largest does not fit. */
	for (ptr = plan.start; plan.limit - ptr >= sim->s.record; ) {
		space = 1 + draw(sim->s.record);
		sim_write(sim, sim->mark + (ptr - plan.start), space);
		ptr += space;
	}
	CHECK(spe_limit_advance(sim->mark, plan.start, plan.limit, ptr, &sim->s.head),
	      "spe_limit_advance() refuses the pointer");
	return true;
}

static void sim_run(struct sim *sim)
{
	unsigned int stops = 0, runs = 0;

	sim->s.pieces = sim->pieces;
	sim_begin(sim);
	for (int step = 0; step < 4000; step++) {
		/*
		 * Plans first with the space that is known to be free, then with what the reader
		 * has freed since.
		 */
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
			struct sim sim = sim_of(pages, watermark, 0);

			seed = pages * 1000 + watermark;
			sim_run(&sim);
		}
	}
}

TEST(nothing_is_written_over_or_left_out_of_scattered_pages)
{
	for (unsigned int pages = 2; pages <= 16; pages++) {
		for (unsigned int cuts = 1; cuts < 1 << 16; cuts = cuts * 3 + 1) {
			struct sim sim = sim_of(pages, 4 + cuts % 61, cuts);

			seed = pages * 1000 + cuts;
			sim_run(&sim);
		}
	}
}
