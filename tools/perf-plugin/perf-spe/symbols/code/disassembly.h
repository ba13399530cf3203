/* SPDX-License-Identifier: GPL-2.0-only */
/* What to disassemble, and the function that gets the lines. */
#ifndef PERF_SPE_DISASSEMBLY_H
#define PERF_SPE_DISASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

struct dso;
struct symtab;

/* Called for each line; @is_code: it is the instruction at @address. */
typedef void (*disasm_fn)(void *context, bool is_code, uint64_t address,
			  const char *line);

struct disassembly {
	struct dso *dso;		/* has a path */
	const struct symtab *symbols;	/* names for where branches go */
	uint64_t start, end;		/* the file's own addresses */
	disasm_fn fn;
	void *context;
};

#endif
