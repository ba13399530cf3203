/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_ELF_ELF_H
#define PERF_SPE_SYMBOLS_ELF_ELF_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* buildid.c: Files by their build id, from perf's cache or a server. */

/*
 * A file of this build id, to be freed; NULL where there is none.  The caller
 * checks that the file has the id.
 */
char *buildid_program(const uint8_t *id, size_t len);
char *buildid_debug(const uint8_t *id, size_t len);
/* The copy of /proc/kallsyms that perf keeps of a kernel */
char *buildid_kallsyms(const uint8_t *id, size_t len);

/* demangle.c: Names of C++ and Rust functions as their source has them. */

/*
 * The source's name of a function, to be freed.  NULL if @name is not mangled, if it is too hard
 * (see demangle.c), or if perf-spe was built without libiberty.
 */
char *demangle(const char *name);

/* symtab.c: Sorted symbols of one object. */

/* RANK_UNNAMED: a range of code that perf-spe named, see unnamed.c */
enum symbol_rank { RANK_GLOBAL, RANK_WEAK, RANK_LOCAL, RANK_UNNAMED };

struct symbol {
	uint64_t start, end;	/* of the table's own addresses */
	const char *name;	/* as in the file */
	const char *module;	/* kallsyms: "[name]", NULL for the kernel */
	uint8_t rank;		/* enum symbol_rank */
	bool unsized;		/* the file says where it starts; @end: at most there */
};

/* Sorted, disjoint symbols of one object. */
struct symtab {
	struct symbol *symbols;
	size_t count, room;
	char **strings;		/* owned blocks that the names are in */
	size_t nr_strings, room_strings;
	uint64_t bytes;		/* of memory that the symbols and names take */
	bool full;		/* no more than file_budget(): some were left out */
	char **shown;		/* by symbol: its demangled name, once it was asked for */
	bool mangled_names;	/* symtab_name() gives names as they are in the file */
};

void symtab_add(struct symtab *t, const struct symbol *symbol);
/* Take ownership of @block of @bytes, which names point into. */
void symtab_own(struct symtab *t, char *block, size_t bytes);
/* Say that symbols of the file at @path were left out, if there were too many. */
void symtab_tell(const struct symtab *t, const char *path);
/*
 * Sort, end symbols without an end at the next one, and drop aliases.  May be called
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

/* plt.c: Names for the code through which a program calls functions of other files. */

/* Add a symbol "NAME@plt" for each stub of @elf to @t, which has the other symbols, unsorted. */
void plt_add(struct symtab *t, Elf *elf);

/* elf.c: A mapped file ("dynamic shared object"): a program or a library. */

struct map;

/* A loaded segment of an ELF file, which maps file offsets to addresses */
struct segment {
	uint64_t offset, filesz, vaddr, memsz;
	bool code, written;		/* may be executed, written to */
};

/* Why a file has no symbols */
enum dso_lack {
	LACK_NOTHING,
	LACK_FILE,		/* it does not exist */
	LACK_DELETED,		/* it was deleted or replaced while its program ran */
	LACK_MAP,		/* a perf-PID.map: it does not exist, and no sample needed it so far */
	LACK_SAME,		/* its build id differs from the recorded one */
	LACK_WHICH,		/* several files had the name */
};

/* Its symbols are read on first use. */
struct dso {
	const char *name;	/* as recorded */
	uint32_t number;	/* of the session's, from 1 on */
	struct symtab symtab;
	struct segment *segments;
	size_t nr_segments;
	const uint8_t *build_id;	/* as recorded */
	size_t build_id_len;
	const uint8_t *inode;	/* as recorded, if it tells files of this name apart; or NULL */
	bool listed;		/* the id is not from a mapping but from perf's list */
	uint8_t file_id[20];		/* of the ELF file that was read */
	size_t file_id_len;
	bool loaded;
	char *path;		/* the ELF file that was read, NULL: none; of */
	char *debug_path;	/* its separate debugging information */
	enum dso_lack lack;
	char *complaint;	/* why nothing was read, not said yet; or NULL */
	struct symtab data;	/* its variables, read on first use, */
	bool data_loaded;	/* see symbols_data() */
	struct srclines *lines;	/* read on first use, see srcline.c */
	struct inlines *inlines;	/* the same, see inline.c */
	struct cfi *cfi;		/* the same, see cfi.c */
	struct globals *globals;	/* the same, see types/globals.c */
	struct operands *operands;	/* the same, see types/operand_type.c */
};

/* Convert a mapped address to the file's own; false if no segment covers it. */
bool dso_address(const struct dso *dso, const struct map *map,
		 uint64_t address, uint64_t *file_address);

/* elf.c: Symbols, segments and build ids of ELF files. */

struct dso;
struct symtab;

/* Only the thread that holds this lock may call elfutils. */
void elf_lock(void);
void elf_unlock(void);

/*
 * The names that a table of symbols refers to.  elf_strptr() looks for the end of the section
 * with each name, which takes long if the file has no end there.
 */
struct elf_names {
	const char *text;
	size_t len;		/* up to the last zero */
};

/* Those of section @section; false if there are none */
bool elf_names(Elf *elf, size_t section, struct elf_names *names);

/* The name at @offset, or NULL */
static inline const char *elf_name(const struct elf_names *names, size_t offset)
{
	return offset < names->len ? names->text + offset : NULL;
}

/* Open an ELF file, for elf_close(); NULL with *why set. */
Elf *elf_open(const char *path, int *fd, const char **why);
void elf_close(Elf *elf, int fd);

/* Fill @dso from the ELF file at @path.  0, or -1 with *why set. */
int elf_load(const char *path, struct dso *dso, const char **why);
/* Add the variables of the ELF file at @path to @t.  0, or -1 with *why set. */
int elf_load_data(const char *path, struct symtab *t, const char **why);
/*
 * Recorded build id against the file's: 1 same, 0 different or the file has
 * none, -1 where there is no such ELF file.
 */
int elf_same_build_id(const char *path, const uint8_t *id, size_t len);

#endif
