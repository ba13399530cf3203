/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of mapped files and of the kernel. */
#ifndef PERF_SPE_SYMBOLS_H
#define PERF_SPE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/process.h"
#include "input/session.h"
#include "symbols/elf/dso.h"
#include "symbols/kernel/kernel.h"
#include "symbols/same_name.h"
#include "symbols/elf/symtab.h"
#include "util/hash_table.h"
#include "util/string_set.h"

/* An entry of the recorded list of build ids */
struct listed_id {
	const char *name;
	const uint8_t *id;
	size_t len;
};

/* The object of a mapping that was asked for last */
struct mapped_dso {
	const struct map *map;
	struct dso *dso;
};

#define MAPPED_DSOS	256

struct symbols {
	struct symbol_options opt;
	struct session *session;	/* NULL: bare SPE bytes */
	bool here;			/* recorded by this machine's kernel */
	bool warned_elsewhere;
	struct hash_table dsos;		/* struct dso *, by name and recorded build id or inode */
	struct string_set names;	/* of them */
	int32_t *no_map;		/* processes that made code and have no perf-PID.map */
	size_t nr_no_map, room_no_map;
	struct listed_id *listed;	/* by name, read on first use */
	size_t nr_listed;
	bool listed_read;
	struct same_names same_names;
	struct mapped_dso mapped[MAPPED_DSOS];
	struct kernel kernel;
};

/*
 * Read the kernel's symbols from the files that the options or the session name.
 * Returns 0, or -1 after a message if the file of an option cannot be used.  @s is
 * NULL for SPE bytes without a session.
 */
int symbols_init(struct symbols *syms, const struct symbol_options *opt,
		 struct session *s);
void symbols_free(struct symbols *syms);

/*
 * The object of a recorded mapping.  Reads its symbols on the first call.  The
 * caller must hold elf_lock().
 */
struct dso *symbols_dso(struct symbols *syms, const struct map *map);
/* The same for an object that may be no program; says nothing if it cannot be read. */
struct dso *symbols_mapped(struct symbols *syms, const struct map *map);
/* The name of @dso where its code was copied to other memory at the same addresses */
const char *symbols_moved(struct symbols *syms, const struct dso *dso);
/* Why the object of this recorded name has no symbols */
enum dso_lack symbols_lack(struct symbols *syms, const char *name);
/* The objects that were asked for so far, by name; to be freed */
struct dso **symbols_all(const struct symbols *syms, size_t *count);
/* The variables of @dso, by its own addresses.  The caller must hold elf_lock(). */
const struct symtab *symbols_data(struct symbols *syms, struct dso *dso);
/*
 * The JIT code of process @pid, with addresses of that process; NULL if the files
 * of the recording machine are not available.  The caller must hold elf_lock().
 */
struct dso *symbols_jit(struct symbols *syms, int32_t pid);
/*
 * Whether the code of @below may be in @map now, at the same addresses, which has no file.  A
 * compiler may also have taken the place of a library that was unloaded.  Takes elf_lock().
 */
bool symbols_may_be_moved(struct symbols *syms, int32_t pid, const struct map *map,
			  const struct map *below);
/* Nothing else has the names of a sample in the code that @pid made.  Needs the same lock. */
void symbols_need_jit(struct symbols *syms, int32_t pid);

#endif
