/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the structure that a user names: among those with samples, or else in all DWARF. */
#ifndef PERF_SPE_LAYOUT_FIND_H
#define PERF_SPE_LAYOUT_FIND_H

#include <stddef.h>

#include "analysis/layout/layout_types.h"
#include "symbols/symbols.h"
#include "util/string_set.h"

struct layout_find {
	const char *name;		/* "struct queue", "queue", "queue_t", "space::box" */
	const char *object;		/* only in files whose path contains it; NULL: in any */
	const char *declared;		/* only a declaration whose "FILE:LINE" contains it; NULL: any */
	struct layout_types *types;
	struct layout_type **found;	/* several: of the same name, with different layouts */
	size_t nr, room;
	/* Only if no sample is in a type of this name */
	size_t files, bare;		/* files with DWARF, and without */
	struct string_set names;	/* of the types in them, */
	const char **list;		/* the same as a list, */
	size_t nr_names, room_names;	/* which has some of them several times */
};

/* @f has a name, types and perhaps an object; the rest is zero. */
void layout_find(struct layout_find *f, const struct symbols *syms);
void layout_find_free(struct layout_find *f);

#endif
