/* SPDX-License-Identifier: GPL-2.0-only */
/* Which members of a type an access touches. */
#ifndef PERF_SPE_MEMBER_H
#define PERF_SPE_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/types/data_type.h"

#define MEMBER_PATH	512

/*
 * Write the path of what the @size bytes at @offset of @type are: "next", "in.x", "v[]",
 * "in.v[].y".  "a..c": the bytes touch the members from a to c, as those of a load of a pair or
 * of a unit with bit fields may.  "i|f": either member of a union.  "(padding)": between members.
 * False for a type without members, or if the bytes are not all in the type.
 */
bool member_path(struct data_types *types, const struct data_type *type, uint64_t offset,
		 uint64_t size, char path[MEMBER_PATH]);

/* A member of a structure or union, in bits of it */
struct member {
	Dwarf_Die die;
	const char *name;	/* NULL: an anonymous structure or union, or a base class */
	const struct data_type *type;
	uint64_t low, high;	/* bits [low, high) */
	bool bit_field;
};

/* Go to the first member (@m all zero) or the next; false: the end. */
bool member_next(struct data_types *types, const struct data_type *record, struct member *m);

#endif
