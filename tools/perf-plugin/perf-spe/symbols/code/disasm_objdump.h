/* SPDX-License-Identifier: GPL-2.0-only */
/* Disassemble with the program objdump. */
#ifndef PERF_SPE_DISASM_OBJDUMP_H
#define PERF_SPE_DISASM_OBJDUMP_H

struct disassembly;

/* 0, or -1 after a message */
int disasm_objdump(const struct disassembly *d);

#endif
