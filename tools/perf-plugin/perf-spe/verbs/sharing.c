// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe sharing: cache lines that several threads access and at least one
 * stores to, with the code of each thread.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct sharing {
	struct rows rows;
	struct lines lines;
	struct lines_precise precise;		/* with ci */
	uint64_t bytes, limit, sides, pairs;
	bool ci;
	struct data_options data;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe sharing [OPTIONS] [FILE]\n"
	      "\n"
	      "Prints the cache lines that several threads access and at least one stores to,\n"
	      "the line with the most snooped samples first. For each line it prints which\n"
	      "thread accesses which byte, and from which code.\n"
	      "\n"
	      "      --line BYTES    size of a cache line (default 64)\n"
	      "      --limit N       print at most N lines (default 20)\n"
	      "      --sides N       print at most N rows per line (default 8)\n"
	      "      --pairs N       print at most N pairs of functions that meet on a line\n"
	      "                      (default 4)\n"
	      "      --types         print the type and field that each access is to\n"
	      "      --ci            print the confidence interval of 95% behind shares and\n"
	      "                      means\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

static void print_mean(FILE *to, uint64_t cycles, uint64_t timed)
{
	if (timed)
		fprintf(to, " %8.1f", (double)cycles / (double)timed);
	else
		fprintf(to, " %8s", "-");
}

static void print_who(FILE *to, const struct access *a)
{
	char *who = sharing_who(a);

	fputs("  ", to);
	put_name(who, to);
	if (strlen(who) < 22)
		fprintf(to, "%*s", (int)(22 - strlen(who)), "");
	free(who);
}

static void print_code(FILE *to, const struct access *a)
{
	put_name(path_short(a->object), to);
	putc(' ', to);
	if (a->symbol)
		put_name(a->symbol, to);
	else if (a->pc)
		fprintf(to, "0x%" PRIx64, a->pc);
}

static void print_type(FILE *to, const struct access *a)
{
	if (!a->type)
		return;
	fputs(", ", to);
	put_name(a->type, to);
	if (!a->field)
		return;
	putc(' ', to);
	put_name(a->field, to);
}

static void put_interval(FILE *to, const struct precise *p, size_t index, enum measure m)
{
	const struct measured row = precise_measured(p, index);

	table_interval_measure(to, m, &row, &p->sum);
}

/*
 * The line is number @index, the access is number @at.
 * @sum: the part of the line's samples that the rows up to this one have
 */
static void print_access(FILE *to, const struct sharing *s, const struct line *line, size_t index,
			 size_t at, uint64_t *sum)
{
	const struct line_precise *of = &s->precise.of[index];
	const struct access *a = &line->accesses[at];
	uint64_t part = line->snooped ? a->snooped : a->count;
	uint64_t all = line->snooped ? line->snooped : line->loads + line->stores;

	*sum += part;
	table_cost(to, a->timed, a->cycles, s->lines.cycles);
	fprintf(to, " %8" PRIu64 " %8" PRIu64 " %6.2f%%", a->count, a->snooped,
	       percent(part, all));
	if (s->ci)
		put_interval(to, &of->share, at, MEASURE_SHARE);
	fprintf(to, " %6.2f%%", percent(*sum, all));
	print_mean(to, a->cycles, a->timed);
	if (s->ci)
		put_interval(to, &of->mean, at, MEASURE_MEAN);
	fprintf(to, "  +%-3u %-5s", a->offset, a->store ? "store" : "load");
	print_who(to, a);
	if (a->cpu != NO_ID)
		fprintf(to, " %4d  ", a->cpu);
	else
		fprintf(to, " %4s  ", "-");
	print_code(to, a);
	print_type(to, a);
	putc('\n', to);
}

static void print_side(FILE *to, const struct access *a, unsigned int first, unsigned int end)
{
	print_code(to, a);
	fprintf(to, " +%u", first);
	if (end - first > 1)
		fprintf(to, "-%u", end - 1);
}

/* Which functions make the line go from CPU to CPU */
static void print_pairs(FILE *to, const struct sharing *s, const struct line *line)
{
	size_t i;

	if (!line->nr_pairs)
		return;
	fputs("# meetings  bytes     functions that move the line, with the bytes of each\n", to);
	for (i = 0; i < line->nr_pairs && i < s->pairs; i++) {
		const struct line_pair *p = &line->pairs[i];

		fprintf(to, "   %6.2f%%  %-8s  ", 100 * p->part, p->common ? "common" : "apart");
		print_side(to, p->a, p->a_first, p->a_end);
		fputs(", ", to);
		print_side(to, p->b, p->b_first, p->b_end);
		putc('\n', to);
	}
	if (i < line->nr_pairs)
		fprintf(to, "# %zu more pair%s\n", line->nr_pairs - i, plural(line->nr_pairs - i));
}

static void print_names(FILE *to, const struct line *line)
{
	char *names = sharing_names(line);

	if (*names)
		fputs(", ", to);
	put_name(names, to);
	free(names);
}

static void print_line(FILE *to, const struct sharing *s, size_t index)
{
	const struct line *line = s->lines.sorted[index];
	const char *verdict = sharing_verdict(line);
	const char *ci = s->ci ? TABLE_INTERVAL_HEADING : "";
	int width = s->ci ? TABLE_INTERVAL + 1 : 0;
	char *cpus = sharing_cpus(line), *names = sharing_names(line);
	char *text = xformat("%s line 0x%" PRIx64, line->physical ? "physical" : "virtual", line->address);
	uint64_t sum = 0;
	size_t i;

	if (line->pid != NO_ID)
		text = xappend(text, " %s %d", line_of(line), line->pid);
	text = xappend(text, "%s%s: %" PRIu64 " load%s, %" PRIu64 " store%s, %" PRIu64
		       " snooped, %zu sharers on %s%s%s", *names ? ", " : "", names, line->loads,
		       plural(line->loads), line->stores, plural(line->stores),
		       line->snooped, line->sharers, cpus, *verdict ? ", " : "", verdict);
	putc('\n', to);
	put_sentence(to, "     ", text);
	free(names);
	free(cpus);
	fprintf(to, "# %7s %8s %8s %7s%*s %7s %8s%*s  %-4s %-5s  %-22s %4s  %s\n", "cost",
	       "count", "snooped", "share", width, ci, "sum", "mean", width, ci, "at",
	       "what", "thread", "CPU", s->lines.types ? "code, type and field" : "code");
	for (i = 0; i < line->nr_accesses && i < s->sides; i++)
		print_access(to, s, line, index, i, &sum);
	if (i < line->nr_accesses)
		fprintf(to, "# %zu more row%s\n", line->nr_accesses - i,
		       plural(line->nr_accesses - i));
	print_pairs(to, s, line);
}

/*
 * A line of its own for each cache line, with its share of all samples that waited
 * for a shared line, and the sum of the shares so far.
 */
static void print_lines(FILE *to, const struct sharing *s)
{
	const struct lines *l = &s->lines;
	uint64_t all = l->shared_snooped, sum = 0;
	size_t i;

	fprintf(to, "\n# lines by %s\n", all ? "snooped samples" :
	       "samples, as none is snooped");
	fprintf(to, "# %7s %8s %8s %7s%*s %7s %8s %5s  %s\n", "cost", "count",
	       "snooped", "share", s->ci ? TABLE_INTERVAL + 1 : 0,
	       s->ci ? TABLE_INTERVAL_HEADING : "", "sum", "sharers", "CPUs", "line");
	for (i = 0; i < l->nr_sorted && i < s->limit; i++) {
		const struct line *line = l->sorted[i];
		uint64_t count = line->loads + line->stores;
		uint64_t part = all ? line->snooped : count;

		sum += part;
		table_cost(to, line->timed, line->cycles, l->cycles);
		fprintf(to, " %8" PRIu64 " %8" PRIu64 " %6.2f%%", count,
		       line->snooped, percent(part, all ? all : l->shared_samples));
		if (s->ci)
			put_interval(to, &s->precise.share, i, MEASURE_SHARE);
		fprintf(to, " %6.2f%% %8zu ", percent(sum, all ? all : l->shared_samples),
		       line->sharers);
		if (line->cpus)
			fprintf(to, "%5zu", line->cpus);
		else
			fprintf(to, "%5s", "-");
		fprintf(to, "  %s 0x%" PRIx64, line->physical ? "physical" : "virtual",
		       line->address);
		if (line->pid != NO_ID)
			fprintf(to, " %s %d", line_of(line), line->pid);
		print_names(to, line);
		fputs(line->verdict == LINE_FALSE_SHARING ? ", false sharing?\n" : "\n", to);
	}
	if (i < l->nr_sorted)
		fprintf(to, "# %zu more line%s\n", l->nr_sorted - i,
		       plural(l->nr_sorted - i));
}

static void print_all(const struct sharing *s)
{
	const struct lines *l = &s->lines;
	struct fitted fitted;
	size_t i;
	FILE *to;

	heading_print(stdout, &s->rows);
	printf("# %" PRIu64 " loads and stores with an address", l->samples);
	if (l->physical)
		printf(" (%" PRIu64 " with a physical one)", l->physical);
	printf(" in %zu line%s, %zu line%s shared\n", l->table.count, plural(l->table.count),
	       l->nr_sorted, plural(l->nr_sorted));
	if (l->unknown)
		put_sentence(stdout, "# ", xformat("# %" PRIu64 " more of unknown processes count for no line: a virtual address is of its process",
						   l->unknown));
	table_flags(stdout, s->rows.resolver.session);
	table_names(stdout, &s->rows.resolver);
	to = fitted_begin(&fitted);
	if (l->nr_sorted > 1)
		print_lines(to, s);
	for (i = 0; i < l->nr_sorted && i < s->limit; i++)
		print_line(to, s, i);
	fitted_end(&fitted);
	if (i < l->nr_sorted)
		printf("\n# %zu more line%s\n", l->nr_sorted - i,
		       plural(l->nr_sorted - i));
}

const char *sharing_table(unsigned int index)
{
	static const char *const names[] = {
		"lines", "accesses", "pairs", "recording", "offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static void interval_data(struct data *d, const char *name, const struct precise *p, size_t index,
			  enum measure m)
{
	const struct measured row = precise_measured(p, index);
	struct interval i;
	bool known = precision_get(m, &row, &p->sum, &i);

	table_interval_data(d, name, known, &i);
}

static void mean_data(struct data *d, uint64_t cycles, uint64_t timed)
{
	data_number(d, "cycles", cycles);
	data_real(d, "mean", timed, timed ? (double)cycles / (double)timed : 0);
}

static void line_data(struct data *d, const struct sharing *s, size_t index)
{
	static const char *const verdicts[] = {
		[LINE_COMMON] = "common", [LINE_FALSE_SHARING] = "false sharing",
		[LINE_ONE_CPU] = "one cpu", [LINE_IN_TURN] = "in turn", [LINE_FEW] = "few samples",
	};
	const struct lines *l = &s->lines;
	const struct line *line = l->sorted[index];
	uint64_t count = line->loads + line->stores, all = l->shared_snooped;

	data_row(d);
	data_number(d, "line", index);
	data_address(d, "address", line->address);
	data_flag(d, "physical", line->physical);
	data_id(d, "pid", line->pid);
	data_take_text(d, "names", sharing_names(line));
	data_real(d, "cost_percent", line->timed, percent(line->cycles, l->cycles));
	data_number(d, "count", count);
	data_number(d, "loads", line->loads);
	data_number(d, "stores", line->stores);
	data_number(d, "snooped", line->snooped);
	data_real(d, "share_percent", true, all ? percent(line->snooped, all) :
		  percent(count, l->shared_samples));
	if (s->ci)
		interval_data(d, "share_percent", &s->precise.share, index, MEASURE_SHARE);
	mean_data(d, line->cycles, line->timed);
	data_number(d, "sharers", line->sharers);
	data_id(d, "cpus", line->cpus ? (int32_t)line->cpus : NO_ID);
	data_text(d, "verdict", verdicts[line->verdict]);
	data_row_end(d);
}

static void code_data(struct data *d, const struct access *a)
{
	data_text(d, "object", a->object);
	data_text(d, "symbol", a->symbol);
	if (!a->symbol && a->pc)
		data_address(d, "pc", a->pc);
	else
		data_none(d, "pc");
}

static void access_data(struct data *d, const struct sharing *s, size_t index, size_t at)
{
	const struct line *line = s->lines.sorted[index];
	const struct access *a = &line->accesses[at];

	data_row(d);
	data_number(d, "line", index);
	data_number(d, "offset", a->offset);
	data_number(d, "bytes", a->bytes);
	data_text(d, "op", a->store ? "store" : "load");
	data_id(d, "tid", a->tid);
	data_text(d, "comm", a->comm);
	data_flag(d, "guest", owner_is_guest(a->process));
	data_id(d, "cpu", a->cpu);
	code_data(d, a);
	data_text(d, "type", a->type);
	data_text(d, "field", a->field);
	data_real(d, "cost_percent", a->timed, percent(a->cycles, s->lines.cycles));
	data_number(d, "count", a->count);
	data_number(d, "snooped", a->snooped);
	data_real(d, "share_percent", true, line->snooped ? percent(a->snooped, line->snooped) :
		  percent(a->count, line->loads + line->stores));
	if (s->ci)
		interval_data(d, "share_percent", &s->precise.of[index].share, at, MEASURE_SHARE);
	mean_data(d, a->cycles, a->timed);
	if (s->ci)
		interval_data(d, "mean", &s->precise.of[index].mean, at, MEASURE_MEAN);
	data_row_end(d);
}

/* Which functions meet on the line, each with the bytes that it uses */
static void pair_data(struct data *d, size_t index, const struct line_pair *p)
{
	data_row(d);
	data_number(d, "line", index);
	data_real(d, "meetings_percent", true, 100 * p->part);
	data_flag(d, "common", p->common);
	data_text(d, "object", p->a->object);
	data_text(d, "symbol", p->a->symbol);
	data_number(d, "first", p->a_first);
	data_number(d, "end", p->a_end);
	data_text(d, "other_object", p->b->object);
	data_text(d, "other_symbol", p->b->symbol);
	data_number(d, "other_first", p->b_first);
	data_number(d, "other_end", p->b_end);
	data_row_end(d);
}

/* @why: no line can be listed; or NULL */
static void print_data(struct sharing *s, const char *why)
{
	const struct lines *l = &s->lines;
	size_t i, k;
	struct data d;

	rows_say_lacks(&s->rows);
	data_begin(&d, &s->data, "sharing", stdout);
	table_recording_data(&d, &s->rows);
	data_number(&d, "samples", l->samples);
	data_number(&d, "physical", l->physical);
	data_number(&d, "unknown_process", l->unknown);
	data_number(&d, "line_bytes", l->bytes);
	data_number(&d, "all_lines", l->table.count);
	data_text(&d, "share_of", l->shared_snooped ? "snooped" : "count");
	data_text(&d, "why_none", why);
	data_table(&d, "lines");
	for (i = 0; i < l->nr_sorted && i < s->limit; i++)
		line_data(&d, s, i);
	data_table_end(&d);
	data_table(&d, "accesses");
	for (i = 0; i < l->nr_sorted && i < s->limit; i++)
		for (k = 0; k < l->sorted[i]->nr_accesses && k < s->sides; k++)
			access_data(&d, s, i, k);
	data_table_end(&d);
	data_table(&d, "pairs");
	for (i = 0; i < l->nr_sorted && i < s->limit; i++)
		for (k = 0; k < l->sorted[i]->nr_pairs && k < s->pairs; k++)
			pair_data(&d, i, &l->sorted[i]->pairs[k]);
	data_table_end(&d);
	data_end(&d);
}

/* The intervals need the lines and accesses that the first reading has found. */
static void read_again(struct sharing *s)
{
	static const struct row_taker taker = {
		.take = lines_precise_add, .columns = LINES_COLUMNS,
	};
	struct sample_totals totals;

	lines_precise_init(&s->precise, &s->lines, s->limit, s->sides);
	rows_take_again(&s->rows, &taker, &s->precise, &totals);
	lines_precise_finish(&s->precise, &s->rows);
}

static int run(struct sharing *s)
{
	static const struct row_taker taker = { .take = lines_add, .columns = LINES_COLUMNS };
	struct sample_totals totals;
	int rc = rows_open(&s->rows);
	char *why;

	if (rc != EXIT_OK)
		return rc;
	s->lines.bytes = (unsigned int)s->bytes;
	rows_read(&s->rows, &taker, &s->lines, &lines_parts, &totals);
	rc = samples_verdict(&s->rows.src, &totals);
	lines_finish(&s->lines);
	if (s->ci)
		read_again(s);
	if (totals.decoded.records || rc == EXIT_OK) {
		why = sharing_why_none(&s->rows, &s->lines);
		if (s->data.form)
			print_data(s, why);
		else
			print_all(s);
		rows_say_none(&s->rows, why);
		free(why);
	}
	if (s->ci)
		lines_precise_free(&s->precise);
	lines_free(&s->lines);
	rows_close(&s->rows);
	return rc;
}

enum { OPT_LINE = 256, OPT_LIMIT, OPT_SIDES, OPT_PAIRS, OPT_CI, OPT_TYPES };

static bool take_option(void *verb, int option)
{
	struct sharing *s = verb;

	switch (option) {
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&s->data, "sharing", sharing_table, option);
	case OPT_LINE:
		if (!parse_count("sharing", "line", optarg, &s->bytes))
			return false;
		if (s->bytes >= 16 && s->bytes <= 256 &&
		    !(s->bytes & (s->bytes - 1)))
			return true;
		say("sharing: --line needs a power of two from 16 to 256, not '%s'",
		    optarg);
		return false;
	case OPT_LIMIT:
		return parse_count("sharing", "limit", optarg, &s->limit);
	case OPT_CI:
		return s->ci = true;
	case OPT_TYPES:
		return s->lines.types = true;
	case OPT_SIDES:
		return parse_count("sharing", "sides", optarg, &s->sides);
	case OPT_PAIRS:
		return parse_count("sharing", "pairs", optarg, &s->pairs);
	default:
		return false;
	}
}

int verb_sharing(int argc, char **argv)
{
	static const struct option options[] = {
		{ "line", required_argument, NULL, OPT_LINE },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		{ "sides", required_argument, NULL, OPT_SIDES },
		{ "pairs", required_argument, NULL, OPT_PAIRS },
		{ "ci", no_argument, NULL, OPT_CI },
		{ "types", no_argument, NULL, OPT_TYPES },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct sharing s = {
		.rows = { .verb = "sharing", .need = NEED_PLACE, .names_sources = true },
		.bytes = 64,
	};
	int rc;

	rc = rows_options(&s.rows, &grammar, &s, argc, argv);
	s.limit = data_limit(&s.data, s.limit, 20);
	s.sides = data_limit(&s.data, s.sides, 8);
	s.pairs = data_limit(&s.data, s.pairs, 4);
	if (rc < 0)
		rc = rows_check(&s.rows, argc, argv) ? run(&s) : EXIT_USAGE;
	filter_free(s.rows.filter);
	return rc;
}
