/* SPDX-License-Identifier: GPL-2.0-only */
/* What vmm.c and tenant.c agree on: the window of memory in which a machine leaves files. */
#ifndef VMM_H
#define VMM_H

#include <stdint.h>

/* The machine's physical address.  Its kernel does not know the window as memory. */
#define VMM_WINDOW		UINT64_C(0x10000000)
#define VMM_WINDOW_SIZE		(UINT64_C(16) << 20)

/* Before the bytes of each file, which fill multiples of 8 bytes; the last has no name. */
struct vmm_file {
	char name[32];			/* below the folder of the machine's files */
	uint64_t size;
};

#endif
