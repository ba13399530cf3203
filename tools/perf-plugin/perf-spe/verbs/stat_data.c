// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat --json and --csv: what stat.c, stat_latency.c and stat_trust.c print for people.
 */
#include <stdlib.h>

#include "armspe.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

const char *stat_table(unsigned int index)
{
	static const char *const names[] = {
		"operations", "estimates", "trust", "events", "latencies", "histogram", "sources",
		"tasks", "cpus", "recording", "offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static void put_tally(struct data *d, const struct stat_found *f, const char *name,
		      const struct tally *t)
{
	static const enum measure numbers[] = {
		MEASURE_COUNT, MEASURE_SHARE, MEASURE_CYCLES, MEASURE_MEAN, MEASURE_P50, MEASURE_P99,
	};
	size_t i, n;

	data_table(d, name);
	for (i = 0; i < t->nr_sorted && i < f->limit; i++) {
		const struct measured measured = tally_measured(t->sorted[i]);

		data_row(d);
		for (n = 0; n < t->nr_by; n++)
			table_key_data(d, t->by[n], &t->sorted[i]->key[n]);
		table_measures_data(d, numbers, sizeof(numbers) / sizeof(numbers[0]), f->ci,
				    &measured, &t->sum);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_estimates(struct data *d, const struct estimate *e)
{
	struct estimate_total total;
	unsigned int kind;

	data_table(d, "estimates");
	for (kind = 0; kind < NR_ESTIMATE; kind++) {
		if (!estimate_total(e, kind, &total) || total.number <= 0)
			continue;
		data_row(d);
		data_text(d, "what", estimate_name(kind));
		data_real(d, "number", true, total.number);
		table_interval_data(d, "number", true, &total.interval);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_trust(struct data *d, const struct trust_of *of)
{
	struct trust trust;
	size_t i;

	trust_judge(&trust, of);
	data_text(d, "trusted", trust_word(trust.level));
	data_take_text(d, "record_instead", trust_command(&trust));
	data_table(d, "trust");
	for (i = 0; i < trust.nr; i++) {
		data_row(d);
		data_text(d, "level", trust_level_name(trust.found[i].level));
		data_text(d, "bias", trust.found[i].bias);
		data_text(d, "text", trust.found[i].text);
		data_row_end(d);
	}
	data_table_end(d);
	trust_free(&trust);
}

static void put_events(struct data *d, const struct stat_found *f)
{
	const struct composition *of = f->of;
	struct interval i;
	unsigned int bit;

	data_table(d, "events");
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++) {
		uint64_t timed = of->event_timed[bit];

		if (!of->event[bit])
			continue;
		data_row(d);
		data_text(d, "event", armspe_event_of(f->midr, UINT64_MAX, bit));
		data_number(d, "bit", bit);
		data_number(d, "count", of->event[bit]);
		data_real(d, "share_percent", true, percent(of->event[bit], of->with_events));
		if (f->ci) {
			i = precision_bit(&of->event_lag, bit, of->event[bit], &of->ops.sum);
			table_interval_data(d, "share_percent", true, &i);
		}
		data_number(d, "cycles", of->event_cycles[bit]);
		data_real(d, "mean", timed, timed ? (double)of->event_cycles[bit] / (double)timed : 0);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_latencies(struct data *d, const struct composition *of)
{
	static const struct { const char *name; double percent; } parts[] = {
		{ "p50", 50 }, { "p90", 90 }, { "p99", 99 }, { "p99_9", 99.9 }, { "max", 100 },
	};
	unsigned int i, k;

	data_table(d, "latencies");
	for (i = 0; i < COMPOSITION_LATENCIES; i++) {
		const struct hist *h = &of->latency[i];

		if (!h->count)
			continue;
		data_row(d);
		data_text(d, "latency", composition_latency(i));
		data_number(d, "count", h->count);
		data_number(d, "cycles", h->sum);
		data_real(d, "mean", true, hist_mean(h));
		for (k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
			data_number(d, parts[k].name, hist_percentile(h, parts[k].percent));
		data_row_end(d);
	}
	data_table_end(d);
}

static int by_cycles(const void *a, const void *b)
{
	return (int)((const struct hist_bin *)a)->cycles - (int)((const struct hist_bin *)b)->cycles;
}

/* A row for each number of cycles that occurs, so that readers can make their own buckets */
static void put_histogram(struct data *d, const struct hist *h)
{
	struct hist_bin *all = xcalloc(h->bins.count + 1, sizeof(*all));
	const struct hist_bin *bin = NULL;
	size_t i, nr = 0;

	while ((bin = hist_next(h, bin)))
		all[nr++] = *bin;
	qsort(all, nr, sizeof(*all), by_cycles);
	data_table(d, "histogram");
	for (i = 0; i < nr; i++) {
		data_row(d);
		data_number(d, "cycles", all[i].cycles);
		data_number(d, "count", all[i].count);
		data_row_end(d);
	}
	data_table_end(d);
	free(all);
}

static void put_time(struct data *d, const char *name, bool known, uint64_t time)
{
	if (known)
		data_number(d, name, time);
	else
		data_none(d, name);
}

static void put_cpus(struct data *d, const struct stat_found *f)
{
	size_t i;

	data_table(d, "cpus");
	for (i = 0; i < f->of->nr_cpus; i++) {
		const struct composition_cpu *cpu = &f->of->cpus[i];
		bool timed = cpu->time.samples > 1;

		data_row(d);
		data_id(d, "cpu", cpu->cpu);
		data_number(d, "count", cpu->count);
		data_real(d, "share_percent", true, percent(cpu->count, f->trust->kept));
		put_time(d, "first_ns", timed, cpu->time.first);
		put_time(d, "last_ns", timed, cpu->time.last);
		data_real(d, "seconds", timed, stat_seconds(f->rows, cpu));
		data_row_end(d);
	}
	data_table_end(d);
}

void stat_data(const struct stat_found *f, struct data *d)
{
	const struct sample_totals *t = f->trust->totals;

	data_number(d, "samples", f->trust->kept);
	data_number(d, "records", f->trust->seen);
	data_number(d, "bytes", t->bytes);
	data_number(d, "damaged_bytes", t->decoded.damaged);
	data_number(d, "incomplete_records", t->incomplete_records);
	data_number(d, "unknown_packets", t->decoded.unknown);
	put_estimates(d, f->trust->estimate);
	put_trust(d, f->trust);
	put_tally(d, f, "operations", &f->of->ops);
	data_number(d, "samples_with_events", f->of->with_events);
	put_events(d, f);
	put_latencies(d, f->of);
	put_histogram(d, &f->of->latency[0]);
	put_tally(d, f, "sources", &f->of->sources);
	put_tally(d, f, "tasks", &f->of->tasks);
	put_cpus(d, f);
}
