// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat: what a recording consists of.  stat_latency.c has its
 * latencies, stat_driver.c has --driver.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct stat {
	struct rows rows;
	struct composition of;
	struct estimate estimate;
	uint64_t limit;
	bool driver, ci;
	struct data_options data;
	const char *root;			/* of the machine whose driver is asked */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe stat [OPTIONS] [FILE]\n"
	      "\n"
	      "Prints what a recording consists of: operations, events, data sources, the\n"
	      "distribution of latencies, tasks and CPUs, and what was lost. Says how many\n"
	      "operations ran, whether the recording can be trusted, and what to record instead.\n"
	      "\n"
	      "      --limit N       print at most N rows per table (default 20)\n"
	      "      --ci            print the confidence interval of 95% behind each number\n"
	      "      --driver        print the counters of this machine's driver instead\n"
	      "      --root DIR      with --driver: of the machine whose sys is below DIR\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

/* Only cores that are all alike name their IMPLEMENTATION DEFINED events. */
static uint64_t one_midr(const struct stat *s)
{
	const struct session *session = s->rows.resolver.session;
	uint64_t midr = s->rows.midr;

	if (!midr && (!session || !session_midr(session, NO_ID, &midr)))
		midr = 0;
	return midr;
}

static void print_events(FILE *to, const struct stat *s)
{
	uint64_t midr = one_midr(s);
	unsigned int bit;

	if (!s->of.with_events)
		return;
	fprintf(to, "\n# events, in %" PRIu64 " sample%s\n# %8s %7s%*s %12s\n",
	       s->of.with_events, plural(s->of.with_events), "count", "share",
	       s->ci ? TABLE_INTERVAL + 1 : 0, s->ci ? TABLE_INTERVAL_HEADING : "",
	       "mean total");
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++) {
		if (!s->of.event[bit])
			continue;
		fprintf(to, "%10" PRIu64 " %6.2f%%", s->of.event[bit],
		       percent(s->of.event[bit], s->of.with_events));
		if (s->ci)
			table_interval_event(to, &s->of.event_lag, bit,
					     s->of.event[bit], &s->of.ops.sum);
		putc(' ', to);
		if (s->of.event_timed[bit])
			fprintf(to, "%12.1f", (double)s->of.event_cycles[bit] /
			       (double)s->of.event_timed[bit]);
		else
			fprintf(to, "%12s", "-");
		fprintf(to, "  %s\n", armspe_event_of(midr, UINT64_MAX, bit));
	}
}

static void print_interval(FILE *to, const struct stat *s, const struct tally *t,
			   const struct tally_row *row, enum measure m)
{
	const struct measured measured = tally_measured(row);

	if (s->ci)
		table_interval_measure(to, m, &measured, &t->sum);
}

/* The number of samples, their share, and the total latency */
static void print_numbers(FILE *to, const struct stat *s, const struct tally *t,
			  const struct tally_row *row)
{
	const struct hist *h = &row->latency[0];

	fprintf(to, "%10" PRIu64, row->count);
	print_interval(to, s, t, row, MEASURE_COUNT);
	fprintf(to, " %6.2f%%", percent(row->count, t->count));
	if (!s->ci) {
		table_latency(to, h);
		return;
	}
	print_interval(to, s, t, row, MEASURE_SHARE);
	if (h->count)
		fprintf(to, " %8.1f", hist_mean(h));
	else
		fprintf(to, " %8s", "-");
	print_interval(to, s, t, row, MEASURE_MEAN);
	if (h->count)
		fprintf(to, " %6u", hist_percentile(h, 50));
	else
		fprintf(to, " %6s", "-");
	print_interval(to, s, t, row, MEASURE_P50);
	if (h->count)
		fprintf(to, " %6u", hist_percentile(h, 99));
	else
		fprintf(to, " %6s", "-");
	print_interval(to, s, t, row, MEASURE_P99);
}

static void print_tally(FILE *to, const struct stat *s, const struct tally *t, const char *title)
{
	const char *ci = s->ci ? TABLE_INTERVAL_HEADING : "";
	int width = s->ci ? TABLE_INTERVAL + 1 : 0;
	uint64_t limit = s->limit;
	size_t i;

	if (!t->count)
		return;
	fprintf(to, "\n# %s\n# %8s%*s %7s%*s %8s%*s %6s%*s %6s%*s\n", title, "count", width,
	       ci, "share", width, ci, "mean", width, ci, "p50", width, ci, "p99", width,
	       ci);
	for (i = 0; i < t->nr_sorted && i < limit; i++) {
		const struct tally_row *row = t->sorted[i];
		char *keys = table_keys(t, row);

		print_numbers(to, s, t, row);
		fputs("  ", to);
		put_name(keys, to);
		putc('\n', to);
		free(keys);
	}
	if (i < t->nr_sorted)
		fprintf(to, "# %zu more row%s\n", t->nr_sorted - i,
		       plural(t->nr_sorted - i));
}

double stat_seconds(const struct rows *r, const struct composition_cpu *cpu)
{
	return (double)filter_ns(r->filter, r->resolver.session, cpu->cpu, cpu->time.first,
				 cpu->time.last) / 1e9;
}

static void print_cpus(FILE *to, const struct stat *s)
{
	size_t i;

	if (!s->of.nr_cpus)
		return;
	fprintf(to, "\n# CPUs\n# %8s %7s %12s %12s\n", "count", "share",
	       "seconds", "per second");
	for (i = 0; i < s->of.nr_cpus; i++) {
		const struct composition_cpu *cpu = &s->of.cpus[i];
		double seconds = stat_seconds(&s->rows, cpu);

		fprintf(to, "%10" PRIu64 " %6.2f%%", cpu->count,
		       percent(cpu->count, s->rows.kept));
		if (cpu->time.samples > 1 && seconds > 0)
			fprintf(to, " %12.3f %12.0f", seconds,
			       (double)cpu->time.samples / seconds);
		else
			fprintf(to, " %12s %12s", "-", "-");
		if (cpu->cpu == NO_ID)
			fputs("  (buffer of a thread)\n", to);
		else
			fprintf(to, "  CPU %d\n", cpu->cpu);
	}
}

/* Samples of each event; the last element counts those of unknown events. */
static uint64_t *count_events(const struct stat *s, const struct session *from)
{
	uint64_t *counts = xcalloc(from->pd.nr_attrs + 1, sizeof(*counts));
	size_t i;

	for (i = 0; i < s->of.nr_cpus; i++) {
		size_t attr = spe_event_of_cpu(from, s->of.cpus[i].cpu);

		counts[attr == PD_NO_ATTR ? from->pd.nr_attrs : attr] +=
			s->of.cpus[i].count;
	}
	return counts;
}

static void print_requested(const struct stat *s)
{
	const struct session *session = s->rows.resolver.session;
	uint64_t *counts;

	if (!session)
		return;
	counts = count_events(s, session);
	table_pmus(session, counts, s->rows.kept);
	table_others(session, s->rows.seen);
	free(counts);
}

/* The interval that counts: the period is rounded down, and the CPU adds to it. */
static void print_mean(const struct pd_attr *attr)
{
	char *mean = spe_event_mean_text(attr, " to ");

	printf(", one in %s operations", mean);
	free(mean);
}

static void print_recording(const struct stat *s, const struct sample_totals *t)
{
	const struct session *session = s->rows.resolver.session;
	size_t only = session ? spe_event_of_cpu(session, NO_ID) : PD_NO_ATTR;
	const struct pd_attr *attr = only != PD_NO_ATTR ?
		&session->pd.attrs[only] : NULL;

	heading_print(stdout, &s->rows);
	printf("# %" PRIu64 " sample%s", s->rows.kept, plural(s->rows.kept));
	if (s->rows.kept != s->rows.seen)
		printf(" of %" PRIu64 " in", s->rows.seen);
	else
		putchar(',');
	printf(" %" PRIu64 " byte%s of SPE data", t->bytes, plural(t->bytes));
	if (attr && attr->freq)
		printf(", %" PRIu64 " per second requested", attr->sample_period);
	else if (attr)
		print_mean(attr);
	putchar('\n');
	table_flags(stdout, session);
	if (t->decoded.damaged)
		printf("# damaged: %" PRIu64 " byte%s in %" PRIu64 " place%s\n",
		       t->decoded.damaged, plural(t->decoded.damaged),
		       t->decoded.damages, plural(t->decoded.damages));
	if (t->incomplete)
		printf("# incomplete: %" PRIu64 " record%s\n",
		       t->incomplete_records, plural(t->incomplete_records));
	if (t->decoded.unknown)
		printf("# unknown packets: %" PRIu64 "\n", t->decoded.unknown);
}

static void add(void *context, const struct row_batch *b)
{
	struct stat *s = context;

	composition_add(&s->of, b);
	estimate_add(&s->estimate, b);
}

static void collect_free(void *part)
{
	struct stat *s = part;

	composition_free(&s->of);
	estimate_free(&s->estimate);
}

static void collect_begin(void *part, const void *like)
{
	const struct stat *options = like;
	struct stat *s = part;

	collect_free(s);
	composition_init(&s->of, "stat", options->rows.resolver.session);
	estimate_init(&s->estimate, options->rows.resolver.session);
	if (options->ci)
		composition_precise(&s->of);
}

static void collect_merge(void *whole, void *part)
{
	struct stat *s = whole, *from = part;

	composition_merge(&s->of, &from->of);
	estimate_merge(&s->estimate, &from->estimate);
}

static const struct row_taker taker = {
	.take = add, .columns = COMPOSITION_COLUMNS | ESTIMATE_COLUMNS,
};

static const struct row_parts parts = {
	sizeof(struct stat), collect_begin, collect_merge, collect_free,
};

/* What the samples of the tables are a part of, for their intervals */
static void set_seen(struct stat *s)
{
	struct tally *tables[] = { &s->of.ops, &s->of.sources, &s->of.tasks };
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		precise_part_of(&tables[i]->sum, &s->rows);
}

static void print_data(struct stat *s, const struct trust_of *of)
{
	const struct stat_found found = { &s->of, of, &s->rows, one_midr(s), s->limit, s->ci };
	struct data d;

	rows_say_lacks(&s->rows);
	data_begin(&d, &s->data, "stat", stdout);
	table_recording_data(&d, &s->rows);
	stat_data(&found, &d);
	data_end(&d);
}

/* How many operations ran, and whether the recording can be trusted */
static void stat_trust(const struct trust_of *of, bool ci)
{
	struct fitted fitted;
	struct trust trust;

	totals_print(fitted_begin(&fitted), of->estimate, ci);
	fitted_end(&fitted);
	trust_judge(&trust, of);
	trust_print(stdout, &trust);
	trust_free(&trust);
}

static void print_tables(FILE *to, const struct stat *s)
{
	print_tally(to, s, &s->of.ops, "operations and their total latency");
	print_events(to, s);
	stat_latencies(to, &s->of, s->ci ? &s->of.ops.sum : NULL);
	if (s->of.latency[0].count)
		fputs("\n# histogram of the total latency, in cycles\n", to);
	histogram_print(&s->of.latency[0], to);
	print_tally(to, s, &s->of.sources, "data sources of loads and their total latency");
	print_tally(to, s, &s->of.tasks, "tasks and their total latency");
	print_cpus(to, s);
}

static void print_text(const struct stat *s, const struct trust_of *of)
{
	struct fitted fitted;

	print_recording(s, of->totals);
	print_requested(s);
	stat_trust(of, s->ci);
	print_tables(fitted_begin(&fitted), s);
	fitted_end(&fitted);
}

static int run(struct stat *s)
{
	struct sample_totals totals;
	struct trust_of of;
	int rc = rows_open(&s->rows);

	if (rc != EXIT_OK)
		return rc;
	rows_read(&s->rows, &taker, s, &parts, &totals);
	rc = samples_verdict(&s->rows.src, &totals);
	composition_finish(&s->of);
	set_seen(s);
	estimate_finish(&s->estimate, &s->rows);
	if (totals.decoded.records || rc == EXIT_OK) {
		of = (struct trust_of){ &s->estimate, &totals, s->rows.kept,
					s->rows.seen };
		if (s->data.form)
			print_data(s, &of);
		else
			print_text(s, &of);
		rows_none_kept(&s->rows);
	}
	rows_close(&s->rows);
	return rc;
}

static bool take_option(void *verb, int option)
{
	struct stat *s = verb;

	if (data_option(option))
		return data_take(&s->data, "stat", stat_table, option);
	if (option == 'l')
		return parse_count("stat", "limit", optarg, &s->limit);
	if (option == 'c')
		return s->ci = true;
	if (option == 'D')
		return s->driver = true;
	if (option == 'r') {
		s->root = optarg;
		return true;
	}
	return false;
}

/* Neither --root nor a recording makes sense with the other. */
static bool driver_check(const struct stat *s)
{
	if (s->driver && s->rows.src.path) {
		say("stat: --driver reads no recording, but the counters of this machine's driver: remove '%s' or --driver",
		    s->rows.src.path);
		return false;
	}
	if (s->driver && s->rows.filter) {
		say("stat: --driver prints counters, not samples: remove --filter and the other options that choose samples");
		return false;
	}
	if (s->driver && s->data.form == DATA_CSV) {
		say("stat: --driver has no --csv: use --json");
		return false;
	}
	if (s->driver || !s->root)
		return true;
	say("stat: --root is for --driver only: add --driver, or name a recording with -i");
	return false;
}

int verb_stat(int argc, char **argv)
{
	static const struct option options[] = {
		{ "limit", required_argument, NULL, 'l' },
		{ "ci", no_argument, NULL, 'c' },
		{ "driver", no_argument, NULL, 'D' },
		{ "root", required_argument, NULL, 'r' },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct stat s = {
		.rows = { .verb = "stat", .need = NEED_OWNER, .names_sources = true },
	};
	int rc;

	rc = rows_options(&s.rows, &grammar, &s, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	s.limit = data_limit(&s.data, s.limit, 20);
	if (rows_check(&s.rows, argc, argv) && driver_check(&s))
		rc = s.driver ? stat_driver(s.root ? s.root : "", s.data.form == DATA_JSON) : run(&s);
out:
	filter_free(s.rows.filter);
	collect_free(&s);
	return rc;
}
