// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "symbols/kernel/kernel.h"

#define BIT(n)	(UINT64_C(1) << (n))
#define MIB	BIT(20)
#define GIB	BIT(30)

/* sizeof(struct page) is 64, of which the memory map has one for each page. */
#define PAGE_STRUCT_SHIFT	6

/* Versions in which the ranges behind the linear map moved */
enum { ERA_UNKNOWN, ERA_5_4, ERA_5_11, ERA_6_9 };

/* Red Hat's 5.14 has changes of later versions, so its number tells nothing. */
static unsigned int era_of(const char *release)
{
	unsigned int major, minor, version;

	if (!release || strstr(release, ".el") ||
	    sscanf(release, "%u.%u", &major, &minor) != 2)
		return ERA_UNKNOWN;
	version = major * 1000 + minor;
	return version >= 6009 ? ERA_6_9 : version >= 5011 ? ERA_5_11 :
	       version >= 5004 ? ERA_5_4 : ERA_UNKNOWN;
}

/*
 * The kernel is in the upper half of its addresses: of N bits, at least 65 - N ones
 * lead.  Address randomization leaves it in the lower three quarters of that half, so at
 * most one more leads.  36, 39, 42, 47 and 48 are the sizes that Linux has (52 counts as
 * 48 or, with pages of 16 KiB, as 47, because the kernel must also run on older CPUs).
 */
static unsigned int va_bits_of(uint64_t text, unsigned int page_shift)
{
	unsigned int ones = ~text ? (unsigned int)__builtin_clzll(~text) : 64;

	switch (ones) {
	case 17:
		return 48;
	case 18:
		return page_shift == 12 || page_shift == 16 ? 48 : 0;
	case 19:
		return page_shift == 14 ? 47 : 0;
	case 23: case 24:
		return 42;
	case 26: case 27:
		return 39;
	case 29: case 30:
		return 36;
	default:
		return 0;
	}
}

void kernel_layout_init(struct kernel_layout *l, uint64_t text, uint64_t page,
			const char *release)
{
	memset(l, 0, sizeof(*l));
	l->era = era_of(release);
	l->page_shift = page == BIT(12) ? 12 : page == BIT(14) ? 14 :
			page == BIT(16) ? 16 : 0;
	l->va_bits = text ? va_bits_of(text, l->page_shift) : 0;
	/* Before 5.4 the linear map was the upper half. */
	if (!l->va_bits || l->era == ERA_UNKNOWN)
		return;
	l->linear = -BIT(l->va_bits >= 47 ? 52 : l->va_bits);
	l->middle = -BIT(l->va_bits - 1);
}


static bool inside(uint64_t address, uint64_t start, uint64_t end)
{
	return address >= start && address < end;
}

/* The ranges behind the linear map, for a kernel with @va bits and pages of 1 << @shift */
static enum kernel_range upper(const struct kernel_layout *l, unsigned int va,
			       unsigned int shift, uint64_t address)
{
	uint64_t size = (-BIT(l->va_bits - 1) + BIT(va)) >> (shift - PAGE_STRUCT_SHIFT);
	uint64_t start, pci, fix, vmalloc;

	if (l->era == ERA_5_4) {
		start = -size - 2 * MIB;
		pci = start - 18 * MIB;
		fix = pci - 2 * MIB;
		/* PUD_SIZE, or PGDIR_SIZE with fewer levels of page tables */
		vmalloc = -size - 64 * 1024 -
			  BIT(shift == 12 ? 30 : shift == 14 ? 36 : 42);
	} else if (l->era == ERA_5_11) {
		start = -BIT(va - (shift - PAGE_STRUCT_SHIFT));
		pci = start - 24 * MIB;
		fix = start - 32 * MIB;
		vmalloc = start - 256 * MIB;
	} else {
		start = -GIB - size;
		pci = -GIB + 8 * MIB;
		fix = -8 * MIB;
		vmalloc = start - 8 * MIB;
	}
	if (inside(address, start, start + size))
		return KERNEL_VMEMMAP;
	if (inside(address, pci, pci + 16 * MIB))
		return KERNEL_PCI_IO;
	if (address >= l->middle && address < vmalloc)
		return KERNEL_VMALLOC;
	/* The fixmap's size depends on options; all kernels have 4 MiB. */
	return inside(address, fix - 4 * MIB, fix) ? KERNEL_FIXMAP : KERNEL_UNKNOWN;
}

enum kernel_range kernel_layout_find(const struct kernel_layout *l,
				     uint64_t address)
{
	static const unsigned int shifts[] = { 12, 14, 16 };
	enum kernel_range found = KERNEL_UNKNOWN, one;
	unsigned int i, wide;
	bool first = true;

	if (!l->middle || address < l->linear)
		return KERNEL_UNKNOWN;
	if (address < l->middle)
		return KERNEL_LINEAR;
	for (i = 0; i < 3; i++) {
		if (l->page_shift && l->page_shift != shifts[i])
			continue;
		for (wide = 0; wide < 2; wide++) {
			/* 52 bits need large pages, or Linux 6.9. */
			if (wide && (l->va_bits < 47 ||
				     (l->era != ERA_6_9 && shifts[i] != 16)))
				continue;
			one = upper(l, wide ? 52 : l->va_bits, shifts[i], address);
			if (!first && one != found)
				return KERNEL_UNKNOWN;
			found = one;
			first = false;
		}
	}
	return found;
}
