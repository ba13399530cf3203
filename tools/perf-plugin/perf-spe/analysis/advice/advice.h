/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_ADVICE_ADVICE_H
#define PERF_SPE_ANALYSIS_ADVICE_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/flow/flow.h"
#include "analysis/groups/groups.h"
#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"

/* finding.c: What "perf spe advise" finds: a flaw, the cycles at stake, and where to see it. */

struct line;

enum finding_kind {
	FINDING_TLB, FINDING_MISPREDICTED, FINDING_MISALIGNED, FINDING_REMOTE,
	FINDING_SHARING, FINDING_ATOMICS, FINDING_MISSES, FINDING_STRIDE, NR_FINDING
};

/* What the instructions of a FINDING_MISSES have in common; each has another remedy. */
enum miss_pattern {
	MISS_SHARED,		/* another CPU's cache served most of the misses */
	MISS_STRIDE,		/* the addresses advance by a stride */
	MISS_NEAR,		/* an outer cache has most of the data */
	MISS_FIELDS,		/* fields of structures, without a stride */
	MISS_OTHER,		/* none of these, unknown, or too small for a finding */
	NR_MISS_PATTERN
};

/* One row of the evidence */
struct finding_row {
	uint64_t count;			/* samples */
	double mean;			/* total latency in cycles; below 0: unknown */
	char *name;
};

struct finding {
	enum finding_kind kind;
	enum miss_pattern pattern;	/* of FINDING_MISSES, else 0 */
	char *what;			/* "line 0x1000 of process 10", or NULL */
	const struct line *line;	/* for FINDING_SHARING and FINDING_ATOMICS, else NULL */
	const char *latency;		/* "total", "translation" */
	uint64_t samples;		/* with the flaw */
	double cycles;			/* at stake in the whole recording */
	struct interval interval;	/* of 95%, of these cycles */
	double share;			/* of all cycles of total latency, 0 to 1 */
	const char *verb;		/* "report": prints the evidence ... */
	char *filter;			/* ... with this filter */
	bool by_pc;			/* ... which names instructions of missing files by their PC */
	char *object;			/* the argument of "pgo", or NULL */
	struct finding_row *rows;
	size_t nr_rows, room_rows;
};

/* How many samples with a flaw a finding needs, unless the user sets another number */
#define FINDING_SAMPLES	20
/* So many times the share must be at stake if an outer cache has most of the data. */
#define FINDING_NEAR_TIMES	3

/* Below these numbers a flaw is no finding. */
struct finding_limits {
	double share[NR_FINDING];	/* of all cycles, 0 to 1 */
	uint64_t samples;
};

/* Loads and stores that missed a cache */
#define MISSES_FILTER	"events has l1d-refill or events has l2d-miss or events has llc-miss"

struct finding_list {
	struct finding *all;
	size_t nr, room;
	struct finding_limits limits;
	/* Why the samples cannot show a kind: a constant such as "no sample is a branch", or @scattered; or NULL */
	const char *unseen[NR_FINDING];
	/* Misses that are too scattered for a finding, also if there is one of others; NULL: few */
	char *scattered;
	double cycles;			/* total latency of all samples */
	/* The operations that a sample stands for; all 1 if unknown */
	double weight, weight_low, weight_high;
};

/* "tlb-walks": the name of a kind in options and tables; a word_fn.  NULL behind the last */
const char *finding_name(unsigned int kind);
/* The least share of all cycles of a finding of this kind, 0 to 1, unless the user sets another */
double finding_least_share(enum finding_kind kind);
/* Whether the stake and the samples reach the limits, and the interval is above 0 */
bool finding_counts(const struct finding_list *l, enum finding_kind kind, uint64_t samples,
		    const struct stake *stake);
/* Add one, to be completed by the caller; what it returns is valid up to the next call. */
struct finding *finding_add(struct finding_list *l, enum finding_kind kind, uint64_t samples,
			    const struct stake *stake);
/* @name belongs to the finding from then on. */
void finding_row_add(struct finding *f, uint64_t count, double mean, char *name);
/* The most cycles first */
void finding_sort(struct finding_list *l);
void finding_free(struct finding_list *l);

/*
 * walks.c: Collects the loads and stores that miss a cache, how their addresses move, and what
 * their misses have in common.
 */

/* The loads and stores of one file, or of the kernel */
struct walks_of {
	const char *object;		/* the session's */
	struct dso *dso;		/* NULL: no file that was found */
	struct load_misses of[2];	/* loads, stores */
};

struct walks_known;

struct walks {
	struct walks_of *files;
	size_t nr, room;
	struct walks_known *known;	/* the loads and stores of the latest samples */
	struct profile_intervals intervals;
	/* Misses: all, and those whose records have what each part of the answer needs */
	uint64_t misses, leveled, last, sourced, addressed;
};

/* Add the loads and stores of @b, after lines_add(). */
void walks_add(struct walks *w, struct lines *l, const struct row_batch *b);
/* Whether any of these loads and stores is in a file that was found */
bool walks_in_files(const struct walks *w);
/* Sort, after the last row. */
void walks_finish(struct walks *w);
void walks_free(struct walks *w);

/* walks.c: Loads that walk through memory with a stride and miss a cache, as findings. */

/*
 * Add a finding for each load that walks with a stride and misses.  @hits: the loads that hit the
 * first cache, for comparison
 */
void walk_findings(struct walks *w, const struct stake_sums *hits, struct finding_list *to);

/* miss_findings.c: All other loads and stores that miss a cache, as one finding for each pattern. */

/*
 * Call this after line_findings() and walk_findings(): what they explain is left out.  @hits:
 * loads (0) and stores (1) that hit the first cache, for comparison
 */
void miss_findings(const struct walks *w, const struct lines *lines, const struct stake_sums *hits,
		   struct finding_list *to);

/*
 * findings.c: Collects what "perf spe advise" judges. Samples with a flaw are compared with
 * samples of
 * the same operation (load, store, branch) and the same cache events without it, so that a
 * cache miss is not taken for the cost of a page table walk.
 */

/* Load, store, branch or other; and by refill of the first cache and miss of the last */
#define FINDINGS_STRATA	16
#define FINDINGS_EVENTS	(FINDING_REMOTE + 1)

/* Samples of a flaw that a sample alone shows */
struct findings_of {
	struct stake_sums flawed[FINDINGS_STRATA], sound[FINDINGS_STRATA];
	uint64_t samples;		/* with the flaw */
	struct tally places;		/* of these, by symbol and object */
};

struct findings_set;

struct findings {
	struct findings_set *sets;	/* of samples that are in none of the sums yet */
	struct findings_of of[FINDINGS_EVENTS];
	/* The same of FINDING_TLB, by translation latency */
	struct stake_sums walked[FINDINGS_STRATA], unwalked[FINDINGS_STRATA];
	struct lines *lines;
	struct lines own;		/* what @lines points to, unless another reading filled it */
	struct walks walks;
	/*
	 * Loads (0) and stores (1): plain ones that hit the first cache, and all of them; and the
	 * total latencies of those that are atomic or exclusive and hit it
	 */
	struct stake_sums hits[2], all[2];
	struct hist atomic_hits[2];
	double cycles;			/* total latency of all samples */
	/* Until findings_judge(): of the reader, and what was recorded; each may be NULL */
	const struct filter *filter;
	const struct session *session;
	/* Samples: loads and stores; loads; branches; with a known source; with an event of a cache */
	uint64_t memory, loads, branches, sourced, cached;
};

/* The event that the filter of such a finding asks for, and nothing else; SPE_EVENT_COUNT: others do */
unsigned int finding_event(enum finding_kind kind);
/* @lines: of the same rows, after lines_finish(); NULL: findings_add() collects them */
void findings_init(struct findings *f, struct lines *lines);
#define FINDINGS_COLUMNS LINES_COLUMNS

/*
 * A row_batch_fn, of rows with their place and these columns, in file order, which strides need;
 * @context is the struct findings.
 */
void findings_add(void *context, const struct row_batch *b);
/*
 * Judge all, after the last row.  The caller sets limits in @to, and frees it with
 * finding_free().  The weight of a sample comes from @estimate.
 */
void findings_judge(struct findings *f, const struct estimate *estimate,
		    struct finding_list *to);
void findings_free(struct findings *f);

/* line_findings.c: Cache lines of "perf spe sharing" as findings. */

/* What an access takes without waiting for another CPU */
struct line_base {
	struct stake_sums sums;
	bool hits;			/* of accesses that hit the first cache; else of all: these may have waited, too */
};

/*
 * line_flaw(): FINDING_SHARING, FINDING_ATOMICS, or NR_FINDING for a line without a flaw.
 *
 * Add the lines of @l whose threads wait for each other.  They are compared with accesses
 * to lines that no other CPU has, loads (0) and stores (1): in @atomic those that are atomic or
 * exclusive, in @alone the others.  Call this after lines_finish(), and free @l after the
 * findings, which refer to it.
 */
enum finding_kind line_flaw(const struct line *line);
void line_findings(const struct lines *l, const struct line_base *alone,
		   const struct line_base *atomic, struct finding_list *to);

/*
 * thresholds.c: Thresholds of "perf spe advise" for kinds of finding, from an option or for
 * cores from a file.
 */

/* One line of the file: "CORE KIND=PERCENT,..." */
struct threshold_line {
	uint64_t midr;			/* implementer and part as MIDR_EL1 has them; 0: every core */
	double share[NR_FINDING];	/* 0 to 1; below 0: not named */
};

struct thresholds {
	struct threshold_line *lines;
	size_t nr, room;
};

/* Parse a percentage into a share of 0 to 1; false after a message that begins with @where. */
bool thresholds_share(const char *where, const char *text, size_t len, double *share);
/* Parse "KIND=PERCENT,..." into @share; false after a message that begins with @where. */
bool thresholds_parse(const char *where, const char *list, double *share);
/* Read a file; false after a message. */
bool thresholds_read(struct thresholds *t, const char *path);
/* Set in @share what the lines for the core @midr (0: unknown) say; later lines win. */
void thresholds_apply(const struct thresholds *t, uint64_t midr, double *share);
void thresholds_free(struct thresholds *t);

/*
 * trust.c: Whether a recording can be trusted: what biases its samples, by how much, and what to
 * record instead.
 */

/* A loss or bias of more than this share makes a recording misleading. */
#define TRUST_MUCH	0.05
/* One of less than this share changes no conclusion. */
#define TRUST_LITTLE	0.01
/*
 * The samples with which a share of a half is off by at most 5 points:
 * 0.5 * 0.5 * (1.96 / 0.05)^2 = 384.2.
 */
#define TRUST_SAMPLES	385
/* A share that is off by more than this says nothing: 20 samples or fewer. */
#define TRUST_VAGUE	0.2
/*
 * Below this period a study on an Ampere machine saw many samples dropped: Miksits et al.,
 * Multi-level Memory-Centric Profiling on ARM Processors with ARM SPE, arXiv 2410.01514.
 */
#define TRUST_PERIOD	2000

enum trust_level {
	TRUST_YES,		/* a note: good to know */
	TRUST_CARE,		/* some numbers are off, as the text says */
	TRUST_NO,		/* the samples do not represent the program */
};

struct trust_finding {
	enum trust_level level;
	const char *bias;	/* "collisions", "truncation" ... */
	char *text;
};

struct trust {
	enum trust_level level;		/* of the worst finding */
	struct trust_finding *found;	/* in the order of trust_judge() */
	size_t nr, room;
	/* What to record instead */
	uint64_t period;		/* 0: the same */
	uint64_t longer;		/* times as long; 0: the same */
	bool buffer, ring;		/* a larger AUX buffer, or ring of perf's other records */
	bool jitter;
	bool perf_data;			/* a perf.data file instead of bytes */
	bool again;			/* any of these, or just once more */
	char *options, *target;		/* as before: what is recorded, and of whom */
};

/* What a walk over the rows found */
struct trust_of {
	const struct estimate *estimate;
	const struct sample_totals *totals;
	uint64_t kept, seen;		/* samples */
};

void trust_judge(struct trust *t, const struct trust_of *of);
/*
 * Why the samples are not those of the whole program: so many are missing that trust_judge() has the level
 * TRUST_NO for it.  "the buffer was full 2 times, so ...", to be freed; NULL: it found no such loss
 */
char *trust_losses(const struct trust_of *of);
/* What perf sampled: "a command", "some CPUs: 1-3"; to be freed; NULL: the recording has no command line */
char *trust_target(const struct session *s);
/* "perf spe record --loads --period 4096 -a -- sleep 1", or NULL if there is nothing to change */
char *trust_command(const struct trust *t);
void trust_free(struct trust *t);

#endif
