// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/* @all: how many there are of what is counted in rows, of which the page may have fewer; else 0 */
static void card(FILE *to, const char *name, size_t all, char *number, char *about)
{
	fprintf(to, "<div data-card=\"%s\" data-all=\"%zu\"><dt>%s</dt><dd>", name, all, name);
	page_element(to, "span", number);
	page_element(to, "small", about);
	fputs("</dd></div>\n", to);
}

static char *cycles_text(double cycles)
{
	return xformat("%.1f", cycles);
}

static int by_pid(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Each thread with a name of its own is a task of its process. */
static size_t processes_of(const struct tally *tasks)
{
	uint64_t *pids = xcalloc(tasks->nr_sorted, sizeof(*pids));
	size_t i, nr = 0, different = 0;

	for (i = 0; i < tasks->nr_sorted; i++)
		if (tasks->sorted[i]->key[0].present)
			pids[nr++] = tasks->sorted[i]->key[0].number;
	qsort(pids, nr, sizeof(*pids), by_pid);
	for (i = 0; i < nr; i++)
		different += !i || pids[i] != pids[i - 1];
	free(pids);
	return different;
}

static void cards(FILE *to, const struct rows *r, const struct composition *c,
		  const struct groups *g)
{
	const struct hist *total = &c->latency[0];

	fputs("<dl class=\"cards\">\n", to);
	card(to, "Samples", 0, page_number(r->kept), r->kept == r->seen ?
	     xformat("all of the recording") :
	     xformat("of %" PRIu64, r->seen));
	card(to, "Cycles", 0, page_number(total->sum),
	     xformat("sum of the total latency"));
	if (total->count) {
		card(to, "Mean latency", 0, cycles_text(hist_mean(total)),
		     xformat("cycles, total"));
		card(to, "p99 latency", 0,
		     xformat("%u", hist_percentile(total, 99)),
		     xformat("cycles; median %u",
			     hist_percentile(total, 50)));
	}
	card(to, "Functions", g->nr_sorted, page_number(g->nr_sorted),
	     xformat("with samples"));
	card(to, "Processes", c->tasks.nr_sorted, page_number(processes_of(&c->tasks)),
	     c->nr_cpus && c->cpus[0].cpu == NO_ID ? xformat("on unknown CPUs") :
	     xformat("on %zu CPU%s", c->nr_cpus, plural(c->nr_cpus)));
	fputs("</dl>\n", to);
}

/* What cannot be read of the SPE data, as table_flags() would say it */
static void put_damage(FILE *to, const struct sample_totals *t)
{
	if (t->decoded.damaged)
		fprintf(to, "# damaged: %" PRIu64 " byte%s in %" PRIu64 " place%s\n",
			t->decoded.damaged, plural(t->decoded.damaged),
			t->decoded.damages, plural(t->decoded.damages));
	if (t->incomplete)
		fprintf(to, "# incomplete: %" PRIu64 " record%s\n",
			t->incomplete_records, plural(t->incomplete_records));
	if (t->decoded.unknown)
		fprintf(to, "# unknown packets: %" PRIu64 "\n",
			t->decoded.unknown);
}

bool page_losses(FILE *to, const struct session *s, const struct sample_totals *t)
{
	char *text = NULL, *line, *rest;
	size_t len;
	FILE *memory = open_memstream(&text, &len);
	bool any = false;

	if (!memory)
		exit(EXIT_INPUT);
	table_flags(memory, s);
	if (t)
		put_damage(memory, t);
	fclose(memory);
	for (line = text; *line; line = rest) {
		rest = line;
		while (*rest && *rest != '\n')
			rest++;
		page_element(to, "p class=\"note bad\"",
			     xstrndup(line + 2, (size_t)(rest - line) - 2));
		rest += *rest == '\n';
		any = true;
	}
	free(text);
	return any;
}

/* "one sample in 1025 operations (period 1024), arm_spe_0 ts_enable" for each SPE event */
static void requested(FILE *to, const struct session *s)
{
	size_t i;

	for (i = 0; s && i < s->pd.nr_attrs; i++) {
		const struct pd_attr *attr = &s->pd.attrs[i];
		char *words, *mean;

		if (!spe_event_is(s, i))
			continue;
		words = spe_event_text(s, i);
		mean = spe_event_mean_text(attr, " to ");
		page_element(to, "p", attr->freq ?
			xformat("Requested: %" PRIu64 " samples a second, %s.", attr->sample_period, words) :
			xformat("Requested: one sample in %s operations (period %" PRIu64 "), %s.", mean,
				attr->sample_period, words));
		free(mean);
		free(words);
	}
}

static void tail(FILE *to, size_t shown, size_t all)
{
	page_table_end(to);
	if (shown < all)
		fprintf(to, "<p class=\"soft\">Left out: %zu more row%s; <code>perf spe stat --limit</code> prints them.</p>\n",
			all - shown, plural(all - shown));
}

static void latency_cells(FILE *to, const struct hist *h)
{
	if (h->count)
		fprintf(to, "<td class=\"n\">%.1f</td><td class=\"n\">%u</td><td class=\"n\">%u</td>",
			hist_mean(h), hist_percentile(h, 50),
			hist_percentile(h, 99));
	else
		fputs("<td class=\"n\">-</td><td class=\"n\">-</td><td class=\"n\">-</td>", to);
}

static void put_tally(FILE *to, const struct tally *t, const char *id, const char *caption,
		      const char *first)
{
	const char *const names[] = { first, "samples", "share", "cycles", "mean", "p50", "p99", NULL };
	size_t i;

	if (!t->count)
		return;
	page_table_sums(to, id, "-,count,share,cost,mean,p50,p99", caption, names, 1);
	for (i = 0; i < t->nr_sorted && i < PAGE_ROWS; i++) {
		const struct tally_row *row = t->sorted[i];
		char *keys = table_keys(t, row);

		fputs("<tr><td>", to);
		put_escaped(keys, to);
		free(keys);
		fprintf(to, "</td><td class=\"n\">%" PRIu64 "</td>", row->count);
		page_share(to, percent(row->count, t->count), true);
		page_share(to, percent(row->latency[0].sum, t->sum.cycles),
			   row->latency[0].count);
		latency_cells(to, &row->latency[0]);
		fputs("</tr>\n", to);
	}
	tail(to, i, t->nr_sorted);
}

static void put_events(FILE *to, const struct composition *c)
{
	static const char *const names[] = { "event", "samples", "share", "cycles", "mean", NULL };
	unsigned int bit;

	if (!c->with_events)
		return;
	page_table_sums(to, "events", "-,count,share,cost,mean", "Events, among them cache levels and TLBs", names, 1);
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++) {
		if (!c->event[bit])
			continue;
		fputs("<tr>", to);
		page_element(to, "td", xformat("%s", armspe_event_name(bit)));
		fprintf(to, "<td class=\"n\">%" PRIu64 "</td>", c->event[bit]);
		page_share(to, percent(c->event[bit], c->with_events), true);
		page_share(to, percent(c->event_cycles[bit], c->latency[0].sum),
			   c->event_timed[bit]);
		if (c->event_timed[bit])
			fprintf(to, "<td class=\"n\">%.1f</td></tr>\n",
				(double)c->event_cycles[bit] /
				(double)c->event_timed[bit]);
		else
			fputs("<td class=\"n\">-</td></tr>\n", to);
	}
	tail(to, 0, 0);
}

static void put_latencies(FILE *to, const struct composition *c)
{
	static const char *const names[] = { "latency", "samples", "mean", "p50", "p99", "max", NULL };
	unsigned int i;

	for (i = 0; i < COMPOSITION_LATENCIES && !c->latency[i].count; i++)
		;
	if (i == COMPOSITION_LATENCIES)
		return;
	page_table_sums(to, "latencies", "-,count,mean,p50,p99,max", "Latencies, in cycles", names, 1);
	for (i = 0; i < COMPOSITION_LATENCIES; i++) {
		const struct hist *h = &c->latency[i];

		if (!h->count)
			continue;
		fprintf(to, "<tr><td>%s</td><td class=\"n\">%" PRIu64 "</td>",
			composition_latency(i), h->count);
		latency_cells(to, h);
		fprintf(to, "<td class=\"n\">%u</td></tr>\n",
			hist_percentile(h, 100));
	}
	tail(to, 0, 0);
}

static void put_cpus(FILE *to, const struct rows *r, const struct composition *c)
{
	static const char *const names[] = { "CPU", "samples", "share", "seconds", NULL };
	size_t i;

	if (!c->nr_cpus)
		return;
	page_table_sums(to, "cpus", "-,count,share,whole", "CPUs", names, 1);
	for (i = 0; i < c->nr_cpus && i < PAGE_CPUS; i++) {
		const struct composition_cpu *cpu = &c->cpus[i];

		fputs("<tr>", to);
		page_element(to, "td", cpu->cpu == NO_ID ?
			     xformat("buffer of a thread") :
			     xformat("CPU %d", cpu->cpu));
		fprintf(to, "<td class=\"n\">%" PRIu64 "</td>", cpu->count);
		page_share(to, percent(cpu->count, r->kept), true);
		if (cpu->time.samples > 1)
			fprintf(to, "<td class=\"n\">%.3f</td></tr>\n",
				(double)filter_ns(r->filter, r->resolver.session, cpu->cpu,
						  cpu->time.first, cpu->time.last) / 1e9);
		else
			fputs("<td class=\"n\">-</td></tr>\n", to);
	}
	tail(to, i, c->nr_cpus);
}

/* The function, the operation and the source that cost most, in words */
static void sentences(FILE *to, const struct composition *c,
		      const struct groups *g)
{
	const struct group *first = g->nr_sorted ? g->sorted[0] : NULL;
	size_t i, loads = 0;

	if (first && g->sum.cycles && first->place.symbol)
		page_element(to, "p", xformat("%s takes most cycles: %.1f%% of the total latency, in %.1f%% of the samples.",
			first->place.symbol,
			percent(first->latency[0].sum, g->sum.cycles),
			percent(first->count, g->sum.count)));
	for (i = 1; i < c->ops.nr_sorted; i++)
		if (c->ops.sorted[i]->latency[0].sum >
		    c->ops.sorted[loads]->latency[0].sum)
			loads = i;
	if (c->ops.nr_sorted && c->latency[0].sum) {
		const struct tally_row *row = c->ops.sorted[loads];
		char op[256], sub[256];

		table_key(c->ops.by[0], &row->key[0], op, sizeof(op));
		table_key(c->ops.by[1], &row->key[1], sub, sizeof(sub));
		page_element(to, "p", xformat("Operations of class %s, subclass %s, take %.1f%% of the cycles, in %.1f%% of the samples.",
			op, sub, percent(row->latency[0].sum, c->latency[0].sum),
			percent(row->count, c->ops.count)));
	}
}

void page_summary(FILE *to, const struct rows *r,
		  const struct trust_of *of,
		  const struct composition *c, const struct groups *g)
{
	cards(to, r, c, g);
	fputs("<div class=\"whole-only\">\n", to);
	sentences(to, c, g);
	fputs("</div>\n", to);
	page_of_whole(to, "What was requested and lost, the estimated totals and whether they can be trusted are");
	requested(to, r->resolver.session);
	if (!page_losses(to, r->resolver.session, of->totals))
		fputs("<p class=\"note\">Nothing is missing that perf or perf-spe knows of: no AUX data was truncated, no record was lost or damaged.</p>\n", to);
	page_trust(to, of);
	fputs("<div class=\"columns\">\n<div>\n", to);
	put_tally(to, &c->ops, "ops", "Operations", "class and subclass");
	fputs("</div>\n<div>\n", to);
	put_tally(to, &c->sources, "sources", "Data sources of loads", "code and name");
	put_events(to, c);
	fputs("</div>\n<div>\n", to);
	put_latencies(to, c);
	put_cpus(to, r, c);
	fputs("</div>\n<div>\n", to);
	put_tally(to, &c->tasks, "tasks", "Tasks", "process");
	fputs("</div>\n</div>\n", to);
}
