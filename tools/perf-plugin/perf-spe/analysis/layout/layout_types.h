/* SPDX-License-Identifier: GPL-2.0-only */
/* The structures, unions and classes that samples' data are instances of. */
#ifndef PERF_SPE_LAYOUT_TYPES_H
#define PERF_SPE_LAYOUT_TYPES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/layout/layout.h"
#include "analysis/rows/fields.h"
#include "symbols/types/data_type.h"
#include "util/hash_table.h"

struct dso;

/* A layout, and the files that have it */
struct layout_type {
	struct layout *layout;
	const struct dso **objects;
	size_t nr_objects, room_objects;
	uint64_t samples;
};

/* All zero at first */
struct layout_types {
	struct layout_type **all;	/* after layout_types_sort() the most samples first */
	size_t nr, room;
	struct hash_table known;	/* from a data_type to its layout_type */
	uint64_t addresses;		/* samples with a data virtual address, */
	uint64_t typed;			/* of these in instances of a known type, */
	uint64_t samples;		/* of these of one in @all */
};

/* A row_fn, of rows with their place; @context is the struct layout_types. */
void layout_types_add(void *context, const struct row *row);
void layout_types_sort(struct layout_types *t);
/*
 * The type of @die, a structure, union or class in @dso with this name; added if it is new.  The
 * caller holds elf_lock().
 */
struct layout_type *layout_types_put(struct layout_types *t, Dwarf_Die *die, const char *name,
				     const struct dso *dso);
/* That of a type that an added row was an instance of; NULL if it is no structure. */
struct layout_type *layout_types_of(const struct layout_types *t, const struct data_type *type);
void layout_types_free(struct layout_types *t);

#endif
