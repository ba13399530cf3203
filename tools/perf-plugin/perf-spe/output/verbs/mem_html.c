// SPDX-License-Identifier: GPL-2.0-only
/*
 * "perf spe mem" as one page: pictures, tables and what was recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "input/input.h"
#include "output/memory/memory.h"
#include "output/page/page.h"
#include "output/picture/picture.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"

static void fact(FILE *to, const char *name, char *value)
{
	if (value && *value) {
		fprintf(to, "<tr><th scope=\"row\">%s</th>", name);
		page_element(to, "td", value);
		fputs("</tr>\n", to);
	} else {
		free(value);
	}
}

static void asked_for(const struct session *s, FILE *to)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		const struct pd_attr *attr = &s->pd.attrs[i];
		char *words, *mean;

		if (!spe_event_is(s, i))
			continue;
		words = spe_event_text(s, i);
		mean = spe_event_mean_text(attr, " to ");
		fact(to, "event", attr->freq ?
			xformat("%s, %" PRIu64 " samples a second", words, attr->sample_period) :
			xformat("%s, one sample in %s operations (period %" PRIu64 ")", words, mean,
				attr->sample_period));
		free(mean);
		free(words);
	}
}

static void recorded(const struct mem_report *m, FILE *to)
{
	const struct session *s = m->rows.resolver.session;
	const struct pages *p = &m->pages;
	const bool lost = s && page_losses(to, s, NULL);
	char *touched;

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"What was recorded\"><table>\n", to);
	if (s) {
		fact(to, "memory", feature_memory(&s->pd));
		asked_for(s, to);
		if (!lost)
			fact(to, "missing", xformat("nothing that perf or perf-spe knows of"));
	}
	fact(to, "samples", xformat("%" PRIu64 " with a %s address, of %" PRIu64,
				    p->samples,
				    p->physical ? "physical" : "virtual",
				    m->rows.seen));
	if (p->timed)
		fact(to, "time", span_text(p->last - p->first, true));
	touched = mem_touched(p);
	fact(to, "touched", xformat("%s: at least, for samples see a part", touched));
	free(touched);
	fputs("</table></div>\n", to);
}

/* The pictures of --svg, which also show without JavaScript */
static int drawings(const struct mem_report *m, FILE *to)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < m->nr_pictures && !rc; i++) {
		char *title = mem_title(m, &m->pictures[i]);

		fprintf(to, "<details class=\"code\"%s><summary>%s: ",
			i ? "" : " open",
			i ? "Heat" : "Heat and working set");
		put_escaped(title, to);
		fputs("</summary>\n<div class=\"heat\">\n", to);
		rc = heat_picture(&m->pictures[i], i ? NULL : &m->working_set,
				  &canvas_svg, title, to);
		fputs("</div>\n</details>\n", to);
		free(title);
	}
	fputs("<p class=\"soft\">The working set is that of the whole recording: the pages of 4 KiB that samples saw in each step of time, and those of them that no step before had.</p>\n", to);
	return rc;
}

int mem_html(const struct mem_report *m, FILE *to)
{
	static const struct page_part parts[] = {
		{ "heat", "Heat map" }, { "drawings", "Working set" },
		{ "tables", "Regions and pages" }, { "recorded", "Recording" },
	};
	int rc;

	page_begin(to, "perf spe mem", &m->rows, 1, parts, 4);
	page_part_begin(to, &parts[0]);
	if (!m->pages.samples)
		fputs("<p class=\"note\">No sample that the options keep has an address to draw.</p>\n", to);
	page_memory_pictures(m, to);
	page_part_end(to);
	page_part_begin(to, &parts[1]);
	rc = drawings(m, to);
	page_part_end(to);
	page_part_begin(to, &parts[2]);
	page_memory_tables(m, to);
	page_part_end(to);
	page_part_begin(to, &parts[3]);
	recorded(m, to);
	page_part_end(to);
	page_end(to);
	return rc;
}
