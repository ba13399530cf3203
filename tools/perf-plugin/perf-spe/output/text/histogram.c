// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "output/text/text.h"
#include "util/util.h"

/* 0, 1, 2-3, 4-7 ...: one bucket per number of binary digits */
#define BUCKETS 17

struct buckets {
	uint64_t count[BUCKETS], most;
	unsigned int nr;		/* up to the last one with samples */
};

static unsigned int bucket_low(unsigned int i)
{
	return i ? 1u << (i - 1) : 0;
}

static unsigned int bucket_high(unsigned int i)
{
	return i ? (1u << i) - 1 : 0;
}

static void fill(struct buckets *b, const struct hist *h)
{
	const struct hist_bin *bin = NULL;
	unsigned int bits;

	*b = (struct buckets){ 0 };
	while ((bin = hist_next(h, bin))) {
		for (bits = 0; bin->cycles >> bits; bits++)
			;
		b->count[bits] += bin->count;
		if (b->count[bits] > b->most)
			b->most = b->count[bits];
		if (bits + 1 > b->nr)
			b->nr = bits + 1;
	}
}

void histogram_print(const struct hist *h, FILE *to)
{
	struct buckets b;
	unsigned int i;
	uint64_t bar;

	fill(&b, h);
	if (!b.most)
		return;
	fputs("#    count   share\n", to);
	for (i = 0; i < b.nr; i++) {
		fprintf(to, "%10" PRIu64 " %6.2f%%  %5u-%-5u  ", b.count[i],
			percent(b.count[i], h->count), bucket_low(i), bucket_high(i));
		/* Round up, so that a single sample is visible. */
		for (bar = 0; bar < (b.count[i] * 40 + b.most - 1) / b.most; bar++)
			putc('#', to);
		putc('\n', to);
	}
}

/* "4 cycles", "4-5 cycles" */
static char *range_text(const struct shape_peak *p)
{
	return p->low == p->high ? xformat("%u cycles", p->low) :
				   xformat("%u-%u cycles", p->low, p->high);
}

/* "below 24 cycles", "from 24 to 95 cycles", "from 96 cycles on" */
static char *peak_span_text(const struct shape *s, size_t i)
{
	if (!i)
		return xformat("below %u cycles", s->peaks[1].from);
	return i + 1 == s->nr_peaks ? xformat("from %u cycles on", s->peaks[i].from) :
		xformat("from %u to %u cycles", s->peaks[i].from, s->peaks[i + 1].from - 1);
}

static char *peaks_text(const struct shape *s)
{
	static const char *const words[] = { "", "one peak, at ", "two peaks: ", "three peaks: " };
	char *text = s->nr_peaks < 4 ? xformat("%s", words[s->nr_peaks]) :
				       xformat("%zu peaks: ", s->nr_peaks);
	size_t i;

	for (i = 0; i < s->nr_peaks; i++) {
		char *range = range_text(&s->peaks[i]), *span;

		if (s->nr_peaks > 1) {
			span = peak_span_text(s, i);
			text = xappend(text, "%s%.2f%%%s %s, highest at %s", i ? "; " : "",
				       percent(s->peaks[i].count, s->count), i ? "" : " of the samples", span, range);
			free(span);
		} else {
			text = xappend(text, "%s", range);
		}
		free(range);
	}
	return text;
}

/* "two peaks: ...", to be freed; @s is the shape of @h */
static char *shape_text(const struct shape *s, const struct hist *h)
{
	char *text;

	if (!s->nr_peaks)
		return xformat("%" PRIu64 " latenc%s: too few to tell the shape, which takes %u", s->count,
			       s->count == 1 ? "y" : "ies", SHAPE_SAMPLES);
	text = peaks_text(s);
	if (s->tail_from)
		text = xappend(text, "; long tail: %.2f%% of the samples take %u cycles or more, and have %.2f%% of the cycles",
			       percent(s->tail_count, s->count), s->tail_from,
			       percent(s->tail_cycles, h->sum));
	return xappend(text, "; there may be more peaks, but only one with at least %.2f%% of the samples can be told from chance",
		       100 * s->least);
}

/* A table of histograms: of which row, for programs or for a reader */
struct histograms {
	const struct view *view;
	FILE *to;			/* NULL: for @data */
	struct data *data;
	void (*put)(const struct histograms *all, size_t row, const struct hist *h);
};

static void each(const struct histograms *all, uint64_t limit)
{
	const struct view *v = all->view;
	const size_t nr = v->tally.nr_by ? v->tally.nr_sorted : v->groups.nr_sorted;
	size_t row;

	for (row = 0; row < nr && (!limit || row < limit); row++)
		all->put(all, row, v->tally.nr_by ? &v->tally.sorted[row]->latency[0] :
						    &v->groups.sorted[row]->latency[0]);
}

/* "add in shared", or the row's columns with commas between them; to be freed */
static char *row_name(const struct view *v, size_t row)
{
	char *name = NULL, text[1024];
	size_t i;

	if (!v->tally.nr_by) {
		const struct place *place = &v->groups.sorted[row]->place;

		if (!place->symbol && place->address)
			return xformat("0x%" PRIx64 " in %s", place->address, place->object);
		return xformat("%s in %s", place->symbol ? place->symbol : NO_SYMBOL,
			       path_short(place->object));
	}
	for (i = 0; i < v->tally.nr_by; i++) {
		table_key(v->tally.by[i], &v->tally.sorted[row]->key[i], text, sizeof(text));
		name = text_list_take(name, xformat("%s", text));
	}
	return name;
}

static void print_row(const struct histograms *all, size_t row, const struct hist *h)
{
	char *name = row_name(all->view, row), *text;
	struct shape shape;

	shape_judge(&shape, h);
	text = shape_text(&shape, h);
	putc('\n', all->to);
	put_sentence(all->to, "# ", xformat("# %s: %s", name, text));
	histogram_print(h, all->to);
	free(text);
	free(name);
}

void histograms_print(const struct view *v, uint64_t limit, FILE *to)
{
	const struct histograms all = { .view = v, .to = to, .put = print_row };

	fputs("\n# histograms of the total latency, in cycles\n", to);
	each(&all, limit);
}

static void put_row_keys(const struct histograms *all, size_t row)
{
	const struct view *v = all->view;
	size_t i;

	data_row(all->data);
	if (v->tally.nr_by)
		for (i = 0; i < v->tally.nr_by; i++)
			table_key_data(all->data, v->tally.by[i], &v->tally.sorted[row]->key[i]);
	else
		for (i = 0; i < 2; i++)
			table_place_data(all->data, (unsigned int)i, &v->groups.sorted[row]->place);
}

static void put_shape(const struct histograms *all, size_t row, const struct hist *h)
{
	struct shape s;

	shape_judge(&s, h);
	put_row_keys(all, row);
	data_number(all->data, "latencies", s.count);
	data_real(all->data, "peaks", s.nr_peaks, (double)s.nr_peaks);
	data_real(all->data, "least_peak_percent", s.nr_peaks, 100 * s.least);
	data_real(all->data, "tail_from", s.tail_from, s.tail_from);
	data_number(all->data, "tail_count", s.tail_count);
	data_number(all->data, "tail_cycles", s.tail_cycles);
	data_row_end(all->data);
}

static void put_peaks(const struct histograms *all, size_t row, const struct hist *h)
{
	struct shape s;
	size_t i;

	shape_judge(&s, h);
	for (i = 0; i < s.nr_peaks; i++) {
		put_row_keys(all, row);
		data_number(all->data, "from", s.peaks[i].low);
		data_number(all->data, "to", s.peaks[i].high);
		data_number(all->data, "count", s.peaks[i].count);
		data_row_end(all->data);
	}
}

static void put_buckets(const struct histograms *all, size_t row, const struct hist *h)
{
	struct buckets b;
	unsigned int i;

	fill(&b, h);
	for (i = 0; i < b.nr; i++) {
		put_row_keys(all, row);
		data_number(all->data, "from", bucket_low(i));
		data_number(all->data, "to", bucket_high(i));
		data_number(all->data, "count", b.count[i]);
		data_row_end(all->data);
	}
}

void histograms_data(const struct view *v, bool wanted, uint64_t limit, struct data *d)
{
	static const struct {
		const char *table;
		void (*put)(const struct histograms *all, size_t row, const struct hist *h);
	} tables[] = {
		{ "shapes", put_shape }, { "peaks", put_peaks }, { "histograms", put_buckets },
	};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct histograms all = { .view = v, .data = d, .put = tables[i].put };

		data_table(d, tables[i].table);
		if (wanted)
			each(&all, limit);
		data_table_end(d);
	}
}
