/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted symbols of one object. */
#ifndef PERF_SPE_SYMTAB_H
#define PERF_SPE_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* RANK_UNNAMED: a range of code that perf-spe named, see unnamed.h */
enum symbol_rank { RANK_GLOBAL, RANK_WEAK, RANK_LOCAL, RANK_UNNAMED };

struct symbol {
	uint64_t start, end;	/* of the table's own addresses */
	const char *name;	/* as in the file */
	const char *module;	/* kallsyms: "[name]", NULL for the kernel */
	uint8_t rank;		/* enum symbol_rank */
};

/* Sorted, disjoint symbols of one object. */
struct symtab {
	struct symbol *symbols;
	size_t count, room;
	char **strings;		/* owned blocks that the names are in */
	size_t nr_strings, room_strings;
	char **shown;		/* by symbol: its demangled name, once it was asked for */
	bool mangled_names;	/* symtab_name() gives names as they are in the file */
};

void symtab_add(struct symtab *t, const struct symbol *symbol);
/* Take ownership of @block, which names point into. */
void symtab_own(struct symtab *t, char *block);
/*
 * Sort, end symbols without size at the next one, and drop aliases.  May be called
 * again after symbols were added, as long as symtab_name() was not.
 */
void symtab_finish(struct symtab *t);
const struct symbol *symtab_find(const struct symtab *t, uint64_t address);
/*
 * The name for users of a symbol of @t, which symtab_finish() must have prepared.
 * Several threads may call this at the same time.
 */
const char *symtab_name(const struct symtab *t, const struct symbol *symbol);
void symtab_free(struct symtab *t);

#endif
