// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter for "perf script --dlfilter".  Its arguments (--dlarg) are an
 * expression as for --filter of perf spe.
 */
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "sample.h"
#include "util/util.h"

#define PUBLIC __attribute__((visibility("default")))

/* perf fills this in. */
PUBLIC struct perf_dlfilter_fns perf_dlfilter_fns;

/* Join all arguments, because a shell may have split the expression. */
static char *expression(void *ctx)
{
	char *text = NULL, *longer, **args;
	int count = 0, i;

	args = perf_dlfilter_fns.args(ctx, &count);
	for (i = 0; args && i < count; i++) {
		longer = xformat("%s%s%s", text ? text : "", text ? " " : "",
				 args[i]);
		free(text);
		text = longer;
	}
	return text;
}

PUBLIC int start(void **data, void *ctx)
{
	char *text = expression(ctx);
	struct filter *filter = NULL;

	if (text)
		filter = filter_parse("spe-filter: --dlarg", text);
	else
		say("spe-filter: no expression given: add one, as --dlarg 'total > 200 and op == load'");
	free(text);
	*data = filter;
	return filter ? 0 : -1;
}

PUBLIC int stop(void *data, void *ctx)
{
	(void)ctx;
	filter_free(data);
	return 0;
}

/* Keep samples that are not of SPE. */
PUBLIC int filter_event(void *data, const struct perf_dlfilter_sample *sample,
			void *ctx)
{
	struct sample_row row;

	if (!sample_is_spe(sample))
		return 0;
	sample_begin(&row, sample, &perf_dlfilter_fns, ctx);
	return !filter_match(data, &row.row);
}

PUBLIC const char *filter_description(const char **long_description)
{
	static char text[1536];
	char have[384], miss[768];

	sample_columns(have, sizeof(have), false);
	sample_columns(miss, sizeof(miss), true);
	snprintf(text, sizeof(text),
		 "The arguments are an expression as for perf spe --filter, with these columns:\n%s\nperf does not provide:\n%s\n",
		 have, miss);
	if (long_description)
		*long_description = text;
	return "Arm SPE samples by latency, level, events and addresses";
}
