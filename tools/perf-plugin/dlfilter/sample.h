/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf hands to a dlfilter of an SPE sample, as columns of a filter.
 *
 * perf decodes SPE records itself and makes of each one sample for every thing
 * that was asked for by --itrace: l1d-miss, memory, instructions ...  Of such a
 * sample it hands over struct perf_dlfilter_sample, and no more.
 */
#ifndef SPE_DLFILTER_SAMPLE_H
#define SPE_DLFILTER_SAMPLE_H

#include <perf/perf_dlfilter.h>

#include "armspe.h"
#include "analysis/fields.h"

/* A row of a filter, whose columns look at perf's sample. */
struct sample_row {
	struct row row;			/* first: a column gets a struct row */
	struct armspe_record rec;	/* with the events alone */
	const struct perf_dlfilter_sample *sample;
	const struct perf_dlfilter_al *at;	/* NULL: not looked for yet */
	const struct perf_dlfilter_fns *fns;
	void *ctx;
};

/* Whether perf made this sample of an SPE record */
bool sample_is_spe(const struct perf_dlfilter_sample *sample);

void sample_begin(struct sample_row *row,
		  const struct perf_dlfilter_sample *sample,
		  const struct perf_dlfilter_fns *fns, void *ctx);

/* The names of all columns, or of those that perf does not hand over */
void sample_columns(char *text, size_t size, bool missing);

#endif
