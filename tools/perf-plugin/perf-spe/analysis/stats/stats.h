/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_STATS_STATS_H
#define PERF_SPE_ANALYSIS_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "input/input.h"
#include "util/util.h"

/*
 * interval.c: Confidence intervals of 95% for what is estimated from samples, and tests of
 * whether two estimates differ.  Pure: numbers in, numbers out.
 *
 * @effect is the design effect: how many times the variance of the estimate exceeds that
 * of as many independent samples.  1 for independent samples.
 */

/* The part of a normal distribution within 1.96 standard deviations of its mean is 95%. */
#define INTERVAL_Z	1.959963984540054

struct interval {
	double low, high;
	bool open;		/* the samples give no upper limit */
};

/*
 * The share that @count of @all samples estimate, 0 to 1: Wilson's score interval.  @all
 * must not be 0.
 */
struct interval interval_share(double count, double all, double effect);
/*
 * The expected number of samples where @count were seen and no number of samples is given:
 * the score interval of a Poisson distribution.
 */
struct interval interval_count(double count, double effect);

/* A distribution by its moments; deviation and third moment are around the mean. */
struct moments {
	double count, mean;
	double deviation;	/* the standard deviation, by count - 1 */
	double skewness;	/* the third moment by the cube of the deviation */
};

/* Fewer values than these have no interval of the mean: their deviation says little. */
#define INTERVAL_VALUES	5

/*
 * The mean: Student's interval, with Hall's transformation for the skewness, which latencies
 * have.  False for fewer than INTERVAL_VALUES values.
 */
bool interval_mean(const struct moments *m, double effect, struct interval *i);
/* A normal estimate of 0 to infinity with this standard error */
struct interval interval_normal(double estimate, double error);

/*
 * The design effect where successive samples have this @correlation, estimated from so many
 * @pairs.  A program's phases make it positive: then samples at regular intervals divide
 * each phase more evenly than independent ones would.
 */
double interval_effect(double correlation, uint64_t pairs);

/* Ranks of sorted values, from 1 on; high is 0 if the limit is above the largest value. */
struct ranks {
	uint64_t low, high;
};

/*
 * The ranks between which the quantile @part (0 to 1) lies: order statistics by the binomial
 * distribution.  @count must not be 0.
 */
struct ranks interval_ranks(uint64_t count, double part, double effect);

/* The quantile 0.975 of Student's distribution with @freedom degrees of freedom, at least 4 */
double interval_student(double freedom);

/*
 * hist.c: The exact distribution of a counter: a count for each number of cycles.  Its
 * size depends on how many different numbers occur, not on how large they are.
 */

struct hist_bin {
	uint64_t cycles : 16;
	uint64_t count : 48;		/* 0: empty */
};

struct hist {
	uint64_t count;
	uint64_t sum;			/* cycles */
	struct hash_table bins;		/* struct hist_bin, by cycles */
};

void hist_add_many(struct hist *h, uint16_t cycles, uint64_t count);

/* Most samples find their bin in the first slot, so that is worth a check in line. */
static inline void hist_add(struct hist *h, uint16_t cycles)
{
	struct hist_bin *bin = h->bins.slots;

	if (h->bins.room) {
		bin += cycles & (h->bins.room - 1);
		if (bin->cycles == cycles && bin->count) {
			bin->count++;
			h->count++;
			h->sum += cycles;
			return;
		}
	}
	hist_add_many(h, cycles, 1);
}

/*
 * Samples by cycles in an array, which hist_add_near() adds to a histogram: an element for each
 * number of cycles below HIST_NEAR, one for longer latencies, which the histogram has already, and
 * one for samples without a latency.
 */
#define HIST_NEAR	64
#define HIST_FAR	HIST_NEAR
#define HIST_NONE	(HIST_NEAR + 1)

struct hist_near {
	uint32_t of[HIST_NEAR + 2];
};

/* Find the element for each record of @b by this counter's column; for ROW_BATCH @slots. */
void hist_slots(const struct row_batch *b, unsigned int counter, const uint16_t *restrict cycles,
		uint16_t *restrict slots);
void hist_add_near(struct hist *h, const struct hist_near *near);

static inline void hist_count(struct hist *h, struct hist_near *near, unsigned int slot,
			      uint16_t cycles)
{
	near->of[slot]++;
	if (slot == HIST_FAR)
		hist_add(h, cycles);
}

/* Add all of @from. */
void hist_merge(struct hist *h, const struct hist *from);
/* count must not be 0. */
double hist_mean(const struct hist *h);
/*
 * The least number of cycles that at least @percent of the samples do not
 * exceed (nearest rank); @percent above 0, at most 100, count not 0.
 */
unsigned int hist_percentile(const struct hist *h, double percent);
/* The cycles of the sample at this @rank of the sorted ones, from 1 on; count not 0 */
unsigned int hist_rank(const struct hist *h, uint64_t rank);
/* The sum of the cubes of all samples' cycles */
double hist_cubes(const struct hist *h);
/* The sum of the squares of all samples' cycles */
double hist_squares(const struct hist *h);
/* count must not be 0. */
struct moments hist_moments(const struct hist *h);
void hist_free(struct hist *h);

/* The bin after @bin (NULL: the first) in any order, or NULL at the end */
const struct hist_bin *hist_next(const struct hist *h,
				 const struct hist_bin *bin);

/* How many samples had exactly @cycles; a counter's maximum may stand for more. */
uint64_t hist_exactly(const struct hist *h, unsigned int cycles);

/*
 * estimate.c: How many operations ran, estimated from the samples: each stands for the
 * operations of the mean interval.  If a buffer was full, the CPU's other samples stand also for
 * the time without samples.  Not every pause has a flag: the driver cannot write one where the buffer has
 * no room at all.  The estimate leaves out operations that a filter of the CPU drops.
 */

enum estimate_kind {
	ESTIMATE_OPERATIONS, ESTIMATE_RETIRED, ESTIMATE_LOADS, ESTIMATE_LOAD_REFILLS,
	ESTIMATE_LOAD_LLC_MISSES, ESTIMATE_STORES, ESTIMATE_STORE_REFILLS, ESTIMATE_TLB_WALKS,
	ESTIMATE_BRANCHES, ESTIMATE_MISPREDICTED, NR_ESTIMATE
};

/* The samples of one CPU */
struct estimate_cpu {
	int32_t cpu;			/* NO_ID: a buffer of a thread */
	size_t attr;			/* of the event, or PD_NO_ATTR */
	struct spe_mean mean;
	uint64_t midr;			/* 0: unknown */
	/* After estimate_finish(): samples of the kind, and pairs of successive ones of it */
	uint64_t count[NR_ESTIMATE], both[NR_ESTIMATE];
	uint64_t pairs;			/* of successive samples */
	/* Samples and pairs by the set of their kinds, a bit for each */
	uint64_t of[1 << NR_ESTIMATE], both_of[1 << NR_ESTIMATE];
	const struct piece *piece;	/* of the sample before, which is of these kinds */
	unsigned int kinds;
	struct time_span time;
	/* With cuts, of all samples: a filter does not change when the CPU sampled. */
	struct time_span seen;
	/* After estimate_finish(): ns from the first sample to the last that the filter keeps */
	uint64_t all;
	uint64_t lost;			/* of these, without samples, after a full buffer */
	/*
	 * If samples collided, of all samples in the time that the filter keeps: those with a total
	 * latency, and how many others these suppress
	 */
	uint64_t latencies, collided;
};

/* The end of AUX data of a CPU, or of all, and the samples since the end before it */
struct estimate_cut {
	uint32_t cpu;
	bool lossy;			/* as of an aux_cut */
	uint64_t time;			/* UINT64_MAX: of all */
	struct time_span seen;
};

#define ESTIMATE_EVENTS	(1u << 10)	/* sets of the first events, which all kinds' events are of */

struct estimate {
	const struct session *session;	/* NULL: SPE bytes alone */
	/* A bit for each kind: whose flags an operation has; whose events a set has */
	uint16_t of_op[ROW_OPS], of_events[ESTIMATE_EVENTS];
	struct estimate_cpu *cpus;
	size_t nr_cpus, room_cpus;
	size_t latest;			/* of cpus: pieces hold many samples of one CPU */
	struct estimate_cut *cuts;	/* sorted by CPU, then time; none where no record is lossy */
	size_t nr_cuts;
	size_t lossy;			/* of the cuts */
	struct hist latency;		/* total latencies of all CPUs' estimate_cpu.latencies samples */
	/* Set by estimate_finish() */
	bool part;			/* the reader has a filter */
	/* Sums over all CPUs, also over those with no sample that the filter keeps */
	uint64_t all, lost, latencies, collided;
	/* Up to the end, behind the last full buffer of tasks that may have run elsewhere or ended */
	uint64_t open;
	size_t unseen_cpus;		/* of these, those whose kept time full buffers lost */
};

/* "loads", "loads that missed the first cache" ... */
const char *estimate_name(enum estimate_kind kind);

/* @session may be NULL. */
void estimate_init(struct estimate *e, const struct session *session);
#define ESTIMATE_COLUMNS (ROW_OP | ROW_EVENTS | ROW_SPAN)

/* A row_batch_fn, of rows with their owner and these columns; @context is the struct estimate. */
void estimate_add(void *context, const struct row_batch *b);
/* Add all of @from, of the same session. */
void estimate_merge(struct estimate *e, const struct estimate *from);
/* Find the time that the full buffers cost.  Call this after the last row of @r. */
void estimate_finish(struct estimate *e, const struct rows *r);
void estimate_free(struct estimate *e);

struct estimate_total {
	double number;
	struct interval interval;	/* of 95%, including what is unknown about the mean */
};

/*
 * False without samples, where the recording does not say how long the intervals are, and where
 * it has no sample of a CPU in the time that the filter keeps, because of full buffers.
 */
bool estimate_total(const struct estimate *e, enum estimate_kind kind,
		    struct estimate_total *total);
/* Why there is no total, as part of a sentence; NULL: there is one */
const char *estimate_unknown(const struct estimate *e);
/* What a sample stands for: the least and the largest mean of all CPUs, where there is a total */
void estimate_means(const struct estimate *e, uint64_t *least, uint64_t *most);
/*
 * The most of the time that may have no samples because a buffer was full, 0 to 1.  False if the
 * recording does not tell: it has no timestamps, the kernel wrote no time, or the buffers are
 * of threads.
 */
bool estimate_lost(const struct estimate *e, double *share);
/*
 * The share of samples that collided, 0 to 1, if a CPU can have one sample in flight and
 * executes an operation each cycle: a sampled operation with a latency of n intervals
 * suppresses the next n samples (D17.3.7).  False without latencies or without an interval.  No
 * matter what else a filter compares, the share is that of all samples in its time.
 */
bool estimate_collided(const struct estimate *e, double *share);

/*
 * shape.c: What a distribution of latencies looks like: its peaks, and whether it has a long tail.
 * Pure.  A peak is a range of cycles with more samples than those around it, so that between two
 * peaks are fewer samples than chance explains.  Cycles count by their logarithm.
 */

#define SHAPE_SAMPLES		30u	/* fewer latencies have no shape */
#define SHAPE_PEAKS		8u
/* A tail: more than 1% of at least so many samples take so many times as long as the last peak. */
#define SHAPE_TAIL		8u
#define SHAPE_TAIL_SAMPLES	200u

struct shape_peak {
	unsigned int low, high;		/* the cycles where it is highest */
	unsigned int from;		/* the least cycles of its samples: behind the valley before it */
	uint64_t count;			/* samples up to the valleys around it */
};

struct shape {
	uint64_t count;			/* samples with the latency */
	struct shape_peak peaks[SHAPE_PEAKS];
	size_t nr_peaks;		/* 0: too few samples */
	double least;			/* a peak with a smaller part of the samples would not show */
	unsigned int tail_from;		/* cycles; 0: no long tail */
	uint64_t tail_count, tail_cycles;
};

void shape_judge(struct shape *s, const struct hist *h);

/*
 * lag.c: How far successive samples of a recording agree.  A sample that only its place in a
 * loop decides says nothing of the next one; in a phase of the program both belong
 * to the same row.  Errors of estimates depend on it.
 */

/* Of a row: sums over pairs of successive samples, with their total latencies a and b */
struct lag {
	uint64_t both;			/* pairs whose samples are both of the row */
	uint64_t beside;		/* samples of the row in pairs of two samples of any row */
	double sum, product;		/* of these: a + b, a * b */
	double first, second;		/* a * b where this sample is of the row */
};

/* The same of all rows, and the sample before.  Samples of no row are outside. */
struct lag_chain {
	uint64_t pairs, inside;		/* all; those of two samples of any row */
	uint64_t outside;		/* samples of no row */
	double product;
	const struct piece *piece;
	struct lag *last;		/* of the sample before; NULL: of no row */
	unsigned int cycles;
};

/* The next sample, from @piece with this latency, is of the row with @lag. */
void lag_add_cycles(struct lag_chain *chain, struct lag *lag, const struct piece *piece,
		    unsigned int cycles);
/* The next sample is of no row. */
void lag_skip(struct lag_chain *chain, const struct piece *piece);
void lag_merge(struct lag *to, const struct lag *from);
void lag_chain_merge(struct lag_chain *to, const struct lag_chain *from);

/*
 * lag.c: How far successive samples agree in each of 64 properties, such as events.
 * Unlike the rows
 * of lag.c, a sample may have several of them.
 */

struct lag_bits {
	uint64_t samples, of;		/* all, and those that tell the properties */
	uint64_t pairs, inside;		/* of successive samples; both of which tell */
	/* Pairs whose samples both have it, and samples with it in pairs that tell */
	uint64_t both[64], beside[64];
	const struct piece *piece;	/* of the sample before, which has these bits */
	uint64_t bits;
	bool tells;
};

/* The next sample has these @bits, if it @tells them. */
void lag_bits_add(struct lag_bits *l, const struct piece *piece, uint64_t bits, bool tells);
/* Add all of @from. */
void lag_bits_merge(struct lag_bits *to, const struct lag_bits *from);
/* The correlation in the share of property @bit, which @count samples have, -1 to 1 */
double lag_bits_correlation(const struct lag_bits *l, unsigned int bit, uint64_t count);

/*
 * measure.c: The numbers of a row of samples: how many samples, and what their latencies
 * are.  Tables print them, and rows are sorted by them.
 */

enum measure {
	MEASURE_COST,		/* cycles of total latency, as a share of all */
	MEASURE_SHARE,		/* samples, as a share of all */
	MEASURE_MEAN,		/* cycles of total latency */
	MEASURE_P50,
	MEASURE_P99,
	MEASURE_COUNT,		/* samples */
	MEASURE_CYCLES,		/* the sum of the total latency */
	MEASURE_ISSUE_MEAN,
	MEASURE_ISSUE_P50,
	MEASURE_ISSUE_P99,
	MEASURE_ISSUE_CYCLES,
	MEASURE_XLAT_MEAN,
	MEASURE_XLAT_P50,
	MEASURE_XLAT_P99,
	MEASURE_XLAT_CYCLES,
	NR_MEASURES,
	MEASURE_NAME = NR_MEASURES,	/* only to sort: by the row's names */
};

/* What a row has collected */
struct measured {
	uint64_t count;			/* samples */
	const struct hist *latency;	/* total, issue and translation */
	const struct lag *lag;		/* or NULL: not collected */
};

/* The sum of all rows, as shares need it */
struct measured_all {
	uint64_t count, cycles;		/* samples; of total latency */
	/* What precision.c needs beside, see there */
	uint64_t seen;
	bool chosen;
	double squares, cubes;		/* sums over all samples */
	const struct lag_chain *chain;
};

enum measure_kind {
	KIND_COST, KIND_SHARE, KIND_COUNT, KIND_SUM, KIND_MEAN, KIND_P50, KIND_P99,
};

enum measure_kind measure_kind(enum measure m);
/* The index in measured.latency, or -1 if @m does not measure a latency */
int measure_of(enum measure m);

/* The name of a measure for --columns and --sort */
const char *measure_name(enum measure m);
/* "total", "issue" or "translation" where a table has a second heading, or "" */
const char *measure_latency(enum measure m);
/* The heading below it: the name without the latency */
const char *measure_heading(enum measure m);
/* One line of help */
const char *measure_help(enum measure m);

void measured_add(struct measured_all *all, const struct measured *row);
/* The number, in percent for shares; false if no sample has the counter. */
bool measure_get(enum measure m, const struct measured *row,
		 const struct measured_all *all, double *number);
/* The number as text of at most @size bytes, or "-" */
void measure_text(enum measure m, const struct measured *row,
		  const struct measured_all *all, char *text, size_t size);

/* What @row has collected */
typedef struct measured (*measured_fn)(const void *row);
/* Orders two rows like strcmp(). */
typedef int (*names_fn)(const void *a, const void *b);

/*
 * Sort @rows, an array of @count pointers to rows, by @m: the largest first, and
 * rows without it last.  MEASURE_NAME sorts by @names.  Ties go by count, then by
 * names, so that the order is defined.
 */
void measure_sort(enum measure m, void *rows, size_t count,
		  measured_fn measured, names_fn names);

/*
 * precision.c: What the intervals of a table's rows need, where the table itself keeps sums
 * only: it is
 * collected in a second reading, for the rows that are printed.
 */

struct precise_row {
	uint64_t count;
	struct hist latency;		/* total */
	struct lag lag;
};

struct precise {
	struct precise_row *rows;
	size_t nr;
	struct lag other;		/* of all rows that are not printed */
	struct lag_chain chain;
	struct measured_all sum;	/* see precise_part_of() */
};

/* For the first @limit of @nr rows */
void precise_init(struct precise *p, size_t nr, size_t limit);
/* What the samples of @rows are a part of, after the last one */
void precise_part_of(struct measured_all *sum, const struct rows *rows);
/*
 * The next sample, record @i of @b, is of row number @index; of another row of the table if that is
 * @p->nr or more.
 */
void precise_add(struct precise *p, size_t index, const struct row_batch *b, size_t i);
/* The next sample is not in the table. */
void precise_skip(struct precise *p, const struct piece *piece);
/* Add all of @from, which is for the same rows of the table. */
void precise_merge(struct precise *p, const struct precise *from);
struct measured precise_measured(const struct precise *p, size_t index);
void precise_free(struct precise *p);

/*
 * precision.c: How precise the numbers of a row are: the interval of 95% for each measure, and
 * for the
 * differences between two recordings the errors.
 *
 * What is estimated are the numbers that a recording of every operation would have, in the
 * unit of the samples: one in so many.  measured_all has, beside the sums of all rows,
 * seen: the samples before a filter of the reader; chosen: the CPU has filtered, so that
 * the number of samples is itself left to chance; and squares and chain, without which
 * there is no interval.
 */

/* The interval, in percent for shares; false if the row has too few samples for one. */
bool precision_get(enum measure m, const struct measured *row,
		   const struct measured_all *all, struct interval *i);
/* The interval of a percentile; @part is 0 to 1, h->count not 0. */
struct interval precision_percentile(const struct hist *h, double part);
/* An interval as text: "12.3-14.1", or ">=63" */
void interval_text(const struct interval *i, int digits, const char *unit, char *text,
		   size_t size);
/* The interval of a measure as text, or "-" */
void precision_text(enum measure m, const struct measured *row,
		    const struct measured_all *all, char *text, size_t size);
/*
 * The share of the samples with events that have event @bit, in percent; @all is of these
 * samples.
 */
struct interval precision_bit(const struct lag_bits *lag, unsigned int bit, uint64_t count,
			      const struct measured_all *all);
/* The same for the share of the row's samples that have an event */
void precision_event(uint64_t count, uint64_t of, char *text, size_t size);

/*
 * The correlation of successive samples, of -1 to 1: of whether they are of the row, of
 * their part of the cost, of their latency within the row.  0 without pairs.
 */
double precision_share_lag(const struct measured *row, const struct measured_all *all);
double precision_cost_lag(const struct measured *row, const struct measured_all *all);
double precision_mean_lag(const struct measured *row, const struct measured_all *all);
/* The variance of one sample's part in the cost, as a share */
double precision_cost_variance(const struct measured *row, const struct measured_all *all);

/*
 * significance.c: Tests of whether two estimates differ, and of many at once. Pure: numbers
 * in, numbers out.
 */

/*
 * The probability of a difference of this size or more, in either direction, if there is none:
 * of two shares @a of @all_a samples and @b of @all_b.
 */
double significance_shares(double a, double all_a, double b, double all_b);
/* The same of two estimates with these variances */
double significance_normal(double a, double variance_a, double b, double variance_b);
/*
 * Holm's correction in place: of @count probabilities, each becomes the least level at which
 * its test would reject if the probability of any false rejection is to be that level.
 */
void significance_holm(double *p, size_t count);

/*
 * interval.c: The cycles at stake: how much longer the samples with a flaw took than comparable
 * samples
 * without it.  Pure: numbers in, numbers out.
 */

/* Fewer samples without the flaw than these are no base to compare with. */
#define STAKE_BASE	5

/* Samples that have a latency, its sum in cycles, and the sum of its squares */
struct stake_sums {
	uint64_t count;
	double cycles, squares;
};

struct stake {
	double cycles;			/* of the samples, not of what they stand for */
	double variance;
};

static inline void stake_add(struct stake_sums *s, double cycles)
{
	s->count++;
	s->cycles += cycles;
	s->squares += cycles * cycles;
}

/* Add all of @from. */
void stake_merge(struct stake_sums *s, const struct stake_sums *from);
/* Take out @part, which is in @s. */
void stake_remove(struct stake_sums *s, const struct stake_sums *part);
/*
 * What @flawed took above the mean of @sound; 0 if @sound has fewer than STAKE_BASE samples.
 * The number of flawed samples is random (Poisson), and the mean of the sound ones is
 * estimated: the variance holds both.
 */
struct stake stake_of(const struct stake_sums *flawed, const struct stake_sums *sound);

/*
 * slices.c: Sums of samples by slice of the recording's time, so that who reads a page can select a
 * range of time.  What is summed up is a thing of a part of the page: its number and address in
 * that part.  Memory depends on how many things were sampled, not on the number of samples.
 */

#define TIME_SLICES	64u

/* One thing in one slice; as a sample, what it adds */
struct slice_sum {
	uint64_t address;
	uint32_t number;
	uint16_t slice;			/* TIME_SLICES: its time is not known */
	uint8_t part;			/* as the user of slices has it */
	uint64_t count, timed, cycles;	/* samples; with a total latency; their sum */
	uint64_t snooped;
};

struct slices {
	bool timed;			/* false: no range of time can be selected */
	uint64_t first, last;		/* of perf's clock */
	double per_ns;			/* slices */
	uint8_t *of;			/* of the records of the latest batch; TIME_SLICES: not known */
	struct hash_table sums;		/* struct slice_sum */
	/* After slices_finish() */
	struct slice_sum *sorted;
	size_t nr_sorted;
};

void slices_init(struct slices *s, const struct time_span *span);
/* Set s->of for the rows of the batch. */
void slices_find(struct slices *s, const struct row_batch *b);
void slices_add(struct slices *s, const struct slice_sum *sample);
void slices_finish(struct slices *s);
/* After slices_finish(): the @count sums of a thing, the first slice first */
const struct slice_sum *slices_of(const struct slices *s, uint8_t part, uint32_t number,
				  uint64_t address, size_t *count);
void slices_free(struct slices *s);

#endif
