// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "input/input.h"
#include "output/page/page.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"

#define PAIRS_MAX	4u	/* pairs of functions that meet on a line */

static void put_mean(FILE *to, uint64_t cycles, uint64_t timed)
{
	if (timed)
		fprintf(to, "<td class=\"n\">%.1f</td>",
			(double)cycles / (double)timed);
	else
		fputs("<td class=\"n\">-</td>", to);
}

static void put_function(FILE *to, const struct access *a)
{
	if (a->symbol)
		put_escaped(a->symbol, to);
	else if (a->pc)
		fprintf(to, "0x%" PRIx64, a->pc);
}

static void put_code(FILE *to, const struct access *a)
{
	fputs("<td class=\"object\">", to);
	put_escaped(path_short(a->object), to);
	fputs("</td><td class=\"name\">", to);
	put_function(to, a);
	fputs("</td></tr>\n", to);
}

static void put_access(FILE *to, const struct lines *l, const struct access *a)
{
	fputs("<tr>", to);
	page_share(to, percent(a->cycles, l->cycles), a->timed);
	fprintf(to, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>",
		a->count, a->snooped);
	put_mean(to, a->cycles, a->timed);
	fprintf(to, "<td class=\"n\">+%u</td><td>%s</td>", a->offset,
		a->store ? "store" : "load");
	page_element(to, "td", sharing_who(a));
	if (a->cpu != NO_ID)
		fprintf(to, "<td class=\"n\">%d</td>", a->cpu);
	else
		fputs("<td class=\"n\">-</td>", to);
	put_code(to, a);
}

static char *line_name(const struct line *line)
{
	const char *kind = line->physical ? "physical" : "virtual";
	char *names = sharing_names(line), *text;

	text = line->pid == NO_ID ?
		xformat("%s 0x%" PRIx64 "%s%s", kind, line->address,
			*names ? ", " : "", names) :
		xformat("%s 0x%" PRIx64 " %s %d%s%s", kind, line->address, line_of(line),
			line->pid, *names ? ", " : "", names);
	free(names);
	return text;
}

static void put_verdict(FILE *to, const struct line *line)
{
	const char *verdict = sharing_verdict(line);

	fprintf(to, "<span class=\"verdict%s\">%s</span>",
		line->verdict == LINE_FALSE_SHARING ? " bad" : "",
		*verdict ? verdict : "a byte is shared");
}

static void put_pair_side(FILE *to, const struct access *a, unsigned int first, unsigned int end)
{
	fputs("<td class=\"name\">", to);
	put_function(to, a);
	fprintf(to, "</td><td class=\"n\">+%u", first);
	if (end - first > 1)
		fprintf(to, "-%u", end - 1);
	fputs("</td>", to);
}

/* Which functions make the line go from CPU to CPU */
static void put_pairs(FILE *to, const struct line *line)
{
	size_t i;

	if (!line->nr_pairs)
		return;
	fprintf(to, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Functions that meet on line 0x%" PRIx64 "\"><table><thead><tr>"
		"<th scope=\"col\" class=\"n\">meetings</th><th scope=\"col\">bytes</th><th scope=\"col\">function</th><th scope=\"col\" class=\"n\">at bytes</th><th scope=\"col\">meets</th><th scope=\"col\" class=\"n\">at bytes</th></tr></thead><tbody>\n",
		line->address);
	for (i = 0; i < line->nr_pairs && i < PAIRS_MAX; i++) {
		const struct line_pair *p = &line->pairs[i];

		fprintf(to, "<tr><td class=\"n\">%.2f%%</td><td>%s</td>", 100 * p->part,
			p->common ? "common" : "apart");
		put_pair_side(to, p->a, p->a_first, p->a_end);
		put_pair_side(to, p->b, p->b_first, p->b_end);
		fputs("</tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
}

static void put_line(FILE *to, const struct lines *l, size_t index)
{
	const struct line *line = l->sorted[index];
	size_t i;

	fprintf(to, "<details class=\"code\" id=\"line-%zu\"%s><summary><span class=\"name\">",
		index, index ? "" : " open");
	page_element(to, "span", line_name(line));
	fputs("</span> ", to);
	put_verdict(to, line);
	fprintf(to, " <span class=\"soft\"><span class=\"selected\" hidden></span><span class=\"sums\">%" PRIu64 " load%s, %" PRIu64 " store%s, %" PRIu64 " snooped, </span>%zu sharers on ",
		line->loads, plural(line->loads), line->stores,
		plural(line->stores), line->snooped, line->sharers);
	page_element(to, "span", sharing_cpus(line));
	fprintf(to, "</span></summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Accesses to line 0x%" PRIx64 "\"><table><thead><tr>"
		"<th scope=\"col\" class=\"n\">cost</th><th scope=\"col\" class=\"n\">count</th><th scope=\"col\" class=\"n\">snooped</th><th scope=\"col\" class=\"n\">mean</th><th scope=\"col\" class=\"n\">at byte</th><th scope=\"col\">what</th><th scope=\"col\">thread</th><th scope=\"col\" class=\"n\">CPU</th><th scope=\"col\">object</th><th scope=\"col\">function</th></tr></thead><tbody>\n",
		line->address);
	for (i = 0; i < line->nr_accesses && i < PAGE_SIDES; i++)
		put_access(to, l, &line->accesses[i]);
	fputs("</tbody></table></div>\n", to);
	if (i < line->nr_accesses)
		fprintf(to, "<p class=\"soft\">Left out: %zu more accesses.</p>\n",
			line->nr_accesses - i);
	put_pairs(to, line);
	fputs("</details>\n", to);
}

void page_sharing(FILE *to, const struct rows *r, const struct lines *l)
{
	char *why = sharing_why_none(r, l);
	const bool none = why;
	size_t i;

	if (none)
		page_none(to, why);
	if (!l->samples)
		return;
	fprintf(to, "<p>%" PRIu64 " load%s and store%s with an address in %zu cache line%s of %u bytes",
		l->samples, plural(l->samples), plural(l->samples), l->table.count,
		plural(l->table.count), l->bytes);
	if (l->physical)
		fprintf(to, ", %" PRIu64 " of them with a physical address", l->physical);
	if (l->nr_sorted)
		fprintf(to, ". Several threads use %zu of the lines, and at least one writes there, by a store or an atomic operation; the line with the most snooped samples comes first.</p>\n",
			l->nr_sorted);
	else
		fputs(none ? ".</p>\n" :
		      ". No line is shared in these samples: none has several threads that use it, one of which writes to it.</p>\n", to);
	page_of_whole(to, l->nr_sorted ? "These sums, verdicts, sharers and functions that meet are" : "These sums are");
	for (i = 0; i < l->nr_sorted && i < PAGE_LINES; i++)
		put_line(to, l, i);
	if (i < l->nr_sorted)
		fprintf(to, "<p class=\"soft\">Left out: %zu more line%s. <code>perf spe sharing</code> prints any number of them.</p>\n",
			l->nr_sorted - i, plural(l->nr_sorted - i));
}
