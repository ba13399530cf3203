/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_ROWS_ROWS_H
#define PERF_SPE_ANALYSIS_ROWS_ROWS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/heap/heap.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* cpu_model.c: The value of --cpu-model: the name of a core. */

/*
 * Find the core with this name, such as "neoverse-n1" or "Neoverse N1", and set
 * *midr to its MIDR_EL1 without variant and revision.  False after a message that
 * names the cores whose data sources perf-spe knows.
 */
bool cpu_model_parse(const char *verb, const char *name, uint64_t *midr);

/* The names of the cores, and then of the processors that have them: a word_fn */
const char *cpu_model_name(unsigned int index);
/* The MIDR_EL1 of the core that the word with this number names */
uint64_t cpu_model_midr(unsigned int index);
/* Print the names, and for each processor the core that it has. */
void cpu_model_help(void);

/* fields.c: The columns of an export, the same in every format. */

enum field_kind {
	FIELD_NUMBER,
	FIELD_ADDRESS,		/* 64 bits, shown in hex */
	FIELD_TEXT,
};

struct data_names;
struct data_place;
struct heap_names;
struct instance;
struct row_batch;
struct stack_finder;

/* A record and what is known of it; getters read nothing else. */
struct row {
	const struct armspe_record *rec;
	const struct piece *piece;
	const struct session *session;	/* NULL: SPE bytes alone */
	struct owner owner;
	uint64_t time;			/* with the owner: see struct claim */
	const struct place *place;	/* without one: all zeros */
	struct data_names *data;	/* names data addresses; NULL: nothing does */
	struct heap_names *heap;	/* names blocks of heaps; NULL: nothing does */
	uint32_t *hint;			/* of the place, see places.c; or NULL */
	uint64_t midr;			/* of --cpu-model; 0: as recorded */
	struct armspe_op op;		/* where the record has one */
	/* Call stacks, see stacks.h */
	struct stack_finder *stacks;	/* NULL: the recording has none, or nothing asks */
	enum stack_status stack;	/* if @stacks is set */
	const struct caller *callers;	/* of the row's function; NULL: none, or no stack */
};

/* MIDR_EL1 of the core that took the sample; false if it is not known */
static inline bool row_midr(const struct row *row, uint64_t *midr)
{
	*midr = row->midr;
	return row->midr || (row->session &&
			     session_midr(row->session, row->piece->cpu, midr));
}

/* Events that the architecture defines: of E[0] that is so only if E[1] is 1 (D18.2.6). */
static inline uint64_t known_events(uint64_t events)
{
	return events >> SPE_EVENT_RETIRED & 1 ? events :
	       events & ~(UINT64_C(1) << SPE_EVENT_EXCEPTION);
}

/* What the row's data virtual address belongs to; false if it has none. */
bool row_data(const struct row *row, struct data_place *place);
/* What the row's load or store accesses, for the columns type and field; false if that is not known. */
bool row_instance(const struct row *row, struct instance *i);
/* The same of record @k of a batch with ROW_DATA */
bool batch_instance(const struct row_batch *b, size_t k, struct instance *i);
/* Only if the record accesses a variable of a file; else the instance is that of its place. */
bool batch_variable(const struct row_batch *b, size_t k, struct instance *i);
bool place_instance(const struct place *place, struct instance *i);

struct value {
	bool present;
	uint64_t number;
	const char *text;		/* FIELD_TEXT */
	char room[1024];		/* what text may point to */
};

static inline void set_number(struct value *v, bool present, uint64_t number)
{
	v->present = present;
	v->number = number;
}

static inline void set_text(struct value *v, const char *text)
{
	v->present = text;
	v->text = text;
}

/* The parts of a row that a value needs; each includes those before. */
enum field_need { NEED_RECORD, NEED_OWNER, NEED_PLACE, NEED_STACK };

struct field {
	const char *name;
	enum field_kind kind;
	void (*get)(const struct row *row, unsigned int arg, struct value *v);
	unsigned int arg;
	enum field_need need;
	unsigned int columns;		/* enum row_column */
	bool costly;			/* no default column: slow to find */
	uint8_t bits;			/* of a number, or of a text's number in
					   the column's dictionary */
	/*
	 * @get for all rows of a batch at once.  For texts it gives keys instead: rows
	 * with equal keys have equal texts, or none.  NULL if the column has no such key.
	 */
	void (*each)(const struct row_batch *b, unsigned int arg, uint64_t *numbers,
		     uint8_t *present);
	/*
	 * The words that the column's texts are, or that they list between bars.
	 * NULL: any text.
	 */
	word_fn words;
	bool list;			/* its texts are lists between bars */
	const char *help;		/* what it means, in the words of common.md */
};

/* Whether the column is empty on cores whose data sources are not known */
static inline bool field_names_source(const struct field *field)
{
	return !strcmp(field->name, "source_name") || !strcmp(field->name, "core");
}

/* Whether the column is a latency */
static inline bool field_is_latency(const struct field *field)
{
	return !strcmp(field->name, "total") || !strcmp(field->name, "issue") ||
	       !strcmp(field->name, "translation") || !strcmp(field->name, "altclk_issue");
}

/* Whether the column is of an operation, its code, its thread or its CPU */
static inline bool field_is_side(const struct field *field)
{
	static const char *const names[] = {
		"op", "subclass", "op_flags", "symbol", "pc", "object_address", "source_line", "tid", "cpu",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && strcmp(field->name, names[i]); i++)
		;
	return i < sizeof(names) / sizeof(names[0]);
}

/* Whether the column is of blocks of the heap: empty without their logs */
static inline bool field_names_block(const struct field *field)
{
	return !strncmp(field->name, "heap_", strlen("heap_"));
}

extern const struct field fields[];
extern const size_t nr_fields;

const struct field *field_find(const char *name, size_t len);
/* The names of the columns: a word_fn */
const char *field_name(unsigned int index);

/*
 * filter.c: The filter of --filter: an expression over the columns of an export.
 *
 *   total > 200 and op == load and events has l1d-refill
 *
 *   expression   = term { ("or" | "||") term }
 *   term         = factor { ("and" | "&&") factor }
 *   factor       = ("not" | "!") factor | "(" expression ")" | comparison
 *   comparison   = COLUMN [ operator value ]
 *   operator     = "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "ends" | "like" | "has"
 *   value        = number | word | quoted text
 *
 * A column alone is true if the sample has a value.  "~" finds a part of a text,
 * "ends" its end, "like" compares with a pattern of
 * the shell (* and ?), "has" finds a name in a list.  A missing value compares as false,
 * also with "!=".
 */

struct filter;

/*
 * NULL after a message that begins with @where, such as "report: --filter", and
 * quotes what is wrong.  A word that a column never has is an error.
 */
struct filter *filter_parse(const char *where, const char *text);
void filter_free(struct filter *f);
/* Returns the text that @f was parsed from; @f may be NULL. */
const char *filter_text(const struct filter *f);
/* The parts of a row that the filter reads, and the columns (enum row_column) */
enum field_need filter_need(const struct filter *f);
unsigned int filter_columns(const struct filter *f);
/* Whether a column of it is one of field_names_source() */
bool filter_names_source(const struct filter *f);
/* Whether one is a latency, or of events or data sources: what a sample met */
bool filter_names_met(const struct filter *f);
/* Whether one may leave out some of the accesses to a cache line: by operation, code, thread or CPU */
bool filter_names_side(const struct filter *f);
bool filter_match(const struct filter *f, const struct row *row);

/*
 * filter_time.c: The time from @from to @to, in ns of perf's clock, that may have samples of @cpu
 * which the filter keeps: when it begins (@to: never), and how long it is.  Of the columns only the
 * time and the CPU are known, and with NO_ID only the time.  @f may be NULL: it keeps all.
 */
struct filter_time {
	uint64_t begin, ns;
};

struct filter_time filter_time(const struct filter *f, const struct session *s, int32_t cpu,
			       uint64_t from, uint64_t to);

/* Whether it compares times with a number that seconds of the recording have, and ns cannot */
bool filter_seconds(const struct filter *f, const struct session *s, uint64_t *seconds);
/* Between these two times the answer for one CPU is the same; all zeros at first */
struct filter_memo {
	uint64_t after, before;
	bool keeps;
};

/* Whether it may keep a sample of @time */
bool filter_may_keep(const struct filter *f, const struct session *s, int32_t cpu, uint64_t time,
		     struct filter_memo *memo);

/* The same of samples without a time, which pass no comparison of times */
bool filter_may_keep_untimed(const struct filter *f, const struct session *s, int32_t cpu);

static inline uint64_t filter_ns(const struct filter *f, const struct session *s, int32_t cpu,
				 uint64_t from, uint64_t to)
{
	return filter_time(f, s, cpu, from, to).ns;
}

/* filter_batch.c: Drop the rows of the batch that the filter does not keep. */
void filter_batch(const struct filter *f, struct row_batch *b);

/*
 * filter_value.c: The columns and values of a filter expression.  Messages begin with @where, as
 * filter_parse() has it.
 */

/* What a message proposes for an unknown column, which may be one of perf's; to be freed */
char *field_suggest(const char *name, size_t len);
/* The column with this name; NULL after a message that proposes others. */
const struct field *filter_value_column(const char *where, const char *name,
					size_t len);
/*
 * Whether @field can have @value, one word or a list "a|b"; with @part, whether it
 * can have words that contain these.  False after a message.
 */
bool filter_value_words(const char *where, const struct field *field,
			const char *value, bool part);
/* Parse a number; false after a message. */
bool filter_value_number(const char *where, const struct field *field,
			 const char *value, uint64_t *number);
/* Say which operators the column has.  Returns false. */
bool filter_value_mismatch(const char *where, const struct field *field);
/* Say how to find @name in a list, or with @without the rows without it.  Returns false. */
bool filter_value_list(const char *where, const struct field *field, const char *name, bool without);

/*
 * heap_names.c: The block of the heap that a sample's data address is in, with its call site
 * as text.
 */

struct heap_names;

struct heap_name {
	const char *site;	/* "make_table at table.c:12", or "make_table+0x1c" */
	uint64_t size, offset;
	enum heap_life life;
};

/* Reads the logs beside @data at the first question.  NULL without a file of data. */
struct heap_names *heap_names_new(const struct resolver *r, const char *data);
/* Say once that the sites of some blocks are not where the program allocated them. */
void heap_names_say(struct heap_names *n);
void heap_names_free(struct heap_names *n);
/*
 * Several threads may ask at the same time.  False if no block is known.  Equal sites are the
 * same pointer, valid until heap_names_free().
 */
bool heap_names_find(struct heap_names *n, struct owner owner,
		     const struct armspe_record *rec, struct heap_name *name);
/* "live", "freed", ...: a word_fn */
const char *heap_life_name(unsigned int life);

/* profile_value.c: What a sample counts for in a profile. */

enum profile_value {
	PROFILE_SAMPLES,	/* 1 */
	PROFILE_CYCLES,		/* total latency; 0 without this counter */
	PROFILE_MISSES,		/* 1 after a miss of a data cache, see below */
	PROFILE_PERIOD,		/* operations that it stands for; 0: not known */
	NR_PROFILE_VALUES,
};

/*
 * A sample is a miss if it has one of these events (D18.2.6): l1d-refill, llc-miss,
 * l2d-miss.
 */
#define PROFILE_MISS_EVENTS						\
	(UINT64_C(1) << SPE_EVENT_L1D_REFILL |				\
	 UINT64_C(1) << SPE_EVENT_LLC_MISS |				\
	 UINT64_C(1) << SPE_EVENT_L2D_MISS)

/* Intervals of the events; all zeros at first */
struct profile_intervals {
	const struct piece *piece;	/* the last one, and its interval */
	uint64_t interval;
};

/* The value PROFILE_PERIOD of samples in @piece; @s may be NULL. */
uint64_t profile_period(const struct session *s, const struct piece *piece,
			struct profile_intervals *in);
/* All values of record @i; of the batch's columns events are needed. */
void profile_values(const struct row_batch *b, size_t i, struct profile_intervals *in,
		    uint64_t value[NR_PROFILE_VALUES]);
/* Whether an event has a fixed interval, and all records were kept; @s may be NULL. */
bool profile_has_period(const struct session *s);
/* The interval of all SPE events, 0 if it is not known or they differ */
uint64_t profile_one_period(const struct session *s);

/* "samples", "cycles", "misses", "period"; NULL beyond them: a word_fn */
const char *profile_value_name(unsigned int value);
/* What is counted: "count", "cycles" or "operations" */
const char *profile_value_unit(enum profile_value value);

/* heap_names.c: What a row's data address belongs to, down to the block of the heap */

struct rows;

/*
 * As row_data(), of record @i, but where the recording was made with record --heap, an address in a
 * block of the heap has the block: see data_names.c.
 */
bool batch_memory(const struct row_batch *b, size_t i, struct data_place *place);
/* Whether rows have blocks, so that one address belongs to different ones in turn */
bool rows_have_blocks(const struct rows *r);
/* Whether the columns of blocks can have a value: there is a log of the recording.  @r needs places. */
bool rows_have_heap_logs(const struct rows *r);

/*
 * selection.c: Which samples the user wants: --filter, and the shorter options --comm, --dso, --cpu
 * and --time, which become parts of the same filter.
 */

enum selection_kind {
	SELECT_FILTER, SELECT_COMM, SELECT_DSO, SELECT_CPU, SELECT_TIME,
	NR_SELECTIONS,
};

struct selection {
	const char *given[NR_SELECTIONS];	/* NULL: this option is not used */
};

/* Take an option's value; false after a message. */
bool selection_take(struct selection *s, const char *verb, enum selection_kind kind,
		    const char *value);
bool selection_any(const struct selection *s);
/* Whether the filter depends on when the recording began and ended */
bool selection_needs_times(const struct selection *s);
/*
 * The filter of all options, joined by "and".  @session tells when the recording began
 * and ended; NULL: only check the options.  NULL after a message.
 */
struct filter *selection_filter(const struct selection *s, const char *verb,
				const struct session *session);
/* "--comm 'a' and --cpu '1'", for messages; to be freed */
char *selection_options(const struct selection *s);
/* The verb that shows which values there are, to be freed; NULL: several options */
char *selection_verb(const struct selection *s);
/* Whether it is more than one option, so that the verb is in the plural */
bool selection_several(const struct selection *s);

/*
 * rows.c: Rows: the samples of an input that pass the filter, each with its process and
 * its place in the code.  Most verbs read rows; their common options are here.
 */

struct rows {
	const char *verb;
	enum field_need need;		/* parts of a row that the verb reads */
	struct source src;
	struct symbol_options symbol_options;
	struct selection selection;	/* as the user gave it */
	struct filter *filter;		/* made of it; NULL: every sample */
	struct symbols symbols;
	struct resolver resolver;
	struct owner_memos owners;
	struct places *places;
	struct absent absent;		/* files that kept samples are in */
	struct data_names *data;	/* NULL: no row needs a place */
	struct heap_names *heap;	/* NULL: no row needs a place, or there is no file */
	struct armspe_op *ops;		/* by row_batch.op */
	uint64_t midr;			/* of --cpu-model; 0: as recorded */
	uint64_t seen, kept;		/* samples */
	uint64_t guests;		/* kept ones of guests */
	bool sourced;			/* a kept one has a data source */
	bool physical;			/* a kept one has a physical address; only with ROW_PHYSICAL */
	bool names_sources;		/* what the verb prints depends on their names */
	unsigned int names;		/* enum row_column: what it prints or keeps */
	uint64_t stack_within;		/* ms, of --stack-within; 0: the default */
	bool stacks_if_any;		/* find call stacks if the recording has some */
	struct stacks *stacks;		/* NULL: none, or nothing asks for them */
	struct stack_finder *finder;
	bool mapped;			/* mappings changed since the stacks were prepared */
	uint64_t stack_count[NR_STACK_STATUS];	/* kept samples by what was found */
	bool silent;			/* rows_say_lacks() says nothing, or has said it */
	bool unheaded;			/* the output tells nothing of the recording: say what it lost */
	int argument;			/* the index of the first one that is no option */
	bool on_terminal;		/* rows go to the terminal: print no progress line */
	bool places_later;		/* only batch_place() finds them */
	struct rows_part *part;		/* of rows_parallel(): what this thread works on */
};

/* For a kept sample of @place: count it if its code cannot be read, or its object is unknown. */
static inline void rows_absent(struct rows *r, struct place *place)
{
	if (!place->unsaid)
		return;
	if (place->lacking)
		absent_add(&r->absent, place->object);
	r->absent.doubts[place->doubt]++;
	place->unsaid = place->doubt;
}

/* For a kept sample: note the files of its callers whose code cannot be read. */
static inline void rows_absent_callers(struct rows *r, const struct caller *c)
{
	for (; c && stack_meet(r->finder, c); c = c->outer)
		if (c->place->lacking)
			absent_add(&r->absent, c->place->object);
}

/* The call stack of a sample */
static inline enum stack_status rows_stack(struct rows *r, const struct owner *owner,
					   const struct place *place, uint64_t time,
					   const struct caller **callers)
{
	*callers = NULL;
	/* Stacks are of the host's threads. */
	return time == UINT64_MAX || owner->guest ? STACK_NO_KEY :
				    stack_find(r->finder, *owner, place, time, callers);
}

enum {
	ROWS_RAW = 1024, ROWS_SOURCE_DIR, ROWS_ANY_SOURCE, ROWS_SYMFS, ROWS_KALLSYMS, ROWS_CPU_MODEL, ROWS_FILTER,
	ROWS_NO_DEMANGLE, ROWS_COMM, ROWS_DSO, ROWS_CPU, ROWS_TIME, ROWS_STACK_WITHIN,
	ROWS_GUEST,			/* plus enum guest_file */
};

#define ROWS_SHORT "i:k:h"
#define ROWS_OPTIONS							\
	{ "input", required_argument, NULL, 'i' },			\
	{ "raw", required_argument, NULL, ROWS_RAW },			\
	{ "cpu-model", required_argument, NULL, ROWS_CPU_MODEL },	\
	{ "time", required_argument, NULL, ROWS_TIME },			\
	{ "stack-within", required_argument, NULL, ROWS_STACK_WITHIN },	\
	ROWS_GUEST_OPTIONS,						\
	ROWS_LIVE_OPTIONS
#define ROWS_GUEST_OPTIONS						\
	{ "guest-kallsyms", required_argument, NULL, ROWS_GUEST + GUEST_KALLSYMS }, \
	{ "guest-vmlinux", required_argument, NULL, ROWS_GUEST + GUEST_VMLINUX }, \
	{ "guest-modules", required_argument, NULL, ROWS_GUEST + GUEST_MODULES }, \
	{ "guest-symfs", required_argument, NULL, ROWS_GUEST + GUEST_SYMFS }
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
/* The options of verbs that print source lines */
#define ROWS_SOURCE_OPTIONS						\
	{ "source-dir", required_argument, NULL, ROWS_SOURCE_DIR },	\
	{ "any-source", no_argument, NULL, ROWS_ANY_SOURCE }
#define ROWS_SOURCE_HELP						\
	"      --source-dir DIR  also look for source files below DIR; OLD=NEW: look below NEW\n" \
	"                      for files whose recorded path begins with OLD\n" \
	"      --any-source    also read source files that are not below --symfs, --source-dir\n" \
	"                      or the current folder, and files that seem to be another version\n" \
	"                      than the program was compiled from\n"
#define ROWS_HELP							\
	"  -i, --input FILE    perf.data file, - for standard input (default: an argument that\n" \
	"                      is such a file, or else perf.data)\n" \
	"      --raw FILE      SPE bytes alone, without perf.data around them\n" \
	ROWS_CORE_HELP \
	ROWS_TIME_HELP \
	"      --stack-within MS  a sample has the call stack of the nearest stack sample, at\n" \
	"                      most so far away (default: 10 ms)\n" \
	ROWS_GUEST_HELP \
	ROWS_LIVE_HELP
#define ROWS_CORE_HELP \
	"      --cpu-model NAME  the core that took the samples (such as neoverse-n1), or its\n" \
	"                      processor (such as graviton3), if the recording does not\n" \
	"                      name the core; data sources have their names from it\n"
#define ROWS_TIME_HELP \
	"      --time WINDOWS  keep only samples of this time: FROM,TO in seconds of perf's\n" \
	"                      clock, A%-B% of the recording, or A%/N, its part N of A%\n"
#define ROWS_GUEST_HELP \
	"      --guest-kallsyms [VM=]FILE\n" \
	"                      symbols of the guests' kernels from a copy of a guest's\n" \
	"                      /proc/kallsyms; VM is the pid or the name of the process that is\n" \
	"                      the virtual machine\n" \
	"      --guest-vmlinux [VM=]FILE, --guest-modules [VM=]FILE\n" \
	"                      the ELF file of a guest's kernel, and a copy of its /proc/modules\n" \
	"      --guest-symfs [VM=]DIR  look for these files below DIR, as DIR/proc/kallsyms\n"
#define ROWS_LIVE_HELP							\
	"      --filter EXPR   keep only these samples, such as 'total > 200 and op == load';\n" \
	"                      operators: ==, !=, <, <=, >, >=, ~ (contains), ends, has (a name\n" \
	"                      in a list), like (a pattern), and, or, not, brackets\n" \
	"      --comm LIST     keep only samples of threads with these names, such as 'worker*'\n" \
	"      --dso LIST      keep only samples in the code of these files, such as 'libssl*'\n" \
	"      --cpu LIST      keep only samples of these CPUs, such as 0-3,7\n" \
	"      --symfs DIR     look for programs and kernel symbols below DIR (default: the\n" \
	"                      variable PERF_SPE_SYMFS)\n" \
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
 * Take all options, and an argument that is a recording.  Returns -1 if the verb can run, or else
 * its exit status: EXIT_OK after the help, EXIT_USAGE after a message.
 */
int rows_options(struct rows *r, const struct rows_grammar *grammar, void *verb,
		 int argc, char **argv);
/*
 * Check that no argument is left, after those that the verb has taken from optind on.  A recording
 * is none of them: rows_options() takes it.  False after a message.
 */
bool rows_check(const struct rows *r, int argc, char **argv);

/*
 * selection.c: Commands for the user to run, with the same input and the files of its symbols; to be
 * freed.
 */

/* Add the options for symbols, the kind of core and call stacks. */
void rows_args(const struct rows *r, struct args *a);
/* For all samples: @verb may have options of its own, as "report --by comm". */
char *rows_command_all(const struct rows *r, const char *verb);
/* For the samples that are kept, or those of them that @filter (NULL: all) keeps */
char *rows_command(const struct rows *r, const char *verb, const char *filter);
/* The options that select samples, but for --time: " --cpu 1 --filter 'op == load'".  To be freed */
char *rows_selected(const struct rows *r);

/* Open the input.  Returns EXIT_OK, or another status after a message. */
int rows_open(struct rows *r);
/* The same for an r->src that is open already; rows_finish() leaves it open. */
int rows_ready(struct rows *r);
/*
 * Say what the rows lack, such as files, and why.  rows_finish() does it, too; before the reason why
 * there is nothing to show it comes first: the last message is the one that a terminal view shows.
 */
void rows_say_lacks(struct rows *r);
void rows_finish(struct rows *r);

typedef void (*row_fn)(void *context, const struct row *row);

typedef void (*row_batch_fn)(void *context, const struct row_batch *b);

/* Columns that a taker may read beside those of owners, places and the three latencies */
enum row_column {
	ROW_OP = 1 << 0,
	ROW_EVENTS = 1 << 1,
	ROW_SOURCE = 1 << 2,
	ROW_DATA = 1 << 3,	/* virtual and physical address of data */
	ROW_ALTCLK = 1 << 4,	/* the issue latency by another clock */
	ROW_REST = 1 << 5,	/* the offset, and targets of branches */
	ROW_IMPDEF = 1 << 6,	/* IMPLEMENTATION DEFINED addresses and counters */
	ROW_ALL = (1 << 7) - 1,
	ROW_SPAN = 1 << 7,	/* row_batch.span, of rows with owners */
	ROW_GROUP = 1 << 8,	/* control groups, which owners have in any case */
	ROW_GUEST = 1 << 9,	/* what only samples of guests have; the same */
	ROW_CORE = 1 << 10,	/* the core, which a CPU has */
	ROW_PHYSICAL = 1 << 11,	/* of ROW_DATA the physical address */
};

/* Who takes rows, in batches */
struct row_taker {
	row_batch_fn take;
	unsigned int columns;	/* enum row_column */
	bool in_order;		/* needs rows in file order, from one thread */
	/*
	 * With rows_parallel(): the batches of a part of the input were given, and all earlier
	 * parts have ended.  Parts have this many bytes or more, the same for any number of
	 * threads.
	 */
	void (*part_end)(void *context);
	uint64_t part_bytes;
};

/* Give @taker each row, then print messages about damage; see samples.c. */
int rows_take(struct rows *r, const struct row_taker *taker, void *context,
	      struct sample_totals *totals);
/* The same without messages, for further walks */
void rows_take_again(struct rows *r, const struct row_taker *taker, void *context,
		     struct sample_totals *totals);
/*
 * Say, after a walk, that the user's filter keeps none of the samples.  Returns false if it
 * keeps some, or if there are none.
 */
bool rows_none_kept(struct rows *r);
/*
 * Why there is nothing to show: that none of the kept samples @what, such as "has a symbol".  Without a
 * filter the text ends with @advice, with one it says to change the filter.  To be freed
 */
char *rows_why_none(const struct rows *r, const char *what, const char *advice);
/* Why a function has no samples, if files with samples have no symbols; NULL: they have.  To be freed */
char *rows_nameless(const struct rows *r);
/* Say such a text, or that the filter keeps no sample at all; NULL: nothing */
void rows_say_none(struct rows *r, const char *why);
/* Both */
void rows_none(struct rows *r, const char *what, const char *advice);
void rows_close(struct rows *r);

/* What gives rows to a taker */
struct row_sink {
	struct rows *rows;
	struct row_taker taker;
	void *context;
	struct row_batch *batch;
};

void row_sink_init(struct row_sink *sink, struct rows *r, const struct row_taker *taker,
		   void *context);
/* A decoder that gives rows to the sink */
struct aux_decoder *row_sink_decoder(struct row_sink *sink, struct sample_totals *totals);
void row_sink_free(struct row_sink *sink);
/* Begin a progress line of one of @threads that walk over these pieces. */
void rows_progress(const struct rows *r, const struct piece *pieces, size_t count,
		   size_t threads);
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
 * Join the next rows also with the call samples that are new since the last call; callers of earlier
 * rows stay valid.  Returns false if samples were dropped or moved: call rows_restack() then.
 */
bool rows_add_stacks(struct rows *r);
/* The session's mappings have changed: drop cached places. */
void rows_forget(struct rows *r);

/*
 * batch.c: The rows of a batch of records: their owners and places, and which the filter keeps.
 * Only the columns that the taker needs are decoded.
 */

/* Records of a batch: their columns stay in a cache, and have no sizes that share sets of it. */
#define ROW_BATCH	1000

/* From when to when samples are, in ns of perf's clock */
struct time_span {
	uint64_t samples;		/* that have a time; 0: the others mean nothing */
	uint64_t first, last;
};

/* How many operations row_batch.op tells apart, and the one that says that there is none */
#define ROW_OPS		(4 * 256 + 1)
#define ROW_NO_OP	(ROW_OPS - 1)

static inline uint16_t row_op_number(uint32_t valid, unsigned int op_class, unsigned int payload)
{
	return (uint16_t)(valid & ARMSPE_HAS_OP ? (op_class & 3) << 8 | payload : ROW_NO_OP);
}

/*
 * What is decoded: which takers need it (enum row_column; 0: all of them), its type and name in a
 * batch, and its field in struct armspe_columns and struct armspe_record.
 */
#define ROW_FOR_EACH_COLUMN(COLUMN)					\
	COLUMN(0, uint32_t, valid, valid)				\
	COLUMN(0, uint32_t, addr_valid, addr_valid)			\
	COLUMN(0, uint32_t, counter_valid, counter_valid)		\
	COLUMN(0, uint8_t, context_valid, context_valid)		\
	COLUMN(0, uint64_t, timestamp, timestamp)			\
	COLUMN(0, uint64_t, pc, addr[SPE_ADDR_PC])			\
	COLUMN(0, uint32_t, context_el1, context[SPE_CONTEXT_EL1])	\
	COLUMN(0, uint32_t, context_el2, context[SPE_CONTEXT_EL2])	\
	COLUMN(0, uint16_t, total, counter[SPE_COUNTER_TOTAL])		\
	COLUMN(0, uint16_t, issue, counter[SPE_COUNTER_ISSUE])		\
	COLUMN(0, uint16_t, xlat, counter[SPE_COUNTER_XLAT])		\
	COLUMN(ROW_OP, uint8_t, op_class, op_class)			\
	COLUMN(ROW_OP, uint8_t, op_payload, op_payload)			\
	COLUMN(ROW_EVENTS, uint64_t, events, events)			\
	COLUMN(ROW_SOURCE, uint16_t, source, source)			\
	COLUMN(ROW_DATA, uint64_t, va, addr[SPE_ADDR_DATA_VA])		\
	COLUMN(ROW_DATA, uint64_t, pa, addr[SPE_ADDR_DATA_PA])		\
	COLUMN(ROW_ALTCLK, uint16_t, altclk, counter[SPE_COUNTER_ALTCLK_ISSUE])	\
	COLUMN(ROW_REST, uint64_t, offset, offset)			\
	COLUMN(ROW_REST, uint64_t, target, addr[SPE_ADDR_TARGET])	\
	COLUMN(ROW_REST, uint64_t, previous_target, addr[SPE_ADDR_PREV_TARGET])

#define ROW_COLUMN_ARRAY(need, type, name, field)	type name[ROW_BATCH];

struct row_batch {
	struct rows *rows;
	struct armspe_columns cols;	/* the decoder's view of the arrays below */
	unsigned int columns;		/* enum row_column: which there are */
	const struct piece *piece;
	size_t nr;			/* rows that the filter keeps */
	bool placed;			/* place is set */
	bool doubts;			/* rows_absent() counts some of them */
	uint16_t kept[ROW_BATCH];	/* which records they are */
	bool unfiltered;		/* kept has all numbers, from 0 on */
	uint64_t time[ROW_BATCH];	/* see struct claim */
	struct owner owners[ROW_BATCH];
	uint16_t owner[ROW_BATCH];	/* index of owners */
	struct place *place[ROW_BATCH];
	enum stack_status stack[ROW_BATCH];	/* with a finder */
	const struct caller *callers[ROW_BATCH];
	struct armspe_record *made;	/* of the columns, for the latest row; see batch_row_at() */
	uint16_t op[ROW_BATCH];		/* class and payload as a number, ROW_NO_OP without */
	ROW_FOR_EACH_COLUMN(ROW_COLUMN_ARRAY)
	void *impdef;			/* arrays of ROW_IMPDEF, or NULL */
	struct time_span span;		/* of the rows */
};

/* A row for batch_row_at(), with what all rows of the batch have */
struct row batch_row(const struct row_batch *b);
/* Make @row that of record @i.  It has the columns of the taker and the filter, until the next call. */
void batch_row_at(const struct row_batch *b, size_t i, struct row *row);
/* Call @fn for each of the rows. */
void batch_each(const struct row_batch *b, row_fn fn, void *context);
/* The place of record @i, also with places_later */
const struct place *batch_place(const struct row_batch *b, size_t i);

static inline const struct owner *batch_owner(const struct row_batch *b, size_t i)
{
	return &b->owners[b->owner[i]];
}

/* Of the rows that the filter keeps, from number @k on: the end of those of the same owner */
static inline size_t batch_owner_end(const struct row_batch *b, size_t k)
{
	const uint16_t owner = b->owner[b->kept[k]];

	/* Owners are in the order of rows. */
	if (b->owner[b->kept[b->nr - 1]] == owner)
		return b->nr;
	while (b->owner[b->kept[k]] == owner)
		k++;
	return k;
}

static inline bool batch_has(const struct row_batch *b, size_t i, unsigned int counter)
{
	return b->counter_valid[i] >> counter & 1;
}

/* Whether a guest executed the operation of record @i */
static inline bool batch_guest(const struct row_batch *b, size_t i)
{
	return claim_of_guest(b->rows->resolver.session, b->context_valid[i]);
}

/* The total latency of record @i, 0 without */
static inline uint16_t batch_cycles(const struct row_batch *b, size_t i)
{
	return batch_has(b, i, SPE_COUNTER_TOTAL) ? b->total[i] : 0;
}

/* The operation of record @i, all zeros without; needs ROW_OP. */
static inline const struct armspe_op *batch_op(const struct row_batch *b, size_t i)
{
	return &b->rows->ops[b->op[i]];
}

/* Software ignores a reserved SUBCLASS, like a reserved CLASS (D18.1.3). */
static inline bool batch_has_op(const struct row_batch *b, size_t i)
{
	return b->valid[i] & ARMSPE_HAS_OP && batch_op(b, i)->subclass != ARMSPE_OP_RESERVED;
}

/* The events of record @i, 0 without; needs ROW_EVENTS. */
static inline uint64_t batch_events(const struct row_batch *b, size_t i)
{
	return b->valid[i] & ARMSPE_HAS_EVENTS ? b->events[i] : 0;
}

/* As row_midr(): all records of a batch are of one core. */
static inline bool batch_midr(const struct row_batch *b, uint64_t *midr)
{
	const struct session *s = b->rows->resolver.session;

	*midr = b->rows->midr;
	return *midr || (s && session_midr(s, b->piece->cpu, midr));
}

/*
 * rows_parallel.c: Read a large recording with several threads.  Each decodes some of the pieces,
 * with its own context.
 */

/* How many threads are worth it: PERF_SPE_THREADS, or at most one for each CPU and piece */
size_t rows_threads(const struct rows *r);
/*
 * Give @taker each row, with one of the contexts.  Rows are not in file order, but see
 * rows_turn().  Returns false if there is but one thread and no part_end(), or if a record spans
 * two threads' parts: then discard all contexts and use rows_take_again(), or this with one
 * thread.
 */
bool rows_parallel(struct rows *r, const struct row_taker *taker, void *const *contexts,
		   size_t threads, struct sample_totals *totals);
/*
 * For takers of batches: with part_end(), wait until all earlier parts have ended, so that what
 * the caller writes is in file order.  @r is the batch's.  False if the result will be discarded.
 */
bool rows_turn(const struct rows *r);

/* The contexts of several threads: each collects into one of its own. */
struct row_parts {
	size_t size;			/* of a context */
	/*
	 * Empty @part, which is all zeros or was used before, and give it the options of @like,
	 * which may be @part.
	 */
	void (*begin)(void *part, const void *like);
	/* Add all of @part to @whole. */
	void (*merge)(void *whole, void *part);
	void (*free)(void *part);
};

/*
 * Give @taker each row by as many threads as are worth it.  @context, all zeros or with options, has
 * all of it then, as if rows came in file order.  Prints no message; see samples_verdict().
 */
void rows_read(struct rows *r, const struct row_taker *taker, void *context,
	       const struct row_parts *parts, struct sample_totals *totals);

/* rows.c: From when to when samples are, in ns of perf's clock. */

/*
 * The time of record @i of a batch with owners, also where events have no times to compare it with;
 * false if it has none.
 */
static inline bool batch_time(const struct row_batch *b, size_t i, uint64_t *time)
{
	const struct session *s = b->rows->resolver.session;

	*time = b->time[i];
	if (*time == UINT64_MAX && s && b->valid[i] & ARMSPE_HAS_TIMESTAMP && s->tc.valid)
		*time = session_time_of(&s->tc, b->timestamp[i]);
	return *time != UINT64_MAX;
}
/* Add all of @from. */
void time_span_merge(struct time_span *span, const struct time_span *from);

/*
 * vocabulary.c: The words that columns consist of.  Each function is a word_fn of
 * util/suggest.c: word number @index, NULL behind the last one.
 */

const char *vocabulary_op(unsigned int index);
/* Of an operation with these flags: the number of its word in vocabulary_op() */
static inline unsigned int vocabulary_op_index(uint32_t flags)
{
	return flags & ARMSPE_OPF_LOAD ? 0 : flags & ARMSPE_OPF_STORE ? 1 :
	       flags & ARMSPE_OPF_BRANCH ? 2 : 3;
}
const char *vocabulary_subclass(unsigned int index);
const char *vocabulary_op_flag(unsigned int index);
/* The word for @flag of an operation with all of @flags; NULL if dump has none. */
const char *op_flag_word(uint32_t flag, uint32_t flags);
/* Words are in the order of the bits of the Events packet. */
const char *vocabulary_event(unsigned int index);
/* The same, and what some bits are where armspe_event_of() knows more */
const char *vocabulary_event_word(unsigned int index);
/* Words are in the order of enum armspe_security. */
const char *vocabulary_security(unsigned int index);
const char *vocabulary_source(unsigned int index);
const char *vocabulary_core(unsigned int index);
const char *vocabulary_guest(unsigned int index);
const char *vocabulary_data_kind(unsigned int index);

#endif
