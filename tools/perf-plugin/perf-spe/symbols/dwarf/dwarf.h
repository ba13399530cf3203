/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_DWARF_DWARF_H
#define PERF_SPE_SYMBOLS_DWARF_DWARF_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf.h"
#include "util/util.h"

/* cfi.c: What a file's unwind information says of an instruction. */

struct cfi;
struct dso;

/*
 * Whether the function that has the instruction at the file's own address @address keeps its
 * return address in the link register there: a leaf function, or one that has not stored it
 * yet.  Chains of frame pointers lack the caller of such a function.  False without unwind
 * information, or for another machine than arm64.
 */
bool cfi_return_in_register(struct dso *dso, uint64_t address);
void cfi_free(struct cfi *c);

/* eh_frame.c: Where functions begin and end, from the unwind tables that stripped files keep. */

/* Addresses of the file, end not included */
struct range {
	uint64_t start, end;
};

/* The functions that .eh_frame describes, by address, to be freed; NULL for none */
struct range *eh_frame_functions(Elf *elf, size_t *count);

/*
 * inline.c: The functions that an address is in, from DWARF: the compiler may have put one
 * function's code into another.
 */

struct dso;
struct inlines;

/* More functions than compilers put into each other */
#define INLINE_DEPTH	64

/* All texts are valid until inlines_free() and srclines_free(). */
struct inline_frame {
	const char *name;	/* as its source has it, NULL: unknown */
	const char *file;	/* of its declaration, NULL: unknown */
	int line;		/* 0: unknown */
	/* The line of the next frame into which the function was inlined */
	const char *call_file;	/* NULL: not inlined, or unknown */
	int call_line;		/* 0: the same */
	unsigned int call_discriminator;	/* of the block in this line */
};

/*
 * The functions at the file's own address @address, the innermost first; the last
 * is the one that has a symbol.  Returns their number, at most @room, which is at
 * least 1; 0 without DWARF for the address.  Of more functions than @room, those
 * next to the last are left out.  Reads a compilation unit on first use.  Several
 * threads may call this at the same time.
 */
size_t inline_find(struct dso *dso, uint64_t address,
		   struct inline_frame *frames, size_t room);
/*
 * The line in the function that has the symbol: where the compiler put code of another function at
 * @address, such as one of the C++ library's headers, the line of its call.  False: unknown
 */
bool inline_line(struct dso *dso, uint64_t address, const char **file, int *line);
void inlines_free(struct inlines *in);

/* source_sum.c: Which version of a source file a program was compiled from. */

/*
 * The MD5 sum that the debugging information of @dso has of its source file @path; false: none.
 * The caller must hold elf_lock().
 */
bool source_sum(struct dso *dso, const char *path, uint8_t sum[MD5_BYTES]);

/* source_match.c: Whether a source file is the one that a program was compiled from. */

struct source_text;

/*
 * Why the file that is in memory may be another version than the program's, to be freed; NULL:
 * it seems to be the same.  Sets t->sure.
 */
char *source_mismatch(struct source_text *t, struct dso *dso, int64_t changed);
/* The same, by the lines of the functions that @address is in */
char *source_mismatch_at(const struct source_text *t, struct dso *dso, uint64_t address);

/* source_text.c: Source lines in the order of a function's instructions. */

/* The state of a walk over instructions; zero it before the first call. */
struct source_text {
	char *path;		/* of the file that is in memory */
	char *bytes;		/* NULL: it could not be read */
	char **lines;
	size_t nr_lines;
	uint8_t sum[MD5_BYTES];
	bool sure;		/* that it is the version that the program was compiled from */
	int last;		/* the line returned last */
	char *shown;
};

/*
 * The source line of the instruction at @address: its number, and its text if
 * the file is found and seems to be the one that the program was compiled from.  NULL if it is the line returned last, or not known.  Sets
 * *other where the line is in another file than the last one; t->path is then
 * the new file.  The text is valid until the next call.
 */
const char *source_text_at(struct source_text *t, struct dso *dso,
			   uint64_t address, bool *other);
void source_text_free(struct source_text *t);
#define SOURCE_DIRS	8

/* The values of --source-dir, which outlive it */
struct source_dirs {
	const char *values[SOURCE_DIRS];
	bool maps[SOURCE_DIRS];		/* it is OLD=NEW */
	size_t nr;
};

/*
 * A hostile program may name any file of the reader as its source.  So take files only from
 * below --symfs, --source-dir and the current folder, unless the user allows @any.  @symfs may be NULL;
 * @archived: it is what an archive has.
 */
void source_text_from(const char *symfs, bool archived, const struct source_dirs *dirs, bool any);
/* Open a source file from there; -1 if there is none. */
int source_text_open(const char *path);
/* Take a value of --source-dir, "DIR" or "OLD=NEW"; false after a message of @verb. */
bool source_text_dir(struct source_dirs *dirs, const char *verb, const char *value);
/* Say which files were left out and why, and which were not found and where they were sought. */
void source_text_say(const char *verb);

/* srcline.c: Source file and line of an address, from DWARF. */

struct dso;
struct srclines;

/*
 * Of the file's own address; false where there is no line for it.  Several
 * threads may call this at the same time.
 */
bool srcline_find(struct dso *dso, uint64_t address, const char **file,
		  int *line);
/* The same with DWARF's discriminator, which tells apart the blocks of a line. */
bool srcline_block(struct dso *dso, uint64_t address, int *line,
		   unsigned int *discriminator);
/* The last line of @file that has code in @dso; 0: none */
int srcline_last(struct dso *dso, const char *file);
/*
 * The DWARF data that the lines are from, valid until srclines_free(); NULL if there
 * is none.  The caller must hold elf_lock().
 */
Dwarf *srclines_dwarf(struct dso *dso);
void srclines_free(struct srclines *s);

/* units.c: The DIEs of a file. */

/* A tree of DIEs that is deeper is damaged; walks are recursive. */
#define DIE_DEEPEST	256

/* Returns true to see the children of @die too. */
typedef bool (*die_fn)(void *context, Dwarf_Die *die);

/*
 * Call @fn for each unit, and for the DIEs below as it says; with -gsplit-dwarf for those of the
 * .dwo file, if that is there.  @dwarf may be NULL.  Under elf_lock().
 */
void dies_each(Dwarf *dwarf, die_fn fn, void *context);
/* The source file in which @die is declared, NULL if it is not known */
const char *die_file(Dwarf_Die *die);

/* unnamed.c: Names for the code of stripped files: functions and ranges without a symbol. */

struct symtab;

/*
 * Complete @t, the unsorted symbols of @elf and of its debugging information.  Code that
 * no symbol covers gets symbols of RANK_UNNAMED: one for each function that .eh_frame
 * describes, and one for each 4 KiB of the rest.  Their names are FILE+0xADDRESS, with
 * the last part of @path.  Also ends symbols without a size at the end of their function.
 */
void unnamed_add(struct symtab *t, Elf *elf, const char *path);

#endif
