/* SPDX-License-Identifier: GPL-2.0-only */
/* Why samples have no symbols: recorded files that cannot be read, times that are unknown. */
#ifndef PERF_SPE_ABSENT_H
#define PERF_SPE_ABSENT_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash_table.h"

struct symbols;

struct absent {
	const char **names;	/* as recorded, each once */
	size_t nr, room;
	uint64_t untimed;	/* samples: see struct place */
	struct hash_table known;	/* the same pointers */
	const char *last;		/* of absent_add() */
};

/* @name is that of a struct dso: equal names have equal pointers. */
void absent_add(struct absent *a, const char *name);
void absent_join(struct absent *a, const struct absent *more);
/* One message for all files that do not exist, one for those that differ, one for times */
void absent_say(const struct absent *a, struct symbols *syms);
void absent_free(struct absent *a);

#endif
