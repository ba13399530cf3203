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
	uint64_t event;			/* 0: another test, see set_begin() */
	const char *filter;
} kinds[FINDINGS_EVENTS] = {
	[FINDING_TLB] = { MEMORY, EVENT(SPE_EVENT_TLB_WALK), "events has tlb-walk" },
	[FINDING_MISPREDICTED] = { ARMSPE_OPF_BRANCH, EVENT(SPE_EVENT_MISPREDICTED),
				   "events has mispredicted" },
	[FINDING_MISALIGNED] = { MEMORY, EVENT(SPE_EVENT_MISALIGNED), "events has misaligned" },
	/* The names of all sources with ARMSPE_SOURCE_REMOTE begin so, and no others. */
	[FINDING_REMOTE] = { ARMSPE_OPF_LOAD, 0, "op == load and source_name ~ remote" },
};

/* Samples with the same operation, events and source; recordings have few such sets. */
struct findings_set {
	uint64_t events;
	uint16_t op, source;		/* source 0: no load that has one */
	int32_t cpu;
	uint32_t flags;			/* of the operation */
	uint8_t flaws;			/* a bit for each kind of finding */
	bool sourced;			/* the source is known */
	bool hit;			/* a load or store that hit the first cache */
	uint64_t count;			/* 0: empty */
	struct stake_sums total, xlat;	/* of samples that have the latency */
};

#define SETS	256			/* a power of two */

unsigned int finding_event(enum finding_kind kind)
{
	return kind < FINDINGS_EVENTS && kinds[kind].event ?
	       (unsigned int)__builtin_ctzll(kinds[kind].event) : SPE_EVENT_COUNT;
}

void findings_init(struct findings *f, struct lines *lines)
{
	unsigned int i;

	memset(f, 0, sizeof(*f));
	f->sets = xcalloc(SETS, sizeof(*f->sets));
	f->own.bytes = 64;
	f->own.hits = true;
	f->lines = lines ? lines : &f->own;
	for (i = 0; i < FINDINGS_EVENTS; i++)
		tally_by(&f->of[i].places, "advise", "symbol,object");
}

static bool is_atomic(const struct findings_set *set)
{
	return set->flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL);
}

static void set_begin(struct findings *f, struct findings_set *set, const struct findings_set *key,
		      const struct row_batch *b, size_t i)
{
	const struct lines_source *source;
	unsigned int kind;

	*set = *key;
	set->flags = batch_op(b, i)->flags;
	source = set->flags & ARMSPE_OPF_LOAD ? lines_source(f->lines, b, i) : NULL;
	set->sourced = source;
	set->hit = set->flags & MEMORY && lines_is_hit(set->events);
	for (kind = 0; kind < FINDINGS_EVENTS; kind++)
		if (set->flags & kinds[kind].flags &&
		    (kinds[kind].event ? set->events & kinds[kind].event :
		     source && source->flags & ARMSPE_SOURCE_REMOTE))
			set->flaws |= (uint8_t)(1u << kind);
}

static unsigned int stratum_of(uint32_t flags, uint64_t events)
{
	return vocabulary_op_index(flags) * STRATA_OP +
	       (events & EVENT(SPE_EVENT_L1D_REFILL) ? 2 : 0) +
	       (events & EVENT(SPE_EVENT_LLC_MISS) ? 1 : 0);
}

/* For the lines: what an access to memory takes if no other CPU has the line */
static void add_access(struct findings *f, const struct findings_set *set)
{
	bool store = set->flags & ARMSPE_OPF_STORE;

	stake_merge(&f->all[store], &set->total);
	if (set->hit && !is_atomic(set))
		stake_merge(&f->hits[store], &set->total);
}

/* For what the samples cannot show */
static void count_kinds(struct findings *f, const struct findings_set *set)
{
	const uint64_t cached = EVENT(SPE_EVENT_L1D_ACCESS) | PROFILE_MISS_EVENTS;

	f->memory += set->flags & MEMORY ? set->count : 0;
	f->loads += set->flags & ARMSPE_OPF_LOAD ? set->count : 0;
	f->branches += set->flags & ARMSPE_OPF_BRANCH ? set->count : 0;
	f->sourced += set->sourced ? set->count : 0;
	f->cached += set->flags & MEMORY && set->events & cached ? set->count : 0;
	f->cycles += set->total.cycles;
}

/* Add the samples of the set, which is empty then. */
static void set_end(struct findings *f, struct findings_set *set)
{
	const unsigned int stratum = stratum_of(set->flags, set->events);
	unsigned int kind;

	count_kinds(f, set);
	for (kind = 0; kind < FINDINGS_EVENTS; kind++) {
		const bool flawed = set->flaws >> kind & 1;

		f->of[kind].samples += flawed ? set->count : 0;
		if (set->flags & kinds[kind].flags)
			stake_merge(flawed ? &f->of[kind].flawed[stratum] :
					     &f->of[kind].sound[stratum], &set->total);
	}
	if (set->flags & MEMORY) {
		stake_merge(set->flaws >> FINDING_TLB & 1 ? &f->walked[stratum] :
							    &f->unwalked[stratum], &set->xlat);
		add_access(f, set);
	}
	set->count = 0;
}

static void add_flaws(struct findings *f, unsigned int flaws, const struct row_batch *b, size_t i)
{
	unsigned int kind;

	for (kind = 0; kind < FINDINGS_EVENTS; kind++) {
		struct tally *places = &f->of[kind].places;

		if (flaws >> kind & 1)
			tally_add_to(places, tally_find(places, b, i), b, i);
	}
}

static void add(struct findings *f, const struct row_batch *b, size_t i)
{
	const struct findings_set key = {
		.events = batch_events(b, i), .op = b->op[i], .cpu = b->piece->cpu,
		.source = b->valid[i] & ARMSPE_HAS_SOURCE ? b->source[i] : 0,
	};
	struct findings_set *set =
		&f->sets[hash_add(key.events, (uint32_t)key.source << 16 | key.op) & (SETS - 1)];

	if (!set->count || set->events != key.events || set->op != key.op ||
	    set->source != key.source || set->cpu != key.cpu) {
		if (set->count)
			set_end(f, set);
		set_begin(f, set, &key, b, i);
	}
	set->count++;
	if (batch_has(b, i, SPE_COUNTER_TOTAL)) {
		stake_add(&set->total, b->total[i]);
		if (set->hit && is_atomic(set))
			hist_add(&f->atomic_hits[!!(set->flags & ARMSPE_OPF_STORE)], b->total[i]);
	}
	if (batch_has(b, i, SPE_COUNTER_XLAT))
		stake_add(&set->xlat, b->xlat[i]);
	if (set->flaws)
		add_flaws(f, set->flaws, b, i);
}

void findings_add(void *context, const struct row_batch *b)
{
	struct findings *f = context;
	size_t k;

	f->filter = b->rows->filter;
	f->session = b->rows->resolver.session;
	for (k = 0; k < b->nr; k++)
		add(f, b, b->kept[k]);
	if (f->lines == &f->own)
		lines_add(f->lines, b);
	walks_add(&f->walks, f->lines, b);
}

/* What may be compared in a latency */
enum alike {
	ALIKE_EVENTS,	/* samples with the same cache events: a hit is no base for a miss */
	ALIKE_HITS,	/* the same, and none that missed the first cache */
	ALIKE_ALL,	/* any, if too few have the same events */
};

static bool is_judged(unsigned int stratum, enum alike alike)
{
	return alike != ALIKE_HITS || !(stratum % STRATA_OP);
}

/* The samples to compare a stratum with.  Where it has too few, loads and stores are compared with each other. */
static struct stake_sums base_of(const struct stake_sums *sound, unsigned int stratum, enum alike alike)
{
	struct stake_sums sums = sound[stratum];
	unsigned int other;

	if (!is_judged(stratum, alike))
		return (struct stake_sums){ 0 };
	if (sums.count < STAKE_BASE && stratum < STRATA_MEMORY)
		stake_merge(&sums, &sound[stratum ^ STRATA_OP]);
	for (other = 1; other < STRATA_OP && alike == ALIKE_ALL && sums.count < STAKE_BASE; other++)
		stake_merge(&sums, &sound[stratum ^ other]);
	return sums;
}

static struct stake sum_up(const struct stake_sums *flawed, const struct stake_sums *sound, enum alike alike)
{
	struct stake all = { 0 };
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++) {
		struct stake_sums base = base_of(sound, i, alike);
		struct stake one = stake_of(&flawed[i], &base);

		all.cycles += one.cycles;
		all.variance += one.variance;
	}
	return all;
}

static uint64_t count_of(const struct stake_sums *sums, enum alike alike)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++)
		count += is_judged(i, alike) ? sums[i].count : 0;
	return count;
}

/* Samples with the flaw of which no others tell what they would take without it */
static uint64_t without_base(const struct stake_sums *flawed, const struct stake_sums *sound, enum alike alike)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < FINDINGS_STRATA; i++)
		if (is_judged(i, alike) && base_of(sound, i, alike).count < STAKE_BASE)
			count += flawed[i].count;
	return count;
}

/* In the order in which report prints them */
static void add_places(struct finding *to, struct tally *places)
{
	size_t i;

	tally_sort(places, MEASURE_CYCLES);
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
	/*
	 * The events do not tell where a miss is served, and an access that crosses into a line is also the one
	 * that misses it: cycles of misses are those of cache-misses.  A program may have remote misses alone.
	 */
	const enum alike alike = kind == FINDING_MISALIGNED ? ALIKE_HITS :
				 kind == FINDING_REMOTE ? ALIKE_ALL : ALIKE_EVENTS;
	struct findings_of *of = &f->of[kind];
	struct stake stake = sum_up(of->flawed, of->sound, alike);
	uint64_t unknown = without_base(of->flawed, of->sound, alike);
	const char *latency = "total";
	struct finding *found;

	/* The translation latency holds the walk, and nothing of a cache miss. */
	if (kind == FINDING_TLB && count_of(f->walked, ALIKE_ALL) >= count_of(of->flawed, ALIKE_ALL)) {
		stake = sum_up(f->walked, f->unwalked, ALIKE_ALL);
		unknown = without_base(f->walked, f->unwalked, ALIKE_ALL);
		latency = "translation";
	}
	if (!finding_counts(to, kind, of->samples, &stake)) {
		if (unknown >= to->limits.samples && unknown > count_of(of->flawed, alike) / 2)
			to->unseen[kind] = "too few samples without it to compare with";
		return;
	}
	found = finding_add(to, kind, of->samples, &stake);
	found->latency = latency;
	found->filter = xformat("%s", kinds[kind].filter);
	add_places(found, &of->places);
}

/*
 * What a sample stands for; the caller of estimate_total() sees whether it is known.  The samples of
 * one finding may all be of the CPUs with the shortest interval, or of those with the longest.
 */
static void weigh(const struct estimate *e, struct finding_list *to)
{
	struct estimate_total total;
	double middle = 0, samples = 0;
	uint64_t least, most;
	size_t i;

	to->weight = to->weight_low = to->weight_high = 1;
	if (!estimate_total(e, ESTIMATE_OPERATIONS, &total))
		return;
	for (i = 0; i < e->nr_cpus; i++) {
		double n = (double)e->cpus[i].count[ESTIMATE_OPERATIONS];

		samples += n;
		middle += n * (double)(e->cpus[i].mean.low + e->cpus[i].mean.high) / 2;
	}
	estimate_means(e, &least, &most);
	to->weight = total.number / samples;
	to->weight_low = total.number / middle * (double)least;
	to->weight_high = total.number / middle * (double)most;
}

static void note_unseen(const struct findings *f, struct finding_list *to)
{
	const char *memory = f->memory ? NULL : "no sample is a load or store";
	const char *lines = f->lines->samples ? NULL : f->lines->unknown ?
		"no sample of a known process has a data address" : "no sample has a data address";
	const char *const left_out[] = {
		[LINES_ONE_THREAD] = "the filter keeps samples of one thread alone",
		[LINES_ONE_CPU] = session_one_cpu(f->session) ? NULL : "the filter keeps samples of one CPU alone",
		[LINES_SEVERAL] = NULL,
	};
	const char *shared = !lines_know_sharers(f->lines) ? "no sample has a known thread or CPU" :
		!lines_written(f->lines) ? "no sample is a store or an atomic operation" :
		f->filter ? left_out[lines_reach(f->lines)] : NULL;
	const char *side = f->filter && filter_names_side(f->filter) ?
		"the filter may leave out what other threads do to a line" : NULL;
	const char *met = f->filter && filter_names_met(f->filter) ?
		"the filter chooses by events, latency or data source" :
		spe_event_met(f->session) ?
		"recorded with a filter of events, latency or data sources" : NULL;
	unsigned int kind;

	to->unseen[FINDING_TLB] = to->unseen[FINDING_MISALIGNED] = memory;
	to->unseen[FINDING_MISPREDICTED] = f->branches ? NULL : "no sample is a branch";
	to->unseen[FINDING_REMOTE] = f->sourced ? NULL : "no load has a known data source";
	to->unseen[FINDING_SHARING] = to->unseen[FINDING_ATOMICS] = lines ? lines : shared ? shared : side;
	to->unseen[FINDING_MISSES] = memory ? memory : f->cached ? NULL :
		"no load or store has an event of a cache";
	to->unseen[FINDING_STRIDE] = lines ? lines : !f->loads ? "no sample is a load" :
		walks_in_files(&f->walks) ? NULL : "no load is in a file that was found";
	for (kind = 0; kind < NR_FINDING; kind++)
		if (!to->unseen[kind])
			to->unseen[kind] = met;
}

/* A finding needs so many samples with its flaw: of fewer that could have it there can be none. */
static void note_few(const struct findings *f, struct finding_list *to)
{
	static const char *const lines = "too few samples have a data address";
	static const char *const memory = "too few samples are loads or stores";
	const struct {
		uint64_t could;
		const char *why;
	} of[NR_FINDING] = {
		[FINDING_TLB] = { f->memory, memory },
		[FINDING_MISPREDICTED] = { f->branches, "too few samples are branches" },
		[FINDING_MISALIGNED] = { f->memory, memory },
		[FINDING_REMOTE] = { f->sourced, "too few loads have a known data source" },
		[FINDING_SHARING] = { f->lines->samples, lines },
		[FINDING_ATOMICS] = { f->lines->samples, lines },
		[FINDING_MISSES] = { f->cached, "too few loads and stores have an event of a cache" },
		[FINDING_STRIDE] = { f->loads < f->lines->samples ? f->loads : f->lines->samples,
				     "too few samples are loads with a data address" },
	};
	unsigned int kind;

	for (kind = 0; kind < NR_FINDING; kind++)
		if (!to->unseen[kind] && of[kind].could < to->limits.samples)
			to->unseen[kind] = of[kind].why;
}

/* Both are compared with hits. */
static void note_no_hits(struct finding_list *to)
{
	const char **misses = &to->unseen[FINDING_MISSES], **strides = &to->unseen[FINDING_STRIDE];

	if (!*strides)
		*strides = *misses ? *misses : "see cache-misses";
	if (!*misses)
		*misses = "fewer than 5 loads and stores hit the first cache without a page table walk, in lines that no threads contend for, so nothing tells what misses cost; perf spe report --by symbol --filter '" MISSES_FILTER "' counts them";
}

/* Accesses to a line that threads contend for wait even if they hit: they are no base to compare with. */
static void remove_flawed(struct findings *f)
{
	size_t i, k;

	for (i = 0; i < f->lines->nr_sorted; i++) {
		const struct line *line = f->lines->sorted[i];

		for (k = 0; k < line->nr_accesses && line_flaw(line) != NR_FINDING; k++) {
			const struct access *a = &line->accesses[k];
			const struct stake_sums all = { a->timed, (double)a->cycles, a->squares };

			stake_remove(&f->hits[a->store], &a->hit);
			stake_remove(&f->all[a->store], &all);
		}
	}
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

/*
 * What an atomic takes that waits for no other CPU.  A write to a line that others only read waits until
 * they give it up, and has no event of a miss: it is among those that take more than twice the median.
 */
static struct stake_sums without_waits(const struct hist *hits)
{
	const unsigned int most = hits->count ? 2 * hist_percentile(hits, 50) : 0;
	const struct hist_bin *bin = NULL;
	struct stake_sums sums = { 0 };

	while ((bin = hist_next(hits, bin))) {
		const double cycles = bin->cycles, count = (double)bin->count;
		const struct stake_sums one = { bin->count, count * cycles, count * cycles * cycles };

		if (bin->cycles <= most)
			stake_merge(&sums, &one);
	}
	return sums;
}

void findings_judge(struct findings *f, const struct estimate *estimate,
		    struct finding_list *to)
{
	struct line_base alone[2], atomic[2];
	struct stake_sums hits[2];
	unsigned int i;

	for (i = 0; i < SETS; i++)
		if (f->sets[i].count)
			set_end(f, &f->sets[i]);
	if (f->lines == &f->own)
		lines_finish(f->lines);
	remove_flawed(f);
	base_of_misses(f, hits);
	to->cycles = f->cycles;
	note_unseen(f, to);
	note_few(f, to);
	if (hits[0].count < STAKE_BASE)
		note_no_hits(to);
	weigh(estimate, to);
	for (i = 0; i < FINDINGS_EVENTS; i++)
		judge_one(f, i, to);
	for (i = 0; i < 2; i++) {
		alone[i].hits = hits[i].count >= STAKE_BASE;
		alone[i].sums = alone[i].hits ? hits[i] : f->all[i];
		/* Where all atomics wait, they are compared with other accesses. */
		atomic[i] = (struct line_base){ without_waits(&f->atomic_hits[i]), true };
		if (atomic[i].sums.count < STAKE_BASE)
			atomic[i] = alone[i];
	}
	line_findings(f->lines, alone, atomic, to);
	walks_finish(&f->walks);
	walk_findings(&f->walks, &hits[0], to);
	miss_findings(&f->walks, f->lines, hits, to);
	finding_sort(to);
	if (to->scattered)
		to->unseen[FINDING_MISSES] = to->scattered;
	/* Instructions with hits of their own need no others to compare with. */
	for (i = 0; i < to->nr; i++)
		to->unseen[to->all[i].kind] = NULL;
}

void findings_free(struct findings *f)
{
	unsigned int i;

	for (i = 0; i < FINDINGS_EVENTS; i++)
		tally_free(&f->of[i].places);
	for (i = 0; i < 2; i++)
		hist_free(&f->atomic_hits[i]);
	free(f->sets);
	lines_free(&f->own);
	walks_free(&f->walks);
}
