/* SPDX-License-Identifier: GPL-2.0-only */
/* Find what the data address of a sample belongs to, with a cache. */
#ifndef PERF_SPE_DATA_NAMES_H
#define PERF_SPE_DATA_NAMES_H

#include <stdbool.h>

#include "armspe.h"
#include "symbols/data/data_place.h"
#include "symbols/resolve.h"

struct data_names;

/* For one thread; @r must outlive it. */
struct data_names *data_names_new(const struct resolver *r);
void data_names_free(struct data_names *n);
/* Mappings have changed: forget all answers. */
void data_names_forget(struct data_names *n);

/*
 * What the data virtual address of @rec belongs to, in the process of @owner at the
 * sample's time.  Returns false if @rec has no such address.
 */
bool data_names_find(struct data_names *n, struct owner owner,
		     const struct armspe_record *rec, struct data_place *place);

/*
 * The program or library that has the data virtual address of @rec, and the file's own address.
 * False if that is in none, in the kernel, or unknown.
 */
bool data_names_file(struct data_names *n, struct owner owner, const struct armspe_record *rec,
		     struct dso **dso, uint64_t *address);

/*
 * Why names may be missing, in words for users: the recording has no mappings of data.
 * NULL if it has them.
 */
const char *data_names_missing(const struct resolver *r);

#endif
