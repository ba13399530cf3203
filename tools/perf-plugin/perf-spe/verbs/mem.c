// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe mem: which memory was accessed, how much of it, and when.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/memory/memory.h"
#include "output/picture/picture.h"
#include "output/verbs/verbs.h"
#include "util/util.h"
#include "verbs/verbs.h"

static void usage(FILE *to)
{
	fputs("usage: perf spe mem [OPTIONS] [FILE]\n"
	      "\n"
	      "Prints which memory the sampled loads and stores accessed: regions, the hottest\n"
	      "pages, NUMA nodes, the working set over time, and a picture of one region's heat\n"
	      "over address and time.\n"
	      "\n"
	      "      --physical       use physical addresses; record with --physical too\n"
	      "      --range LO-HI    draw these addresses (default: the region with the most\n"
	      "                       samples; in files, all that its process accessed, with\n"
	      "                       the gaps cut out)\n"
	      "      --latency        draw cycles of total latency instead of samples\n"
	      "      --height N, --width N\n"
	      "                       size of the picture in characters (default 24, and\n"
	      "                       64 or what fits on the terminal)\n"
	      "      --png FILE, --svg FILE\n"
	      "                       write a larger picture, with the working set, to FILE;\n"
	      "                       - is standard output, here and with --html\n"
	      "      --html FILE      write all tables and pictures to one HTML page\n"
	      "      --limit N        print at most N rows per table (default 10); the working\n"
	      "                       set over time always has all of its rows\n"
	      "      --traffic        also print how often NUMA nodes and variables are accessed, over\n"
	      "                       time: accesses per second and, where sizes are known, bytes\n"
	      "      --ci             print the confidence interval of 95% behind shares and\n"
	      "                       means\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

static int write_picture(const struct mem_report *m, const struct canvas_kind *kind,
			 FILE *to)
{
	char *title = mem_title(m, &m->pictures[0]);
	int rc = heat_picture(&m->pictures[0], &m->working_set, kind, title, to);

	free(title);
	return rc;
}

static int write_svg(const struct mem_report *m, FILE *to)
{
	return write_picture(m, &canvas_svg, to);
}

static int write_png(const struct mem_report *m, FILE *to)
{
	return write_picture(m, &canvas_png, to);
}

static int write_file(const struct mem_report *m, const char *path,
		      int (*write)(const struct mem_report *m, FILE *to))
{
	struct output *out;

	if (!path)
		return EXIT_OK;
	out = output_begin("mem", path);
	if (!out)
		return EXIT_INPUT;
	/* Where a write failed, output_end() says why. */
	return output_end(out, !write(m, out->to) || out->error) ? EXIT_OK : EXIT_INPUT;
}

static int write_files(const struct mem_report *m)
{
	int rc = write_file(m, m->svg, write_svg);

	if (write_file(m, m->png, write_png) != EXIT_OK)
		rc = EXIT_INPUT;
	if (write_file(m, m->html, mem_html) != EXIT_OK)
		rc = EXIT_INPUT;
	return rc;
}

/* Whether a sample is in a line of 64 bytes of the page that --range has a part of */
static bool in_range(const struct mem_report *m, const struct page *p)
{
	unsigned int i;

	for (i = 0; i < PAGE_BYTES / 64; i++)
		if (p->lines >> i & 1 && p->address + 64 * i < m->range.end &&
		    p->address + 64 * i + 63 >= m->range.start)
			return true;
	return false;
}

/*
 * The region to draw: --range in the process whose page has the most samples of those there, or the
 * region with the most samples.
 */
static struct region choose(const struct mem_report *m)
{
	struct region region = m->pages.regions[0];
	size_t i;

	if (!m->ranged)
		return region;
	for (i = 0; i < m->pages.table.count; i++) {
		if (in_range(m, m->pages.hot[i])) {
			region.whose = m->pages.hot[i]->whose;
			break;
		}
	}
	region.start = m->range.start;
	region.end = m->range.end;
	return region;
}

/* Of pictures in files, in cells */
#define FILE_ROWS	128
#define FILE_COLUMNS	192	/* WORKING_SET_STEPS divides it */

static void begin_pictures(struct mem_report *m)
{
	struct region region = choose(m);
	size_t i;

	heat_of_range(&m->heat, &m->pages, &region, (size_t)m->height,
		      (size_t)m->width);
	m->heat.by_latency = m->by_latency;
	if (!m->svg && !m->png && !m->html)
		return;
	if (m->ranged)
		heat_of_range(&m->pictures[m->nr_pictures++], &m->pages,
			      &region, FILE_ROWS, FILE_COLUMNS);
	else
		m->nr_pictures = heat_of_owners(m->pictures, MEM_PICTURES,
						&m->pages, FILE_ROWS,
						FILE_COLUMNS);
	for (i = 0; i < m->nr_pictures; i++)
		m->pictures[i].by_latency = m->by_latency;
	if (m->html)
		mem_zoomed_begin(m, m->ranged ? &region : NULL);
}

/* Read the samples again, now that all regions and times are known. */
static void second_walk(void *context, const struct row_batch *b)
{
	struct mem_report *m = context;
	struct touch touch;
	size_t i, k;

	if (m->nr_pictures)
		lines_add(&m->lines, b);
	for (k = 0; k < b->nr; k++) {
		bool touches = mem_touch(m, b, b->kept[k], &touch);

		if (m->ci)
			touched_precise_add(&m->precise, &m->pages, b, b->kept[k],
					    touches ? &touch : NULL);
		if (!touches)
			continue;
		if (m->by_time)
			traffic_add(&m->traffic, &m->pages, b, b->kept[k], &touch);
		working_set_add(&m->working_set, &touch);
		heat_add(&m->heat, &touch);
		for (i = 0; i < m->nr_pictures; i++)
			heat_add(&m->pictures[i], &touch);
	}
}

static void part_free(void *part)
{
	struct mem_report *m = part;
	size_t i;

	mem_part_free(m);
	if (m->ci)
		touched_precise_free(&m->precise);
	lines_parts.free(&m->lines);
	traffic_free(&m->traffic);
	heat_free(&m->heat);
	for (i = 0; i < m->nr_pictures; i++)
		heat_free(&m->pictures[i]);
}

static void part_begin(void *part, const void *like)
{
	const struct mem_report *of = like;
	struct mem_report *m = part;
	size_t i;

	if (m == of)
		traffic_free(&m->traffic);
	mem_part_begin(m, of);
	lines_parts.begin(&m->lines, &of->lines);
	memset(&m->traffic, 0, sizeof(m->traffic));
	if (m->ci) {
		if (m == of)
			touched_precise_free(&m->precise);
		touched_precise_init(&m->precise, &m->pages, m->limit);
	}
	memset(m->working_set.samples, 0, sizeof(m->working_set.samples));
	heat_twin(&m->heat, &of->heat);
	for (i = 0; i < m->nr_pictures; i++)
		heat_twin(&m->pictures[i], &of->pictures[i]);
}

static void part_merge(void *whole, void *part)
{
	struct mem_report *m = whole, *from = part;
	size_t i;

	mem_part_merge(m, from);
	if (m->ci)
		touched_precise_merge(&m->precise, &from->precise);
	lines_parts.merge(&m->lines, &from->lines);
	traffic_merge(&m->traffic, &from->traffic);
	working_set_merge(&m->working_set, &from->working_set);
	heat_merge(&m->heat, &from->heat);
	for (i = 0; i < m->nr_pictures; i++)
		heat_merge(&m->pictures[i], &from->pictures[i]);
}

static void read_again(struct mem_report *m)
{
	static const struct row_parts parts = {
		sizeof(struct mem_report), part_begin, part_merge, part_free,
	};
	const struct row_taker taker = {
		.take = second_walk, .columns = PAGES_COLUMNS | (m->nr_pictures ? LINES_COLUMNS : 0),
		.in_order = !m->pages.timed,
	};
	struct sample_totals totals;
	size_t i;

	rows_read(&m->rows, &taker, m, &parts, &totals);
	mem_touch_end(m);
	traffic_finish(&m->traffic);
	if (m->nr_pictures)
		lines_finish(&m->lines);
	for (i = 0; i < m->nr_pictures; i++)
		bands_name(&m->pictures[i].bands, m->pictures[i].whose, &m->lines);
	for (i = 0; i < m->nr_zoomed; i++)
		bands_name(&m->zoomed[i].bands, m->zoomed[i].whose, &m->lines);
	if (m->ci)
		touched_precise_finish(&m->precise, &m->rows);
}

/* How many files are to go to standard output, which then has no text */
static unsigned int to_output(const struct mem_report *m)
{
	const char *const paths[] = { m->svg, m->png, m->html };
	unsigned int i, count = 0;

	for (i = 0; i < 3; i++)
		count += paths[i] && output_is_standard(paths[i]);
	return count;
}

static bool check_files(const struct mem_report *m)
{
	if (to_output(m) > 1)
		say("mem: standard output can have one of --png, --svg and --html: name files for the others");
	else if (m->data.form && to_output(m))
		say("mem: --json and --csv go to standard output: name files for pictures and pages");
	else if (m->png && output_is_standard(m->png) && output_terminal() >= 0)
		say("mem: a PNG is not for a terminal: name a file");
	else
		return true;
	return false;
}

static int show(struct mem_report *m)
{
	char *why;
	int rc;

	pages_finish(&m->pages);
	m->working_set.pages = &m->pages;
	if (!m->pages.samples) {
		why = mem_why_none(m);
		rows_say_none(&m->rows, why);
		free(why);
		if (m->svg || m->png)
			say("mem: no picture is written, for no sample is left to draw");
		rc = write_file(m, m->html, mem_html);
		if (m->data.form)
			mem_data(m, &m->data, stdout);
		return rc;
	}
	begin_pictures(m);
	touchers_begin(&m->pages, m->limit);
	read_again(m);
	if (m->ranged && !m->heat.most)
		say("mem: no sample %sis in --range %#" PRIx64 "-%#" PRIx64 ": name addresses of one of the regions",
		    m->by_latency ? "with a total latency " : "", m->range.start, m->range.end);
	if (m->html || m->data.form)
		rows_say_lacks(&m->rows);
	/* First: a reader of the text may end the command, as head does. */
	rc = write_files(m);
	if (m->data.form)
		mem_data(m, &m->data, stdout);
	else if (!to_output(m))
		mem_text(m);
	part_free(m);
	return rc;
}

static int run(struct mem_report *m)
{
	static const struct row_taker taker = { .take = pages_add, .columns = PAGES_COLUMNS };
	struct sample_totals totals;
	int rc, shown;

	/* Few rows need their place: those of the hottest pages. */
	m->rows.places_later = !m->html && !m->svg && !m->png && (!m->rows.filter ||
					    filter_need(m->rows.filter) < NEED_PLACE);
	rc = rows_open(&m->rows);

	if (rc != EXIT_OK)
		return rc;
	if (!nodes_init(&m->pages.nodes, m->rows.resolver.session))
		rc = EXIT_INPUT;
	rows_read(&m->rows, &taker, &m->pages, &pages_parts, &totals);
	if (samples_verdict(&m->rows.src, &totals) != EXIT_OK)
		rc = EXIT_INPUT;
	shown = show(m);
	pages_free(&m->pages);
	rows_close(&m->rows);
	return rc == EXIT_OK ? shown : rc;
}

static bool parse_range(struct mem_report *m, const char *text)
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
		say("mem: --range needs two hexadecimal addresses LOW-HIGH, not '%s'",
		    text);
	return m->ranged;
}

enum {
	OPT_PHYSICAL = 256, OPT_RANGE, OPT_LATENCY, OPT_HEIGHT, OPT_WIDTH,
	OPT_PNG, OPT_SVG, OPT_HTML, OPT_LIMIT,
	OPT_CI, OPT_TRAFFIC,
};

/* A picture's height or width; larger ones fit on no terminal. */
static bool parse_size(const char *name, uint64_t *size)
{
	if (!parse_count("mem", name, optarg, size))
		return false;
	if (*size <= 1000)
		return true;
	say("mem: --%s %" PRIu64 " is too large: give at most 1000", name, *size);
	return false;
}

static bool take_option(void *verb, int option)
{
	struct mem_report *m = verb;

	switch (option) {
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&m->data, "mem", mem_table, option);
	case OPT_PHYSICAL:
		m->pages.physical = true;
		return true;
	case OPT_LATENCY:
		m->by_latency = true;
		return true;
	case OPT_CI:
		m->ci = true;
		return true;
	case OPT_TRAFFIC:
		m->by_time = true;
		return true;
	case OPT_RANGE:
		return parse_range(m, optarg);
	case OPT_HEIGHT:
		return parse_size("height", &m->height);
	case OPT_WIDTH:
		return parse_size("width", &m->width);
	case OPT_PNG:
		m->png = optarg;
		return output_named("mem", "--png", optarg);
	case OPT_SVG:
		m->svg = optarg;
		return output_named("mem", "--svg", optarg);
	case OPT_HTML:
		m->html = optarg;
		return output_named("mem", "--html", optarg);
	case OPT_LIMIT:
		return parse_count("mem", "limit", optarg, &m->limit);
	default:
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
		{ "png", required_argument, NULL, OPT_PNG },
		{ "svg", required_argument, NULL, OPT_SVG },
		{ "html", required_argument, NULL, OPT_HTML },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		{ "ci", no_argument, NULL, OPT_CI },
		{ "traffic", no_argument, NULL, OPT_TRAFFIC },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct mem_report m = {
		.rows = { .verb = "mem", .need = NEED_PLACE },
		.lines = { .bytes = 64 }, .height = 24, .width = heat_text_columns(),
	};
	int rc;

	rc = rows_options(&m.rows, &grammar, &m, argc, argv);
	m.limit = data_limit(&m.data, m.limit, 10);
	m.by_time |= m.data.table && !strcmp(m.data.table, "traffic");
	if (rc < 0)
		rc = rows_check(&m.rows, argc, argv) && check_files(&m) ? run(&m) : EXIT_USAGE;
	filter_free(m.rows.filter);
	return rc;
}
