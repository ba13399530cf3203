/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of recordings from many machines, as files of one folder that says
 * by its folders' names which rows they have: host=H/date=D/hour=N, in UTC.
 */
#ifndef PERF_SPE_PARTITION_H
#define PERF_SPE_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fields.h"
#include "analysis/rows.h"
#include "export/format.h"

/* Files that are open at a time, each with a batch of rows in memory */
#define PARTITION_FILES	4
/* More than a recording has, unless its timestamps are none */
#define PARTITION_MOST	4096

struct partition {
	const struct writer *like;	/* format, columns, and path: the folder */
	bool recorded;			/* partition_recorded() was called */
	char *host;
	uint64_t id;			/* of the recording, in files' names */
	bool has_clock;			/* of perf's, to tell the time by */
	int64_t epoch;			/* ns: wall clock less perf's clock */
	int64_t end;			/* s: when the recording ended */
	/* As they will be called when all is written, without PARTITION_PART */
	char **paths;
	size_t nr_paths, room_paths;
	unsigned int in_use;		/* open, the longest unused first */
	struct partition_file {
		int64_t hour;		/* since 1970 */
		struct writer writer;
		char *part;		/* the writer's path */
	} files[PARTITION_FILES];
	bool failed;			/* a message was given */
};

/* When it ended, as --recorded says it; false after a message */
bool partition_recorded(struct partition *p, const char *text);

/*
 * Find out whose recording @r is and when it was made; @host NULL: as the
 * file says.  0, or -1 after a message.  partition_end() in each case.
 */
int partition_begin(struct partition *p, struct rows *r, const char *host);
void partition_row(struct partition *p, const struct row *row);
/*
 * 0, or -1 after a message, now or before.  The files get their names here, so
 * that who looks for them finds all of them, or none where something failed.
 */
int partition_end(struct partition *p);

#endif
