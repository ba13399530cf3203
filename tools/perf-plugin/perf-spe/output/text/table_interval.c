// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/stats/stats.h"
#include "output/text/text.h"

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

void table_interval_event(FILE *to, const struct lag_bits *lag, unsigned int bit,
			  uint64_t count, const struct measured_all *all)
{
	struct interval i;

	if (!lag->of) {
		put_none(to);
		return;
	}
	i = precision_bit(lag, bit, count, all);
	put(to, &i, 2, "%");
}

void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all)
{
	char text[64];

	precision_text(m, row, all, text, sizeof(text));
	fprintf(to, " %*s", TABLE_INTERVAL, text);
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
