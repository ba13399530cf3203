/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of an input: a perf.data file or SPE bytes. */
#ifndef PERF_SPE_SAMPLES_H
#define PERF_SPE_SAMPLES_H

#include "input/aux_decoder.h"
#include "input/source.h"

/* Call @fn for each span of @src, piece by piece in file order. */
void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals);

/*
 * Print messages about damaged, unknown and incomplete data.  Returns EXIT_OK if
 * all records were whole; the last one may end between two packets.
 */
int samples_verdict(const struct source *src,
		    const struct sample_totals *totals);

#endif
