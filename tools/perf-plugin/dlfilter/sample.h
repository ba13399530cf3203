/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of a filter, from the samples that perf passes to a dlfilter.
 *
 * perf decodes SPE records itself.  It makes a sample of a record for each type in
 * --itrace: l1d-miss, memory, instructions ...  A dlfilter gets only the struct
 * perf_dlfilter_sample of these samples.
 */
#ifndef SPE_DLFILTER_SAMPLE_H
#define SPE_DLFILTER_SAMPLE_H

#include <perf/perf_dlfilter.h>

#include "analysis/rows/rows.h"
#include "armspe.h"

/* A row whose columns read perf's sample */
struct sample_row {
	struct row row;			/* first: a column gets a struct row */
	struct armspe_record rec;	/* with the events alone */
	const struct perf_dlfilter_sample *sample;
	const struct perf_dlfilter_al *at;	/* NULL: not looked for yet */
	const struct perf_dlfilter_fns *fns;
	void *ctx;
};

/* Whether perf made this sample from an SPE record */
bool sample_is_spe(const struct perf_dlfilter_sample *sample);

void sample_begin(struct sample_row *row,
		  const struct perf_dlfilter_sample *sample,
		  const struct perf_dlfilter_fns *fns, void *ctx);

/* The names of all columns, or of those that perf does not provide */
void sample_columns(char *text, size_t size, bool missing);

#endif
