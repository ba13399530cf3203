// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"

const char *findings_table(unsigned int index)
{
	static const char *const names[] = {
		"findings", "evidence", "thresholds", "unseen", "recording", "offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

const char *findings_format(unsigned int index)
{
	static const char *const names[] = { "text", "csv", "json" };

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

/* All that is wrong with the recording, as one text to be freed */
static char *trust_words(const struct trust *t)
{
	char *all = xformat("%s", ""), *longer;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		if (t->found[i].level == TRUST_YES)
			continue;
		longer = xformat("%s%s%s: %s", all, *all ? "; " : "", t->found[i].bias,
				 t->found[i].text);
		free(all);
		all = longer;
	}
	return all;
}

/* @f NULL: the recording */
static void put_finding(struct data *d, const struct advice *a, const struct finding *f, size_t rank)
{
	data_row(d);
	data_number(d, "rank", rank);
	data_text(d, "kind", f ? finding_name(f->kind) : "recording");
	data_real(d, "share_percent", f, f ? 100 * f->share : 0);
	data_real(d, "cycles", f, f ? f->cycles : 0);
	data_real(d, "cycles_low", f, f ? f->interval.low : 0);
	data_real(d, "cycles_high", f, f ? f->interval.high : 0);
	if (f)
		data_number(d, "count", f->samples);
	else
		data_none(d, "count");
	data_text(d, "latency", f ? f->latency : NULL);
	data_take_text(d, "what", f ? xformat("%s", finding_about(f)) : trust_words(a->trust));
	data_take_text(d, "where", f ? finding_where(f) : NULL);
	data_take_text(d, "remedy", f ? xformat("%s", finding_remedy(f)) : trust_command(a->trust));
	data_take_text(d, "command", f ? finding_evidence(a, f) : rows_command(a->rows, "stat", NULL));
	data_row_end(d);
}

static void put_evidence(struct data *d, const struct finding *f, size_t rank)
{
	size_t i;

	for (i = 0; f && i < f->nr_rows; i++) {
		data_row(d);
		data_number(d, "finding", rank);
		data_number(d, "count", f->rows[i].count);
		data_real(d, "mean", f->rows[i].mean >= 0, f->rows[i].mean);
		data_text(d, "code", f->rows[i].name);
		data_row_end(d);
	}
}

static void put_thresholds(struct data *d, const struct finding_limits *l)
{
	unsigned int i;

	data_table(d, "thresholds");
	for (i = 0; i < NR_FINDING; i++) {
		data_row(d);
		data_text(d, "kind", finding_name(i));
		data_real(d, "share_percent", true, 100 * l->share[i]);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_unseen(struct data *d, const struct finding_list *l)
{
	unsigned int i;

	data_table(d, "unseen");
	for (i = 0; i < NR_FINDING; i++) {
		const char *why = i == FINDING_MISSES && l->scattered ? l->scattered : l->unseen[i];

		if (!why)
			continue;
		data_row(d);
		data_text(d, "kind", finding_name(i));
		data_text(d, "why", why);
		data_row_end(d);
	}
	data_table_end(d);
}

void findings_data(const struct advice *a, const struct data_options *o, FILE *to)
{
	size_t i, nr = findings_shown(a);
	struct data d;

	data_begin(&d, o, "advise", to);
	table_recording_data(&d, a->rows);
	data_number(&d, "samples", a->rows->kept);
	data_text(&d, "trusted", trust_word(a->trust->level));
	data_flag(&d, "period_known", !a->unweighed);
	data_number(&d, "least_samples", a->list->limits.samples);
	data_table(&d, "findings");
	for (i = 0; i < nr; i++)
		put_finding(&d, a, finding_at(a, i), i + 1);
	data_table_end(&d);
	data_table(&d, "evidence");
	for (i = 0; i < nr; i++)
		put_evidence(&d, finding_at(a, i), i + 1);
	data_table_end(&d);
	put_thresholds(&d, &a->list->limits);
	put_unseen(&d, a->list);
	data_end(&d);
}
