// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "output/layout/layout.h"
#include "output/page/page.h"
#include "output/sentences/sentences.h"
#include "output/verbs/verbs.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/symbols.h"
#include "util/util.h"

enum { TIME, FINDINGS, FUNCTIONS, FLAME, CODE, LAYOUT, MEMORY, SHARING, SUMMARY, NR_PARTS };

static const struct page_part parts[NR_PARTS] = {
	[TIME] = { "time", "Time" },
	[FINDINGS] = { "findings", "Findings" },
	[FUNCTIONS] = { "functions", "Functions" },
	[FLAME] = { "flame", "Flame graph" },
	[CODE] = { "code", "Code" },
	[LAYOUT] = { "layout", "Structures" },
	[MEMORY] = { "memory", "Memory" },
	[SHARING] = { "sharing", "Shared lines" },
	[SUMMARY] = { "summary", "Summary" },
};

static void memory(const struct html_report *h, FILE *to)
{
	if (!h->mem.pages.samples) {
		page_none(to, mem_why_none(&h->mem));
		return;
	}
	fputs("<noscript><p class=\"note\">The heat map needs JavaScript. <code>perf spe mem --html</code> writes a page that has the pictures without it.</p></noscript>\n", to);
	if (!h->mem.pages.timed)
		page_of_whole(to, "Some samples with an address have no time: the pictures are");
	page_memory_pictures(&h->mem, to);
	page_of_whole(to, "The sizes, what they hold, who accesses them, and how many pages hold half of the samples are");
	page_memory_tables(&h->mem, to);
}

static void layout(const struct html_report *h, const struct html_layout *of, const char *id, FILE *to)
{
	const struct layout_view view = {
		&h->mem.rows, of->type, &of->heat, &of->sharing, &of->pad, false,
	};
	char *text = NULL, *line, *rest;
	size_t len;
	FILE *memory = open_memstream(&text, &len);

	if (!memory) {
		say("out of memory: reduce what the page shows with --limit or --filter");
		exit(EXIT_INPUT);
	}
	layout_text_short(&view, memory);
	fclose(memory);
	page_element(to, "h3", xformat("%s", of->type->layout->name));
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Layout\"><pre data-layout=\"", to);
	fprintf(to, "%s\">", id);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		put_escaped(line, to);
		putc('\n', to);
	}
	fputs("</pre></div>\n", to);
	free(text);
}

const char *html_layout_id(size_t i)
{
	static const char *const ids[HTML_LAYOUTS] = { "layout-0", "layout-1", "layout-2" };

	return ids[i];
}

/* Whether a file that samples are of was not there, or another one */
static bool lacks_file(const struct html_report *h)
{
	const struct absent *absent = &h->mem.rows.absent;
	enum dso_lack *lacks = symbols_lacks(&h->mem.rows.symbols, (const char *const *)absent->names,
					     absent->nr);
	bool any = false;
	size_t i;

	for (i = 0; i < absent->nr; i++)
		any |= lacks[i] != LACK_NOTHING;
	free(lacks);
	return any;
}

/* The missing files are a reason only if so many types are unknown that a structure might be among them. */
static void no_layout(const struct html_report *h, FILE *to)
{
	const uint64_t all = h->types.addresses, typed = h->types.typed;

	fprintf(to, "<p class=\"note\">No structure has %d%% of the samples with an address. Of %" PRIu64 " such samples %" PRIu64 " access data whose type is known, which needs programs that are compiled with <code>-g</code>. Numbers, pointers and arrays of these are no structures.</p>\n",
		HTML_LAYOUT_PERCENT, all, typed);
	if (percent(all - typed, all) >= HTML_LAYOUT_PERCENT && lacks_file(h))
		fputs("<p class=\"note\">Files of programs are missing, and so are their types: the top of this page says which.</p>\n", to);
}

static void layouts(const struct html_report *h, FILE *to)
{
	size_t i;

	for (i = 0; i < h->nr_layouts; i++)
		layout(h, &h->layouts[i], html_layout_id(i), to);
	if (!h->nr_layouts)
		no_layout(h, to);
}

/* Source files are sought while the listings are written. */
static void codes(const struct html_report *h, FILE *to)
{
	size_t before = 0;

	while (message_at(before))
		before++;
	page_codes(to, &h->groups, h->codes, h->nr_codes);
	source_text_say(h->mem.rows.verb);
	page_messages(to, before);
}

static void findings(const struct html_report *h, const struct trust_of *of, FILE *to)
{
	struct trust trust;
	const struct advice advice = {
		.rows = &h->mem.rows, .list = &h->found, .trust = &trust,
		.unweighed = estimate_unknown(&h->estimate),
	};

	trust_judge(&trust, of);
	page_findings(to, &advice);
	trust_free(&trust);
}

void html_report(const struct html_report *h, FILE *to)
{
	const struct session *s = h->mem.rows.resolver.session;
	const struct trust_of of = {
		&h->estimate, &h->totals, h->mem.rows.kept, h->mem.rows.seen,
	};

	page_begin(to, "perf spe report", &h->mem.rows, 1, parts, NR_PARTS);
	page_time(to, &parts[TIME], &h->slices, &h->mem.rows);
	page_part_begin(to, &parts[FINDINGS]);
	page_of_whole(to, "The findings, their cycles at stake and their evidence are");
	findings(h, &of, to);
	page_part_end(to);
	page_part_begin(to, &parts[FUNCTIONS]);
	page_functions(to, &h->groups, h->sort, h->limit, h->codes, h->nr_codes);
	page_part_end(to);
	page_part_begin(to, &parts[FLAME]);
	page_flame(to, "flame", &h->flame, &h->groups, h->limit, s);
	page_part_end(to);
	page_part_begin(to, &parts[CODE]);
	codes(h, to);
	page_part_end(to);
	page_part_begin(to, &parts[LAYOUT]);
	page_of_whole(to, "Who reads and writes a member, sharing, and what follows the definition are");
	layouts(h, to);
	page_part_end(to);
	page_part_begin(to, &parts[MEMORY]);
	memory(h, to);
	page_part_end(to);
	page_part_begin(to, &parts[SHARING]);
	page_sharing(to, &h->mem.rows, &h->lines);
	page_part_end(to);
	page_part_begin(to, &parts[SUMMARY]);
	page_summary(to, &h->mem.rows, &of, &h->of, &h->groups);
	page_part_end(to);
	page_time_data(to, &h->slices, h->groups.nr_sorted < h->limit ? h->groups.nr_sorted : h->limit,
		       h->codes, h->nr_codes, &h->lines, h->sums, HTML_SUMS);
	page_end(to);
}
