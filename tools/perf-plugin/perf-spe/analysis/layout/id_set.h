/* SPDX-License-Identifier: GPL-2.0-only */
/* A small set of numbers of CPUs or threads. */
#ifndef PERF_SPE_ID_SET_H
#define PERF_SPE_ID_SET_H

#include <stddef.h>
#include <stdint.h>

struct id_set {
	int32_t *ids;			/* the least first */
	size_t nr, room;
};

void id_set_add(struct id_set *s, int32_t id);
/* "0-3,7", to be freed; "" if it is empty */
char *id_set_text(const struct id_set *s);
void id_set_free(struct id_set *s);

#endif
