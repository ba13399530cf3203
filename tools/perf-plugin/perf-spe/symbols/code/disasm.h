/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disassemble a part of a file with LLVM's library, which knows all published
 * Arm instructions, or with objdump where the library is missing.
 */
#ifndef PERF_SPE_DISASM_H
#define PERF_SPE_DISASM_H

struct disassembly;

/*
 * Call d->fn for each line: source lines, if they are found, and instructions.
 * The variable OBJDUMP names a program to use instead of the library.  Returns
 * 0, or -1 after a message.
 */
int disasm_each(const struct disassembly *d);

#endif
