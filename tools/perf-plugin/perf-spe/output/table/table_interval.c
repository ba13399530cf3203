// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "analysis/stats/hist.h"
#include "analysis/stats/interval.h"
#include "analysis/stats/precision.h"
#include "output/table/table_interval.h"

static void put(FILE *to, const struct interval *i, int digits, const char *unit)
{
	char text[64];

	interval_text(i, digits, unit, text, sizeof(text));
	fprintf(to, " %*s", TABLE_INTERVAL, text);
}

static void put_none(FILE *to)
{
	fprintf(to, " %*s", TABLE_INTERVAL, "-");
}

void table_interval_share(FILE *to, uint64_t count, uint64_t all)
{
	struct interval i;

	if (!all) {
		put_none(to);
		return;
	}
	i = interval_share((double)count, (double)all, 1);
	i = (struct interval){ .low = 100 * i.low, .high = 100 * i.high };
	put(to, &i, 2, "%");
}

void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all)
{
	char text[64];

	precision_text(m, row, all, text, sizeof(text));
	fprintf(to, " %*s", TABLE_INTERVAL, text);
}

static void put_mean(FILE *to, const struct moments *m)
{
	struct interval i;

	if (!interval_mean(m, 1, &i)) {
		put_none(to);
		return;
	}
	i.low = fmax(i.low, 0);
	put(to, &i, 2, "");
}

void table_interval_mean(FILE *to, uint64_t count, uint64_t cycles, double squares)
{
	struct moments m = { .count = (double)count };

	if (count > 1) {
		m.mean = (double)cycles / m.count;
		m.deviation = sqrt(fmax(squares - m.mean * (double)cycles, 0) /
				   (m.count - 1));
	}
	put_mean(to, &m);
}

void table_interval_hist_mean(FILE *to, const struct hist *h)
{
	struct moments m = { 0 };

	if (h->count)
		m = hist_moments(h);
	put_mean(to, &m);
}

void table_interval_percentile(FILE *to, const struct hist *h, double percent)
{
	struct interval i;

	if (!h->count) {
		put_none(to);
		return;
	}
	i = precision_percentile(h, percent / 100);
	put(to, &i, 0, "");
}
