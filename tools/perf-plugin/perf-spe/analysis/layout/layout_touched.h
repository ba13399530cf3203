/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rows of a layout an access touches. */
#ifndef PERF_SPE_LAYOUT_TOUCHED_H
#define PERF_SPE_LAYOUT_TOUCHED_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/layout/layout.h"

/*
 * Write the indexes of at most @room rows without members of their own: those that member_path()
 * named @path for an access at byte @offset.  Of a path that names several members, as "a..c" and
 * "u.real|wide", all of them; of "(padding)" the gap.  Returns how many; 0: the row is not known.
 */
size_t layout_touched(const struct layout *l, const char *path, uint64_t offset, size_t *rows,
		      size_t room);

#endif
