/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_TYPES_TYPES_H
#define PERF_SPE_SYMBOLS_TYPES_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/util.h"

/* data_type.c: Types of data in DWARF, each read once. */

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

/* globals.c: Types of the variables at fixed addresses of a program or library, from DWARF. */

struct dso;
struct globals;
struct instance;

/* How many bytes an access has, and how many each of its elements has: a load of a pair has two */
struct access_span {
	unsigned int bytes, element;	/* both 0: unknown */
};

/*
 * Which type the variable that has byte @address of the file i->dso is of; fills in the rest of @i.
 * False where DWARF has no such variable, or several of different types.  Takes elf_lock().  The
 * first call reads all of the file's DWARF; i->type is valid as long as i->dso.
 */
bool global_type(uint64_t address, struct access_span span, struct instance *i);

/* The callers of all others hold elf_lock(), or are the only thread. */

/* Those of @dso, read on first use */
struct globals *globals_of(struct dso *dso);
/* The type of the variable at @address, and which byte of the variable that is; NULL: none */
const struct data_type *globals_find(const struct globals *g, uint64_t address, uint64_t *offset);
struct data_types *globals_types(struct globals *g);
/* @g may be NULL. */
void globals_free(struct globals *g);

/* member.c: Which members of a type an access touches. */

#define MEMBER_PATH	512

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

/* member.c: What a data address is an instance of. */

struct dso;

struct instance {
	struct dso *dso;		/* whose DWARF has the type */
	const struct data_type *type;	/* of an array of structures that of an element */
	uint64_t offset;		/* of the address in it */
	unsigned int bytes;		/* of the access that are in it, from there on; 0: unknown */
	/*
	 * The path of the member that has the first byte: "next", "in.x", "v[]", "in.v[].y".  "a..c":
	 * bit-fields from a to c.  "u.i|u.f": either member of a union; only those that have a number or
	 * pointer of just the bytes of an element, if any has.  "(padding)": between members.  Empty: no
	 * members.
	 */
	char field[MEMBER_PATH];
	char last[MEMBER_PATH];		/* the same of the last byte; empty: unknown */
};

/* Fill in all but the dso for @span at @offset of @type.  Under elf_lock(). */
void instance_at(struct data_types *types, const struct data_type *type, uint64_t offset,
		 struct access_span span, struct instance *i);

/*
 * operand_type.c: The type and the field that a load or store accesses, from its function's
 * code and DWARF.
 */

struct instance;
struct operands;

/*
 * What the instruction at @address of the file i->dso accesses; fills in the rest of @i.  Memory of
 * the frame that no variable has is of a type with the name "(stack)".  False where the operand is
 * not known.  Takes elf_lock().  The first question for a function analyses all of it; i->type is
 * valid as long as i->dso.
 */
bool operand_type(uint64_t address, struct instance *i);
/* What the load or store at @address of @dso accesses */
struct access_span operand_span(struct dso *dso, uint64_t address);
/* The caller holds elf_lock(), or is the only thread.  @o may be NULL. */
void operands_free(struct operands *o);

/*
 * register_value.c: What is known of the value of a register: a number, or an address and what
 * is there.
 */

enum value_kind {
	VALUE_NUMBER,
	VALUE_STACK,		/* an address relative to the frame's CFA */
	VALUE_ADDRESS,		/* an address of the file */
	VALUE_POINTER,		/* of an object of a type, or into it */
};

/*
 * @offset + n * @stride, from where the kind says; n is not known.  Equal ids say that two values
 * have the same n; 0 is none.
 */
struct register_value {
	enum value_kind kind;
	uint32_t id;
	int64_t offset;
	uint64_t stride;		/* 0: the value is exact */
	const struct data_type *type;	/* of VALUE_POINTER */
};

static inline struct register_value value_number(int64_t number)
{
	return (struct register_value){ .kind = VALUE_NUMBER, .offset = number };
}

/* Any number, which other values with the same @id share */
static inline struct register_value value_any(uint32_t id)
{
	return (struct register_value){ .kind = VALUE_NUMBER, .id = id, .stride = 1 };
}

static inline struct register_value value_stack(int64_t offset)
{
	return (struct register_value){ .kind = VALUE_STACK, .offset = offset };
}

static inline struct register_value value_address(int64_t address)
{
	return (struct register_value){ .kind = VALUE_ADDRESS, .offset = address };
}

static inline struct register_value value_pointer(const struct data_type *type, int64_t offset)
{
	return (struct register_value){
		.kind = VALUE_POINTER, .offset = offset, .type = type,
	};
}

bool value_same(const struct register_value *a, const struct register_value *b);
static inline bool value_is_exact(const struct register_value *v, enum value_kind kind)
{
	return v->kind == kind && !v->stride;
}

/* @id is for results of which nothing is known, or whose n is a new one. */
struct register_value value_add(struct register_value a, struct register_value b, uint32_t id);
struct register_value value_subtract(struct register_value a, struct register_value b,
				     uint32_t id);
struct register_value value_multiply(struct register_value a, struct register_value b,
				     uint32_t id);
struct register_value value_shift(struct register_value a, unsigned int bits, uint32_t id);
/* What holds for both; a null pointer is a pointer of any type. */
struct register_value value_join(struct register_value a, struct register_value b, uint32_t id);

/* type_name.c: Names of types in DWARF, as C writes them. */

/* DIEs that refer to each other more often than this are damaged. */
#define TYPE_DEPTH	32

/* The type of @die by DW_AT_type; false: none */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Replace typedefs and qualifiers by what they stand for; false: that is void */
bool type_strip(Dwarf_Die *die);

/*
 * "struct node", "uint64_t", "char *", "struct node *[4]"; to be freed.  A structure has its own
 * name, or without one that of the typedef; a number has the name of the outermost typedef.
 */
char *type_name(Dwarf_Die *die);

#endif
