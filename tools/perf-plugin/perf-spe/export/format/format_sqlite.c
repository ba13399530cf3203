// SPDX-License-Identifier: GPL-2.0-only
/*
 * An SQLite database with one table, "samples".  Numbers are SQLite's signed
 * 64-bit integers: an address of the upper half is negative there, and
 * printf('%x', pc) shows it as the other formats do.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "util/util.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>

struct database {
	sqlite3 *db;
	sqlite3_stmt *insert;
};

static int fail(struct writer *w, const struct database *d)
{
	int error = sqlite3_system_errno(d->db);

	if (!error && sqlite3_errcode(d->db) == SQLITE_FULL)
		error = ENOSPC;
	if (!w->failed && error)
		w->out->error = error;
	else if (!w->failed)
		say("export: cannot write %s: %s; name another file", w->path,
		    sqlite3_errmsg(d->db));
	w->failed = true;
	return -1;
}

/* Make "PREFIX(a ?, b ?, ..)"; @each follows each name, or replaces it. */
static char *statement(const struct writer *w, const char *prefix, bool names)
{
	char *text = xformat("%s(", prefix), *longer;
	size_t i;

	for (i = 0; i < w->nr_columns; i++) {
		longer = names ?
			xformat("%s%s\"%s\" %s", text, i ? ", " : "",
				w->columns[i]->name,
				w->columns[i]->kind == FIELD_TEXT ?
				"TEXT" : "INTEGER") :
			xformat("%s%s?", text, i ? ", " : "");
		free(text);
		text = longer;
	}
	return xappend(text, ")");
}

static int sqlite_begin(struct writer *w)
{
	struct database *d = xcalloc(1, sizeof(*d));
	char *create = statement(w, "CREATE TABLE samples", true);
	char *insert = statement(w, "INSERT INTO samples VALUES", false);
	int rc = 0;

	w->state = d;
	if (sqlite3_open(w->out->part_path, &d->db) ||
	    sqlite3_exec(d->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN",
			 NULL, NULL, NULL) ||
	    sqlite3_exec(d->db, create, NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(d->db, insert, -1, &d->insert, NULL))
		rc = fail(w, d);
	free(create);
	free(insert);
	if (rc < 0) {
		sqlite3_close(d->db);
		free(d);
	}
	return rc;
}

/* SQLite's text is UTF-8. */
static void bind_text(struct database *d, int column, const char *text)
{
	char *repaired = utf8_repaired(text);

	sqlite3_bind_text(d->insert, column, repaired ? repaired : text, -1, SQLITE_TRANSIENT);
	free(repaired);
}

static void sqlite_row(struct writer *w, const struct row *row)
{
	struct database *d = w->state;
	struct value v;
	size_t i;

	for (i = 0; i < w->nr_columns; i++) {
		const struct field *field = w->columns[i];

		v.present = false;
		field->get(row, field->arg, &v);
		if (!v.present)
			sqlite3_bind_null(d->insert, (int)i + 1);
		else if (field->kind == FIELD_TEXT)
			bind_text(d, (int)i + 1, v.text);
		else
			sqlite3_bind_int64(d->insert, (int)i + 1,
					   (sqlite3_int64)v.number);
	}
	if (sqlite3_step(d->insert) != SQLITE_DONE)
		fail(w, d);
	sqlite3_reset(d->insert);
}

static int sqlite_end(struct writer *w)
{
	struct database *d = w->state;

	sqlite3_finalize(d->insert);
	if (sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL))
		fail(w, d);
	sqlite3_close(d->db);
	free(d);
	return w->failed ? -1 : 0;
}

const struct format format_sqlite = {
	.name = "sqlite", .suffix = "db", .needs_path = true,
	.begin = sqlite_begin, .row = sqlite_row, .end = sqlite_end,
};

#else

const struct format format_sqlite = {
	.name = "sqlite", .suffix = "db",
	.missing = "export: cannot write SQLite files: this perf-spe was built without SQLite; use --format csv or jsonl",
};

#endif
