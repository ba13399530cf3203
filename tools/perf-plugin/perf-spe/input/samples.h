/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of an input, whatever its form. */
#ifndef PERF_SPE_SAMPLES_H
#define PERF_SPE_SAMPLES_H

#include "input/aux_decoder.h"
#include "input/source.h"

/* Call @fn for each span of @src: piece by piece in the order of the file. */
void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals);

/*
 * Say what was wrong with the data.  EXIT_OK where only whole records, or
 * whole packets of a last one, were there.
 */
int samples_verdict(const struct source *src,
		    const struct sample_totals *totals);

#endif
