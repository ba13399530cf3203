// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/stats/stats.h"
#include "output/page/page.h"
#include "output/sentences/sentences.h"
#include "util/util.h"

static void put_totals(FILE *to, const struct estimate *e)
{
	static const char *const names[] = { "number of", "about", "95% CI", NULL };
	char about[32], low[32], high[32], *caption;
	struct estimate_total total;
	uint64_t least, most;
	unsigned int kind;

	if (!estimate_total(e, ESTIMATE_OPERATIONS, &total))
		return;
	estimate_means(e, &least, &most);
	caption = least == most ?
		xformat("Estimated totals: a sample stands for %" PRIu64 " operations", least) :
		xformat("Estimated totals: a sample stands for %" PRIu64 " to %" PRIu64 " operations",
			least, most);
	page_table_begin(to, caption, names, 1);
	free(caption);
	for (kind = 0; kind < NR_ESTIMATE; kind++) {
		if (!estimate_total(e, kind, &total) || total.number <= 0)
			continue;
		total_text(total.number, about, sizeof(about));
		total_text(total.interval.low, low, sizeof(low));
		total_text(total.interval.high, high, sizeof(high));
		fprintf(to, "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s to %s</td></tr>\n",
			estimate_name(kind), about, low, high);
	}
	page_table_end(to);
}

static void put_reasons(FILE *to, const struct trust *t)
{
	static const char *const names[] = { "weight", "reason", "what it does", NULL };
	unsigned int level;
	size_t i;

	if (!t->nr)
		return;
	page_table_begin(to, "Reasons", names, 3);
	for (level = TRUST_NO + 1; level-- > TRUST_YES;) {
		for (i = 0; i < t->nr; i++) {
			if (t->found[i].level != level)
				continue;
			fputs("<tr>", to);
			page_element(to, "td", xformat("%s", trust_level_name(level)));
			page_element(to, "td", xformat("%s", t->found[i].bias));
			page_element(to, "td class=\"wrap\"", xformat("%s", t->found[i].text));
			fputs("</tr>\n", to);
		}
	}
	page_table_end(to);
}

static void put_command(FILE *to, const struct trust *t)
{
	char *command = trust_command(t);

	if (!command)
		return;
	fputs("<p>Record instead", to);
	if (t->longer > 1)
		fprintf(to, ", at least %" PRIu64 " times as long", t->longer);
	fputs(": ", to);
	page_element(to, "code", command);
	fputs("</p>\n", to);
}

void page_trust(FILE *to, const struct trust_of *of)
{
	struct trust trust;

	trust_judge(&trust, of);
	fprintf(to, "<p class=\"note%s\">Can this recording be trusted? %s</p>\n",
		trust.level == TRUST_NO ? " bad" : "", trust_verdict(trust.level));
	put_reasons(to, &trust);
	put_command(to, &trust);
	put_totals(to, of->estimate);
	trust_free(&trust);
}
