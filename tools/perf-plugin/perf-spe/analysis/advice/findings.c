// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "armspe.h"
#include "util/util.h"

#define EVENT(bit)	(UINT64_C(1) << (bit))
#define ROWS_SHOWN	3
/* Strata of one operation; loads and stores are the first two operations. */
#define STRATA_OP	4
#define STRATA_MEMORY	(2 * STRATA_OP)
#define MEMORY		(ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)

/* Flaws by an event: of which operations, and the filter that finds them */
static const struct {
	uint32_t flags;
	uint64_t event;			/* 0: another test, see is_flawed() */
	const char *filter;
} kinds[FINDINGS_EVENTS] = {
	[FINDING_TLB] = { MEMORY, EVENT(SPE_EVENT_TLB_WALK), "events has tlb-walk" },
	[FINDING_MISPREDICTED] = { ARMSPE_OPF_BRANCH, EVENT(SPE_EVENT_MISPREDICTED),
				   "events has mispredicted" },
	[FINDING_MISALIGNED] = { MEMORY, EVENT(SPE_EVENT_MISALIGNED), "events has misaligned" },
	/* The names of all sources with ARMSPE_SOURCE_REMOTE begin so, and no others. */
	[FINDING_REMOTE] = { ARMSPE_OPF_LOAD, 0, "op == load and source_name ~ remote" },
};

void findings_init(struct findings *f, struct lines *lines)
{
	unsigned int i;

	memset(f, 0, sizeof(*f));
	f->own.bytes = 64;
	f->lines = lines ? lines : &f->own;
	for (i = 0; i < FINDINGS_EVENTS; i++)
		tally_by(&f->of[i].places, "advise", "symbol,object");
}

/* A load whose data source is known */
struct sourced {
	bool known, remote;
};

/* Properties of a sample that several checks use */
struct sample {
	uint32_t flags;			/* of the operation */
	uint64_t events;
	struct sourced source;
	unsigned int stratum;
	bool timed;
	double total;
};

static struct sourced source_of(struct lines *l, const struct row_batch *b, size_t i)
{
	const struct lines_source *source =
		batch_op(b, i)->flags & ARMSPE_OPF_LOAD ? lines_source(l, b, i) : NULL;

	return (struct sourced){ source, source && source->flags & ARMSPE_SOURCE_REMOTE };
}

static bool is_flawed(const struct sample *s, unsigned int kind)
{
	return kinds[kind].event ? (s->events & kinds[kind].event) != 0 : s->source.remote;
}

static unsigned int stratum_of(uint32_t flags, uint64_t events)
{
	unsigned int op = flags & ARMSPE_OPF_LOAD ? 0 : flags & ARMSPE_OPF_STORE ? 1 :
			  flags & ARMSPE_OPF_BRANCH ? 2 : 3;

	return op * STRATA_OP + (events & EVENT(SPE_EVENT_L1D_REFILL) ? 2 : 0) +
	       (events & EVENT(SPE_EVENT_LLC_MISS) ? 1 : 0);
}

/* For the lines: what an access to memory takes if no other CPU has the line */
static void add_access(struct findings *f, const struct sample *s)
{
	bool store = s->flags & ARMSPE_OPF_STORE;
	uint64_t misses = EVENT(SPE_EVENT_L1D_REFILL) | EVENT(SPE_EVENT_LLC_MISS) |
			  EVENT(SPE_EVENT_DATA_SNOOPED) | EVENT(SPE_EVENT_TLB_WALK);
	bool atomic = s->flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL);

	stake_add(&f->all[store], s->total);
	if (s->events & EVENT(SPE_EVENT_L1D_ACCESS) && !(s->events & misses))
		stake_add(atomic ? &f->atomic_hits[store] : &f->hits[store], s->total);
}

/* For what the samples cannot show */
static void count_kinds(struct findings *f, const struct sample *s)
{
	f->memory += (s->flags & MEMORY) != 0;
	f->branches += (s->flags & ARMSPE_OPF_BRANCH) != 0;
	f->sourced += s->source.known;
	f->cached += s->flags & MEMORY &&
		     s->events & (EVENT(SPE_EVENT_L1D_ACCESS) | PROFILE_MISS_EVENTS);
	f->cycles += s->total;
}

static void add_flaw(struct findings *f, unsigned int kind, const struct row_batch *b, size_t i)
{
	struct tally *places = &f->of[kind].places;

	f->of[kind].samples++;
	tally_add_to(places, tally_find(places, b, i), b, i);
}

static void add(struct findings *f, const struct row_batch *b, size_t i)
{
	const uint32_t flags = batch_op(b, i)->flags;
	const uint64_t events = batch_events(b, i);
	const struct sample s = {
		flags, events, source_of(f->lines, b, i), stratum_of(flags, events),
		batch_has(b, i, SPE_COUNTER_TOTAL), batch_cycles(b, i),
	};
	unsigned int kind;

	count_kinds(f, &s);
	for (kind = 0; kind < FINDINGS_EVENTS; kind++) {
		bool flawed = flags & kinds[kind].flags && is_flawed(&s, kind);

		if (flawed)
			add_flaw(f, kind, b, i);
		if (s.timed && flags & kinds[kind].flags)
			stake_add(flawed ? &f->of[kind].flawed[s.stratum] :
					   &f->of[kind].sound[s.stratum], s.total);
	}
	if (!(flags & MEMORY))
		return;
	if (batch_has(b, i, SPE_COUNTER_XLAT))
		stake_add(is_flawed(&s, FINDING_TLB) ? &f->walked[s.stratum] :
						       &f->unwalked[s.stratum], b->xlat[i]);
	if (s.timed)
		add_access(f, &s);
}

void findings_add(void *context, const struct row_batch *b)
{
	struct findings *f = context;
	size_t k;

	for (k = 0; k < b->nr; k++)
		add(f, b, b->kept[k]);
	if (f->lines == &f->own)
		lines_add(f->lines, b);
	walks_add(&f->walks, f->lines, b);
}

/*
 * The samples to compare a stratum with.  Where it has none, those of the other operation on memory
 * with the same cache events come first: a miss would be a worse base for a hit.
 */
static struct stake_sums base_of(const struct stake_sums *sound, unsigned int stratum)
{
	struct stake_sums sums = sound[stratum];

	if (sums.count < STAKE_BASE && stratum < STRATA_MEMORY)
		stake_merge(&sums, &sound[stratum ^ STRATA_OP]);
	if (sums.count < STAKE_BASE)
		stake_merge(&sums, &sound[stratum ^ 1]);
	if (sums.count < STAKE_BASE) {
		stake_merge(&sums, &sound[stratum ^ 2]);
		stake_merge(&sums, &sound[stratum ^ 3]);
	}
	return sums;
}

static struct stake sum_up(const struct stake_sums *flawed, const struct stake_sums *sound)
{
	struct stake all = { 0 };
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++) {
		struct stake_sums base = base_of(sound, i);
		struct stake one = stake_of(&flawed[i], &base);

		all.cycles += one.cycles;
		all.variance += one.variance;
	}
	return all;
}

static uint64_t count_of(const struct stake_sums *sums)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++)
		count += sums[i].count;
	return count;
}

/* Whether samples without the flaw tell what those with it would take */
static bool is_comparable(const struct findings_of *of)
{
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++)
		if (of->flawed[i].count && base_of(of->sound, i).count >= STAKE_BASE)
			return true;
	return false;
}

static void add_places(struct finding *to, struct tally *places)
{
	size_t i;

	tally_sort(places, MEASURE_COUNT);
	for (i = 0; i < places->nr_sorted && i < ROWS_SHOWN; i++) {
		const struct tally_row *row = places->sorted[i];

		finding_row_add(to, row->count,
				row->latency[0].count ? hist_mean(&row->latency[0]) : -1,
				xformat("%s %s", row->key[0].present ? row->key[0].text : "[no symbol]",
					row->key[1].present ? row->key[1].text : "-"));
	}
}

static void judge_one(struct findings *f, unsigned int kind, struct finding_list *to)
{
	struct findings_of *of = &f->of[kind];
	struct stake stake = sum_up(of->flawed, of->sound);
	const char *latency = "total";
	struct finding *found;

	if (count_of(of->flawed) >= to->limits.samples && !is_comparable(of))
		to->unseen[kind] = "too few samples without it to compare with";

	/* The translation latency holds the walk, and nothing of a cache miss. */
	if (kind == FINDING_TLB && count_of(f->walked) >= count_of(of->flawed)) {
		stake = sum_up(f->walked, f->unwalked);
		latency = "translation";
	}
	if (!finding_counts(to, kind, of->samples, &stake))
		return;
	found = finding_add(to, kind, of->samples, &stake);
	found->latency = latency;
	found->filter = xformat("%s", kinds[kind].filter);
	add_places(found, &of->places);
}

/* What a sample stands for; the caller of estimate_total() sees whether it is known. */
static void weigh(const struct estimate *e, struct finding_list *to)
{
	struct estimate_total total;
	double low = 0, middle = 0, high = 0, samples = 0;
	size_t i;

	to->weight = to->weight_low = to->weight_high = 1;
	if (!estimate_total(e, ESTIMATE_OPERATIONS, &total))
		return;
	for (i = 0; i < e->nr_cpus; i++) {
		double n = (double)e->cpus[i].count[ESTIMATE_OPERATIONS];

		samples += n;
		low += n * (double)e->cpus[i].mean.low;
		high += n * (double)e->cpus[i].mean.high;
	}
	middle = (low + high) / 2;
	to->weight = total.number / samples;
	to->weight_low = to->weight * low / middle;
	to->weight_high = to->weight * high / middle;
}

static void note_unseen(const struct findings *f, struct finding_list *to)
{
	const char *memory = f->memory ? NULL : "no sample is a load or store";
	const char *lines = f->lines->samples ? NULL : "no sample has a data address";

	to->unseen[FINDING_TLB] = to->unseen[FINDING_MISALIGNED] = memory;
	to->unseen[FINDING_MISPREDICTED] = f->branches ? NULL : "no sample is a branch";
	to->unseen[FINDING_REMOTE] = f->sourced ? NULL : "no load has a known data source";
	to->unseen[FINDING_SHARING] = to->unseen[FINDING_ATOMICS] = lines;
	to->unseen[FINDING_MISSES] = memory ? memory : f->cached ? NULL :
		"no load or store has an event of a cache";
	to->unseen[FINDING_STRIDE] = lines ? lines : walks_in_files(&f->walks) ? NULL :
		"no load is in a file that was found";
}

/* Misses are compared with hits: those of loads and stores together if either has too few. */
static void base_of_misses(const struct findings *f, struct stake_sums base[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		base[i] = f->hits[i];
		if (base[i].count < STAKE_BASE)
			stake_merge(&base[i], &f->hits[!i]);
	}
}

void findings_judge(struct findings *f, const struct estimate *estimate,
		    struct finding_list *to)
{
	struct stake_sums hits[2];
	unsigned int i;

	base_of_misses(f, hits);
	to->cycles = f->cycles;
	note_unseen(f, to);
	if (!to->unseen[FINDING_MISSES] && hits[0].count < STAKE_BASE)
		to->unseen[FINDING_MISSES] = "too few samples that hit to compare with";
	weigh(estimate, to);
	for (i = 0; i < FINDINGS_EVENTS; i++)
		judge_one(f, i, to);
	if (f->lines == &f->own)
		lines_finish(f->lines);
	for (i = 0; i < 2; i++) {
		if (f->hits[i].count < STAKE_BASE)
			f->hits[i] = f->all[i];
		/* Where all atomics wait, they are compared with other accesses. */
		if (f->atomic_hits[i].count < STAKE_BASE)
			f->atomic_hits[i] = f->hits[i];
	}
	line_findings(f->lines, f->hits, f->atomic_hits, to);
	walks_finish(&f->walks);
	walk_findings(&f->walks, &hits[0], to);
	miss_findings(&f->walks, hits, to);
	finding_sort(to);
}

void findings_free(struct findings *f)
{
	unsigned int i;

	for (i = 0; i < FINDINGS_EVENTS; i++)
		tally_free(&f->of[i].places);
	lines_free(&f->own);
	walks_free(&f->walks);
}
