/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disassembly of a part of a file: by LLVM's library, which knows what Arm has
 * published, and by binutils' or LLVM's objdump where that is not there.
 */
#ifndef PERF_SPE_DISASM_H
#define PERF_SPE_DISASM_H

struct disassembly;

/*
 * With source between the instructions where it is found.  0, or -1 after a
 * message.  The variable OBJDUMP names a program that is taken instead of the
 * library.
 */
int disasm_each(const struct disassembly *d);

#endif
