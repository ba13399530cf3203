/* SPDX-License-Identifier: GPL-2.0-only */
/* A mapped file ("dynamic shared object"): a program or a library. */
#ifndef PERF_SPE_DSO_H
#define PERF_SPE_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/symtab.h"

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
	struct srclines *lines;	/* read on first use, see srcline.h */
	struct inlines *inlines;	/* the same, see inline.h */
	struct cfi *cfi;		/* the same, see cfi.h */
	struct globals *globals;	/* the same, see types/globals.h */
	struct operands *operands;	/* the same, see types/operand_type.h */
};

/* Convert a mapped address to the file's own; false if no segment covers it. */
bool dso_address(const struct dso *dso, const struct map *map,
		 uint64_t address, uint64_t *file_address);

#endif
