/* SPDX-License-Identifier: GPL-2.0-only */
/* The A64 instructions of a file, by the file's own addresses. */
#ifndef PERF_SPE_A64_CODE_H
#define PERF_SPE_A64_CODE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dso;

struct a64_code {
	const struct dso *dso;
	Elf *elf;
	int fd;
	const uint8_t *bytes;	/* of the whole file */
	size_t size;
};

/* Open the file of @dso for a64_code_close(); false if it is no AArch64 ELF file. */
bool a64_code_open(struct a64_code *code, const struct dso *dso);
void a64_code_close(struct a64_code *code);
/* Get the instruction at @address; false if no executable segment of the file has it. */
bool a64_code_word(const struct a64_code *code, uint64_t address, uint32_t *word);

#endif
