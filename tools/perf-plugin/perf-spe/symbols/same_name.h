/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that the recording gives to several files, one after the other or in several
 * containers, without build ids: only inodes tell the files apart.
 */
#ifndef PERF_SPE_SAME_NAME_H
#define PERF_SPE_SAME_NAME_H

#include <stdbool.h>

#include "input/process.h"
#include "input/session.h"
#include "util/hash_table.h"

struct same_names {
	struct hash_table files;
	bool read;
};

/*
 * Whether another mapping with the name of @map is of another file.  Reads all mappings on
 * the first call.
 */
bool name_is_shared(struct same_names *all, const struct session *s, const struct map *map);
void same_names_free(struct same_names *all);

/* Whether the inode of @path is that of @map */
bool inode_is(const char *path, const struct map *map);

#endif
