/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_DATA_DATA_H
#define PERF_SPE_SYMBOLS_DATA_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "armspe.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"

/* data_names.c: What a data address belongs to. */

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

/* data_kernel.c: What a data address of the kernel belongs to. */

/* All zero at first; filled by the first call */
struct data_kernel {
	bool ready;
	struct kernel_layout layout;
	uint64_t start, end;		/* of the kernel's image; 0: unknown */
};

/*
 * Set the place of @address, and the addresses from *@low to *@high - 1 that are known
 * to have the same place.  Returns true: it is the same at any time.
 */
bool data_kernel_find(struct data_kernel *k, const struct resolver *r,
		      uint64_t address, uint64_t *low, uint64_t *high,
		      struct data_place *place);

/* data_names.c: Find what the data address of a sample belongs to, with a cache. */

struct data_names;

/* For one thread; @r must outlive it. */
struct data_names *data_names_new(const struct resolver *r);
void data_names_free(struct data_names *n);
/* Mappings have changed: forget all answers. */
void data_names_forget(struct data_names *n);

/*
 * What a data virtual address, @raw as in a record, belongs to in the process of @owner at @time, in
 * ns of perf's clock (UINT64_MAX: not known).  Valid until the next call.
 */
const struct data_place *data_names_find(struct data_names *n, const struct owner *owner,
					 uint64_t raw, uint64_t time);

/*
 * The program or library that has such an address, and the file's own address.  False if that is in
 * none, in the kernel, or unknown.
 */
bool data_names_file(struct data_names *n, const struct owner *owner, uint64_t raw, uint64_t time,
		     struct dso **dso, uint64_t *address);

/* By enum map_doubt: whether it has made the place of an address unknown */
const bool *data_names_doubts(const struct data_names *n);

/*
 * Why names may be missing, in words for users: the recording has no mappings of data.
 * NULL if it has them.
 */
const char *data_names_missing(const struct resolver *r);

#endif
