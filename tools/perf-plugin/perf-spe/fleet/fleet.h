/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_FLEET_FLEET_H
#define PERF_SPE_FLEET_FLEET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The windows of agents of many machines as three tables of an SQL database, and questions to it.
 *
 * windows: a row for each window.  host, id; begin_ns (since 1970, UTC), seconds, cpus, period (operations
 *	from one sample to the next), samples; other (samples without a sum of their own), cut (0 or
 *	1), raw_rows; truncated, partial, collision (AUX records), events (lost by perf),
 *	damaged_bytes.
 * sums: a row for each sum of a window.  host, id, begin_ns, period (at least 1) are those of the
 *	window; samples, cycles, latencies (JSON), cgroup, pod, container, object, build_id, symbol,
 *	address, node, source, source_code, events: see Documentation/perf-spe/reference/agent.md.
 *	NULL is not known.
 * rows: a row for each raw row.  host, id, begin_ns, period as in sums; weight (samples of the
 *	window for each raw row of it); cpu, time_ns, pid, tid, comm, op, address, va, cycles, issue,
 *	xlat; and of the sum cgroup, pod, container, object, build_id, symbol, node, source,
 *	source_code, events.
 */

/* questions.c: The SQL that each question stands for.  It also runs on other engines. */

struct fleet_question {
	const char *name, *about, *sql;
	const char *left_out;	/* SQL: which sums of loads whose source has no name it leaves out; NULL: none */
};

/* NULL behind the last one */
const struct fleet_question *fleet_question(unsigned int index);

/* fleet_db.c: Read the windows into a database. */

struct sqlite3;

struct fleet_counts {
	uint64_t windows, sums, rows;
	uint64_t twice;		/* windows that were there before: left out */
	uint64_t damaged;	/* files that are no whole window, each after a message: left out */
};

/*
 * Open an empty database, in memory and in an unnamed temporary file.  NULL after a message;
 * else close it with sqlite3_close().
 */
struct sqlite3 *fleet_open(void);
/*
 * Read the windows in @folder and below it, of hosts that match the glob pattern @host (NULL: all).
 * False after a message: @folder cannot be read, or the database cannot be written.
 */
bool fleet_read(struct sqlite3 *db, const char *folder, const char *host, struct fleet_counts *counts);
/* Read the file of one window, whatever its name; else as fleet_read().  A file that is gone adds no window. */
bool fleet_read_window(struct sqlite3 *db, const char *path, struct fleet_counts *counts);

#endif
