// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* What the operations of a kind have: one of these flags (0: any), and all these events */
static const struct {
	const char *name;
	uint32_t flags;
	uint64_t events;
} kinds[NR_ESTIMATE] = {
	[ESTIMATE_OPERATIONS] = { "operations", 0, 0 },
	[ESTIMATE_RETIRED] = { "operations that retired", 0, 1u << SPE_EVENT_RETIRED },
	[ESTIMATE_LOADS] = { "loads", ARMSPE_OPF_LOAD, 0 },
	[ESTIMATE_LOAD_REFILLS] = { "loads that missed the first cache", ARMSPE_OPF_LOAD,
				    1u << SPE_EVENT_L1D_REFILL },
	[ESTIMATE_LOAD_LLC_MISSES] = { "loads that missed the last cache", ARMSPE_OPF_LOAD,
				       1u << SPE_EVENT_LLC_MISS },
	[ESTIMATE_STORES] = { "stores", ARMSPE_OPF_STORE, 0 },
	[ESTIMATE_STORE_REFILLS] = { "stores that missed the first cache", ARMSPE_OPF_STORE,
				     1u << SPE_EVENT_L1D_REFILL },
	[ESTIMATE_TLB_WALKS] = { "loads and stores that needed a page table walk",
				 ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE, 1u << SPE_EVENT_TLB_WALK },
	[ESTIMATE_BRANCHES] = { "branches", ARMSPE_OPF_BRANCH, 0 },
	[ESTIMATE_MISPREDICTED] = { "branches that were mispredicted", ARMSPE_OPF_BRANCH,
				    1u << SPE_EVENT_MISPREDICTED },
};

const char *estimate_name(enum estimate_kind kind)
{
	return kinds[kind].name;
}

static int cut_order(const void *a, const void *b)
{
	const struct estimate_cut *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

/* Which kinds there are, for each operation and for each set of events */
static void find_kinds(struct estimate *e)
{
	struct armspe_op op = { 0 };
	unsigned int kind, i;

	_Static_assert(NR_ESTIMATE <= 16, "a bit for each kind");
	for (i = 0; i < ROW_OPS; i++) {
		if (i != ROW_NO_OP)
			armspe_op_decode(i / 256, (uint8_t)i, &op);
		else
			op = (struct armspe_op){ 0 };
		for (kind = 0; kind < NR_ESTIMATE; kind++)
			if (!kinds[kind].flags || op.flags & kinds[kind].flags)
				e->of_op[i] |= (uint16_t)(1u << kind);
	}
	for (i = 0; i < ESTIMATE_EVENTS; i++)
		for (kind = 0; kind < NR_ESTIMATE; kind++)
			if ((i & kinds[kind].events) == kinds[kind].events)
				e->of_events[i] |= (uint16_t)(1u << kind);
}

static void find_cuts(struct estimate *e, const struct event_counts *counts)
{
	size_t i, cpus = 0;

	e->cuts = xcalloc(2 * counts->nr_cuts, sizeof(*e->cuts));
	for (i = 0; i < counts->nr_cuts; i++) {
		const struct aux_cut *cut = &counts->cuts[i];

		e->cuts[i] = (struct estimate_cut){ .cpu = cut->cpu, .lossy = cut->lossy, .time = cut->time };
		e->lossy += cut->lossy;
	}
	qsort(e->cuts, counts->nr_cuts, sizeof(*e->cuts), cut_order);
	for (i = 0; i < counts->nr_cuts; i++)
		if (!i || e->cuts[i].cpu != e->cuts[i - 1].cpu)
			e->cuts[counts->nr_cuts + cpus++] = (struct estimate_cut){
				.cpu = e->cuts[i].cpu, .time = UINT64_MAX,
			};
	e->nr_cuts = counts->nr_cuts + cpus;
	qsort(e->cuts, e->nr_cuts, sizeof(*e->cuts), cut_order);
}

void estimate_init(struct estimate *e, const struct session *session)
{
	memset(e, 0, sizeof(*e));
	find_kinds(e);
	e->session = session;
	if (session && (session->aux_truncated || session->aux_partial))
		find_cuts(e, &session->counts);
}

/* The CPU, or NULL */
static struct estimate_cpu *cpu_find(struct estimate *e, int32_t number)
{
	size_t i;

	if (e->latest < e->nr_cpus && e->cpus[e->latest].cpu == number)
		return &e->cpus[e->latest];
	for (i = 0; i < e->nr_cpus; i++) {
		if (e->cpus[i].cpu == number) {
			e->latest = i;
			return &e->cpus[i];
		}
	}
	return NULL;
}

static struct estimate_cpu *cpu_new(struct estimate *e)
{
	e->latest = e->nr_cpus;
	e->cpus = array_grow(e->cpus, e->nr_cpus, &e->room_cpus, sizeof(*e->cpus));
	memset(&e->cpus[e->nr_cpus], 0, sizeof(*e->cpus));
	return &e->cpus[e->nr_cpus++];
}

static struct estimate_cpu *cpu_get(struct estimate *e, const struct row_batch *b)
{
	const struct session *s = e->session;
	int32_t number = b->piece->cpu;
	struct estimate_cpu *cpu = cpu_find(e, number);

	if (cpu)
		return cpu;
	cpu = cpu_new(e);
	cpu->cpu = number;
	cpu->attr = s ? spe_event_of_cpu(s, number) : PD_NO_ATTR;
	cpu->mean = spe_cpu_mean(s, number);
	if (!batch_midr(b, &cpu->midr))
		cpu->midr = 0;
	return cpu;
}

/* The first cut of @cpu at @time or later, or e->nr_cuts */
static size_t cut_find(const struct estimate *e, uint32_t cpu, uint64_t time)
{
	struct estimate_cut at = { .cpu = cpu, .time = time };
	size_t low;

	lower_bound(low, e->nr_cuts, cut_order(&e->cuts[low], &at) < 0);
	return low;
}

/* All samples of a batch, also those that the filter leaves out */
static void add_seen(struct estimate *e, struct estimate_cpu *cpu, const struct row_batch *b)
{
	struct time_span one = { .samples = 1 };
	size_t i, at;

	for (i = 0; i < b->cols.rows; i++) {
		if (!batch_time(b, i, &one.first))
			continue;
		one.last = one.first;
		time_span_merge(&cpu->seen, &one);
		at = cut_find(e, (uint32_t)cpu->cpu, one.first);
		if (at < e->nr_cuts && e->cuts[at].cpu == (uint32_t)cpu->cpu)
			time_span_merge(&e->cuts[at].seen, &one);
	}
}

/*
 * Samples that collided with those of the batch: see estimate_collided().  What a filter leaves out,
 * but for its times, suppresses samples that it would keep, and the other way round.
 */
static void add_collided(struct estimate *e, struct estimate_cpu *cpu, const struct row_batch *b)
{
	const struct filter *filter = b->rows->filter;
	const bool untimed = filter_may_keep_untimed(filter, e->session, cpu->cpu);
	struct filter_memo memo = { 0 };
	uint16_t slots[ROW_BATCH];
	struct hist_near near = { 0 };
	uint64_t time;
	size_t i;

	if (!cpu->mean.low)
		return;
	hist_slots(b, SPE_COUNTER_TOTAL, b->total, slots);
	for (i = 0; i < b->cols.rows; i++) {
		if (filter && !(batch_time(b, i, &time) ?
				filter_may_keep(filter, e->session, cpu->cpu, time, &memo) : untimed))
			continue;
		hist_count(&e->latency, &near, slots[i], b->total[i]);
		cpu->latencies += slots[i] != HIST_NONE;
		if (slots[i] != HIST_NONE && b->total[i] >= cpu->mean.low)
			cpu->collided += b->total[i] / cpu->mean.low;
	}
	hist_add_near(&e->latency, &near);
}

void estimate_add(void *context, const struct row_batch *b)
{
	struct estimate *e = context;
	struct estimate_cpu *cpu;
	unsigned int of, before;
	size_t k;

	if (e->nr_cuts && b->piece->cpu != NO_ID)
		add_seen(e, cpu_get(e, b), b);
	if (e->session && e->session->aux_collision)
		add_collided(e, cpu_get(e, b), b);
	if (!b->nr)
		return;
	cpu = cpu_get(e, b);
	before = cpu->kinds;
	/* Samples of two pieces need not follow one another: the loop counts a pair too many. */
	if (cpu->piece != b->piece) {
		before = 0;
		cpu->both_of[0]--;
	}
	cpu->pairs += b->nr - (cpu->piece != b->piece);
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];

		of = e->of_op[b->op[i]] &
		     e->of_events[batch_events(b, i) & (ESTIMATE_EVENTS - 1)];
		cpu->of[of]++;
		cpu->both_of[before & of]++;
		before = of;
	}
	cpu->piece = b->piece;
	cpu->kinds = before;
	time_span_merge(&cpu->time, &b->span);
}

static void cpu_merge(struct estimate_cpu *cpu, const struct estimate_cpu *from)
{
	size_t i;

	for (i = 0; i < 1u << NR_ESTIMATE; i++) {
		cpu->of[i] += from->of[i];
		cpu->both_of[i] += from->both_of[i];
	}
	cpu->pairs += from->pairs;
	cpu->piece = NULL;
	cpu->latencies += from->latencies;
	cpu->collided += from->collided;
	time_span_merge(&cpu->time, &from->time);
	time_span_merge(&cpu->seen, &from->seen);
}

void estimate_merge(struct estimate *e, const struct estimate *from)
{
	struct estimate_cpu *cpu;
	size_t i;

	for (i = 0; i < from->nr_cpus; i++) {
		cpu = cpu_find(e, from->cpus[i].cpu);
		if (cpu)
			cpu_merge(cpu, &from->cpus[i]);
		else
			*cpu_new(e) = from->cpus[i];
	}
	hist_merge(&e->latency, &from->latency);
	for (i = 0; i < e->nr_cuts; i++)
		time_span_merge(&e->cuts[i].seen, &from->cuts[i].seen);
}

static void count_kinds(struct estimate_cpu *cpu)
{
	unsigned int of, i;

	memset(cpu->count, 0, sizeof(cpu->count));
	memset(cpu->both, 0, sizeof(cpu->both));
	for (of = 0; of < 1u << NR_ESTIMATE; of++)
		for (i = 0; i < NR_ESTIMATE; i++) {
			cpu->count[i] += of >> i & 1 ? cpu->of[of] : 0;
			cpu->both[i] += of >> i & 1 ? cpu->both_of[of] : 0;
		}
}

/* How much longer than between the samples before it a pause is, at least */
#define PAUSE	10
/* So many samples tell how far apart samples are. */
#define PAUSE_SAMPLES	8

/*
 * Whether the event was stopped behind @cut, up to the sample at @after, although no flag says so: one
 * task ran all that time, as the context switches tell.
 */
static bool is_pause(const struct estimate *e, const struct estimate_cut *cut, uint64_t after)
{
	uint64_t until, samples = cut->seen.samples, last = cut->seen.last;
	const struct turn *turn;
	size_t near = 0;

	if (!e->session->switches || samples < PAUSE_SAMPLES ||
	    (after - last) / PAUSE <= (last - cut->seen.first) / (samples - 1))
		return false;
	turn = session_turn_find(e->session, cut->cpu, last, &near, &until);
	/* 0: idle; none: a thread that is not recorded */
	return turn && turn->tid && until > after;
}

/*
 * ns from @from to @to in which what is recorded ran on @cpu, as far as context switches tell, and which
 * the filter keeps
 */
static uint64_t running_ns(const struct estimate *e, const struct filter *filter, int32_t cpu,
			   uint64_t from, uint64_t to)
{
	const struct turn *turn;
	uint64_t ns = 0, until;
	size_t near = 0;
	bool unknown;

	for (; from < to; from = until) {
		until = 0;
		turn = session_turn_find(e->session, (uint32_t)cpu, from, &near, &until);
		/* No turn has begun yet. */
		unknown = !until;
		if (unknown || until > to)
			until = to;
		/* 0: idle; none: a thread that is not recorded */
		if (unknown || (turn && turn->tid))
			ns += filter_ns(filter, e->session, cpu, from, until);
	}
	return ns;
}

/*
 * What the full buffers of a CPU cost: in @open the time up to @end behind a cut that no sample follows,
 * and the others.  A cut without a sample before it is at the beginning, and loses nothing known.
 */
static uint64_t lost_ns(const struct estimate *e, const struct filter *filter,
			const struct estimate_cpu *cpu, uint64_t end, uint64_t *open)
{
	const struct estimate_cut *last = NULL, *cut;	/* with samples */
	uint64_t lost = 0;
	bool lossy = false;
	size_t i;

	*open = 0;
	if (cpu->cpu == NO_ID)
		return 0;
	/* Cuts with no sample in between are in the same gap: count it once. */
	for (i = cut_find(e, (uint32_t)cpu->cpu, 0);
	     i < e->nr_cuts && e->cuts[i].cpu == (uint32_t)cpu->cpu; i++) {
		cut = &e->cuts[i];
		if (cut->seen.samples) {
			if (last && (lossy || is_pause(e, last, cut->seen.first)))
				lost += running_ns(e, filter, cpu->cpu, last->seen.last, cut->seen.first);
			last = cut;
			lossy = false;
		}
		lossy |= cut->lossy;
	}
	if (last && lossy && last->seen.last < end)
		*open = running_ns(e, filter, cpu->cpu, last->seen.last, end);
	return lost;
}

/* The last time that the recording tells of */
static uint64_t end_of(const struct estimate *e)
{
	uint64_t end = e->session ? session_last_switch(e->session) : 0;
	size_t i;

	for (i = 0; i < e->nr_cpus; i++)
		if (e->cpus[i].seen.last > end)
			end = e->cpus[i].seen.last;
	return end;
}

/* Whether the CPU was sampled whatever it executed: a task that has no more samples may have gone. */
static bool is_whole(const struct estimate *e, const struct estimate_cpu *cpu)
{
	return cpu->attr != PD_NO_ATTR && (e->session->of_cpus || !e->session->pd.attrs[cpu->attr].inherit);
}

void estimate_finish(struct estimate *e, const struct rows *r)
{
	const uint64_t end = end_of(e);
	size_t i, kept = 0;
	uint64_t open;

	e->part = r->kept != r->seen;
	e->unseen_cpus = 0;
	e->all = e->lost = e->open = e->latencies = e->collided = 0;
	for (i = 0; i < e->nr_cpus; i++) {
		struct estimate_cpu *cpu = &e->cpus[i];

		count_kinds(cpu);
		cpu->all = filter_ns(r->filter, e->session, cpu->cpu, cpu->seen.first, cpu->seen.last);
		cpu->lost = lost_ns(e, r->filter, cpu, end, &open);
		if (is_whole(e, cpu)) {
			cpu->all += open;
			cpu->lost += open;
		} else {
			e->open += open;
		}
		e->all += cpu->all;
		e->lost += cpu->lost;
		e->latencies += cpu->latencies;
		e->collided += cpu->collided;
		if (cpu->count[ESTIMATE_OPERATIONS])
			e->cpus[kept++] = *cpu;
		else
			e->unseen_cpus += cpu->lost && cpu->lost == cpu->all;
	}
	e->nr_cpus = kept;
}

void estimate_free(struct estimate *e)
{
	free(e->cpus);
	free(e->cuts);
	hist_free(&e->latency);
	memset(e, 0, sizeof(*e));
}

/* How much longer the CPU executed than it sampled: 1 without a loss */
static double stretch(const struct estimate_cpu *cpu)
{
	double all = (double)cpu->all, lost = (double)cpu->lost;

	return lost > 0 && all > lost ? all / (all - lost) : 1;
}

static bool chosen(const struct estimate *e)
{
	return e->part || (e->session && spe_event_chosen(e->session));
}

/* Sums over CPUs of the samples, and of the operations that they stand for */
struct sums {
	double count, all;
	double low, middle, high;	/* operations of the samples of the kind */
	double each, squares;		/* the weights of all samples, and their squares */
	uint64_t pairs;			/* of successive samples */
	/* Of whether a sample is of the kind: variance and covariance with the next, weighted */
	double variance, covariance;
};

static void add_succession(struct sums *s, const struct estimate_cpu *cpu, enum estimate_kind kind,
			   double each)
{
	double all = (double)cpu->count[ESTIMATE_OPERATIONS], pairs = (double)cpu->pairs;
	double part = (double)cpu->count[kind] / all;

	if (!cpu->pairs)
		return;
	s->pairs += cpu->pairs;
	s->variance += each * each * all * part * (1 - part);
	s->covariance += each * each * all * ((double)cpu->both[kind] / pairs - part * part);
}

static bool add_up(const struct estimate *e, enum estimate_kind kind, struct sums *s)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	if (e->unseen_cpus)
		return false;
	for (i = 0; i < e->nr_cpus; i++) {
		const struct estimate_cpu *cpu = &e->cpus[i];
		double n = (double)cpu->count[kind], longer = stretch(cpu), each;
		double all = (double)cpu->count[ESTIMATE_OPERATIONS];

		if (!cpu->mean.low)
			return false;
		each = longer * (double)(cpu->mean.low + cpu->mean.high) / 2;
		s->count += n;
		s->all += all;
		s->low += n * longer * (double)cpu->mean.low;
		s->high += n * longer * (double)cpu->mean.high;
		s->middle += n * each;
		s->each += all * each;
		s->squares += all * each * each;
		add_succession(s, cpu, kind, each);
	}
	return s->all > 0;
}

/*
 * Samples of CPUs with different intervals count differently.  The effect is Kish's: how many
 * times the variance is that of as many samples that count alike.
 */
static double unequal(const struct sums *s)
{
	return s->all * s->squares / (s->each * s->each);
}

/* How far successive samples agree: see interval_effect(). */
static double succession(const struct sums *s)
{
	if (s->variance <= 0)
		return 1;
	return interval_effect(fmin(fmax(s->covariance / s->variance, -1), 1), s->pairs);
}

bool estimate_total(const struct estimate *e, enum estimate_kind kind,
		    struct estimate_total *total)
{
	double effect, share, low, high;
	struct interval i;
	struct sums s;

	if (!add_up(e, kind, &s))
		return false;
	effect = unequal(&s) * (chosen(e) ? fmax(succession(&s), 1) : succession(&s));
	share = s.middle / s.each;
	if (chosen(e)) {
		i = interval_count(s.all * share, effect);
	} else if (kind == ESTIMATE_OPERATIONS) {
		/* The counter counts each operation: at most one interval is off. */
		i = (struct interval){ .low = fmax(s.all - 1, 0), .high = s.all + 1 };
	} else {
		i = interval_share(s.all * share, s.all, effect);
		i = (struct interval){ .low = i.low * s.all, .high = i.high * s.all };
	}
	/* What is unknown about the interval scales both limits. */
	low = s.middle > 0 ? s.low / s.middle : 1;
	high = s.middle > 0 ? s.high / s.middle : 1;
	total->number = s.middle;
	total->interval = (struct interval){
		.low = i.low * low * s.each / s.all,
		.high = i.high * high * s.each / s.all,
	};
	return true;
}

const char *estimate_unknown(const struct estimate *e)
{
	struct estimate_total total;

	if (estimate_total(e, ESTIMATE_OPERATIONS, &total))
		return NULL;
	return e->unseen_cpus ? "full buffers lost all that a CPU did" :
	       e->session && e->session->overwritten ? "only the newest records were kept" :
	       e->nr_cpus ? "the period is unknown" : "no sample is left";
}

void estimate_means(const struct estimate *e, uint64_t *least, uint64_t *most)
{
	size_t i;

	*least = e->cpus[0].mean.low;
	*most = e->cpus[0].mean.high;
	for (i = 1; i < e->nr_cpus; i++) {
		if (e->cpus[i].mean.low < *least)
			*least = e->cpus[i].mean.low;
		if (e->cpus[i].mean.high > *most)
			*most = e->cpus[i].mean.high;
	}
}

bool estimate_lost(const struct estimate *e, double *share)
{
	size_t i;

	if (!e->lossy || e->lossy < e->session->aux_truncated)
		return false;
	for (i = 0; i < e->nr_cpus; i++)
		if (e->cpus[i].cpu == NO_ID)
			return false;
	*share = e->all ? (double)(e->lost + e->open) / (double)(e->all + e->open) : 0;
	return e->all;
}

bool estimate_collided(const struct estimate *e, double *share)
{
	*share = e->latencies ? (double)e->collided / (double)(e->collided + e->latencies) : 0;
	return e->latencies;
}
