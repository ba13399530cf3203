// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the files of perf spe agent, an object of JSON in each line, with SQLite's own functions
 * for JSON: one statement for the window of the first line, two for each sum and its raw rows.
 */
#include "fleet/fleet.h"

#ifdef HAVE_SQLITE

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

#define SUFFIX	".jsonl"
/* A line that is longer is none of the agent's, whose names are cut. */
#define LINE_MOST	((size_t)1 << 20)
/* No count of a window is larger, and half a million of these can be added up in 64 bits. */
#define MOST	"17592186044416"

/* The columns with their names in a file's object; parameter 1 is the line. */
#define WINDOW_COLUMNS							\
	X(host, "host") X(id, "id") X(begin_ns, "begin_ns") WINDOW_NUMBERS
#define WINDOW_NUMBERS							\
	X(seconds, "seconds") X(cpus, "cpus") X(period, "period") X(samples, "samples")	\
	X(other, "other") X(raw_rows, "raw_rows") X(cut, "cut")		\
	X(truncated, "lost.truncated") X(partial, "lost.partial")		\
	X(collision, "lost.collision") X(events, "lost.events") X(damaged_bytes, "lost.damaged_bytes")
#define SUM_COLUMNS							\
	X(samples, "samples") X(cycles, "cycles") X(latencies, "latencies") X(cgroup, "cgroup") \
	X(pod, "pod") X(container, "container") X(object, "object") X(build_id, "build_id") \
	X(symbol, "symbol") X(address, "address") X(node, "node") X(source, "source")	\
	X(source_code, "source_code") X(events, "events")
/* Of a raw row, in JSON as in the table */
#define RAW_COLUMNS RAW_NUMBERS X(time_ns) X(va) X(comm) X(op) X(address)
#define RAW_NUMBERS X(cpu) X(pid) X(tid) X(cycles) X(issue) X(xlat)

#define X(column, key) ", " #column
static const char tables[] =
	"CREATE TABLE windows(format, sums" WINDOW_COLUMNS ", UNIQUE(host, id));"
	"CREATE TABLE sums(host, id, begin_ns, period" SUM_COLUMNS
	", CHECK(typeof(samples) = 'integer' AND samples BETWEEN 0 AND " MOST
	" AND coalesce(cycles, 0) BETWEEN 0 AND 9223372036854775807));";
#undef X
/* What a raw row does not have itself is that of its sum. */
static const char raw_tables[] =
#define X(column) ", " #column
	"CREATE TABLE raw(sum, weight" RAW_COLUMNS
#undef X
#define X(column) " AND coalesce(" #column ", 0) BETWEEN 0 AND 4294967295"
	", CHECK(typeof(coalesce(time_ns, 0)) = 'integer' AND typeof(coalesce(va, 0)) = 'integer'"
	RAW_NUMBERS "));"
#undef X
#define X(column) ", raw." #column
	"CREATE VIEW rows AS SELECT s.host, s.id, s.begin_ns, s.period, weight" RAW_COLUMNS
	", s.cgroup, s.pod, s.container, s.object, s.build_id, s.symbol, s.node, s.source, s.source_code, s.events"
	" FROM raw JOIN sums s ON s.rowid = raw.sum;";
#undef X
/* What check_window() needs; text is above all numbers.  Weights are real: whole ones would exceed 64 bits. */
#define X(column, key) " AND coalesce(" #column ", 0) BETWEEN 0 AND " MOST
static const char get_window[] =
	"SELECT host, id, begin_ns, max(coalesce(CAST(period AS REAL), 1.0), 1.0), format, sums, "
	"typeof(begin_ns) = 'integer' AND begin_ns >= 0" WINDOW_NUMBERS
	", coalesce(raw_rows, 0), CAST(samples AS REAL) / raw_rows"
	" FROM windows WHERE rowid = last_insert_rowid()";
#undef X
#define X(column, key) ", json_extract(?1, '$." key "')"
static const char add_window[] =
	"INSERT INTO windows SELECT json_extract(?1, '$.format'), json_extract(?1, '$.sums')" WINDOW_COLUMNS;
static const char add_sum[] =
	"INSERT INTO sums SELECT ?2, ?3, ?4, ?5" SUM_COLUMNS;
#undef X
#define X(column) ", json_extract(value, '$." #column "')"
static const char add_rows[] =
	"INSERT INTO raw SELECT ?2, ?3" RAW_COLUMNS
	" FROM json_each(?1, '$.rows') WHERE type = 'object'";
#undef X

struct reader {
	sqlite3 *db;
	sqlite3_stmt *window, *sum, *rows, *whose;
	struct fleet_counts *counts;
	const char *host;	/* a pattern, or NULL */
	char line[LINE_MOST];
};

static bool database_failed(const struct reader *r)
{
	const char *disk = sqlite3_errcode(r->db) == SQLITE_FULL ||
			   (sqlite3_errcode(r->db) & 255) == SQLITE_IOERR ?
		"; name a folder with free space in the variable TMPDIR" : "";

	say("fleet: cannot keep the windows: %s%s", sqlite3_errmsg(r->db), disk);
	return false;
}

sqlite3 *fleet_open(void)
{
	sqlite3 *db;

	/* The file is unnamed, and small ones never reach the disk. */
	if (sqlite3_open("", &db) == SQLITE_OK &&
	    sqlite3_exec(db, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;", NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, tables, NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, raw_tables, NULL, NULL, NULL) == SQLITE_OK)
		return db;
	say("fleet: cannot open a database in memory: %s", sqlite3_errmsg(db));
	sqlite3_close(db);
	return NULL;
}

/* Run @s with the line; SQLITE_DONE, or an error. */
static int put_line(sqlite3_stmt *s, const char *line, size_t len)
{
	int rc = sqlite3_bind_text64(s, 1, line, len, SQLITE_STATIC, SQLITE_UTF8);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	sqlite3_reset(s);
	return rc & 255;
}

/* What a window's first line says, and what its other lines have */
struct content {
	sqlite3_int64 sums, rows;
};

/* What is wrong with the window that was added last, or NULL; sets *@told to what must follow. */
static const char *check_window(struct reader *r, struct content *told, bool *wanted)
{
	const char *host, *why = NULL;
	int i;

	if (sqlite3_step(r->whose) != SQLITE_ROW)
		return "it cannot be read back";
	host = (const char *)sqlite3_column_text(r->whose, 0);
	if (sqlite3_column_type(r->whose, 4) != SQLITE_INTEGER)
		why = "its first line does not describe a window";
	else if (sqlite3_column_int(r->whose, 4) != 1)
		why = "a newer perf-spe wrote it: use that version";
	else if (!host || sqlite3_column_type(r->whose, 1) != SQLITE_TEXT ||
		 sqlite3_column_type(r->whose, 5) != SQLITE_INTEGER || !sqlite3_column_int(r->whose, 6))
		why = "its first line does not describe a window";
	told->sums = sqlite3_column_int64(r->whose, 5);
	told->rows = sqlite3_column_int64(r->whose, 7);
	*wanted = why || !r->host || !fnmatch(r->host, host, 0);
	for (i = 0; !why && i < 4; i++)
		sqlite3_bind_value(r->sum, i + 2, sqlite3_column_value(r->whose, i));
	sqlite3_bind_value(r->rows, 3, sqlite3_column_value(r->whose, 8));
	sqlite3_reset(r->whose);
	return why;
}

/* The next line, or a part of one that is too long, which is no JSON; its length, 0 at the end */
static size_t read_line(struct reader *r, FILE *from)
{
	size_t len = 0;
	int c = 0;

	while (len < LINE_MOST && c != '\n' && (c = getc_unlocked(from)) != EOF)
		r->line[len++] = (char)c;
	return len;
}

/* Add the sum in r->line, and its raw rows; NULL, or what is wrong with it. */
static const char *put_sum(struct reader *r, size_t len, bool raw, struct content *found,
			   bool *failed)
{
	int rc = put_line(r->sum, r->line, len);
	const char *why = NULL;

	found->sums++;
	if (rc != SQLITE_DONE) {
		why = "a line is not a sum";
	} else if (raw) {
		sqlite3_bind_int64(r->rows, 2, sqlite3_last_insert_rowid(r->db));
		rc = put_line(r->rows, r->line, len);
		if (rc != SQLITE_DONE)
			why = "a raw row has a value that no agent writes";
		else
			found->rows += sqlite3_changes(r->db);
	}
	*failed = why && rc != SQLITE_ERROR && rc != SQLITE_CONSTRAINT;
	return why;
}

/* Read a window.  NULL, or why there is none; *@failed: the database failed. */
static const char *read_window(struct reader *r, FILE *from, bool *failed)
{
	struct content told = { 0 }, found = { 0 };
	const char *why = NULL;
	size_t len = read_line(r, from);
	bool wanted = true;
	int rc;

	if (!len) {
		why = "it is empty";
	} else {
		rc = put_line(r->window, r->line, len);
		if (rc == SQLITE_CONSTRAINT) {
			r->counts->twice++;
			wanted = false;
		} else if (rc == SQLITE_DONE) {
			why = check_window(r, &told, &wanted);
			if (!wanted)
				sqlite3_exec(r->db, "ROLLBACK TO file", NULL, NULL, NULL);
		} else {
			why = "its first line is not JSON";
			*failed = rc != SQLITE_ERROR;
		}
	}
	while (!why && wanted && (len = read_line(r, from)))
		why = put_sum(r, len, told.rows, &found, failed);
	/* The last line may have what had no sum of its own. */
	if (!why && wanted && found.sums != told.sums && found.sums != told.sums + 1)
		why = "it has more or fewer lines than its first line says";
	if (!why && wanted && found.rows != told.rows)
		why = "it has more or fewer raw rows than its first line says";
	if (!why && ferror(from))
		why = "it cannot be read";
	if (!why && wanted) {
		r->counts->windows++;
		r->counts->sums += (uint64_t)found.sums;
		r->counts->rows += (uint64_t)found.rows;
	}
	return why;
}

/* A file that is no whole window counts nothing.  False: the database failed. */
static bool read_file(struct reader *r, const char *path)
{
	FILE *from = fopen(path, "re");
	const char *why;
	bool failed = false;

	/* An agent that needs room deletes windows while others read. */
	if (!from && errno == ENOENT)
		return true;
	if (!from) {
		say("fleet: cannot read %s: %s; its window is left out", path, strerror(errno));
		r->counts->damaged++;
		return true;
	}
	sqlite3_exec(r->db, "SAVEPOINT file", NULL, NULL, NULL);
	why = read_window(r, from, &failed);
	fclose(from);
	if (why && failed)
		return database_failed(r);
	if (why) {
		sqlite3_exec(r->db, "ROLLBACK TO file", NULL, NULL, NULL);
		say("fleet: cannot use the window %s: %s; it is left out", path, why);
		r->counts->damaged++;
	}
	return sqlite3_exec(r->db, "RELEASE file", NULL, NULL, NULL) == SQLITE_OK || database_failed(r);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_window(const FTSENT *e)
{
	return e->fts_info == FTS_F && e->fts_namelen > strlen(SUFFIX) &&
	       !strcmp(e->fts_name + e->fts_namelen - strlen(SUFFIX), SUFFIX);
}

static bool read_folder(struct reader *r, const char *folder)
{
	char *path = xformat("%s", folder), *const roots[] = { path, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	FTSENT *e = NULL;
	bool good = tree != NULL;

	if (!tree)
		say("fleet: cannot read %s: %s; name a folder that you may read", folder, strerror(errno));
	while (good && (e = fts_read(tree)) != NULL) {
		if (e->fts_level > 0 && e->fts_errno == ENOENT)
			continue;
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS) {
			say("fleet: cannot read %s: %s; name a folder that you may read", e->fts_path, strerror(e->fts_errno));
			good = false;
		} else if (is_window(e)) {
			good = read_file(r, e->fts_path);
		}
	}
	if (tree)
		fts_close(tree);
	free(path);
	return good;
}

/* Call @read with @path. */
static bool with_reader(sqlite3 *db, bool (*read)(struct reader *r, const char *path), const char *path,
			const char *host, struct fleet_counts *counts)
{
	struct reader *r = xcalloc(1, sizeof(*r));
	bool good = false;

	r->db = db;
	r->counts = counts;
	r->host = host;
	if (sqlite3_prepare_v2(db, add_window, -1, &r->window, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, add_sum, -1, &r->sum, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, add_rows, -1, &r->rows, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, get_window, -1, &r->whose, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK) {
		good = read(r, path);
		if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
			good = good && database_failed(r);
	} else {
		database_failed(r);
	}
	sqlite3_finalize(r->window);
	sqlite3_finalize(r->sum);
	sqlite3_finalize(r->rows);
	sqlite3_finalize(r->whose);
	free(r);
	return good;
}

bool fleet_read(sqlite3 *db, const char *folder, const char *host, struct fleet_counts *counts)
{
	return with_reader(db, read_folder, folder, host, counts);
}

bool fleet_read_window(sqlite3 *db, const char *path, struct fleet_counts *counts)
{
	return with_reader(db, read_file, path, NULL, counts);
}

#else

/* ISO C wants a declaration. */
extern int fleet_db_unused;

#endif
