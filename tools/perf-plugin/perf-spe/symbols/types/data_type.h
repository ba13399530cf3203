/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of data in DWARF, each read once. */
#ifndef PERF_SPE_DATA_TYPE_H
#define PERF_SPE_DATA_TYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/hash_table.h"
#include "util/string_set.h"

enum data_class {
	CLASS_OTHER,		/* void, functions, incomplete types */
	CLASS_SCALAR,		/* numbers, enumerations */
	CLASS_POINTER,		/* and references */
	CLASS_RECORD,		/* struct, class */
	CLASS_UNION,
	CLASS_ARRAY,
};

struct data_type {
	Dwarf_Die die;		/* without typedefs and qualifiers */
	const char *name;	/* as in C, and equal pointers for equal names */
	uint64_t size;		/* bytes; 0: not known */
	enum data_class class;
	/* Use data_type_target(). */
	bool has_target;
	const struct data_type *target;
};

/* All zero at first */
struct data_types {
	struct hash_table by_die;	/* struct data_type * */
	struct string_set names;
};

/* No function here may be called without elf_lock(), but the types may be read. */

/* The type that @die has by DW_AT_type; NULL: none, which is void */
const struct data_type *data_type_of(struct data_types *types, Dwarf_Die *die);
/* The type that @die is */
const struct data_type *data_type_get(struct data_types *types, Dwarf_Die *die);
/* What a pointer points to, or the elements of an array; NULL: void, or @type is neither */
const struct data_type *data_type_target(struct data_types *types, const struct data_type *type);
/* The innermost elements of an array; another type as it is */
const struct data_type *data_type_element(struct data_types *types, const struct data_type *type);
void data_types_free(struct data_types *types);

#endif
