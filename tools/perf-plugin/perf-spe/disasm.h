/* SPDX-License-Identifier: GPL-2.0-only */
/* Disassembly of a part of a file, by binutils' or LLVM's objdump. */
#ifndef PERF_SPE_DISASM_H
#define PERF_SPE_DISASM_H

#include "util.h"

/*
 * Call @fn for each line that objdump prints of the addresses from @start to
 * before @end of the ELF file @path, with source where it finds any.
 * @is_code says whether the line is the instruction at @address.  0, or -1
 * after a message.  The variable OBJDUMP names another program.
 */
int disasm_each(const char *path, uint64_t start, uint64_t end,
		void (*fn)(void *context, bool is_code, uint64_t address,
			   const char *line), void *context);

#endif
