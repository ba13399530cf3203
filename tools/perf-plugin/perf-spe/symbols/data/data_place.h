/* SPDX-License-Identifier: GPL-2.0-only */
/* What a data address belongs to. */
#ifndef PERF_SPE_DATA_PLACE_H
#define PERF_SPE_DATA_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum data_kind {
	DATA_UNKNOWN,
	/* Of a process */
	DATA_HEAP,		/* what brk(2) gave */
	DATA_STACK,
	DATA_ANONYMOUS,		/* mapped without a file */
	DATA_FILE,		/* a mapped file that is no program or library */
	DATA_VDSO,		/* what the kernel maps into each process */
	/* Of programs and libraries */
	DATA_DATA,		/* initialized, may be written */
	DATA_BSS,		/* zero at the start */
	DATA_RODATA,		/* constants, and code */
	/* Of the kernel */
	DATA_KERNEL,		/* variables and constants of its image */
	DATA_MODULE,
	DATA_LINEAR,		/* the linear map of all memory */
	DATA_VMALLOC,
	DATA_VMEMMAP,
	DATA_FIXMAP,
	DATA_PCI_IO,
	NR_DATA_KINDS
};

struct data_place {
	enum data_kind kind;
	bool has_base;
	bool block;		/* of a followed heap: object is its call site, symbol its size */
	const char *object;	/* file, "[heap]", "[kernel]", ...; NULL: unknown */
	const char *symbol;	/* NULL where no variable covers the address */
	/*
	 * With a base, address minus base is the offset in the variable; without one in
	 * the file that is mapped, or in a program or library the file's own address.
	 */
	uint64_t base;
};

/* "heap"; a name for each kind */
const char *data_kind_name(enum data_kind kind);

/*
 * For people, to be freed: "counters+0x40 in shared", "[heap]", "data.bin+0x1000",
 * "shared+0x4a4040, bss", "64-byte block+0x8 from add at list.c:9"; "" for unknown addresses.
 */
char *data_place_text(const struct data_place *place, uint64_t address);

#endif
