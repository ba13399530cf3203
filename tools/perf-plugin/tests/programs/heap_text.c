// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a heap's log: heap-text LOG
 * a line for the header, then one for each record in order of time, then what is damaged.
 */
#include <inttypes.h>
#include <stdio.h>

#include "input/input.h"

static void print(void *context, const struct heap_record *rec)
{
	(void)context;
	if (rec->kind == HEAP_ALLOC)
		printf("alloc %#" PRIx64 " %" PRIu64 " %#" PRIx64 " %d %" PRIu64 "\n", rec->address,
		       rec->size, rec->site, rec->tid, rec->time);
	else
		printf("free %#" PRIx64 " 0 0 %d %" PRIu64 "\n", rec->address, rec->tid,
		       rec->time);
}

int main(int argc, char **argv)
{
	struct heap_log log;

	if (argc != 2 || heap_log_open(&log, argv[1]) < 0)
		return 1;
	printf("log %d %d %#" PRIx64 " %" PRIu64 "\n", log.header.pid, log.header.parent,
	       log.header.id, log.header.lost);
	heap_log_sorted(&log, print, NULL);
	printf("end %" PRIu64 " %" PRIu64 "\n", log.missing, log.damaged);
	heap_log_close(&log);
	return 0;
}
