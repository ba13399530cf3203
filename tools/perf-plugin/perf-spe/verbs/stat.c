// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat: what a recording consists of.  stat_driver.c has --driver.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/filter.h"
#include "analysis/groups.h"
#include "analysis/hist.h"
#include "analysis/rows.h"
#include "analysis/tally.h"
#include "input/aux_decoder.h"
#include "input/ids.h"
#include "input/perfdata.h"
#include "input/session.h"
#include "input/spe_event.h"
#include "output/heading.h"
#include "output/table.h"
#include "output/table_events.h"
#include "util/memory.h"
#include "util/message.h"
#include "util/options.h"
#include "util/percent.h"
#include "util/plural.h"
#include "verbs/stat_driver.h"
#include "verbs/verbs.h"

#define NR_LATENCIES 4

static const struct {
	unsigned int index;
	const char *name;
} latencies[NR_LATENCIES] = {
	{ SPE_COUNTER_TOTAL, "total" }, { SPE_COUNTER_ISSUE, "issue" },
	{ SPE_COUNTER_XLAT, "translation" },
	{ SPE_COUNTER_ALTCLK_ISSUE, "altclk issue" },
};

/* The samples of one CPU, and the first and last time in ns of perf's clock */
struct stat_cpu {
	int32_t cpu;
	uint64_t count, timed, first, last;
};

struct stat {
	struct rows rows;
	struct hist latency[NR_LATENCIES];
	uint64_t with_events;
	uint64_t event[SPE_EVENT_COUNT];
	uint64_t event_cycles[SPE_EVENT_COUNT];	/* sum of total latency */
	uint64_t event_timed[SPE_EVENT_COUNT];	/* samples that have it */
	struct tally ops, sources, tasks;
	struct stat_cpu *cpus;
	size_t nr_cpus, room_cpus;
	uint64_t limit;
	bool driver;
	const char *root;			/* of the machine whose driver is asked */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe stat [OPTIONS]\n"
	      "\n"
	      "Prints what a recording consists of: operations, events, data sources, the\n"
	      "distribution of latencies, tasks and CPUs, and what was lost.\n"
	      "\n"
	      "      --limit N       print at most N rows per table (default 20)\n"
	      "      --driver        print the counters of this machine's driver instead\n"
	      "      --root DIR      with --driver: of the machine whose sys is below DIR\n"
	      ROWS_HELP, to);
}

static void add_events(struct stat *s, const struct armspe_record *rec)
{
	bool timed = rec->counter_valid >> SPE_COUNTER_TOTAL & 1;
	uint64_t events = rec->events;

	if (!(rec->valid & ARMSPE_HAS_EVENTS))
		return;
	s->with_events++;
	while (events) {
		unsigned int bit = (unsigned int)__builtin_ctzll(events);

		events &= events - 1;
		s->event[bit]++;
		if (timed) {
			s->event_timed[bit]++;
			s->event_cycles[bit] += rec->counter[SPE_COUNTER_TOTAL];
		}
	}
}

static struct stat_cpu *cpu_get(struct stat *s, int32_t cpu)
{
	size_t i;

	for (i = 0; i < s->nr_cpus; i++)
		if (s->cpus[i].cpu == cpu)
			return &s->cpus[i];
	s->cpus = array_grow(s->cpus, s->nr_cpus, &s->room_cpus,
			     sizeof(*s->cpus));
	memset(&s->cpus[s->nr_cpus], 0, sizeof(*s->cpus));
	s->cpus[s->nr_cpus].cpu = cpu;
	return &s->cpus[s->nr_cpus++];
}

static void add_time(struct stat *s, const struct row *row)
{
	struct stat_cpu *cpu = cpu_get(s, row->piece->cpu);
	uint64_t time;

	cpu->count++;
	if (!row->session || !(row->rec->valid & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(row->session, row->rec->timestamp, &time))
		return;
	if (!cpu->timed++)
		cpu->first = cpu->last = time;
	if (time < cpu->first)
		cpu->first = time;
	if (time > cpu->last)
		cpu->last = time;
}

static void stat_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct stat *s = context;
	unsigned int i;

	for (i = 0; i < NR_LATENCIES; i++)
		if (rec->counter_valid >> latencies[i].index & 1)
			hist_add(&s->latency[i],
				 rec->counter[latencies[i].index]);
	add_events(s, rec);
	add_time(s, row);
	tally_add(&s->ops, row);
	if (rec->valid & ARMSPE_HAS_SOURCE && row->op.flags & ARMSPE_OPF_LOAD)
		tally_add(&s->sources, row);
	if (row->owner.pid != NO_ID)
		tally_add(&s->tasks, row);
}

static void print_latencies(const struct stat *s)
{
	unsigned int i, max;

	printf("\n# latency, in cycles\n# %8s %8s %6s %6s %6s %6s %6s\n",
	       "count", "mean", "p50", "p90", "p99", "p99.9", "max");
	for (i = 0; i < NR_LATENCIES; i++) {
		const struct hist *h = &s->latency[i];

		if (!h->count)
			continue;
		max = hist_percentile(h, 100);
		printf("%10" PRIu64 " %8.1f %6u %6u %6u %6u %6u  %s", h->count,
		       hist_mean(h), hist_percentile(h, 50),
		       hist_percentile(h, 90), hist_percentile(h, 99),
		       hist_percentile(h, 99.9), max, latencies[i].name);
		if (max == SPE_COUNTER_MAX_12BIT || max == SPE_COUNTER_MAX_16BIT)
			printf(" (%" PRIu64 " at the counter's maximum)",
			       hist_exactly(h, max));
		putchar('\n');
	}
}

/* 0, 1, 2-3, 4-7 ...: one bucket per number of binary digits */
#define BUCKETS 17

static void print_histogram(const struct hist *h)
{
	uint64_t bucket[BUCKETS] = { 0 }, most = 0;
	const struct hist_bin *bin = NULL;
	unsigned int i, bits, bar, last = 0;

	while ((bin = hist_next(h, bin))) {
		for (bits = 0; bin->cycles >> bits; bits++)
			;
		bucket[bits] += bin->count;
	}
	for (i = 0; i < BUCKETS; i++) {
		if (bucket[i])
			last = i;
		if (bucket[i] > most)
			most = bucket[i];
	}
	if (!most)
		return;
	puts("\n# histogram of the total latency, in cycles\n#    count   share");
	for (i = 0; i <= last; i++) {
		printf("%10" PRIu64 " %6.2f%%  %5u-%-5u  ", bucket[i],
		       percent(bucket[i], h->count), i ? 1u << (i - 1) : 0,
		       i ? (1u << i) - 1 : 0);
		/* Round up, so that a single sample is visible. */
		for (bar = 0; bar < (bucket[i] * 40 + most - 1) / most; bar++)
			putchar('#');
		putchar('\n');
	}
}

static void print_events(const struct stat *s)
{
	unsigned int bit;

	if (!s->with_events)
		return;
	printf("\n# events, in %" PRIu64 " sample%s\n# %8s %7s %12s\n",
	       s->with_events, plural(s->with_events), "count", "share", "mean total");
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++) {
		if (!s->event[bit])
			continue;
		printf("%10" PRIu64 " %6.2f%% ", s->event[bit],
		       percent(s->event[bit], s->with_events));
		if (s->event_timed[bit])
			printf("%12.1f", (double)s->event_cycles[bit] /
			       (double)s->event_timed[bit]);
		else
			printf("%12s", "-");
		printf("  %s\n", armspe_event_name(bit));
	}
}

static void print_tally(struct tally *t, const char *title, uint64_t limit)
{
	char text[1024];
	size_t i, n;

	if (!t->count)
		return;
	tally_sort(t, MEASURE_COUNT);
	printf("\n# %s\n# %8s %7s %8s %6s %6s\n", title, "count", "share",
	       "mean", "p50", "p99");
	for (i = 0; i < t->nr_sorted && i < limit; i++) {
		const struct tally_row *row = t->sorted[i];

		printf("%10" PRIu64 " %6.2f%%", row->count,
		       percent(row->count, t->count));
		table_latency(stdout, &row->latency[0]);
		putchar(' ');
		for (n = 0; n < t->nr_by; n++) {
			table_key(t->by[n], &row->key[n], text, sizeof(text));
			putchar(' ');
			put_name(text, stdout);
		}
		putchar('\n');
	}
	if (i < t->nr_sorted)
		printf("# %zu more\n", t->nr_sorted - i);
}

static int cpu_order(const void *a, const void *b)
{
	const struct stat_cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void print_cpus(const struct stat *s)
{
	size_t i;

	if (!s->nr_cpus)
		return;
	qsort(s->cpus, s->nr_cpus, sizeof(*s->cpus), cpu_order);
	printf("\n# CPUs\n# %8s %7s %12s %12s\n", "count", "share",
	       "seconds", "per second");
	for (i = 0; i < s->nr_cpus; i++) {
		const struct stat_cpu *cpu = &s->cpus[i];
		double seconds = (double)(cpu->last - cpu->first) / 1e9;

		printf("%10" PRIu64 " %6.2f%%", cpu->count,
		       percent(cpu->count, s->rows.kept));
		if (cpu->timed > 1 && seconds > 0)
			printf(" %12.3f %12.0f", seconds,
			       (double)cpu->timed / seconds);
		else
			printf(" %12s %12s", "-", "-");
		if (cpu->cpu == NO_ID)
			puts("  (buffer of a thread)");
		else
			printf("  CPU %d\n", cpu->cpu);
	}
}

/* Samples of each event; the last element counts those of unknown events. */
static uint64_t *count_events(const struct stat *s, const struct session *from)
{
	uint64_t *counts = xcalloc(from->pd.nr_attrs + 1, sizeof(*counts));
	size_t i;

	for (i = 0; i < s->nr_cpus; i++) {
		size_t attr = spe_event_of_cpu(from, s->cpus[i].cpu);

		counts[attr == PD_NO_ATTR ? from->pd.nr_attrs : attr] +=
			s->cpus[i].count;
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

static void print_recording(const struct stat *s, const struct sample_totals *t)
{
	const struct session *session = s->rows.resolver.session;
	size_t only = session ? spe_event_of_cpu(session, NO_ID) : PD_NO_ATTR;
	const struct pd_attr *attr = only != PD_NO_ATTR ?
		&session->pd.attrs[only] : NULL;

	heading_print(stdout, &s->rows);
	printf("# %" PRIu64 " sample%s", s->rows.kept, plural(s->rows.kept));
	if (s->rows.kept != s->rows.seen)
		printf(" of %" PRIu64, s->rows.seen);
	printf(", %" PRIu64 " byte%s of SPE data", t->bytes, plural(t->bytes));
	if (attr && attr->freq)
		printf(", %" PRIu64 " per second requested", attr->sample_period);
	else if (attr)
		printf(", one in %" PRIu64 " operations", attr->sample_period);
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

static int run(struct stat *s)
{
	struct sample_totals totals;
	int rc = rows_open(&s->rows);
	unsigned int i;

	if (rc != EXIT_OK)
		return rc;
	rc = rows_each(&s->rows, stat_add, s, &totals);
	if (totals.decoded.records || rc == EXIT_OK) {
		print_recording(s, &totals);
		print_requested(s);
		print_tally(&s->ops, "operations and their total latency",
			    s->limit);
		print_events(s);
		print_latencies(s);
		print_histogram(&s->latency[0]);
		print_tally(&s->sources,
			    "data sources of loads and their total latency",
			    s->limit);
		print_tally(&s->tasks, "tasks and their total latency",
			    s->limit);
		print_cpus(s);
		rows_none_kept(&s->rows);
	}
	for (i = 0; i < NR_LATENCIES; i++)
		hist_free(&s->latency[i]);
	free(s->cpus);
	rows_close(&s->rows);
	return rc;
}

static bool take_option(void *verb, int option)
{
	struct stat *s = verb;

	if (option == 'l')
		return parse_count("stat", "limit", optarg, &s->limit);
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
	if (!s->root || s->driver)
		return true;
	say("stat: --root is for --driver only: add --driver, or name a recording with -i");
	return false;
}

int verb_stat(int argc, char **argv)
{
	static const struct option options[] = {
		{ "limit", required_argument, NULL, 'l' },
		{ "driver", no_argument, NULL, 'D' },
		{ "root", required_argument, NULL, 'r' },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct stat s = {
		.rows = { .verb = "stat", .need = NEED_OWNER }, .limit = 20,
	};
	int rc;

	tally_by(&s.ops, "stat", "op,subclass");
	tally_by(&s.sources, "stat", "source,source_name");
	tally_by(&s.tasks, "stat", "pid,comm");
	rc = rows_options(&s.rows, &grammar, &s, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (rows_check(&s.rows, argc, argv) && driver_check(&s))
		rc = s.driver ? stat_driver(s.root ? s.root : "") : run(&s);
out:
	filter_free(s.rows.filter);
	tally_free(&s.ops);
	tally_free(&s.sources);
	tally_free(&s.tasks);
	return rc;
}
