/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_VERBS_VERBS_H
#define PERF_SPE_VERBS_VERBS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "analysis/advice/advice.h"
#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "system/system.h"
#include "util/util.h"

/*
 * complete.c: perf-spe --complete WORD...: what the shell may put in place of the last word.  The
 * completions of bash and zsh ask for it.
 */

/* Runs a verb, whose name is argv[0]; returns its exit status. */
typedef int (*verb_fn)(int argc, char **argv);

/*
 * Print a line for each completion of the last of @words, which ends with NULL: verbs,
 * options, values of options, symbols for annotate.  Nothing if it is a file, or
 * something that perf-spe does not know.  Messages are dropped.
 */
void complete(char **words, word_fn verbs, verb_fn run);

/* values.c: Options whose values are words of a list, or values that a recording has */

struct valued {
	const char *option, *letter;
	const char *verb;		/* NULL: each that has the option */
	word_fn words;			/* all values, or NULL */
	void (*help)(void);		/* prints them with an explanation; NULL: words alone */
	const char *column;		/* of the recording, which has the values */
	bool list;			/* separated by commas */
};

/* The option of these @len characters, "--by" or "-F"; NULL: any value may follow */
const struct valued *valued_find(const char *verb, const char *option, size_t len);
/* A values_fn */
bool values_print(const char *verb, const char *option);

/* What --fail-on of these verbs takes: word_fn */
const char *advise_fail_word(unsigned int index);
const char *diff_fail_word(unsigned int index);

/* What --guests of record takes: a word_fn */
const char *record_guests_word(unsigned int index);

/* record_events.c: The events that perf spe record gives to perf record */

struct args;

struct record_events {
	const char *root;	/* of the folder sys */
	struct pmu_request req;
	bool all;		/* -a or -C: all that runs on the CPUs */
	const char *cpus;	/* of -C; NULL: all CPUs */
	bool own_period;	/* perf itself is given one */
	bool own_chains;	/* ... and call chains */
	enum stack_method stacks;
	bool samples;		/* of spe_sample_N instead of AUX data */
	uint64_t aux_sample;	/* bytes of records in each sample with a stack; 0: record them all */
};

/*
 * Add to @args, which begin with perf's name, -e EVENT for each SPE PMU and for the stacks, and -c or
 * -F.  Choose the period where the user has not, and tell the volume of data.  Say what this user may
 * not sample.  False after a message for each thing that is missing.
 */
bool record_events(struct record_events *r, struct args *args);

/* report_html.c: perf spe report --html */

/*
 * Open @rows, which has the options, read it, close it, and write the page to @path.  The
 * table of functions is sorted by @sort and has at most @limit rows (0: the usual number).
 * Returns the exit status.
 */
int report_html(struct rows *rows, const char *path, enum measure sort,
		uint64_t limit);

/* stat_driver.c: perf spe stat --driver */

/*
 * Print the driver's counters on the machine below @root ("": this one).  Returns
 * the exit status.
 */
int stat_driver(const char *root, bool json);

/* Mean, percentiles and maximum of each latency; @ci: with intervals */
void stat_latencies(FILE *to, const struct composition *of, const struct measured_all *ci);

/* stat_data.c: perf spe stat --json and --csv */

struct stat_found {
	const struct composition *of;
	const struct trust_of *trust;
	const struct rows *rows;
	uint64_t midr;			/* of all samples; 0: unknown, or several kinds */
	uint64_t limit;			/* rows per table */
	bool ci;
};

/* From the CPU's first sample to the last one, without the time that the filter leaves out */
double stat_seconds(const struct rows *r, const struct composition_cpu *cpu);
/* The tables: a word_fn */
const char *stat_table(unsigned int index);
void stat_data(const struct stat_found *f, struct data *d);

/* The tables of --csv: word_fn */
const char *report_table(unsigned int index);
const char *sharing_table(unsigned int index);
const char *tier_table(unsigned int index);
const char *top_table(unsigned int index);

/* What perf spe top knows: its options, the session, and what is on the screen. */

struct top {
	struct rows rows;
	struct view view, shown;	/* collects samples; is on the screen */
	struct browse browse;
	bool interactive;
	char what[64];
	struct target_options options;
	struct target target;
	struct live live;
	struct row_sink sink;
	struct call_tree calls;		/* of a table, as text */
	double drained;			/* when, with stacks */
	double interval;		/* seconds */
	uint64_t iterations, seconds;	/* 0: no end */
	bool all, keep;
	bool sampled, idle;		/* a table had samples; none had, and the user was told why */
	struct data_options data;	/* --json, --csv */
	struct data out;		/* of CSV: the columns' names come once */
	struct pollfd *polls;		/* of the rings, then of the keyboard */
};

/* top_loop.c: The loop of "perf spe top". */

/* Sample the target and show tables until the end.  Returns the exit status. */
int top_run(struct top *t);

/*
 * top_stacks.c: Call stacks of perf spe top: the functions of top_loop.c that differ with
 * --stacks. Without
 * it they leave everything as it is.
 */

/* Seconds after which the samples of a long interval are joined, and stacks are forgotten */
#define TOP_STACKS_TURN	1.0

/* After live_init(): have call chains kept and joined. */
void top_stacks_begin(struct top *t);
/* Who adds rows to the view and to the tree of callers; the context is the struct top. */
struct row_taker top_taker(const struct top *t);
/* Forget all samples. */
void top_restart(struct top *t);
/* Put off reading the rings if they were just read and are far from full. */
void top_stacks_wait(struct top *t);
/* How many samples have a stack and, of a table by symbol, each function's callers */
void top_stacks_print(struct top *t, FILE *to);

/* Each verb gets its own name as argv[0] and returns the exit status. */
int verb_agent(int argc, char **argv);
int verb_advise(int argc, char **argv);
int verb_archive(int argc, char **argv);
int verb_annotate(int argc, char **argv);
int verb_diff(int argc, char **argv);
int verb_doctor(int argc, char **argv);
int verb_dump(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_fleet(int argc, char **argv);
int verb_layout(int argc, char **argv);
int verb_mem(int argc, char **argv);
int verb_pgo(int argc, char **argv);
int verb_pmbsr(int argc, char **argv);
int verb_record(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_sharing(int argc, char **argv);
int verb_stat(int argc, char **argv);
int verb_tier(int argc, char **argv);
int verb_top(int argc, char **argv);

/*
 * report_slices.c: Sums of each slice of time, for the tables of the page of report --html.  The
 * summary of the whole recording is made of them.
 */

struct flame_part;
struct html_report;
struct touch;

/* Before the second reading, when the rows of all tables are known */
void sliced_begin(struct html_report *h);
/* In it, for each batch: first of all, as others need its slices */
void sliced_add(struct html_report *h, const struct row_batch *b);
/* For each record with an address in memory */
void sliced_touch(struct html_report *h, const struct row_batch *b, size_t i,
		  const struct touch *touch);
/* After it, for each part of a spot of the flame graph that is of this row of the functions */
void sliced_function(struct html_report *h, size_t row, const struct flame_part *part);
void sliced_finish(struct html_report *h);
/* Then, before flame_finish(), the samples of findings that the second reading has counted */
void sliced_found(struct html_report *h);

/*
 * The same for the third reading, with the layouts of the page and findings of cache lines.  False
 * if the page has none.
 */
bool sliced_third_begin(struct html_report *h);
/* The columns that it needs; of the findings' filters none needs more than the place. */
unsigned int sliced_third_columns(const struct html_report *h);
void sliced_third_add(struct html_report *h, const struct row_batch *b);
void sliced_third_finish(struct html_report *h);

void sliced_free(struct html_report *h);

#endif
