// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe diff: what changed from one recording to others, and what of it is more than
 * chance.
 */
#include <inttypes.h>
#include <math.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* A larger value than so many percent of the old one fails, if it is significant. */
struct limit_of {
	bool given;
	double percent;
};

struct diff_verb {
	struct rows options;		/* as the user gave them; no input */
	struct tally by;		/* columns and events */
	const char *fail_on, *html;
	struct limit_of limits[CHANGES_MAX];
	uint64_t limit, least;
	struct data_options data;
	struct rows *rows;		/* of each recording */
	struct tally *tallies;
	struct flame *flames;		/* for the page */
	char **losses;			/* see trust_losses() */
	size_t nr;
};

/* A significant rise that --fail-on names */
#define EXIT_RISE 3

static void usage(FILE *to)
{
	fputs("usage: perf spe diff [OPTIONS] OLD NEW...\n"
	      "\n"
	      "Compares recordings of a program by symbol: the share of the cycles (cost) and of\n"
	      "the samples, and the mean latency. A star marks a change that is too large to\n"
	      "come from sampling: at most 5% of comparisons get one by sampling alone. What\n"
	      "else changes from run to run can bring one too, such as the machine's load:\n"
	      "compare two recordings of the old program first.\n"
	      "\n"
	      "      --by LIST       compare by these columns of 'export', such as\n"
	      "                      symbol,source_line or op,subclass (default: symbol)\n"
	      "      --events LIST   also compare the share of samples with these events\n"
	      "      --least PERCENT mark no smaller change (default 1)\n"
	      "      --fail-on LIST  exit with status 3 if one of these rises significantly;\n"
	      "                      cost,mean=10 names the cost, or the mean by 10% or more\n"
	      "      --limit N       print at most N rows per recording\n"
	      DATA_HELP
	      "      --html FILE     also write a page: verdict, tables, and a flame graph whose\n"
	      "                      colours are the changes; with -, write only the page, to\n"
	      "                      standard output\n"
	      ROWS_CORE_HELP ROWS_TIME_HELP ROWS_GUEST_HELP ROWS_LIVE_HELP, to);
}

const char *diff_fail_word(unsigned int index)
{
	static const char *const words[] = { "cost", "share", "mean" };

	return index < NR_CHANGES ? words[index] : NULL;
}

/* The kind of change that @name names; CHANGES_MAX if none */
static size_t kind_of(const struct tally *t, const char *name, size_t len)
{
	const struct changes c = { .tally = { t, t } };
	size_t i;

	for (i = 0; i < change_kinds(&c); i++)
		if (strlen(change_name(&c, i)) == len &&
		    !memcmp(change_name(&c, i), name, len))
			return i;
	return CHANGES_MAX;
}

static bool parse_one(struct diff_verb *d, const char *text, size_t len)
{
	size_t name = strcspn(text, ",="), kind = kind_of(&d->by, text, name);
	char *end, *proposal;
	double percents = 0;

	if (kind == CHANGES_MAX) {
		proposal = suggest(diff_fail_word, text, name);
		say("diff: --fail-on: '%.*s' is neither cost, share, mean nor an event of --events; %s",
		    (int)name, text, proposal);
		free(proposal);
		return false;
	}
	if (text[name] == '=') {
		percents = strtod(text + name + 1, &end);
		if (end == text + name + 1 || end != text + len || !(percents >= 0)) {
			say("diff: --fail-on: '%.*s' needs a number of percent behind '=', for example %s=10",
			    (int)len, text, diff_fail_word(CHANGE_MEAN));
			return false;
		}
	}
	d->limits[kind] = (struct limit_of){ true, percents };
	return true;
}

static bool parse_fail_on(struct diff_verb *d)
{
	const char *at = d->fail_on;
	size_t len;

	for (; at; at = at[len] ? at + len + 1 : NULL) {
		len = strcspn(at, ",");
		if (!parse_one(d, at, len))
			return false;
	}
	return true;
}

/* What one reading of a recording collects */
struct collected {
	struct tally tally;
	struct flame flame;		/* with @page */
	bool page;
	/* With @cut: what full buffers cost */
	struct estimate estimate;
	const struct session *cut;
};

static void collect(void *context, const struct row_batch *b)
{
	struct collected *c = context;

	tally_add(&c->tally, b);
	if (c->page)
		flame_add(&c->flame, b);
	if (c->cut)
		estimate_add(&c->estimate, b);
}

static void part_begin(void *part, const void *like)
{
	const struct collected *of = like;
	struct collected *c = part;

	tally_parts.begin(&c->tally, &of->tally);
	flame_free(&c->flame);
	c->page = of->page;
	estimate_free(&c->estimate);
	c->cut = of->cut;
	if (c->cut)
		estimate_init(&c->estimate, c->cut);
}

static void part_merge(void *whole, void *part)
{
	struct collected *c = whole, *from = part;

	tally_parts.merge(&c->tally, &from->tally);
	flame_merge(&c->flame, &from->flame);
	estimate_merge(&c->estimate, &from->estimate);
}

static void part_free(void *part)
{
	struct collected *c = part;

	tally_parts.free(&c->tally);
	flame_free(&c->flame);
	estimate_free(&c->estimate);
}

/* What the reading of a recording found to be lost */
static char *losses_of(struct collected *c, const struct rows *r, const struct sample_totals *totals)
{
	const struct trust_of of = { &c->estimate, totals, r->kept, r->seen };

	if (c->cut)
		estimate_finish(&c->estimate, r);
	else
		estimate_init(&c->estimate, r->resolver.session);
	return trust_losses(&of);
}

static int read_one(struct diff_verb *d, size_t n, const char *path)
{
	struct rows *r = &d->rows[n];
	struct row_taker taker = { .take = collect, .columns = tally_columns(&d->by) };
	static const struct row_parts parts = {
		sizeof(struct collected), part_begin, part_merge, part_free,
	};
	struct collected c = { .tally = d->by, .page = d->html };
	struct sample_totals totals;
	char *why;
	int rc;

	*r = d->options;
	r->src.path = path;
	r->need = tally_need(&d->by);
	r->names_sources = tally_names_sources(&d->by);
	if (d->html && r->need < NEED_PLACE)
		r->need = NEED_PLACE;
	r->stacks_if_any = d->html;
	/* rows_close() frees the filter of each. */
	if (selection_any(&r->selection))
		r->filter = selection_filter(&r->selection, r->verb, NULL);
	c.tally.precise = true;
	rc = rows_open(r);
	if (rc != EXIT_OK)
		return rc;
	d->nr = n + 1;
	if (r->resolver.session && (r->resolver.session->aux_truncated || r->resolver.session->aux_partial)) {
		c.cut = r->resolver.session;
		taker.columns |= ESTIMATE_COLUMNS;
		if (r->need < NEED_OWNER)
			r->need = NEED_OWNER;
	}
	rows_read(r, &taker, &c, &parts, &totals);
	rc = samples_verdict(&r->src, &totals);
	d->tallies[n] = c.tally;
	d->flames[n] = c.flame;
	d->losses[n] = losses_of(&c, r, &totals);
	estimate_free(&c.estimate);
	tally_sort(&d->tallies[n], MEASURE_COUNT);
	rows_none_kept(r);
	why = heading_no_source(r);
	if (why)
		say("diff: of %s, %s", path, why);
	free(why);
	return rc;
}

/* Which row it is goes to standard error too. */
static void say_rise(const struct changes *c, const struct changed_row *row, size_t kind)
{
	const struct tally_row *any = row->row[0] ? row->row[0] : row->row[1];
	const struct change *change = &row->change[kind];
	char *names = xformat("%s", ""), *count, text[1024];
	size_t i;

	for (i = 0; i < c->tally[0]->nr_by; i++) {
		table_key(c->tally[0]->by[i], &any->key[i], text, sizeof(text));
		names = xappend(names, "%s%s", i ? " " : "", text);
	}
	/* Without its cheap operations a function has a higher mean, and fewer samples. */
	count = kind == CHANGE_MEAN && row->row[0] && row->row[1] ?
		xformat(", and its samples went from %" PRIu64 " to %" PRIu64, row->row[0]->count, row->row[1]->count) :
		xformat("%s", "");
	say("diff: --fail-on %s: %s rose from %.2f to %.2f%s", change_name(c, kind), names,
	    change->value[0], change->value[1], count);
	free(count);
	free(names);
}

/* A larger share of a recording without names could hide a row that rose. */
#define NAMELESS_MOST	10.0	/* percent of its samples, or of their cycles */

/*
 * Whether a row names the same function or line in both recordings.  Functions of stripped files are
 * FILE+0xADDRESS, which means another one in another build.
 */
static bool is_named(const struct symbols *old, const struct symbols *new, const struct tally_key *key)
{
	const char *plus = key->present ? strrchr(key->text, '+') : NULL;

	return key->present && (!plus || strncmp(plus, "+0x", 3) ||
				symbols_alike(old, new, key->text, (size_t)(plus - key->text)));
}

/* The share of recording @i of both without a name in column @by, in percent */
static double nameless_share(const struct changes *c, const struct symbols *old, const struct symbols *new,
			     size_t i, size_t by)
{
	uint64_t all = 0, none = 0, cycles = 0, none_cycles = 0;
	size_t row;

	for (row = 0; row < c->nr_rows; row++) {
		const struct tally_row *of = c->rows[row].row[i];

		if (!of)
			continue;
		all += of->count;
		cycles += of->latency[0].sum;
		if (is_named(old, new, &of->key[by]))
			continue;
		none += of->count;
		none_cycles += of->latency[0].sum;
	}
	return fmax(percent(none, all), percent(none_cycles, cycles));
}

/*
 * Whether too many samples have no function or line: they are one row, in which one may rise and
 * others fall.  True after a message; @new is the number of the new recording.
 */
static bool are_nameless(const struct diff_verb *d, const struct changes *c, size_t new)
{
	static const char *const remedy[] = {
		"give their files with --symfs, --vmlinux, --kallsyms or in an archive (of stripped files the debug files)",
		"compile the programs with -g, or give their debug files",
	};
	size_t by, i;

	for (by = 0; by < d->by.nr_by; by++) {
		const char *name = d->by.by[by]->name;
		const bool line = !strcmp(name, "source_line");

		for (i = 0; i < 2 && (line || !strcmp(name, "symbol")); i++) {
			double share = nameless_share(c, &d->rows[0].symbols, &d->rows[new].symbols, i, by);

			if (share <= NAMELESS_MOST)
				continue;
			say("diff: --fail-on: %.1f%% of %s have no %s that names the same in both recordings, and one that rose may be among them: %s, or leave these samples out with --filter",
			    share, d->rows[i ? new : 0].src.path, name, remedy[line]);
			return true;
		}
	}
	return false;
}

/* Whether something rose that --fail-on names, as an exit status: EXIT_INPUT if it cannot be known */
static int rises(const struct diff_verb *d, const struct changes *c, size_t new)
{
	size_t row, kind, tested[CHANGES_MAX] = { 0 };
	bool found = false, unknown = d->fail_on && c->of.one_sided;

	for (row = 0; row < c->nr_rows; row++)
		for (kind = 0; kind < change_kinds(c); kind++) {
			const struct change *change = &c->rows[row].change[kind];
			double percents = change_percent(change);

			tested[kind] += change->tested;
			if (!d->limits[kind].given || !change_is(change, (double)d->least) ||
			    percents < d->limits[kind].percent || percents <= 0)
				continue;
			say_rise(c, &c->rows[row], kind);
			found = true;
		}
	for (kind = 0; kind < change_kinds(c); kind++) {
		/* An event may be rare. */
		if (!d->limits[kind].given || tested[kind < NR_CHANGES ? kind : CHANGE_SHARE])
			continue;
		unknown = true;
		/* Names keep all rows from a test, and a message has said so: more samples would not help. */
		if (c->of.one_sided && !c->tests)
			continue;
		say("diff: --fail-on %s: no row has enough samples for a test: record longer, or change the options",
		    change_name(c, kind));
	}
	if (!found && d->fail_on && !unknown)
		unknown = are_nameless(d, c, new);
	return found ? EXIT_RISE : unknown ? EXIT_INPUT : EXIT_OK;
}

static int write_html(const struct diff_verb *d, const struct diff *diff)
{
	struct output *out = output_begin("diff", d->html);

	if (!out)
		return EXIT_INPUT;
	diff_html(diff, out->to);
	return output_end(out, true) ? EXIT_OK : EXIT_INPUT;
}

static int show(const struct diff_verb *d, const struct changes *changes, size_t count)
{
	const struct diff diff = {
		.rows = d->rows, .changes = changes, .nr_changes = count,
		.limit = d->limit, .least = (double)d->least, .flames = d->flames,
	};
	int rc;
	size_t i;

	for (i = 0; (d->html || d->data.form) && i <= count; i++)
		rows_say_lacks(&d->rows[i]);
	/* First: a reader of the text may end the command, as head does. */
	rc = d->html ? write_html(d, &diff) : EXIT_OK;

	if (d->data.form)
		diff_data(&diff, &d->data, stdout);
	else if (!d->html || !output_is_standard(d->html))
		diff_text(&diff, stdout);
	if (rc != EXIT_OK)
		return rc;
	/* One that rose counts, whether others can be judged or not. */
	for (i = 0; i < count; i++) {
		const int one = d->fail_on && changes[i].of.impossible ? EXIT_INPUT : rises(d, &changes[i], i + 1);

		if (one == EXIT_RISE || rc == EXIT_OK)
			rc = one;
	}
	return rc;
}

/*
 * A job that asks for --fail-on must not take this for "nothing rose".  The output has the
 * details in each of its forms.
 */
static void say_impossible(const struct diff_verb *d, const struct comparison *of, size_t n)
{
	char *text;

	if (!of->impossible)
		return;
	text = comparison_names(of);
	say("diff: cannot compare %s with %s because of %s: %s", d->rows[0].src.path,
	    d->rows[n].src.path, text, comparison_advice(of));
	free(text);
}

/* Whether each sample of SPE has a call stack of its own */
static bool has_own_stacks(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++)
		if (spe_event_is(s, i) && !(spe_event_samples(s, i) && s->pd.attrs[i].sample_type & PERF_SAMPLE_CALLCHAIN))
			return false;
	return true;
}

/*
 * Others have that of a near sample of another event, which many of them share: a test would take these
 * for as many observations.
 */
static void judge_stacks(const struct diff_verb *d, struct comparison *of, size_t n)
{
	size_t i;

	for (i = 0; i < d->by.nr_by && d->by.by[i]->need != NEED_STACK; i++)
		;
	if (i < d->by.nr_by && !(has_own_stacks(d->rows[0].resolver.session) && has_own_stacks(d->rows[n].resolver.session)))
		comparison_note(of, "stacks", xformat("near samples share the stack of one sample of another event, so chance decides how many have a caller"), true);
}

static void judge_targets(const struct diff_verb *d, struct comparison *of, size_t n)
{
	char *old = trust_target(d->rows[0].resolver.session);
	char *new = trust_target(d->rows[n].resolver.session);

	if (old && new && strcmp(old, new))
		comparison_note(of, "targets", xformat("%s in old; %s in new", old, new), true);
	free(old);
	free(new);
}

#define NOT_TESTED "rows without a name or of one recording alone are not tested"

/* Where one recording alone has symbols of a file, samples of one function are in two rows. */
static void judge_symbols(const struct diff_verb *d, struct comparison *of, size_t n)
{
	const struct rows *r[2] = { &d->rows[0], &d->rows[n] };
	size_t i;

	for (i = 0; i < 2; i++) {
		const char *file = symbols_unlike(&r[i]->symbols, &r[!i]->symbols);

		if (!file || (d->by.nr_by == 1 && !strcmp(d->by.by[0]->name, "object")))
			continue;
		say("diff: %s has no symbols of %s, and %s has: make an archive of each where it was recorded, with perf spe archive",
		    r[i]->src.path, file, r[!i]->src.path);
		comparison_note(of, "symbols", xformat("none of %s in %s, unlike %s, so " NOT_TESTED, file, i ? "new" : "old", i ? "old" : "new"), false);
		of->one_sided = true;
	}
}

static bool names_group(const struct field *field)
{
	return field->columns & ROW_GROUP;
}

static bool have_groups(const struct rows *r)
{
	const struct session *s = r->resolver.session;

	return s->grouped && s->group_paths;
}

/* What columns have no value without */
static const struct {
	const char *line, *what;
	bool (*needed)(const struct field *field);
	bool (*there)(const struct rows *r);
} sources[] = {
	{ "heap", "logs of heap blocks", field_names_block, rows_have_heap_logs },
	{ "groups", "control groups", names_group, have_groups },
};

/* The same as of symbols, of the names in the other columns of --by */
static void judge_names(const struct diff_verb *d, struct comparison *of, size_t n)
{
	const struct rows *old = &d->rows[0], *new = &d->rows[n];
	size_t i, j;

	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		bool there;

		for (j = 0; j < d->by.nr_by && !sources[i].needed(d->by.by[j]); j++)
			;
		if (j == d->by.nr_by)
			continue;
		there = sources[i].there(old);
		if (there == sources[i].there(new))
			continue;
		say("diff: %s has no %s, and %s has, so not all rows are tested: compare recordings that both have them",
		    (there ? new : old)->src.path, sources[i].what, (there ? old : new)->src.path);
		comparison_note(of, sources[i].line, xformat("no %s in %s, unlike %s, so " NOT_TESTED, sources[i].what,
							     there ? "new" : "old", there ? "old" : "new"), false);
		of->one_sided = true;
	}
}

static int compare(const struct diff_verb *d)
{
	size_t i, count = d->nr - 1;
	struct changes *changes = xcalloc(count, sizeof(*changes));
	int rc;

	for (i = 0; i < count; i++) {
		struct comparison of;

		comparison_judge(&of, d->rows[0].resolver.session,
				 d->rows[i + 1].resolver.session);
		comparison_lost(&of, d->losses[0], d->losses[i + 1]);
		judge_targets(d, &of, i + 1);
		judge_stacks(d, &of, i + 1);
		say_impossible(d, &of, i + 1);
		judge_symbols(d, &of, i + 1);
		judge_names(d, &of, i + 1);
		changes_find(&changes[i], &d->tallies[0], &d->tallies[i + 1], &of);
	}
	changes_correct(changes, count);
	rc = show(d, changes, count);
	for (i = 0; i < count; i++)
		changes_free(&changes[i]);
	free(changes);
	return rc;
}

static int run(struct diff_verb *d, char **paths, size_t count)
{
	int rc = EXIT_OK, shown = EXIT_OK;
	size_t i;

	d->rows = xcalloc(count, sizeof(*d->rows));
	d->tallies = xcalloc(count, sizeof(*d->tallies));
	d->flames = xcalloc(count, sizeof(*d->flames));
	d->losses = xcalloc(count, sizeof(*d->losses));
	for (i = 0; i < count; i++) {
		int one = read_one(d, i, paths[i]);

		if (one != EXIT_OK)
			rc = one;
		if (d->nr <= i)
			break;
	}
	if (d->nr == count)
		shown = compare(d);
	for (i = 0; i < d->nr; i++) {
		tally_clear(&d->tallies[i]);
		flame_free(&d->flames[i]);
		free(d->losses[i]);
		rows_close(&d->rows[i]);
	}
	free(d->losses);
	free(d->flames);
	free(d->tallies);
	free(d->rows);
	return rc == EXIT_OK ? shown : rc;
}

enum { OPT_BY = 256, OPT_EVENTS, OPT_LEAST, OPT_FAIL_ON, OPT_LIMIT, OPT_HTML };

static bool take_option(void *verb, int option)
{
	struct diff_verb *d = verb;

	switch (option) {
	case OPT_BY:
		return tally_once("diff", "--by", d->by.nr_by) && tally_by(&d->by, "diff", optarg);
	case OPT_EVENTS:
		return tally_once("diff", "--events", d->by.nr_events) &&
		       tally_events(&d->by, "diff", optarg);
	case OPT_LEAST:
		return parse_count("diff", "least", optarg, &d->least);
	case OPT_FAIL_ON:
		d->fail_on = optarg;
		return true;
	case OPT_LIMIT:
		return parse_count("diff", "limit", optarg, &d->limit);
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&d->data, "diff", diff_table, option);
	case OPT_HTML:
		d->html = optarg;
		return output_named("diff", "--html", optarg);
	default:
		return false;
	}
}

static bool check(struct diff_verb *d, int argc)
{
	if (argc - optind < 2) {
		say("diff: name two recordings or more: perf spe diff OLD NEW; try 'perf-spe help diff'");
		return false;
	}
	if (d->data.form && d->html && output_is_standard(d->html)) {
		say("diff: --json, --csv and --html - exclude each other, as both go to standard output: name a file");
		return false;
	}
	if (!d->by.nr_by && !tally_by(&d->by, "diff", "symbol"))
		return false;
	return parse_fail_on(d);
}

int verb_diff(int argc, char **argv)
{
	static const struct option options[] = {
		{ "by", required_argument, NULL, OPT_BY },
		{ "events", required_argument, NULL, OPT_EVENTS },
		{ "least", required_argument, NULL, OPT_LEAST },
		{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		DATA_OPTIONS,
		{ "html", required_argument, NULL, OPT_HTML },
		{ "cpu-model", required_argument, NULL, ROWS_CPU_MODEL },
		{ "time", required_argument, NULL, ROWS_TIME },
		ROWS_GUEST_OPTIONS,
		ROWS_LIVE_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = "k:h", .options = options,
		.usage = usage, .take = take_option,
	};
	struct diff_verb d = { .options.verb = "diff", .least = 1 };
	int rc;

	rc = rows_options(&d.options, &grammar, &d, argc, argv);
	if (rc < 0)
		rc = check(&d, argc) ? run(&d, argv + optind, (size_t)(argc - optind)) :
				       EXIT_USAGE;
	filter_free(d.options.filter);
	tally_free(&d.by);
	return rc;
}
