/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write the rows of recordings from many machines below one folder.  The names of
 * its subfolders say which rows they hold: host=H/date=D/hour=N, in UTC.
 */
#ifndef PERF_SPE_PARTITION_H
#define PERF_SPE_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/rows/rows.h"
#include "export/format.h"

/* Files open at the same time; each has a batch of rows in memory. */
#define PARTITION_FILES	4
/* A recording needs fewer files, unless its timestamps are damaged. */
#define PARTITION_MOST	4096

struct partition {
	const struct writer *like;	/* format, columns, and path: the folder */
	bool recorded;			/* partition_recorded() was called */
	char *host;
	uint64_t id;			/* of the recording, in files' names */
	bool has_clock;			/* samples have times of perf's clock */
	int64_t epoch;			/* ns: wall clock less perf's clock */
	int64_t end;			/* s: when the recording ended */
	/* Final names, without PARTITION_PART */
	char **paths;
	size_t nr_paths, room_paths;
	unsigned int in_use;		/* open files, least recently used first */
	struct partition_file {
		int64_t hour;		/* since 1970 */
		struct writer writer;
		char *part;		/* the writer's path */
	} files[PARTITION_FILES];
	bool failed;			/* after a message */
};

/* Parse --recorded: when the recording ended; false after a message. */
bool partition_recorded(struct partition *p, const char *text);

/*
 * Find out which host made the recording @r and when; @host NULL takes the file's
 * host.  Returns 0, or -1 after a message; call partition_end() in both cases.
 */
int partition_begin(struct partition *p, struct rows *r, const char *host);
void partition_row(struct partition *p, const struct row *row);
/*
 * Give all files their final names, or remove them if anything failed, so that
 * readers of the folder see all of a recording or nothing.  Returns 0, or -1 after
 * a message, now or earlier.
 */
int partition_end(struct partition *p);

#endif
