/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions begin and end, from the unwind tables that stripped files keep. */
#ifndef PERF_SPE_EH_FRAME_H
#define PERF_SPE_EH_FRAME_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses of the file, end not included */
struct range {
	uint64_t start, end;
};

/* The functions that .eh_frame describes, by address, to be freed; NULL for none */
struct range *eh_frame_functions(Elf *elf, size_t *count);

#endif
