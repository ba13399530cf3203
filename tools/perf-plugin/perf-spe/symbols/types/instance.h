/* SPDX-License-Identifier: GPL-2.0-only */
/* What a data address is an instance of. */
#ifndef PERF_SPE_INSTANCE_H
#define PERF_SPE_INSTANCE_H

#include <stdint.h>

#include "symbols/types/data_type.h"
#include "symbols/types/member.h"

struct dso;

struct instance {
	struct dso *dso;		/* whose DWARF has the type */
	const struct data_type *type;	/* of an array of structures that of an element */
	uint64_t offset;		/* of the address in it */
	char field[MEMBER_PATH];	/* see member_path(); empty: no members */
};

/* Fill in all but the dso for byte @offset of @type.  Under elf_lock(). */
void instance_at(struct data_types *types, const struct data_type *type, uint64_t offset,
		 struct instance *i);

#endif
