// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe export: write each sample as a row, or a profile of all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "export/export.h"
#include "input/input.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct export {
	struct rows rows;
	struct writer writer;
	struct partition partition;
	const char *host;
	bool parted;		/* --partition: files by host and time */
	bool chosen;		/* --fields is given */
	bool weighed;		/* --value is given */
};

enum { EXPORT_PARTITION = 256, EXPORT_HOST, EXPORT_RECORDED, EXPORT_VALUE, EXPORT_NO_FORMULAS };

static const char *verb = "export";	/* or "script", its other name */

static bool by_default(const struct field *field)
{
	return !field->costly;
}

/* The names of the columns that are in an export by default, or of the others */
static void print_columns(FILE *to, const char *title, bool which)
{
	size_t i, column = strlen(title);

	fputs(title, to);
	for (i = 0; i < nr_fields; i++) {
		const char *name = fields[i].name;

		if (by_default(&fields[i]) != which)
			continue;
		if (column + 1 + strlen(name) > 78)
			column = (size_t)fprintf(to, "\n%8s", "") - 1;
		column += (size_t)fprintf(to, " %s", name);
	}
	putc('\n', to);
}

static void usage(FILE *to)
{
	fprintf(to, "usage: perf spe %s [OPTIONS] [FILE]\n", verb);
	fputs("\n"
	      "Writes the samples of Arm SPE data, one per row, or a profile for a viewer.\n"
	      "\n"
	      "  -f, --format NAME   rows: text, csv, jsonl, sqlite, parquet, arrow;\n"
	      "                      profiles: folded (flame graphs), pprof, otlp (OpenTelemetry),\n"
	      "                      firefox (Firefox Profiler), speedscope; a trace: perfetto\n"
	      "                      (default: that of FILE's ending, such as x.csv; text without one)\n"
	      "  -o, --output FILE   write to FILE, - for standard output; sqlite, parquet and\n"
	      "                      arrow need a file\n"
	      "  -F, --fields LIST   columns, separated by commas (default: those\n"
	      "                      that are listed first below)\n"
	      "      --value NAME    with a profile: what samples count for: samples (default),\n"
	      "                      cycles (total latency), misses (of a data cache) or period\n"
	      "                      (operations, estimated); pprof, otlp and speedscope hold\n"
	      "                      all, and show this one first\n"
	      "      --no-formulas   with csv: put ' before texts that a spreadsheet takes for formulas,\n"
	      "                      because they begin with = + - @, a tab or a carriage return\n"
	      "      --partition     write files host=H/date=D/hour=N/... below the folder\n"
	      "                      --output, by the time of the samples (UTC)\n"
	      "      --host NAME     with --partition or otlp: the host (default: as recorded)\n"
	      "      --recorded TIME with --partition or otlp: when the recording ended, such as\n"
	      "                      2026-01-31T23:59:58Z (default: the file's time)\n"
	      ROWS_HELP
	      "\n", to);
	print_columns(to, "Columns:", true);
	print_columns(to, "Columns by name only:", false);
}

static void add_column(struct export *e, const struct field *field)
{
	e->writer.columns[e->writer.nr_columns++] = field;
	if (field->need > e->rows.need)
		e->rows.need = field->need;
}

static bool parse_fields(struct export *e, const char *list)
{
	e->writer.nr_columns = 0;
	e->rows.need = NEED_RECORD;
	for (;;) {
		size_t len = strcspn(list, ","), i;
		const struct field *field = field_find(list, len);

		if (!field) {
			char *proposal = field_suggest(list, len);

			say("%s: --fields: unknown column '%.*s'; %s", verb,
			    (int)len, list, proposal);
			free(proposal);
			return false;
		}
		for (i = 0; i < e->writer.nr_columns; i++) {
			if (e->writer.columns[i] == field) {
				say("%s: --fields lists '%s' twice: remove one", verb,
				    field->name);
				return false;
			}
		}
		add_column(e, field);
		if (!list[len])
			return true;
		list += len + 1;
	}
}

static void say_unknown(const char *what, const char *name, word_fn words)
{
	char *proposal = suggest(words, name, strlen(name));

	say("%s: %s '%s'; %s", verb, what, name, proposal);
	free(proposal);
}

static bool parse_format(struct export *e, const char *name)
{
	e->writer.format = format_find(name);
	if (!e->writer.format)
		say_unknown("--format: unknown format", name, format_name);
	return e->writer.format;
}

static bool parse_value(struct export *e, const char *name)
{
	unsigned int i;

	e->weighed = true;
	for (i = 0; i < NR_PROFILE_VALUES; i++) {
		if (!strcmp(name, profile_value_name(i))) {
			e->writer.value = i;
			return true;
		}
	}
	say_unknown("--value: unknown value", name, profile_value_name);
	return false;
}

static void take_parted(void *context, const struct row_batch *b)
{
	partition_batch(context, b);
}

static void take_whole(void *context, const struct row_batch *b)
{
	writer_batch(context, b);
}

static void write_part_end(void *context)
{
	struct writer *w = context;

	w->format->part_end(w);
}

/* Profiles need few columns. */
static struct row_taker taker_of(const struct export *e)
{
	const struct format *format = e->writer.format;
	struct row_taker taker = { .take = e->parted ? take_parted : take_whole };
	size_t i;

	if (format->profile != PROFILE_NONE)
		taker.columns = ROW_EVENTS;
	for (i = 0; format->profile == PROFILE_NONE && i < e->writer.nr_columns; i++)
		taker.columns |= e->writer.columns[i]->columns;
	/* Without --fields the user did not choose these columns: no message that they are empty. */
	if (!e->chosen)
		taker.columns &= ~(unsigned int)(ROW_GUEST | ROW_PHYSICAL);
	if (!e->parted && format->part_end) {
		taker.part_end = write_part_end;
		taker.part_bytes = format->part_bytes;
	}
	return taker;
}

/* More threads would only wait for the one that writes. */
#define MOST_THREADS	4

/* Read parts of the input with several threads.  Returns false if the file must begin anew. */
static bool write_parts(struct export *e, const struct row_taker *taker, size_t threads,
			struct sample_totals *totals)
{
	struct writer others[MOST_THREADS];
	void *contexts[MOST_THREADS] = { &e->writer };
	size_t i;
	bool done;

	for (i = 1; i < threads; i++) {
		others[i] = e->writer;
		e->writer.format->join(&others[i], &e->writer);
		contexts[i] = &others[i];
	}
	done = rows_parallel(&e->rows, taker, contexts, threads, totals);
	for (i = 1; i < threads; i++) {
		e->writer.failed |= others[i].failed;
		e->writer.format->leave(&others[i]);
	}
	return done;
}

/* Returns false after a message if the file cannot begin anew. */
static bool write_rows(struct export *e, struct sample_totals *totals)
{
	const struct row_taker taker = taker_of(e);
	size_t threads = rows_threads(&e->rows);

	if (!taker.part_end) {
		rows_take_again(&e->rows, &taker, e->parted ? (void *)&e->partition : &e->writer,
				totals);
		return true;
	}
	if (write_parts(e, &taker, threads < MOST_THREADS ? threads : MOST_THREADS, totals))
		return true;
	rows_forget(&e->rows);
	return !writer_restart(&e->writer) && write_parts(e, &taker, 1, totals);
}

static int export_end(struct export *e)
{
	return e->parted ? partition_end(&e->partition) :
			   writer_end(&e->writer);
}

static int export_begin(struct export *e)
{
	if (e->writer.format->dated && partition_dated(&e->partition, &e->rows.src))
		e->writer.end = e->partition.end;
	if (!e->parted)
		return writer_begin(&e->writer);
	e->partition.like = &e->writer;
	if (!partition_begin(&e->partition, &e->rows, e->host))
		return 0;
	return partition_end(&e->partition);
}

static int export_samples(struct export *e)
{
	struct sample_totals totals;
	int rc;

	e->rows.on_terminal = output_is_standard(e->writer.path) && output_terminal() >= 0;
	if (export_begin(e) < 0)
		return EXIT_INPUT;
	if (!write_rows(e, &totals))
		return EXIT_INPUT;
	rc = samples_verdict(&e->rows.src, &totals);
	if (export_end(e) < 0)
		rc = EXIT_INPUT;
	return rc;
}

static int run(struct export *e)
{
	int rc;

	if (e->writer.format->profile != PROFILE_NONE)
		e->rows.need = NEED_PLACE;
	/* Columns are empty where the recording has nothing for them. */
	e->rows.stacks_if_any = e->writer.format->profile != PROFILE_NONE ||
				e->rows.need == NEED_STACK;
	if (e->rows.need == NEED_STACK)
		e->rows.need = NEED_PLACE;
	rc = rows_open(&e->rows);
	if (rc != EXIT_OK)
		return rc;
	rc = export_samples(e);
	rows_none_kept(&e->rows);
	rows_close(&e->rows);
	return rc;
}

static bool take_option(void *context, int option)
{
	struct export *e = context;

	switch (option) {
	case 'f':
		return parse_format(e, optarg);
	case 'o':
		e->writer.path = optarg;
		return true;
	case EXPORT_VALUE:
		return parse_value(e, optarg);
	case 'F':
		e->chosen = true;
		return parse_fields(e, optarg);
	case EXPORT_NO_FORMULAS:
		e->writer.no_formulas = true;
		return true;
	case EXPORT_PARTITION:
		e->parted = true;
		return true;
	case EXPORT_HOST:
		e->host = optarg;
		e->writer.host = optarg;
		return true;
	case EXPORT_RECORDED:
		return partition_recorded(&e->partition, optarg);
	default:
		return false;
	}
}

/* Without --format, that of the file's name.  Text in a file that ends in .json would puzzle. */
static bool choose_format(struct export *e)
{
	const char *ending;
	char *proposal;

	if (!e->writer.format)
		e->writer.format = format_of_file(e->writer.path ? e->writer.path : "-", &ending);
	/* The name of a folder says nothing of its files. */
	if (!e->writer.format && e->parted)
		e->writer.format = format_find("text");
	if (e->writer.format)
		return true;
	proposal = suggest(format_name, ending, strlen(ending));
	say("%s: --output: no format has files that end in '.%s'; give the file another ending, such as .csv, or add --format NAME: %s",
	    verb, ending, proposal);
	free(proposal);
	return false;
}

/* Rows have columns, and profiles have values. */
static bool check_format(const struct export *e)
{
	enum format_profile profile = e->writer.format->profile;

	if (profile != PROFILE_NONE && e->chosen)
		say("%s: --format %s has no columns: remove --fields, or choose a format of rows",
		    verb, e->writer.format->name);
	else if (profile != PROFILE_NONE && e->parted)
		say("%s: --partition is for rows, and --format %s has none: choose parquet, csv or another format of rows",
		    verb, e->writer.format->name);
	else if (profile == PROFILE_NONE && e->weighed)
		say("%s: --value is for profiles, and --format %s has rows: remove it, or choose folded, pprof, otlp, firefox or speedscope",
		    verb, e->writer.format->name);
	else if (e->writer.no_formulas && e->writer.format != &format_csv)
		say("%s: --no-formulas is for CSV: remove it, or choose --format csv", verb);
	else if (profile == PROFILE_EACH && e->weighed)
		say("%s: --format %s holds all values of each sample: remove --value",
		    verb, e->writer.format->name);
	else
		return true;
	return false;
}

static bool check_options(const struct export *e, int argc, char **argv)
{
	if (!rows_check(&e->rows, argc, argv) || !check_format(e))
		return false;
	if (e->parted && output_is_standard(e->writer.path)) {
		say("%s: --partition has no folder to write to: add --output FOLDER", verb);
		return false;
	}
	if (!e->parted && !e->writer.format->dated && (e->host || e->partition.recorded)) {
		say("%s: --host and --recorded need --partition or --format otlp: add one of them", verb);
		return false;
	}
	if (e->writer.format->needs_path && output_is_standard(e->writer.path)) {
		say("%s: --format %s cannot go to standard output: add --output FILE", verb,
		    e->writer.format->name);
		return false;
	}
	return true;
}

int verb_export(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "fields", required_argument, NULL, 'F' },
		{ "value", required_argument, NULL, EXPORT_VALUE },
		{ "no-formulas", no_argument, NULL, EXPORT_NO_FORMULAS },
		{ "partition", no_argument, NULL, EXPORT_PARTITION },
		{ "host", required_argument, NULL, EXPORT_HOST },
		{ "recorded", required_argument, NULL, EXPORT_RECORDED },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "f:o:F:", .options = options,
		.usage = usage, .take = take_option,
	};
	struct export e = { 0 };
	int rc;
	size_t i;

	if (!strcmp(argv[0], "script"))
		verb = "script";
	e.rows.verb = verb;
	e.rows.unheaded = true;
	e.writer.rows = &e.rows;
	e.writer.columns = xcalloc(nr_fields, sizeof(*e.writer.columns));
	for (i = 0; i < nr_fields; i++)
		if (by_default(&fields[i]))
			add_column(&e, &fields[i]);
	rc = rows_options(&e.rows, &grammar, &e, argc, argv);
	if (rc < 0)
		rc = choose_format(&e) && check_options(&e, argc, argv) ? run(&e) : EXIT_USAGE;
	filter_free(e.rows.filter);
	free(e.writer.columns);
	return rc;
}
