/* SPDX-License-Identifier: GPL-2.0-only */
/* What an access at an offset of a type touches, where the offset may be known but for an index. */
#ifndef PERF_SPE_TYPE_SPOT_H
#define PERF_SPE_TYPE_SPOT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/types/data_type.h"

/* Bytes from @offset on, or from there plus any multiple of @stride (0: exact) */
struct reach {
	int64_t offset;
	uint64_t stride;
	unsigned int size;	/* of the access */
	bool whole;		/* by registers that hold whole objects: of SIMD, or a pair */
};

/* What has no variable: memory of the function's frame, and constants of the compiler */
extern const struct data_type spot_stack, spot_constant;

struct type_spot {
	const struct data_type *type;	/* what a user should read of: an object or an element */
	uint64_t offset;		/* in it */
	/* The number or pointer there, if the access is to all of it; or NULL */
	const struct data_type *exact;
};

/*
 * The spot of an access to an object of @type.  False if the access does not fit: if it begins or
 * ends outside, or begins inside a number and ends in the next one, or if an index has no array.
 */
bool type_spot_object(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot);
/*
 * The same through a pointer to @type, which may point into an array.  A number of structures
 * that is not an index is refused: another structure around the pointer's may be meant.
 */
bool type_spot_target(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot);

#endif
