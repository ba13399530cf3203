// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the functions and lines of addresses of an ELF file as addr2line -f -i does.
 *
 *   frames FILE <ADDRESSES	one address a line, in hex
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"

static void print(const char *name, const char *file, int line)
{
	printf("%s\n%s:", name ? name : "??", file ? file : "??");
	if (line)
		printf("%d\n", line);
	else
		puts("?");
}

static void frames(struct dso *dso, uint64_t address)
{
	struct inline_frame frames[INLINE_DEPTH];
	size_t count = inline_find(dso, address, frames, INLINE_DEPTH), i;
	const char *file = NULL;
	int line = 0;

	if (!srcline_find(dso, address, &file, &line))
		file = NULL, line = 0;
	if (!count)
		print(NULL, file, line);
	for (i = 0; i < count; i++) {
		print(frames[i].name, file, line);
		file = frames[i].call_file;
		line = frames[i].call_line;
	}
}

int main(int argc, char **argv)
{
	struct dso dso = { 0 };
	const char *why;
	uint64_t address;

	if (argc != 2 || elf_load(argv[1], &dso, &why) < 0)
		return 2;
	dso.path = argv[1];
	while (scanf("%" SCNx64, &address) == 1) {
		printf("0x%016" PRIx64 "\n", address);
		frames(&dso, address);
	}
	inlines_free(dso.inlines);
	srclines_free(dso.lines);
	symtab_free(&dso.symtab);
	free(dso.segments);
	return 0;
}
