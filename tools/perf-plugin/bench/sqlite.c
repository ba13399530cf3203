// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast SQLite inserts the rows of an exported database, without perf-spe: the
 * ceiling of "export --format sqlite".
 *
 *   sqlite EXPORTED-DATABASE NEW-DATABASE
 *
 * Holds the first rows in memory and inserts them again and again, by one prepared
 * statement in one transaction, until NEW-DATABASE has as many rows as the other.
 * Prints the seconds of CPU time from the first insertion to the end of the commit.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROWS	65536

static sqlite3_value **values;		/* of the rows in memory, row by row */
static int columns;
static long rows, all;

static void check(sqlite3 *db, int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "sqlite: cannot %s: %s\n", what, sqlite3_errmsg(db));
	exit(1);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s;

	check(db, sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK, sql);
	return s;
}

/* The first row of a query, whose first column the caller wants */
static sqlite3_stmt *first(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = prepare(db, sql);

	check(db, sqlite3_step(s) == SQLITE_ROW, sql);
	return s;
}

static void load(sqlite3 *db)
{
	sqlite3_stmt *s = first(db, "SELECT count(*) FROM samples");
	int i;

	all = (long)sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	s = prepare(db, "SELECT * FROM samples");
	columns = sqlite3_column_count(s);
	values = calloc((size_t)ROWS * (size_t)columns, sizeof(*values));
	check(db, values != NULL, "hold the rows");
	for (; rows < ROWS && sqlite3_step(s) == SQLITE_ROW; rows++)
		for (i = 0; i < columns; i++)
			values[rows * columns + i] =
				sqlite3_value_dup(sqlite3_column_value(s, i));
	sqlite3_finalize(s);
	check(db, rows > 0, "find rows");
}

/* A table like the other, and the statement that inserts a row */
static sqlite3_stmt *begin(sqlite3 *from, sqlite3 *to)
{
	sqlite3_stmt *s = first(from, "SELECT sql FROM sqlite_master WHERE name = 'samples'");
	char sql[4096];
	int i, len;

	check(to, sqlite3_exec(to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN",
			       NULL, NULL, NULL) == SQLITE_OK, "begin");
	check(to, sqlite3_exec(to, (const char *)sqlite3_column_text(s, 0), NULL,
			       NULL, NULL) == SQLITE_OK, "create the table");
	sqlite3_finalize(s);
	len = snprintf(sql, sizeof(sql), "INSERT INTO samples VALUES(?");
	for (i = 1; i < columns; i++)
		len += snprintf(sql + len, sizeof(sql) - (size_t)len, ",?");
	snprintf(sql + len, sizeof(sql) - (size_t)len, ")");
	return prepare(to, sql);
}

static void insert(sqlite3 *db, sqlite3_stmt *s, sqlite3_value *const *row)
{
	int i;

	for (i = 0; i < columns; i++)
		switch (sqlite3_value_type(row[i])) {
		case SQLITE_NULL:
			sqlite3_bind_null(s, i + 1);
			break;
		case SQLITE_INTEGER:
			sqlite3_bind_int64(s, i + 1, sqlite3_value_int64(row[i]));
			break;
		default:
			sqlite3_bind_text(s, i + 1, (const char *)sqlite3_value_text(row[i]),
					  sqlite3_value_bytes(row[i]), SQLITE_STATIC);
		}
	check(db, sqlite3_step(s) == SQLITE_DONE, "insert");
	sqlite3_reset(s);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	sqlite3 *from, *to;
	sqlite3_stmt *s;
	double start;
	long n;

	if (argc != 3)
		return 2;
	check(from, sqlite3_open(argv[1], &from) == SQLITE_OK, "open the first");
	check(to, sqlite3_open(argv[2], &to) == SQLITE_OK, "open the second");
	load(from);
	s = begin(from, to);
	start = seconds();
	for (n = 0; n < all; n++)
		insert(to, s, values + n % rows * columns);
	sqlite3_finalize(s);
	check(to, sqlite3_exec(to, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, "commit");
	check(to, sqlite3_close(to) == SQLITE_OK, "close");
	printf("%.3f\n", seconds() - start);
	return 0;
}
