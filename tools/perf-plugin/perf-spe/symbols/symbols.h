/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses to symbols.  The only user of elfutils. */
#ifndef PERF_SPE_SYMBOLS_H
#define PERF_SPE_SYMBOLS_H

#include "input/session.h"

enum symbol_rank { RANK_GLOBAL, RANK_WEAK, RANK_LOCAL };

struct symbol {
	uint64_t start, end;	/* of the table's own addresses */
	const char *name;
	const char *module;	/* kallsyms: "[name]", NULL for the kernel */
	uint8_t rank;		/* enum symbol_rank */
};

/* Sorted, disjoint symbols of one object. */
struct symtab {
	struct symbol *symbols;
	size_t count, room;
	char **strings;		/* owned blocks that the names are in */
	size_t nr_strings, room_strings;
};

void symtab_add(struct symtab *t, const struct symbol *symbol);
/* Take over @block, which names point into. */
void symtab_own(struct symtab *t, char *block);
/* Sort, give sizeless symbols an end, drop aliases. */
void symtab_finish(struct symtab *t);
const struct symbol *symtab_find(const struct symtab *t, uint64_t address);
void symtab_free(struct symtab *t);

/* A run-time segment of an ELF file: to go from file offset to address. */
struct segment {
	uint64_t offset, filesz, vaddr;
};

/* A mapped file ("dynamic shared object"), its symbols read on first use. */
struct dso {
	const char *name;	/* as recorded */
	struct symtab symtab;
	struct segment *segments;
	size_t nr_segments;
	const uint8_t *build_id;	/* as recorded */
	size_t build_id_len;
	bool loaded;
	char *path;		/* the ELF file that was read, NULL: none; of */
	char *debug_path;	/* its separate debugging information */
	struct srclines *lines;	/* read on first use */
};

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
	struct dso **dsos;		/* hash by name, a power of two */
	size_t nr_dsos, room_dsos;
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
/* The file's own address of a mapped one; false where no segment has it. */
bool dso_address(const struct dso *dso, const struct map *map,
		 uint64_t address, uint64_t *file_address);
const struct symbol *symbols_kernel_find(const struct symbols *syms,
					 uint64_t address);

/* One thread at a time has elfutils, and what it is read to. */
void elf_lock(void);
void elf_unlock(void);

/* elf.c: fill from the ELF file at @path.  0, or -1 with *why set. */
int elf_load(const char *path, struct dso *dso, const char **why);
/*
 * Recorded build id against the file's: 1 same, 0 different or the file has
 * none, -1 where there is no such ELF file.
 */
int elf_same_build_id(const char *path, const uint8_t *id, size_t len);

/*
 * buildid.c: a file of this build id from perf's cache or a server, to be
 * freed; NULL where there is none.  Whether its id is the one, the caller sees.
 */
char *buildid_program(const uint8_t *id, size_t len);
char *buildid_debug(const uint8_t *id, size_t len);
/* The copy of /proc/kallsyms that perf keeps of a kernel */
char *buildid_kallsyms(const uint8_t *id, size_t len);

/*
 * srcline.c: of the file's own address; false where nothing tells.  Several
 * threads may ask.
 */
bool srcline_find(struct dso *dso, uint64_t address, const char **file,
		  int *line);
void srclines_free(struct srclines *s);

/*
 * jit.c: whether a mapping of this name is memory that code may be made in, and
 * the map of it, if there is one; @believe whoever wrote it.
 */
bool jit_is_code(const char *file);
void jit_load(const char *path, bool believe, struct symtab *t);

/* kallsyms.c: adds to @t, unsorted.  0, or -1 after a message */
int kallsyms_load(const char *path, struct symtab *t);

#endif
