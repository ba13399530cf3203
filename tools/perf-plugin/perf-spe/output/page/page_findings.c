// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "output/page/page.h"
#include "output/sentences/sentences.h"
#include "util/util.h"

static void put_rows(FILE *to, const struct finding *f)
{
	static const char *const names[] = { "code", "count", "mean", NULL };
	size_t i;

	page_table_begin(to, "Evidence", names, 1);
	for (i = 0; i < f->nr_rows; i++) {
		fputs("<tr>", to);
		page_element(to, "td class=\"wrap\"", xformat("%s", f->rows[i].name));
		page_element(to, "td class=\"n\"", page_number(f->rows[i].count));
		page_element(to, "td class=\"n\"", f->rows[i].mean >= 0 ?
			     xformat("%.1f", f->rows[i].mean) : xformat("-"));
		fputs("</tr>\n", to);
	}
	page_table_end(to);
}

static void put_finding(FILE *to, const struct advice *a, const struct finding *f)
{
	char about[32], low[32], high[32], *where = finding_where(f);

	total_text(f->cycles, about, sizeof(about));
	total_text(f->interval.low, low, sizeof(low));
	total_text(f->interval.high, high, sizeof(high));
	fputs("<li>", to);
	page_element(to, "h3", xformat("%s: %.1f%% of the cycles at stake", finding_name(f->kind),
				       100 * f->share));
	page_element(to, "p", xformat("%" PRIu64 " samples of %s: about %s cycles (95%% CI %s to %s) of %s latency above the mean of %s",
				      f->samples, finding_about(f), about, low, high, f->latency,
				      finding_base(f)));
	if (where)
		page_element(to, "p", xformat("Where: %s", where));
	fputs("<p class=\"selected\" hidden></p>\n", to);
	page_element(to, "p class=\"remedy\"", xformat("What to do: %s", finding_remedy(f)));
	put_rows(to, f);
	page_element(to, "pre class=\"command\"", finding_evidence(a, f));
	fputs("</li>\n", to);
	free(where);
}

/* The reasons themselves are in the summary. */
static void put_recording(FILE *to, const struct advice *a)
{
	if (a->trust->level != TRUST_YES)
		fprintf(to, "<p class=\"note%s\">Can this recording be trusted? %s: see the <a href=\"#summary\">summary</a></p>\n",
			a->trust->level == TRUST_NO ? " bad" : "",
			a->trust->level == TRUST_NO ? "no" : "with care");
}

static void put_unseen(FILE *to, const struct finding_list *l)
{
	unsigned int i, nr = 0;

	for (i = 0; i < NR_FINDING; i++)
		if (l->unseen[i])
			fprintf(to, "%s%s (%s)", nr++ ? ", " : "<p>These samples cannot show: ",
				finding_name(i), l->unseen[i]);
	if (nr)
		fputs("</p>\n", to);
	if (l->scattered && !l->unseen[FINDING_MISSES])
		page_element(to, "p", xformat("Left out of cache-misses: %s.", l->scattered));
}

void page_findings(FILE *to, const struct advice *a)
{
	size_t i;

	put_recording(to, a);
	if (a->list->nr)
		fputs("<p>What to improve, the most cycles first. Operations overlap: a program saves at most the cycles at stake, and two findings may count the same cycles.</p>\n<ol class=\"findings\">\n", to);
	else
		fputs("<p>Nothing was found: no flaw reaches the thresholds of <code>perf spe advise</code>.</p>\n", to);
	for (i = 0; i < a->list->nr; i++)
		put_finding(to, a, &a->list->all[i]);
	if (a->list->nr)
		fputs("</ol>\n", to);
	put_unseen(to, a->list);
}
