/* SPDX-License-Identifier: GPL-2.0-only */
/* Disassemble with LLVM's library. */
#ifndef PERF_SPE_DISASM_LLVM_H
#define PERF_SPE_DISASM_LLVM_H

struct disassembly;

/* 0, or 1 where the library is missing or cannot disassemble this file */
int disasm_llvm(const struct disassembly *d);

#endif
