/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What arm64's Linux uses a kernel address for: Documentation/arch/arm64/memory.rst
 * and arch/arm64/include/asm/memory.h of Linux 5.10, 6.1, 6.12 and 7.3.
 */
#ifndef PERF_SPE_KERNEL_LAYOUT_H
#define PERF_SPE_KERNEL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum kernel_range {
	KERNEL_UNKNOWN,
	KERNEL_LINEAR,		/* all memory, one to one */
	KERNEL_VMALLOC,		/* also modules and the kernel itself */
	KERNEL_VMEMMAP,		/* struct page of all memory */
	KERNEL_PCI_IO,
	KERNEL_FIXMAP,
};

struct kernel_layout {
	uint64_t linear, middle;	/* start and end of the linear map; 0: unknown */
	unsigned int va_bits;		/* that the kernel has at least */
	unsigned int page_shift;	/* 0: unknown */
	unsigned int era;		/* of the layout behind the linear map */
};

/*
 * @text is the run-time address of the kernel's code, 0 if unknown; @page the bytes of
 * a page, 0 if unknown; @release as of uname -r, or NULL.
 */
void kernel_layout_init(struct kernel_layout *l, uint64_t text, uint64_t page,
			const char *release);
/* Names a range only if it is the same for all that is not known of the kernel. */
enum kernel_range kernel_layout_find(const struct kernel_layout *l,
				     uint64_t address);

#endif
