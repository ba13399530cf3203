// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat: the distribution of latencies.
 */
#include <inttypes.h>
#include <stdio.h>

#include "armspe.h"
#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

static void print_mean_interval(FILE *to, const struct composition *of, unsigned int index,
				const struct measured_all *ci)
{
	const struct hist *h = &of->latency[index];
	const struct measured row = { h->count, h, &of->latency_lag[index] };
	/* The options and filters are those of all samples. */
	const struct measured_all all = {
		.count = h->count, .cycles = h->sum, .seen = ci->seen, .chosen = ci->chosen,
		.chain = &of->latency_chain[index],
	};

	table_interval_measure(to, MEASURE_MEAN, &row, &all);
}

/* The mean and percentiles of a latency */
static void print_latency(FILE *to, const struct composition *of, unsigned int index,
			  const struct measured_all *ci)
{
	static const double percents[] = { 50, 90, 99, 99.9 };
	const struct hist *h = &of->latency[index];
	size_t i;

	fprintf(to, " %8.1f", hist_mean(h));
	if (ci)
		print_mean_interval(to, of, index, ci);
	for (i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		fprintf(to, " %6u", hist_percentile(h, percents[i]));
		if (ci)
			table_interval_percentile(to, h, percents[i]);
	}
}

void stat_latencies(FILE *to, const struct composition *of, const struct measured_all *ci)
{
	const char *title = ci ? TABLE_INTERVAL_HEADING : "";
	int width = ci ? TABLE_INTERVAL + 1 : 0;
	unsigned int i, max;

	fprintf(to, "\n# latency, in cycles\n# %8s %8s%*s %6s%*s %6s%*s %6s%*s %6s%*s %6s\n",
	       "count", "mean", width, title, "p50", width, title, "p90", width, title,
	       "p99", width, title, "p99.9", width, title, "max");
	for (i = 0; i < COMPOSITION_LATENCIES; i++) {
		const struct hist *h = &of->latency[i];

		if (!h->count)
			continue;
		max = hist_percentile(h, 100);
		fprintf(to, "%10" PRIu64, h->count);
		print_latency(to, of, i, ci);
		fprintf(to, " %6u  %s", max, composition_latency(i));
		if (max == SPE_COUNTER_MAX_12BIT || max == SPE_COUNTER_MAX_16BIT)
			fprintf(to, " (%" PRIu64 " at the counter's maximum)",
			       hist_exactly(h, max));
		putc('\n', to);
	}
}
