// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe annotate: a function's instructions and source lines with the samples
 * of each instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct annotate {
	struct rows rows;
	const char *symbol, *object;
	char *demangled;		/* of the symbol that the user gave */
	struct groups groups;		/* finds the symbol if none is given */
	struct data_options data;
	uint64_t limit;			/* of instructions; 0: all */
	struct tally events;		/* only what tally_events() reads */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe annotate [OPTIONS] [SYMBOL] [FILE]\n"
	      "\n"
	      "Prints a function's disassembly, with its source lines if they are found. Each\n"
	      "instruction has its samples beside it: cost (its share of the function's cycles of\n"
	      "latency), count and share of the samples, mean and 99th percentile of the total\n"
	      "latency, mean of the issue latency. Without SYMBOL it prints the function that\n"
	      "costs most. LLVM's library disassembles; where it is missing, objdump does. The\n"
	      "variable OBJDUMP names a program to use instead of both.\n"
	      "\n"
	      "      --object NAME   take SYMBOL from the file whose path contains NAME\n"
	      "      --events LIST   also print the share of samples with these events\n"
	      "      --limit N       print only the N instructions that cost most\n"
	      DATA_HELP
	      ROWS_SOURCE_HELP
	      ROWS_HELP, to);
}

/* The group of highest cost, of the object that is meant, with a symbol or without */
static const struct place *hottest(const struct annotate *a, bool named)
{
	size_t i;

	for (i = 0; i < a->groups.nr_sorted; i++) {
		const struct place *place = &a->groups.sorted[i]->place;

		if (place->has_address && !place->symbol == !named &&
		    (!a->object || strstr(place->object, a->object)))
			return place;
	}
	return NULL;
}

/* A function is shown, although an object without symbols costs more. */
static void say_hotter(const struct annotate *a)
{
	const struct group *first = a->groups.sorted[0];
	const struct place *bare = hottest(a, false);
	char *command;

	if (!bare || bare != &first->place)
		return;
	command = command_with(rows_command(&a->rows, "annotate", NULL), "--object", bare->object);
	say("annotate: %.2f%% of the samples are in %s, for which no symbols were found; to print their addresses, run: %s '" NO_SYMBOL "'",
	    percent(first->count, a->groups.with_pc), bare->object, command);
	free(command);
}

/*
 * Take the symbol that costs most if the user names none, and the object that costs
 * most if the user asks for samples without a symbol.
 */
static bool choose(struct annotate *a)
{
	bool bare = a->symbol && !strcmp(a->symbol, NO_SYMBOL);
	struct sample_totals totals;
	const struct place *place;

	if (a->symbol && !bare)
		return true;
	rows_take_again(&a->rows, &groups_taker, &a->groups, &totals);
	groups_sort(&a->groups, MEASURE_COST);
	place = hottest(a, !bare);
	if (!place)
		return bare;
	if (!bare)
		say_hotter(a);
	a->symbol = place->symbol;
	a->object = place->object;
	advice_say(&a->groups, &a->rows.symbols);
	return true;
}

/* The symbols with samples; a word_fn has no context. */
static struct groups *named;

static const char *symbol_name(unsigned int index)
{
	const char *symbol;

	if (index >= named->nr)
		return NULL;
	symbol = named->all[index]->place.symbol;
	return symbol ? symbol : NO_SYMBOL;
}

/* What to do if no sample is in a->symbol; to be freed. */
static char *advice_for(struct annotate *a)
{
	struct sample_totals totals;
	char *near = NULL, *advice, *command = rows_command(&a->rows, "report", NULL);
	bool others = false;
	size_t i;

	if (a->symbol && !a->groups.nr) {
		rows_take_again(&a->rows, &groups_taker, &a->groups, &totals);
		groups_sort(&a->groups, MEASURE_COST);
		named = &a->groups;
		near = suggest_near(symbol_name, a->symbol, strlen(a->symbol));
	}
	for (i = 0; a->object && i < a->groups.nr; i++)
		others |= text_same(a->groups.all[i]->place.symbol, a->symbol);
	if (others) {
		free(near);
		near = xformat("other files have %s: change --object, or leave it out;",
			       a->symbol ? a->symbol : NO_SYMBOL);
	}
	if (!near)
		near = rows_nameless(&a->rows);
	if (!near && a->symbol)
		near = xformat("a function that the compiler inlined is a part of its callers;");
	advice = xformat("%s%sto see the symbols with samples, run: %s", near ? near : "",
			 near ? " " : "", command);
	free(command);
	free(near);
	return advice;
}

static void say_none(struct annotate *a)
{
	char *what = xformat(a->object ? "is in %s of a file whose path contains '%s'" : "is in %s",
			     a->symbol ? a->symbol : NO_SYMBOL, a->object);
	char *advice = advice_for(a);

	rows_none(&a->rows, what, advice);
	free(what);
	free(advice);
}

static bool has_object(const struct annotate *a)
{
	size_t i;

	for (i = 0; i < a->groups.nr; i++)
		if (a->groups.all[i]->place.object && strstr(a->groups.all[i]->place.object, a->object))
			return true;
	return false;
}

/* The command has the filters, too. */
static void say_no_object(struct annotate *a)
{
	char *command = rows_command(&a->rows, "report --by object", NULL);
	char *why = xformat("no sample%s is of a file whose path contains '%s': change --object; to see the files with samples, run: %s",
			    selection_any(&a->rows.selection) ? " that is kept" : "", a->object, command);

	rows_say_none(&a->rows, why);
	free(why);
	free(command);
}

/* The user names no function, and there is none to take. */
static void say_nameless(struct annotate *a)
{
	char *what = a->object ? xformat("of a file whose path contains '%s' has a symbol", a->object) :
				 xformat("has a symbol");
	char *command = command_with(rows_command(&a->rows, "annotate", NULL), "--object", a->object);
	char *advice = xformat("point --symfs, --vmlinux or --kallsyms at files with symbols; to print addresses, run: %s '" NO_SYMBOL "'",
			       command);

	rows_none(&a->rows, what, advice);
	free(advice);
	free(command);
	free(what);
}

/* What a thread lists */
struct part {
	struct annotate *of;
	struct listing *listing;
};

static void part_begin(void *part, const void *like)
{
	struct annotate *a = ((const struct part *)like)->of;
	struct part *p = part;

	listing_free(p->listing);
	*p = (struct part){ a, listing_new(&a->rows, &a->events, a->symbol, a->object) };
}

static void part_merge(void *whole, void *part)
{
	listing_merge(((struct part *)whole)->listing, ((struct part *)part)->listing);
}

static void part_free(void *part)
{
	listing_free(((struct part *)part)->listing);
}

static void part_add(void *part, const struct row_batch *b)
{
	listing_add(((struct part *)part)->listing, b);
}

static struct listing *read_listing(struct annotate *a, struct sample_totals *totals)
{
	static const struct row_parts parts = {
		sizeof(struct part), part_begin, part_merge, part_free,
	};
	const struct row_taker taker = { .take = part_add, .columns = tally_columns(&a->events) };
	struct part whole = { .of = a };

	rows_read(&a->rows, &taker, &whole, &parts, totals);
	/* Of several files the first is listed, which each thread takes for another one. */
	if (listing_several(whole.listing)) {
		part_begin(&whole, &whole);
		rows_take_again(&a->rows, &taker, &whole, totals);
	}
	return whole.listing;
}

/* Why a function has no instructions: kallsyms and JIT compilers tell names alone. */
static void say_no_code(const char *object)
{
	if (object)
		say("annotate: %s has names of functions here, but no code, so these are addresses%s", object,
		    strcmp(object, "[kernel]") ? "" :
		    ": for instructions, give --vmlinux with the recorded kernel's ELF file");
}

static void say_lacks(struct annotate *a, const struct listing *l)
{
	if (a->symbol) {
		say_no_code(listing_codeless(l));
		/* This function has its symbol: no other file matters. */
		absent_free(&a->rows.absent);
	}
	if (a->data.form)
		rows_say_lacks(&a->rows);
}

static int list(struct annotate *a)
{
	struct sample_totals totals;
	struct listing *l = read_listing(a, &totals);
	int rc = samples_verdict(&a->rows.src, &totals);

	if (listing_several(l))
		say("annotate: several files have samples in %s: this is %s; choose another with --object",
		    a->symbol ? a->symbol : NO_SYMBOL, listing_several(l));
	listing_limit(l, a->limit);
	if (listing_any(l) && !a->data.form) {
		heading_print(stdout, &a->rows);
		table_flags(stdout, a->rows.resolver.session);
	}
	/* The output has the messages before it. */
	if (listing_any(l) && a->data.form)
		say_lacks(a, l);
	if (!(a->data.form ? listing_data(l, &a->data, stdout) : listing_print(l, stdout))) {
		say_none(a);
		rc = EXIT_INPUT;
	} else if (!a->data.form) {
		say_lacks(a, l);
	}
	listing_free(l);
	return rc;
}

static int run(struct annotate *a)
{
	int rc = rows_open(&a->rows);

	if (rc != EXIT_OK)
		return rc;
	if (choose(a)) {
		rc = list(a);
	} else {
		if (a->object && !has_object(a))
			say_no_object(a);
		else
			say_nameless(a);
		rc = EXIT_INPUT;
	}
	groups_free(&a->groups);
	rows_close(&a->rows);
	return rc;
}

enum { OPT_OBJECT = 256, OPT_EVENTS, OPT_LIMIT };

static bool take_option(void *verb, int option)
{
	struct annotate *a = verb;

	switch (option) {
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&a->data, "annotate", listing_table, option);
	case OPT_OBJECT:
		a->object = optarg;
		return true;
	case OPT_EVENTS:
		return tally_once("annotate", "--events", a->events.nr_events) &&
		       tally_events(&a->events, "annotate", optarg);
	case OPT_LIMIT:
		return parse_count("annotate", "limit", optarg, &a->limit);
	default:
		return false;
	}
}

int verb_annotate(int argc, char **argv)
{
	static const struct option options[] = {
		{ "object", required_argument, NULL, OPT_OBJECT },
		{ "events", required_argument, NULL, OPT_EVENTS },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		DATA_OPTIONS,
		ROWS_SOURCE_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct annotate a = {
		.rows = { .verb = "annotate", .need = NEED_PLACE },
	};
	int rc;

	rc = rows_options(&a.rows, &grammar, &a, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (optind < argc)
		a.symbol = argv[optind++];
	if (a.symbol && !a.rows.symbol_options.mangled_names)
		a.demangled = demangle(a.symbol);
	if (a.demangled)
		a.symbol = a.demangled;
	if (rows_check(&a.rows, argc, argv))
		rc = run(&a);
out:
	free(a.demangled);
	filter_free(a.rows.filter);
	return rc;
}
