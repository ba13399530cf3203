// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/input.h"
#include "output/text/text.h"
#include "util/util.h"

/* Before an event that has no room behind its numbers */
#define PMU_INDENT	"            "

static void put_pmu(const struct session *s, size_t attr, uint64_t count,
		    uint64_t all)
{
	const struct pd_attr *a = &s->pd.attrs[attr];
	struct event_count e = event_counts_of(&s->counts, attr);
	char *settings = spe_event_text(s, attr), *interval = spe_event_mean_text(a, "-");
	int used = printf("%10" PRIu64 " %6.2f%% %8" PRIu64 "%-2s %13s %9" PRIu64 " %7" PRIu64 " %10" PRIu64 " %6" PRIu64,
			  count, percent(count, all), a->sample_period, a->freq ? "/s" : "",
			  interval, e.truncated, e.partial, e.collision, e.lost);

	put_words(stdout, (size_t)used, "  ", PMU_INDENT, settings);
	free(settings);
	free(interval);
}

void table_pmus(const struct session *s, const uint64_t *counts, uint64_t all)
{
	uint64_t unknown = counts[s->pd.nr_attrs];
	size_t i;
	int used;

	puts("\n# PMUs: what perf requested, and how often AUX data is incomplete");
	used = printf("# %8s %7s %8s   %13s %9s %7s %10s %6s", "count", "share", "period", "interval",
		      "truncated", "partial", "collisions", "lost");
	put_words(stdout, (size_t)used, "  ", "#           ", "event");
	for (i = 0; i < s->pd.nr_attrs; i++)
		if (spe_event_is(s, i))
			put_pmu(s, i, counts[i], all);
	if (unknown)
		printf("%10" PRIu64 " %6.2f%%  in a buffer whose PMU the file does not name\n",
		       unknown, percent(unknown, all));
}

void table_others(const struct session *s, uint64_t samples)
{
	bool any = false;
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		struct event_count e = event_counts_of(&s->counts, i);
		char *name;

		if (!e.sum || !samples || spe_event_is(s, i))
			continue;
		if (!any)
			printf("\n# other events: what they counted, and how much per SPE sample\n# %8s %16s %12s\n",
			       "samples", "counted", "per sample");
		any = true;
		name = other_event_name(s, i);
		printf("%10" PRIu64 " %16" PRIu64 " %12.1f  ", e.samples,
		       e.sum, (double)e.sum / (double)samples);
		put_name(name, stdout);
		putchar('\n');
		free(name);
	}
}
