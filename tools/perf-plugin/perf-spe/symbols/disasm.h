/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disassembly of a part of a file: by LLVM's library, which knows what Arm has
 * published, and by binutils' or LLVM's objdump where that is not there.
 */
#ifndef PERF_SPE_DISASM_H
#define PERF_SPE_DISASM_H

#include "symbols/symbols.h"

/* Called for each line; @is_code: it is the instruction at @address. */
typedef void (*disasm_fn)(void *context, bool is_code, uint64_t address,
			  const char *line);

struct disasm {
	struct dso *dso;		/* has a path */
	const struct symtab *symbols;	/* names for where branches go */
	uint64_t start, end;		/* the file's own addresses */
	disasm_fn fn;
	void *context;
};

/*
 * With source between the instructions where it is found.  0, or -1 after a
 * message.  The variable OBJDUMP names a program that is taken instead of the
 * library.
 */
int disasm_each(const struct disasm *d);

/* The two ways.  disasm_llvm(): 1 where the library cannot, without a message. */
int disasm_llvm(const struct disasm *d);
int disasm_objdump(const struct disasm *d);

#endif
