// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe fleet: questions to the windows that the agents of many machines wrote.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet.h"
#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

#define USUAL_LIMIT	20

enum { OPT_SQL = 256, OPT_HOST, OPT_LIMIT, OPT_SHOW };

static void usage(FILE *to)
{
	unsigned int i;

	fputs("usage: perf spe fleet [OPTIONS] QUESTION FOLDER...\n"
	      "       perf spe fleet [OPTIONS] --sql TEXT FOLDER...\n"
	      "\n"
	      "Answers a question from the windows of perf spe agent in and below each FOLDER, of one\n"
	      "machine or of many. If two files hold the same window, it counts once.\n"
	      "\n", to);
	for (i = 0; fleet_question(i); i++)
		fprintf(to, "  %-12s %s\n", fleet_question(i)->name, fleet_question(i)->about);
	fputs("\n"
	      "      --sql TEXT      run this SELECT on the tables windows, sums and rows instead\n"
	      "      --show-sql      print the SQL of the question, and read no folder\n"
	      "      --host GLOB     only windows of hosts whose names match GLOB, such as 'web*'\n"
	      "      --limit N       print at most N rows (default: 20; with --json and --csv all)\n"
	      DATA_HELP
	      "  -h, --help          this text\n", to);
}

#ifdef HAVE_SQLITE

#include <sqlite3.h>

static const char *fleet_table(unsigned int index)
{
	return index ? NULL : "rows";
}

struct fleet {
	const char *sql, *host;
	const struct fleet_question *question;	/* NULL: --sql */
	uint64_t limit;
	struct data_options data;
};

static void put_data(struct data *d, sqlite3_stmt *s, int column)
{
	const char *name = sqlite3_column_name(s, column);

	switch (sqlite3_column_type(s, column)) {
	case SQLITE_NULL:
		data_none(d, name);
		break;
	case SQLITE_INTEGER:
		data_signed(d, name, sqlite3_column_int64(s, column));
		break;
	case SQLITE_FLOAT:
		/* JSON has no infinite numbers. */
		data_real(d, name, isfinite(sqlite3_column_double(s, column)), sqlite3_column_double(s, column));
		break;
	default:
		data_text(d, name, (const char *)sqlite3_column_text(s, column));
	}
}

/* Print the rows of @s for programs; the status of its last step. */
static int print_data(const struct fleet *f, sqlite3_stmt *s, const struct fleet_counts *counts)
{
	const uint64_t limit = data_limit(&f->data, f->limit, USUAL_LIMIT);
	uint64_t n = 0;
	struct data d;
	int rc, i;

	data_begin(&d, &f->data, "fleet", stdout);
	data_number(&d, "windows", counts->windows);
	data_number(&d, "sums", counts->sums);
	data_number(&d, "raw_rows", counts->rows);
	data_number(&d, "twice", counts->twice);
	data_number(&d, "damaged", counts->damaged);
	data_table(&d, "rows");
	while ((rc = sqlite3_step(s)) == SQLITE_ROW && n++ < limit) {
		data_row(&d);
		for (i = 0; i < sqlite3_column_count(s); i++)
			put_data(&d, s, i);
		data_row_end(&d);
	}
	data_table_end(&d);
	data_end(&d);
	return rc;
}

static bool is_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return end != text && !*end;
}

/* A column is one of numbers if all of its first rows are. */
static int print_text(const struct fleet *f, sqlite3_stmt *s, const struct fleet_counts *counts)
{
	const int columns = sqlite3_column_count(s);
	const uint64_t limit = f->limit ? f->limit : USUAL_LIMIT;
	bool *names = xcalloc((size_t)columns + 1, sizeof(*names));
	char **cells = NULL;
	size_t nr = 0, room = 0, at;
	struct grid g = { 0 };
	uint64_t rows = 0, more = 0;
	int rc, i;

	while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
		if (rows == limit) {
			more++;
			continue;
		}
		for (i = 0; i < columns; i++) {
			const char *text = (const char *)sqlite3_column_text(s, i);

			cells = array_grow(cells, nr, &room, sizeof(*cells));
			cells[nr++] = xformat("%s", text ? text : "-");
			names[i] |= text && !is_number(text);
		}
		rows++;
	}
	printf("# %" PRIu64 " window%s of %" PRIu64 " sum%s\n", counts->windows, plural(counts->windows),
	       counts->sums, plural(counts->sums));
	for (i = 0; i < columns; i++)
		grid_column(&g, names[i] ? GRID_NAME : GRID_NUMBER, "", sqlite3_column_name(s, i), i);
	for (at = 0; at < nr; at++) {
		grid_cell(&g, cells[at]);
		free(cells[at]);
	}
	if (rows)
		grid_print_fitted(&g, stdout);
	else if (rc == SQLITE_DONE)
		puts("# no row");
	if (more)
		printf("# %" PRIu64 " more row%s\n", more, plural(more));
	grid_free(&g);
	free(cells);
	free(names);
	return rc;
}

/* Questions do not change what was read, and cannot reach other files. */
static int allow_reading(void *context, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)context, (void)a, (void)b, (void)c, (void)d;
	return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
	       action == SQLITE_RECURSIVE ? SQLITE_OK : SQLITE_DENY;
}

static int answer(const struct fleet *f, sqlite3 *db, const struct fleet_counts *counts)
{
	sqlite3_stmt *s = NULL;
	const char *rest = "";
	int rc;

	sqlite3_set_authorizer(db, allow_reading, NULL);
	rc = sqlite3_prepare_v2(db, f->sql, -1, &s, &rest);
	if (rc == SQLITE_OK && s && !rest[strspn(rest, " \t\n;")]) {
		rc = f->data.form ? print_data(f, s, counts) : print_text(f, s, counts);
		/* With a limit there may be more rows. */
		rc = rc == SQLITE_ROW ? SQLITE_DONE : rc;
	} else if (rc == SQLITE_OK) {
		say("fleet: --sql takes one SELECT, not several or none");
	}
	if (rc != SQLITE_OK && rc != SQLITE_DONE)
		say("fleet: --sql: %s; the tables are windows, sums and rows, and only SELECT is allowed", sqlite3_errmsg(db));
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? EXIT_OK : EXIT_USAGE;
}

/* Of a core whose sources have no names, loads have only a code, which the question does not ask for. */
static void say_unnamed(sqlite3 *db, const struct fleet_question *q)
{
	char *sql = xformat("SELECT sum(samples) FROM sums WHERE source IS NULL AND source_code IS NOT NULL AND %s",
			    q->left_out);
	sqlite3_stmt *s = NULL;
	int64_t samples = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		samples = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	free(sql);
	if (samples)
		say("fleet: %s leaves out %" PRId64 " sample%s of loads whose data source has only a code, because perf-spe does not know its name on that core",
		    q->name, samples, plural((uint64_t)samples));
}

static int run(const struct fleet *f, char **folders)
{
	struct fleet_counts counts = { 0 };
	sqlite3 *db = fleet_open();
	int rc = db ? EXIT_OK : EXIT_INPUT;

	for (; rc == EXIT_OK && *folders; folders++)
		if (!fleet_read(db, *folders, f->host, &counts))
			rc = EXIT_INPUT;
	if (counts.twice)
		say("fleet: %" PRIu64 " window%s there twice: counted once", counts.twice,
		    counts.twice == 1 ? " is" : "s are");
	if (rc == EXIT_OK && !counts.windows && f->host)
		say("fleet: no window of a host that matches '%s': change --host, or name another folder", f->host);
	else if (rc == EXIT_OK && !counts.windows)
		say("fleet: found no window of perf spe agent: name the folder of its setting 'spool', or a copy of it");
	/* The values have the messages, so say it before. */
	if (rc == EXIT_OK && f->question && f->question->left_out)
		say_unnamed(db, f->question);
	if (rc == EXIT_OK)
		rc = counts.windows ? answer(f, db, &counts) : EXIT_INPUT;
	if (rc == EXIT_OK && counts.damaged)
		rc = EXIT_INPUT;
	sqlite3_close(db);
	return rc;
}

static const char *fleet_word(unsigned int index)
{
	const struct fleet_question *q = fleet_question(index);

	return q ? q->name : NULL;
}

static bool find_question(struct fleet *f, const char *name)
{
	char *proposal;
	unsigned int i;

	for (i = 0; fleet_question(i); i++) {
		if (!strcmp(fleet_question(i)->name, name)) {
			f->question = fleet_question(i);
			f->sql = f->question->sql;
			return true;
		}
	}
	proposal = suggest(fleet_word, name, strlen(name));
	say("fleet: unknown question '%s'; %s", name, proposal);
	free(proposal);
	return false;
}

int verb_fleet(int argc, char **argv)
{
	static const struct option options[] = {
		{ "sql", required_argument, NULL, OPT_SQL },
		{ "show-sql", no_argument, NULL, OPT_SHOW },
		{ "host", required_argument, NULL, OPT_HOST },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		DATA_OPTIONS,
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct fleet f = { 0 };
	bool show = false;
	int option;

	while ((option = option_next("fleet", argc, argv, "h", options)) != -1) {
		switch (option) {
		case 'h':
			usage(stdout);
			return EXIT_OK;
		case OPT_SQL:
			f.sql = optarg;
			break;
		case OPT_SHOW:
			show = true;
			break;
		case OPT_HOST:
			f.host = optarg;
			break;
		case OPT_LIMIT:
			if (!parse_count("fleet", "limit", optarg, &f.limit))
				return EXIT_USAGE;
			break;
		case DATA_OPTION_JSON:
		case DATA_OPTION_CSV:
			if (!data_take(&f.data, "fleet", fleet_table, option))
				return EXIT_USAGE;
			break;
		default:
			return EXIT_USAGE;
		}
	}
	if (!f.sql && optind == argc) {
		say("fleet: no question given: 'perf spe help fleet' lists the questions");
		return EXIT_USAGE;
	}
	if (!f.sql && !find_question(&f, argv[optind++]))
		return EXIT_USAGE;
	if (show) {
		fputs(f.sql, stdout);
		return EXIT_OK;
	}
	if (optind == argc) {
		say("fleet: no folder given: name the folder with the windows of perf spe agent");
		return EXIT_USAGE;
	}
	return run(&f, argv + optind);
}

#else

int verb_fleet(int argc, char **argv)
{
	(void)argc, (void)argv;
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		usage(stdout);
		return EXIT_OK;
	}
	say("fleet: this perf-spe was built without SQLite: install libsqlite3-dev, and run make tools again");
	return EXIT_INPUT;
}

#endif
