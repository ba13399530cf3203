/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows: the samples of an input that pass the filter, each with its process and
 * its place in the code.  Most verbs read rows; their common options are here.
 */
#ifndef PERF_SPE_ROWS_H
#define PERF_SPE_ROWS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armspe.h"
#include "analysis/rows/fields.h"
#include "analysis/rows/selection.h"
#include "analysis/stacks/stacks.h"
#include "input/aux_decoder.h"
#include "input/piece.h"
#include "input/source.h"
#include "symbols/absent.h"
#include "symbols/resolve.h"
#include "symbols/symbols.h"

struct rows {
	const char *verb;
	enum field_need need;		/* parts of a row that the verb reads */
	struct source src;
	struct symbol_options symbol_options;
	struct selection selection;	/* as the user gave it */
	struct filter *filter;		/* made of it; NULL: every sample */
	struct symbols symbols;
	struct resolver resolver;
	struct owner_memo owner;
	struct place_cache *places;
	struct absent absent;		/* files that kept samples are in */
	struct data_names *data;	/* NULL: no row needs a place */
	struct heap_names *heap;	/* NULL: no row needs a place, or there is no file */
	struct armspe_op *ops;		/* by class and payload */
	uint64_t midr;			/* of --cpu-model; 0: as recorded */
	uint64_t seen, kept;		/* samples */
	uint64_t sourced;		/* kept ones with a data source */
	uint64_t stack_within;		/* ms, of --stack-within; 0: the default */
	bool stacks_if_any;		/* find call stacks if the recording has some */
	struct stacks *stacks;		/* NULL: none, or nothing asks for them */
	struct stack_finder *finder;
	bool mapped;			/* mappings changed since the stacks were prepared */
	uint64_t stack_count[NR_STACK_STATUS];	/* kept samples by what was found */
	bool on_terminal;		/* rows are printed there: no progress line */
	bool places_later;		/* rows_places() finds them */
};

enum {
	ROWS_RAW = 1024, ROWS_SYMFS, ROWS_KALLSYMS, ROWS_CPU_MODEL, ROWS_FILTER,
	ROWS_NO_DEMANGLE, ROWS_COMM, ROWS_DSO, ROWS_CPU, ROWS_TIME, ROWS_STACK_WITHIN,
};

#define ROWS_SHORT "i:k:h"
#define ROWS_OPTIONS							\
	{ "input", required_argument, NULL, 'i' },			\
	{ "raw", required_argument, NULL, ROWS_RAW },			\
	{ "cpu-model", required_argument, NULL, ROWS_CPU_MODEL },	\
	{ "time", required_argument, NULL, ROWS_TIME },			\
	{ "stack-within", required_argument, NULL, ROWS_STACK_WITHIN },	\
	ROWS_LIVE_OPTIONS
/* The options that need no input file */
#define ROWS_LIVE_OPTIONS						\
	{ "symfs", required_argument, NULL, ROWS_SYMFS },		\
	{ "vmlinux", required_argument, NULL, 'k' },			\
	{ "kallsyms", required_argument, NULL, ROWS_KALLSYMS },		\
	{ "no-demangle", no_argument, NULL, ROWS_NO_DEMANGLE },		\
	{ "filter", required_argument, NULL, ROWS_FILTER },		\
	{ "comm", required_argument, NULL, ROWS_COMM },			\
	{ "dso", required_argument, NULL, ROWS_DSO },			\
	{ "cpu", required_argument, NULL, ROWS_CPU },			\
	{ "help", no_argument, NULL, 'h' }
#define ROWS_HELP							\
	"  -i, --input FILE    perf.data file, - for standard input (default: perf.data)\n" \
	"      --raw FILE      SPE bytes alone, without perf.data around them\n" \
	"      --cpu-model NAME  the core that took the samples, as neoverse-n1, if the\n" \
	"                      recording does not say it; it names data sources\n" \
	"      --time WINDOWS  keep only samples of this time: FROM,TO in seconds of perf's\n" \
	"                      clock, A%-B% of the recording, or A%/N, its part N of A%\n" \
	"      --stack-within MS  a sample has the call stack of the nearest stack sample, at\n" \
	"                      most so far away (default: 10 ms)\n" \
	ROWS_LIVE_HELP
#define ROWS_LIVE_HELP							\
	"      --filter EXPR   keep only these samples, as 'total > 200 and op == load'\n" \
	"      --comm LIST     keep only samples of threads with these names\n" \
	"      --dso LIST      keep only samples in the code of these files\n" \
	"      --cpu LIST      keep only samples of these CPUs, as 0-3,7\n" \
	"      --symfs DIR     look for programs and kernel symbols below DIR\n" \
	"  -k, --vmlinux FILE  read the kernel's symbols from an ELF file\n" \
	"      --kallsyms FILE read the kernel's symbols from a copy of /proc/kallsyms\n" \
	"      --no-demangle   print names of C++ and Rust functions as they are in the file\n" \
	"  -h, --help          this text\n"

/* A verb's own options, beside the common ones */
struct rows_grammar {
	const char *letters;		/* begins with ROWS_SHORT */
	const struct option *options;	/* holds ROWS_OPTIONS */
	void (*usage)(FILE *to);
	/* Take one with getopt's optarg; false after a message. */
	bool (*take)(void *verb, int option);
};

/*
 * Take all options.  Returns -1 if the verb can run, or else its exit status:
 * EXIT_OK after the help, EXIT_USAGE after a message.
 */
int rows_options(struct rows *r, const struct rows_grammar *grammar, void *verb,
		 int argc, char **argv);
/* Check that no argument is left; false after a message. */
bool rows_check(const struct rows *r, int argc, char **argv);

/* Open the input.  Returns EXIT_OK, or another status after a message. */
int rows_open(struct rows *r);
/* The same for an r->src that is open already; rows_finish() leaves it open. */
int rows_ready(struct rows *r);
void rows_finish(struct rows *r);

typedef void (*row_fn)(void *context, const struct row *row);

/* Call @fn for each row, then print messages about damage; see samples.h. */
int rows_each(struct rows *r, row_fn fn, void *context,
	      struct sample_totals *totals);
/* The same without messages, for further walks */
void rows_walk(struct rows *r, row_fn fn, void *context,
	       struct sample_totals *totals);
/*
 * Say, after a walk, that the user's filter keeps none of the samples.  Returns false if it
 * keeps some, or if there are none.
 */
bool rows_none_kept(const struct rows *r);
/*
 * Say that none of the kept samples @what, such as "has a symbol".  Without a
 * filter the message ends with @advice, with one it says to change the filter.
 */
void rows_none(const struct rows *r, const char *what, const char *advice);
void rows_close(struct rows *r);

/*
 * Find the places of many rows at once, which is faster.  With places_later @fn
 * gets rows without a place and calls this later.  @rows is a struct rows.
 */
void rows_places(void *rows, struct row *row, size_t count);

/* rows_span() is a sample_fn with this context, for callers of aux_decoder. */
struct row_sink {
	struct rows *rows;
	row_fn fn;
	void *context;
};

void rows_span(void *sink, const struct sample_span *span);
/* Begin a progress line for a walk over these pieces. */
void rows_progress(const struct rows *r, const struct piece *pieces,
		   size_t count);
/* Set the counts of samples to 0. */
void rows_restart(struct rows *r);
/* A copy with its own counts and cache, for another thread */
struct rows *rows_twin(const struct rows *r);
void rows_twin_free(struct rows *twin);
/*
 * The live session has other call samples: join the next rows with these.  Callers of earlier rows
 * are freed, so collectors must forget them first.
 */
void rows_restack(struct rows *r);
/*
 * The same if it has only got more: callers stay as they are.  False if rows_restack() must follow.
 */
bool rows_add_stacks(struct rows *r);
/* The session's mappings have changed: drop cached places. */
void rows_forget(struct rows *r);

#endif
