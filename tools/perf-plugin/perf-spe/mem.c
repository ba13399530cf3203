// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe mem: which memory was touched, how much of it, and when.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heat.h"
#include "rows.h"
#include "table.h"
#include "verbs.h"

struct mem {
	struct rows rows;
	struct pages pages;
	struct heat heat;		/* of the hottest region, or of --range */
	bool ranged, by_latency;
	struct region range;
	uint64_t limit, height, width;
	const char *svg, *html;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe mem [OPTIONS]\n"
	      "\n"
	      "Prints which memory loads and stores touched: regions, the hottest pages,\n"
	      "and a picture of one region's heat over address and time.\n"
	      "\n"
	      "      --physical       by physical addresses, where they were recorded\n"
	      "      --range LO-HI    the picture is of these addresses (default: of the\n"
	      "                       region with most samples)\n"
	      "      --latency        its heat is cycles of total latency, not samples\n"
	      "      --height N, --width N\n"
	      "                       size of the picture in characters (default 24, 64)\n"
	      "      --svg FILE       the picture in larger, to a file\n"
	      "      --html FILE      all of it as one page, to a file\n"
	      "      --limit N        at most N rows a table (default 10)\n"
	      ROWS_HELP, to);
}

static uint64_t touches(const struct touched *t)
{
	return t->loads + t->stores;
}

static void put_touched(const struct mem *m, const struct touched *t)
{
	printf("%10" PRIu64 " %6.2f%% %10" PRIu64, touches(t),
	       100.0 * (double)touches(t) / (double)m->pages.samples,
	       t->stores);
	if (t->timed)
		printf(" %8.1f", (double)t->cycles / (double)t->timed);
	else
		printf(" %8s", "-");
}

/* "of process 10 (name)" */
static char *whose(const struct mem *m, int32_t pid, uint64_t address)
{
	const struct process *p = m->rows.resolver.session && pid != NO_ID ?
		session_process(m->rows.resolver.session, pid) : NULL;

	if (pid != NO_ID)
		return xformat("%d %s", pid, p && p->comm ? p->comm : "");
	return xformat("%s", m->pages.physical ? "physical" :
		       address >> 63 ? "kernel" : "");
}

static void print_regions(const struct mem *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	printf("\n# regions\n# %8s %7s %10s %8s %10s  %s\n", "count", "share",
	       "stores", "mean", "KiB", "addresses");
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];
		char *who = whose(m, r->pid, r->start);

		put_touched(m, &r->touched);
		printf(" %10" PRIu64 "  0x%" PRIx64 "-0x%" PRIx64 " ",
		       r->pages * PAGE_BYTES / 1024, r->start, r->end);
		put_name(who, stdout);
		putchar('\n');
		free(who);
	}
	if (i < p->nr_regions)
		printf("# %zu more\n", p->nr_regions - i);
}

static void print_pages(const struct mem *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	printf("\n# hottest pages\n# %8s %7s %10s %8s %10s  %s\n", "count",
	       "share", "stores", "mean", "lines", "page");
	for (i = 0; i < p->nr_table && i < m->limit; i++) {
		const struct page *page = p->hot[i];
		char *who = whose(m, page->pid, page->address);

		put_touched(m, &page->touched);
		printf(" %10d  0x%" PRIx64 " ",
		       __builtin_popcountll(page->lines), page->address);
		put_name(who, stdout);
		putchar('\n');
		free(who);
	}
	if (i < p->nr_table)
		printf("# %zu more\n", p->nr_table - i);
}

static void print_all(const struct mem *m)
{
	const struct pages *p = &m->pages;

	printf("# %" PRIu64 " samples with a %s address\n", p->samples,
	       p->physical ? "physical" : "virtual");
	table_flags(m->rows.resolver.session);
	printf("# seen touched: %" PRIu64 " KiB in lines of 64 bytes, %zu KiB in pages of 4 KiB, %" PRIu64 " MiB in pages of 2 MiB\n",
	       p->lines * 64 / 1024, p->nr_table * PAGE_BYTES / 1024,
	       p->huge * 2);
	print_regions(m);
	print_pages(m);
	printf("\n# heat of 0x%" PRIx64 "-0x%" PRIx64 ": %s by address and %s, darkest below %" PRIu64 "\n",
	       m->heat.region.start, m->heat.region.end,
	       m->by_latency ? "cycles" : "samples",
	       p->timed ? "time" : "order", m->heat.most);
	heat_text(&m->heat, isatty(STDOUT_FILENO), stdout);
}

static void html_text(const char *text, FILE *to)
{
	for (; *text; text++) {
		if (*text == '<' || *text == '>' || *text == '&')
			fprintf(to, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			putc(*text, to);
	}
}

static void html_row(const struct mem *m, FILE *to, const struct touched *t,
		     uint64_t size, const char *address, int32_t pid,
		     uint64_t start)
{
	char *who = whose(m, pid, start);

	fprintf(to, "<tr><td>%" PRIu64 "<td>%.2f%%<td>%" PRIu64 "<td>",
		touches(t), 100.0 * (double)touches(t) /
		(double)m->pages.samples, t->stores);
	if (t->timed)
		fprintf(to, "%.1f", (double)t->cycles / (double)t->timed);
	fprintf(to, "<td>%" PRIu64 "<td>%s<td class=\"t\">", size, address);
	html_text(who, to);
	fputs("</tr>\n", to);
	free(who);
}

#define HTML_HEADS "<th>samples<th>share<th>stores<th>mean cycles"

static void html_page(const struct mem *m, const struct heat *h, FILE *to)
{
	const struct pages *p = &m->pages;
	size_t i;

	fputs("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>perf spe mem</title>\n"
	      "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
	      "td,th{padding:2px 10px;text-align:right;font-family:monospace}"
	      "td.t{text-align:left}</style></head><body>\n<h1>", to);
	html_text(m->rows.src.path, to);
	fprintf(to, "</h1>\n<p>%" PRIu64 " samples with a %s address. Seen touched: %" PRIu64 " KiB in lines of 64 bytes, %zu KiB in pages of 4 KiB, %" PRIu64 " MiB in pages of 2 MiB.</p>\n",
		p->samples, p->physical ? "physical" : "virtual",
		p->lines * 64 / 1024, p->nr_table * PAGE_BYTES / 1024,
		p->huge * 2);
	fprintf(to, "<h2>Heat of 0x%" PRIx64 "-0x%" PRIx64 "</h2>\n",
		h->region.start, h->region.end);
	heat_svg(h, to);
	fputs("<h2>Regions</h2>\n<table><tr>" HTML_HEADS "<th>KiB<th>addresses<th>whose</tr>\n",
	      to);
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];
		char *range = xformat("0x%" PRIx64 "-0x%" PRIx64, r->start,
				      r->end);

		html_row(m, to, &r->touched, r->pages * PAGE_BYTES / 1024,
			 range, r->pid, r->start);
		free(range);
	}
	fputs("</table>\n<h2>Hottest pages</h2>\n<table><tr>" HTML_HEADS "<th>lines<th>page<th>whose</tr>\n",
	      to);
	for (i = 0; i < p->nr_table && i < m->limit; i++) {
		const struct page *page = p->hot[i];
		char *at = xformat("0x%" PRIx64, page->address);

		html_row(m, to, &page->touched,
			 (uint64_t)__builtin_popcountll(page->lines), at,
			 page->pid, page->address);
		free(at);
	}
	fputs("</table>\n</body></html>\n", to);
}

/* Of pictures in files, in cells */
#define FILE_ROWS	128
#define FILE_COLUMNS	200

static int write_file(struct mem *m, const char *path, const struct heat *h,
		      bool html)
{
	FILE *to = fopen(path, "we");
	bool bad = !to;

	if (to) {
		if (html)
			html_page(m, h, to);
		else
			heat_svg(h, to);
		bad = ferror(to);
		bad |= fclose(to) != 0;
	}
	if (bad)
		say("%s: %s", path, strerror(errno));
	return bad ? EXIT_INPUT : EXIT_OK;
}

static int write_files(struct mem *m, const struct region *region)
{
	struct sample_totals totals;
	struct heat heat;
	int rc = EXIT_OK;

	if (!m->svg && !m->html)
		return EXIT_OK;
	heat_init(&heat, &m->pages, region, FILE_ROWS, FILE_COLUMNS);
	heat.by_latency = m->by_latency;
	rows_walk(&m->rows, heat_add, &heat, &totals);
	if (m->svg)
		rc = write_file(m, m->svg, &heat, false);
	if (m->html && write_file(m, m->html, &heat, true) != EXIT_OK)
		rc = EXIT_INPUT;
	heat_free(&heat);
	return rc;
}

/* What the picture shows: what was asked for, of the process that has most. */
static struct region choose(const struct mem *m)
{
	struct region region = m->pages.regions[0];
	size_t i;

	if (!m->ranged)
		return region;
	for (i = 0; i < m->pages.nr_regions; i++) {
		region = m->pages.regions[i];
		if (region.start < m->range.end && region.end > m->range.start)
			break;
	}
	region.start = m->range.start;
	region.end = m->range.end;
	return region;
}

static int show(struct mem *m)
{
	struct sample_totals totals;
	struct region region;
	int rc;

	pages_finish(&m->pages);
	if (!m->pages.samples) {
		say("mem: no sample has a %s address: record --loads --stores%s",
		    m->pages.physical ? "physical" : "virtual",
		    m->pages.physical ? " --physical" : "");
		return EXIT_OK;
	}
	region = choose(m);
	heat_init(&m->heat, &m->pages, &region, (size_t)m->height,
		  (size_t)m->width);
	m->heat.by_latency = m->by_latency;
	/* Once more, now that it is known where and when all of it is. */
	rows_walk(&m->rows, heat_add, &m->heat, &totals);
	print_all(m);
	rc = write_files(m, &region);
	heat_free(&m->heat);
	return rc;
}

static int run(struct mem *m)
{
	struct sample_totals totals;
	int rc = rows_open(&m->rows), shown;

	if (rc != EXIT_OK)
		return rc;
	rc = rows_each(&m->rows, pages_add, &m->pages, &totals);
	shown = show(m);
	pages_free(&m->pages);
	rows_close(&m->rows);
	return rc == EXIT_OK ? shown : rc;
}

static bool parse_range(struct mem *m, const char *text)
{
	char *end;

	errno = 0;
	m->range.start = strtoull(text, &end, 16);
	m->ranged = *end == '-' && end != text;
	if (m->ranged) {
		const char *high = end + 1;

		m->range.end = strtoull(high, &end, 16);
		m->ranged = !*end && end != high && !errno &&
			    m->range.end > m->range.start;
	}
	if (!m->ranged)
		say("mem: --range %s: not LOW-HIGH, two addresses in hex", text);
	return m->ranged;
}

enum {
	OPT_PHYSICAL = 256, OPT_RANGE, OPT_LATENCY, OPT_HEIGHT, OPT_WIDTH,
	OPT_SVG, OPT_HTML, OPT_LIMIT,
};

/* Characters of a picture that somebody can look at */
static bool parse_size(const char *name, uint64_t *size)
{
	if (!parse_count("mem", name, optarg, size))
		return false;
	if (*size <= 1000)
		return true;
	say("mem: --%s is at most 1000", name);
	return false;
}

static bool take_option(void *verb, int option)
{
	struct mem *m = verb;

	switch (option) {
	case OPT_PHYSICAL:
		m->pages.physical = true;
		return true;
	case OPT_LATENCY:
		m->by_latency = true;
		return true;
	case OPT_RANGE:
		return parse_range(m, optarg);
	case OPT_HEIGHT:
		return parse_size("height", &m->height);
	case OPT_WIDTH:
		return parse_size("width", &m->width);
	case OPT_SVG:
		m->svg = optarg;
		return true;
	case OPT_HTML:
		m->html = optarg;
		return true;
	case OPT_LIMIT:
		return parse_count("mem", "limit", optarg, &m->limit);
	default:
		usage(stderr);
		return false;
	}
}

int verb_mem(int argc, char **argv)
{
	static const struct option options[] = {
		{ "physical", no_argument, NULL, OPT_PHYSICAL },
		{ "range", required_argument, NULL, OPT_RANGE },
		{ "latency", no_argument, NULL, OPT_LATENCY },
		{ "height", required_argument, NULL, OPT_HEIGHT },
		{ "width", required_argument, NULL, OPT_WIDTH },
		{ "svg", required_argument, NULL, OPT_SVG },
		{ "html", required_argument, NULL, OPT_HTML },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct mem m = {
		.rows = { .verb = "mem", .need = NEED_OWNER },
		.limit = 10, .height = 24, .width = 64,
	};
	int rc;

	rc = rows_options(&m.rows, &grammar, &m, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (rows_check(&m.rows, argc, argv))
		rc = run(&m);
out:
	filter_free(m.rows.filter);
	return rc;
}
