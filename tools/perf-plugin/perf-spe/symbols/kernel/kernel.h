/* SPDX-License-Identifier: GPL-2.0-only */
/* The recorded kernel's symbols: find a file that has them, and check whose it is. */
#ifndef PERF_SPE_KERNEL_H
#define PERF_SPE_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/dso.h"
#include "symbols/elf/symtab.h"

struct session;

struct symbol_options {
	const char *symfs;	/* NULL: the machine's own files */
	const char *kallsyms;
	const char *vmlinux;
	bool mangled_names;	/* show names as they are in the file */
};

struct kernel {
	struct symtab symtab;
	uint64_t slide;		/* run-time minus table address */
	struct dso file;	/* vmlinux: its lines; path NULL: none */
	char *told;		/* whose the symbols are, or why there are none; or NULL */
	atomic_bool used;	/* the first lookup happened */
	char *path;		/* the file of the symbols, NULL: none */
	struct symtab data;	/* variables, see kernel_data.h */
	uint64_t end;		/* with them: of the kernel's image, 0: unknown */
	bool data_loaded;
};

/*
 * Read the symbols from the file that an option names, or else from the first that
 * belongs to the recorded kernel.  @listed is the kernel's recorded build id or NULL;
 * @here says that this machine's architecture and release are the recorded ones.
 * Returns 0, or -1 after a message if the file of an option cannot be used.
 */
int kernel_init(struct kernel *k, const struct symbol_options *opt,
		const struct session *s, const uint8_t *listed, size_t len,
		bool here);
void kernel_free(struct kernel *k);

/*
 * The symbol at a run-time address, or NULL.  The first call tells the user where
 * symbols come from.  Several threads may call this at the same time.
 */
const struct symbol *kernel_find(struct kernel *k, uint64_t address);

/* The message of a first lookup, for lookups in other tables */
void kernel_use(struct kernel *k);

/* A message that says why kernel samples have no symbols, NULL if there is no need. */
const char *kernel_missing(const struct kernel *k);

/* What the recording says is at a kernel address; NULL: nothing, or several things in turn */
const struct map *kernel_map(const struct session *s, uint64_t address);
/*
 * Whether @symbol is what the recording has in @at, its mapping of the address or NULL.  The list
 * of symbols may be of a later time, when other modules were loaded there.
 */
bool kernel_applies(const struct kernel *k, const struct session *s, const struct symbol *symbol,
		    const struct map *at);

#endif
