/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_LAYOUT_LAYOUT_H
#define PERF_SPE_ANALYSIS_LAYOUT_LAYOUT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "symbols/symbols.h"
#include "symbols/types/types.h"
#include "util/util.h"

/* declare.c: The type of a member in two parts, as C writes them before and behind its name */

/*
 * The type that @die, a DIE with DW_AT_type, has: "int" and "[4]", "void (*" and ")()", "char *const"
 * and "".  Both are to be freed.  The caller holds elf_lock().
 */
void declare(Dwarf_Die *die, char **before, char **after);

/* layout_sharing.c: A set of numbers of CPUs or threads. */

struct id_set {
	int32_t *ids;			/* in the order in which they came */
	size_t nr, room;
	struct hash_table known;
};

void id_set_add(struct id_set *s, int32_t id);
/* "0-3,7", to be freed; "" if it is empty */
char *id_set_text(const struct id_set *s);
void id_set_free(struct id_set *s);

/*
 * layout.c: How the compiler laid out a structure, union or class: its members, and the gaps
 * between them.
 */

enum layout_kind {
	LAYOUT_MEMBER,		/* a number, pointer, array or bit-field */
	LAYOUT_GROUP,		/* a structure or union, whose members follow */
	LAYOUT_HOLE,		/* bytes between members, or behind the last one */
	LAYOUT_BITS,		/* bits of a bit-field's unit that no member has */
};

struct layout_row {
	enum layout_kind kind;
	char *name;		/* NULL: anonymous, a base class or a gap */
	char *path;		/* as in instance.field; NULL: a gap */
	char *type;		/* NULL: a gap.  Of a group the word and name: "struct point" */
	char *after;		/* what C writes behind the name: "[4]", or ")()"; may be empty */
	int parent;		/* the group that it is in, or -1 */
	unsigned int depth;
	size_t end;		/* the row behind its last member; of others the next row */
	uint64_t low, high;	/* bits [low, high) of the whole type */
	uint64_t natural;	/* bytes to which its type is aligned where nothing says otherwise */
	uint64_t element;	/* bytes of an element of an array; 0: no array */
	bool is_union, bit_field, base;
	uint64_t unit;		/* bits of a bit-field's declared type */
};

struct layout {
	char *name;		/* "struct queue" */
	const char *word;	/* "struct", "union" or "class" */
	uint64_t size;		/* bytes */
	bool is_union;
	char *source;		/* "queue.h:12", or NULL */
	struct layout_row *rows;
	size_t nr, room;
	size_t members;		/* that the type itself has, without those of inner structures */
	bool incomplete;	/* damaged DWARF, or too many members */
};

/* Of the DIE of a structure, union or class with this name.  The caller holds elf_lock(). */
struct layout *layout_new(Dwarf_Die *die, const char *name);
void layout_free(struct layout *l);
/* Whether two have the same name, size and members */
bool layout_same(const struct layout *a, const struct layout *b);
/* "struct queue *next", to be freed: the row as C declares it; of a group without its members */
char *layout_declaration(const struct layout_row *row);

/* layout_types.c: The structures, unions and classes that samples' data are instances of. */

struct dso;

/* A layout, and the files that have it */
struct layout_type {
	struct layout *layout;
	const struct dso **objects;
	size_t nr_objects, room_objects;
	uint64_t samples;
};

struct typed_place;

/* All zero at first */
struct layout_types {
	struct layout_type **all;	/* after layout_types_sort() the most samples first */
	size_t nr, room;
	struct hash_table known;	/* from a data_type to its layout_type */
	struct typed_place *places;	/* of the latest samples */
	uint64_t addresses;		/* samples with a data virtual address, */
	uint64_t typed;			/* of these in instances of a known type, */
	uint64_t samples;		/* of these of one in @all */
};

/* A row_batch_fn, of rows with their place; @context is the struct layout_types. */
void layout_types_add(void *context, const struct row_batch *b);
/* Add record @i alone. */
void layout_types_add_one(struct layout_types *t, const struct row_batch *b, size_t i);
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

/*
 * layout_find.c: Find the structure that a user names: among those with samples, or else in
 * all DWARF.
 */

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
	bool other;			/* the name is of a number, pointer, array or enumeration */
	/* A variable of this name; NULL: none */
	char *variable;			/* the name of its type, or of its elements' type */
	const char *variable_at;	/* "FILE:LINE" where that type is declared; NULL: not known, or it
					   is no structure */
};

/* @f has a name, types and perhaps an object; the rest is zero. */
void layout_find(struct layout_find *f, const struct symbols *syms);
void layout_find_free(struct layout_find *f);
/* The name without "struct " and the like */
const char *layout_bare_name(const char *name);
/* This without its namespaces and classes; those of a template's arguments stay. */
const char *layout_own_name(const char *name);

/*
 * layout_fit.c: Where a compiler would put the members of a type if some of them had a larger
 * alignment.
 */

struct layout_place {
	uint64_t align;			/* bytes: what the layout as it is shows */
	uint64_t low, size;		/* bits: where the member would be in its group, and how long */
	uint64_t group_align;		/* of a group with its members */
	bool line;			/* is to begin with a cache line */
	bool spread;			/* an array: each element is to begin with one */
};

struct layout_fit {
	const struct layout *layout;
	unsigned int bytes;		/* of a cache line */
	struct layout_place *rows;	/* of each row; the caller sets @line and @spread */
	bool line;			/* the type itself is to begin with a line */
	bool exact;			/* without changes the result is the layout as it is */
	uint64_t align;			/* bytes, of the type as it is */
	uint64_t size;			/* bytes, after layout_fit_arrange() */
};

/* Learn from the layout how its members are aligned; @fit has a layout and bytes. */
void layout_fit_learn(struct layout_fit *fit);
/* Arrange the members; if fit->exact is false the result is not known. */
void layout_fit_arrange(struct layout_fit *fit);
/* The byte of the type at which a row would be */
uint64_t layout_fit_offset(const struct layout_fit *fit, size_t row);
void layout_fit_free(struct layout_fit *fit);

/*
 * layout_heat.c: The samples of each member of one type, and the cache lines that its
 * instances are in.
 */

struct layout_sums {
	uint64_t samples, loads, stores;
	struct hist total;		/* cycles of total latency */
	struct id_set cpus[2];		/* that read, and that write */
	struct id_set threads[2];
	uint64_t last;			/* sample that was counted here */
};

struct layout_heat {
	const struct layout_types *types;	/* knows the types of rows */
	const struct layout_type *type;
	const struct layout *layout;	/* of @type */
	struct layout_sums all;		/* of the type */
	struct layout_sums *rows;	/* of each row of the layout */
	struct layout_sums *also;	/* NULL, or where to count as well: of each row, and of all */
	uint64_t unknown;		/* samples whose member is not known */
	uint64_t astride;		/* in instances that do not begin with a cache line */
	struct lines lines;
};

/* @bytes: size of a cache line.  @heat is all zero. */
void layout_heat_begin(struct layout_heat *heat, const struct layout_types *types,
		       const struct layout_type *type, unsigned int bytes);
/* A row_batch_fn, of rows with their place and LINES_COLUMNS; @context is the struct layout_heat. */
void layout_heat_add(void *context, const struct row_batch *b);
/* The row that lines.c's accesses to the type have as their symbol; NULL: other data */
const struct layout_row *layout_heat_row(const struct layout_heat *heat, const struct access *access);
void layout_heat_free(struct layout_heat *heat);
void layout_sums_free(struct layout_sums *s);

/*
 * layout_sharing.c: Which members of a type are shared by CPUs, truly or falsely, by the
 * verdicts of cache lines.
 */

/* Two accesses that meet on a cache line without a common byte are to: */
enum layout_apart {
	APART_MEMBERS,		/* two members of an instance */
	APART_ELEMENTS,		/* elements of an array in it */
	APART_INSTANCES,	/* members of two instances */
	APART_OTHERS,		/* a member, and data outside of the type */
};

struct layout_conflict {
	enum layout_apart apart;
	size_t a, b;			/* rows of the layout, a <= b; of APART_OTHERS both are the member */
	const char *other;		/* the variable outside; NULL: not known */
	size_t lines;			/* on which both meet */
	double part;			/* largest part of such a line's meetings */
};

struct layout_sharing {
	bool *truly, *falsely;		/* of each row */
	struct layout_conflict *all;	/* of falsely shared lines, the first members first */
	size_t nr, room;
	size_t few;			/* shared lines of the type with too few samples to tell */
};

/* Rarer meetings than this part of a line's are no reason to move a member. */
#define CONFLICT_PART	0.05

/* After the last sample; @s is all zero. */
void layout_sharing_judge(struct layout_sharing *s, struct layout_heat *heat);
void layout_sharing_free(struct layout_sharing *s);

/* layout_pad.c: The padding that would separate falsely shared members. */

enum pad_kind {
	PAD_BEFORE,		/* the member begins a line */
	PAD_ELEMENTS,		/* each element of the array does */
	PAD_TYPE,		/* each instance does */
	PAD_NONE,		/* bit-fields and members of a union cannot be separated so */
};

struct pad_step {
	enum pad_kind kind;
	size_t row, other;		/* the member, and the one before it that it is separated from */
	uint64_t offset;		/* bytes; the new one */
	uint64_t cost;			/* bytes of an instance that this step adds to those before */
};

struct layout_pad {
	struct layout_fit fit;
	struct pad_step *steps;
	size_t nr, room;
	/* Members beside the falsely shared ones without samples, which could be moved between them */
	char *cold;			/* "a, b"; NULL: fewer bytes than a line has */
	uint64_t cold_bytes;
};

/* @pad is all zero. */
void layout_pad_plan(struct layout_pad *pad, const struct layout_heat *heat,
		     const struct layout_sharing *s);
void layout_pad_free(struct layout_pad *pad);

/* layout_touched.c: Which rows of a layout an access touches. */

/*
 * Write the indexes of at most @room rows without members of their own: those that the field of
 * @access, an instance of the type, names.  Of several members, as "a..c" and "u.real|u.wide", all
 * of them; of "(padding)" the gap.  Returns how many; 0: the row is not known.
 */
struct instance;
size_t layout_touched(const struct layout *l, const struct instance *access, size_t *rows, size_t room);

#endif
