/* SPDX-License-Identifier: GPL-2.0-only */
/* How the compiler laid out a structure, union or class: its members, and the gaps between them. */
#ifndef PERF_SPE_LAYOUT_H
#define PERF_SPE_LAYOUT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layout_kind {
	LAYOUT_MEMBER,		/* a number, pointer, array or bit-field */
	LAYOUT_GROUP,		/* a structure or union, whose members follow */
	LAYOUT_HOLE,		/* bytes between members, or behind the last one */
	LAYOUT_BITS,		/* bits of a bit-field's unit that no member has */
};

struct layout_row {
	enum layout_kind kind;
	char *name;		/* NULL: anonymous, a base class or a gap */
	char *path;		/* as member_path() writes it; NULL: a gap */
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

#endif
