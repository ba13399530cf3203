// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows as rows of a Parquet file.  As in the spool, the first rows describe the windows.  The
 * rows of their sums follow, then the raw rows.
 */
#include "agent/agent.h"

#if defined(HAVE_ARROW) && defined(HAVE_SQLITE)

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/columnar/arrow.h"
#include "export/export.h"
#include "fleet/fleet.h"
#include "util/util.h"

/* A later version that removes a column, or changes its meaning, has a higher number. */
#define SCHEMA	"1"
#define ROWS	65536u		/* of a row group */

#define WHOLE_PERIOD	"CAST(period AS INTEGER)"

/* The columns, with their values in a row of a window, of a sum, and of a raw row */
#define COLUMNS										\
	X(id, TEXT32, "id", "id", "id")							\
	X(begin_ns, S64, "begin_ns", "begin_ns", "begin_ns")				\
	X(period, S64, WHOLE_PERIOD, WHOLE_PERIOD, WHOLE_PERIOD)			\
	X(duration_ns, S64, "CAST(round(seconds * 1e9) AS INTEGER)", "NULL", "NULL")	\
	X(cpus, S64, "cpus", "NULL", "NULL")						\
	X(window_samples, S64, "samples", "NULL", "NULL")				\
	X(other, S64, "other", "NULL", "NULL")						\
	X(raw_rows, S64, "raw_rows", "NULL", "NULL")					\
	X(cut, S64, "cut", "NULL", "NULL")						\
	X(truncated, S64, "truncated", "NULL", "NULL")					\
	X(partial, S64, "partial", "NULL", "NULL")					\
	X(collision, S64, "collision", "NULL", "NULL")					\
	X(lost_events, S64, "events", "NULL", "NULL")					\
	X(damaged_bytes, S64, "damaged_bytes", "NULL", "NULL")				\
	X(samples, S64, "NULL", "samples", "NULL")					\
	X(cycles, S64, "NULL", "cycles", "cycles")					\
	X(latencies, TEXT32, "NULL", "latencies", "NULL")				\
	X(cgroup, TEXT32, "NULL", "cgroup", "cgroup")					\
	X(pod, TEXT32, "NULL", "pod", "pod")						\
	X(container, TEXT32, "NULL", "container", "container")				\
	X(object, TEXT32, "NULL", "object", "object")					\
	X(build_id, TEXT32, "NULL", "build_id", "build_id")				\
	X(symbol, TEXT32, "NULL", "symbol", "symbol")					\
	X(address, TEXT32, "NULL", "address", "address")				\
	X(node, S64, "NULL", "node", "node")						\
	X(source, TEXT32, "NULL", "source", "source")					\
	X(source_code, S64, "NULL", "source_code", "source_code")			\
	X(events, TEXT32, "NULL", "events", "events")					\
	X(weight, F64, "NULL", "NULL", "weight")					\
	X(cpu, S64, "NULL", "NULL", "cpu")						\
	X(time_ns, S64, "NULL", "NULL", "time_ns")					\
	X(pid, S64, "NULL", "NULL", "pid")						\
	X(tid, S64, "NULL", "NULL", "tid")						\
	X(comm, TEXT32, "NULL", "NULL", "comm")						\
	X(op, TEXT32, "NULL", "NULL", "op")						\
	X(va, S64, "NULL", "NULL", "va")						\
	X(issue, S64, "NULL", "NULL", "issue")						\
	X(xlat, S64, "NULL", "NULL", "xlat")

#define X(name, type, window, sum, row) { #name, ARROW_##type },
static const struct { const char *name; enum arrow_type type; } columns[] = { COLUMNS };
#undef X
#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* SELECT takes an expression before the first column. */
#define X(name, type, window, sum, row) ", " window
#define SELECT_WINDOWS "SELECT 0" COLUMNS " FROM windows"
static const char select_rows[] = SELECT_WINDOWS
#undef X
#define X(name, type, window, sum, row) ", " sum
	" UNION ALL SELECT 1" COLUMNS " FROM sums"
#undef X
#define X(name, type, window, sum, row) ", " row
	" UNION ALL SELECT 2" COLUMNS " FROM rows";
#undef X

struct batch {
	struct arrow_column columns[NR_COLUMNS];
	void *values[NR_COLUMNS];
	uint8_t *valid[NR_COLUMNS];
	struct dictionary *texts[NR_COLUMNS];
	size_t rows;
};

static struct batch *batch_new(void)
{
	struct batch *b = xcalloc(1, sizeof(*b));
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++) {
		b->columns[i].name = columns[i].name;
		b->columns[i].type = columns[i].type;
		b->columns[i].values = b->values[i] = xcalloc(ROWS, sizeof(int64_t));
		b->columns[i].valid = b->valid[i] = xcalloc(ROWS / 8, 1);
		if (columns[i].type == ARROW_TEXT32)
			b->texts[i] = xcalloc(1, sizeof(*b->texts[i]));
	}
	return b;
}

static void batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++) {
		free(b->values[i]);
		free(b->valid[i]);
		if (b->texts[i])
			dictionary_free(b->texts[i]);
		free(b->texts[i]);
	}
	free(b);
}

static void add_row(struct batch *b, sqlite3_stmt *s)
{
	size_t i, row = b->rows++;

	for (i = 0; i < NR_COLUMNS; i++) {
		const int column = (int)i + 1;
		const char *text;

		if (sqlite3_column_type(s, column) == SQLITE_NULL) {
			b->columns[i].absent++;
			continue;
		}
		b->valid[i][row / 8] |= (uint8_t)(1u << row % 8);
		if (columns[i].type == ARROW_F64) {
			((double *)b->values[i])[row] = sqlite3_column_double(s, column);
			continue;
		}
		if (!b->texts[i]) {
			((int64_t *)b->values[i])[row] = sqlite3_column_int64(s, column);
			continue;
		}
		text = (const char *)sqlite3_column_text(s, column);
		((uint32_t *)b->values[i])[row] = dictionary_number(b->texts[i], text ? text : "");
	}
}

/* NULL, or why not, to be freed */
static char *flush(struct batch *b, struct arrow_file *to)
{
	char *why = NULL;
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++) {
		if (!b->texts[i])
			continue;
		b->columns[i].bytes = b->texts[i]->bytes;
		b->columns[i].end = b->texts[i]->end;
		b->columns[i].nr_texts = b->texts[i]->count;
	}
	if (b->rows)
		why = arrow_write(to, b->columns, b->rows);
	for (i = 0; i < NR_COLUMNS; i++) {
		memset(b->values[i], 0, b->rows * sizeof(int64_t));
		memset(b->valid[i], 0, ROWS / 8);
		b->columns[i].absent = 0;
		if (b->texts[i])
			dictionary_forget(b->texts[i]);
	}
	b->rows = 0;
	return why;
}

static char *write_rows(sqlite3 *db, struct arrow_file *to, struct batch *b)
{
	sqlite3_stmt *s = NULL;
	char *why = NULL;
	int rc = sqlite3_prepare_v2(db, select_rows, -1, &s, NULL);

	while (rc == SQLITE_OK && !why && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		rc = SQLITE_OK;
		add_row(b, s);
		if (b->rows == ROWS)
			why = flush(b, to);
	}
	if (!why && rc != SQLITE_DONE)
		why = xformat("%s", sqlite3_errmsg(db));
	sqlite3_finalize(s);
	return why ? why : flush(b, to);
}

/* Take the bytes of the finished file, which is in memory. */
static char *take_bytes(int fd, struct parquet_file *f)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return xformat("%s", strerror(errno));
	f->bytes = xcalloc(1, (size_t)st.st_size + 1);
	while (f->len < (size_t)st.st_size) {
		n = pread(fd, f->bytes + f->len, (size_t)st.st_size - f->len, (off_t)f->len);
		if (n <= 0)
			return xformat("%s", n ? strerror(errno) : "it is cut");
		f->len += (size_t)n;
	}
	return NULL;
}

static char *write_file(sqlite3 *db, const char *host, struct parquet_file *f)
{
	const struct arrow_note notes[] = { { "perf-spe.windows", SCHEMA }, { "perf-spe.host", host } };
	int fd = memfd_create("parquet", MFD_CLOEXEC);
	char *path, *why, *more;
	struct arrow_file *to;
	struct batch *b;

	if (fd < 0)
		return xformat("%s", strerror(errno));
	b = batch_new();
	path = xformat("/proc/self/fd/%d", fd);
	why = arrow_begin(&to, path, true, 1, b->columns, NR_COLUMNS, notes, 2);
	if (!why) {
		why = write_rows(db, to, b);
		more = arrow_end(to);
		if (why)
			free(more);
		else
			why = more;
	}
	if (!why)
		why = take_bytes(fd, f);
	batch_free(b);
	free(path);
	close(fd);
	return why;
}

/* The folder of the windows, and their host; false if there are several. */
static bool find_folder(sqlite3 *db, char **folder, char **host)
{
	static const char sql[] = "SELECT host, begin_ns / 3600000000000 FROM windows GROUP BY 1, 2";
	sqlite3_stmt *s = NULL;
	bool one = false;

	*folder = *host = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
		*host = xformat("%s", (const char *)sqlite3_column_text(s, 0));
		*folder = partition_folder(*host, sqlite3_column_int64(s, 1));
		one = sqlite3_step(s) == SQLITE_DONE;
	}
	sqlite3_finalize(s);
	return one;
}

char *parquet_make(char *const *paths, size_t count, struct parquet_file *f)
{
	struct fleet_counts counts = { 0 };
	sqlite3 *db = fleet_open();
	char *host = NULL, *why = NULL;
	size_t i;

	*f = (struct parquet_file){ 0 };
	for (i = 0; db && i < count; i++)
		if (!fleet_read_window(db, paths[i], &counts))
			break;
	if (!db || i < count)
		why = xformat("a window cannot be kept in a database");
	f->damaged = counts.damaged;
	f->windows = counts.windows;
	if (!why && f->windows && !find_folder(db, &f->folder, &host))
		f->windows = 0;
	if (!why && f->windows)
		why = write_file(db, host, f);
	sqlite3_close(db);
	free(host);
	return why;
}

void parquet_free(struct parquet_file *f)
{
	free(f->bytes);
	free(f->folder);
}

const char *parquet_missing(void)
{
	return NULL;
}

#else

#include "util/util.h"

char *parquet_make(char *const *paths, size_t count, struct parquet_file *f)
{
	(void)paths, (void)count;
	*f = (struct parquet_file){ 0 };
	return xformat("%s", parquet_missing());
}

void parquet_free(struct parquet_file *f)
{
	(void)f;
}

const char *parquet_missing(void)
{
	return "parquet_to needs Apache Arrow's library and SQLite, without which this perf-spe was built";
}

#endif
