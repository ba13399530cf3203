/* SPDX-License-Identifier: GPL-2.0-only */
/* Which file holds the symbols of what was mapped. */
#ifndef PERF_SPE_SYMBOLS_H
#define PERF_SPE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/process.h"
#include "input/session.h"
#include "symbols/dso.h"
#include "symbols/symtab.h"
#include "util/hash_table.h"

/* An entry of the recorded list of build ids */
struct listed_id {
	const char *name;
	const uint8_t *id;
	size_t len;
};

struct symbol_options {
	const char *symfs;	/* NULL: the machine's own files */
	const char *kallsyms;
	const char *vmlinux;
};

struct symbols {
	struct symbol_options opt;
	struct session *session;	/* NULL: bare SPE bytes */
	bool here;			/* recorded by this machine's kernel */
	bool warned_elsewhere;
	struct hash_table dsos;		/* struct dso *, by name */
	struct listed_id *listed;	/* by name, read on first use */
	size_t nr_listed;
	bool listed_read;
	struct symtab kernel;
	uint64_t kernel_slide;	/* run-time minus table address */
	const char *kernel_name;
	struct dso kernel_file;		/* vmlinux: its lines; path NULL: none */
};

/*
 * Read the kernel's symbols where options or the session lead to some.
 * 0, or -1 after a message where a file that an option names cannot be used.
 * @s may be NULL (bare SPE bytes).
 */
int symbols_init(struct symbols *syms, const struct symbol_options *opt,
		 struct session *s);
void symbols_free(struct symbols *syms);

/*
 * The object of a recorded mapping; reads its symbols when first asked for.
 * Threads that do must have elf_lock().
 */
struct dso *symbols_dso(struct symbols *syms, const struct map *map);
/*
 * The code that process @pid made, whose symbols have the process's addresses;
 * NULL where the files of the machine that recorded are not here.  As above.
 */
struct dso *symbols_jit(struct symbols *syms, int32_t pid);
const struct symbol *symbols_kernel_find(const struct symbols *syms,
					 uint64_t address);

#endif
