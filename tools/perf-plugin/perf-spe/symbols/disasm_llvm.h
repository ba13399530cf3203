/* SPDX-License-Identifier: GPL-2.0-only */
/* Disassembly by LLVM's library. */
#ifndef PERF_SPE_DISASM_LLVM_H
#define PERF_SPE_DISASM_LLVM_H

struct disassembly;

/* 0, -1 after a message, or 1 without one where the library cannot do it */
int disasm_llvm(const struct disassembly *d);

#endif
