// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/heap/heap.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "util/util.h"

__attribute__((format(printf, 4, 5)))
static void find(struct trust *t, enum trust_level level, const char *bias, const char *format, ...)
{
	char text[1024];
	va_list ap;
	size_t i;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* Events of several PMUs often have the same settings. */
	for (i = 0; i < t->nr; i++)
		if (!strcmp(t->found[i].bias, bias) && !strcmp(t->found[i].text, text))
			return;
	t->found = array_grow(t->found, t->nr, &t->room, sizeof(*t->found));
	t->found[t->nr++] = (struct trust_finding){ level, bias, xformat("%s", text) };
	if (level > t->level)
		t->level = level;
}

static enum trust_level level_of(double share)
{
	return share > TRUST_MUCH ? TRUST_NO : share >= TRUST_LITTLE ? TRUST_CARE : TRUST_YES;
}

/* The next power of two from @least on, at least 4096 */
static void want_period(struct trust *t, uint64_t least)
{
	uint64_t period = 4096;

	while (period < least && period < UINT64_C(1) << 31)
		period *= 2;
	if (period > t->period)
		t->period = period;
}

static void judge_number(struct trust *t, const struct trust_of *of)
{
	struct interval half;

	if (!of->seen) {
		find(t, TRUST_NO, "samples", "the recording has none, so it says nothing");
		t->again = true;
		return;
	}
	if (of->kept != of->seen)
		find(t, TRUST_YES, "options", "the options of this command keep %" PRIu64 " of %" PRIu64
		     " samples; the totals are of these, but full buffers, collisions and lost records are counted in the whole recording",
		     of->kept, of->seen);
	if (!of->kept) {
		find(t, TRUST_NO, "few samples", "0 samples: nothing can be said");
	} else if (of->kept < TRUST_SAMPLES) {
		half = interval_share((double)of->kept / 2, (double)of->kept, 1);
		find(t, half.high - 0.5 > TRUST_VAGUE ? TRUST_NO : TRUST_CARE, "few samples", "%" PRIu64 " sample%s: a share of 50%% is known to %.0f points only",
		     of->kept, plural(of->kept), 100 * (half.high - 0.5));
		t->longer = (TRUST_SAMPLES + of->kept - 1) / of->kept;
	}
}

static void judge_damage(struct trust *t, const struct trust_of *of)
{
	const struct session *s = of->estimate->session;
	uint64_t damaged = of->totals->decoded.damaged;
	double share = percent(damaged, of->totals->bytes) / 100;

	if (s && s->pd.damaged)
		find(t, TRUST_CARE, "damaged file", "an unknown part of the recording is missing; copy the file again");
	if (damaged)
		find(t, share > TRUST_MUCH ? TRUST_NO : TRUST_CARE, "damaged data",
		     "%.2f%% of the SPE data cannot be read, so about this share of the samples is missing",
		     100 * share);
	t->again |= damaged || (s && s->pd.damaged);
}

/* Why it is unknown what was lost: @why, unless there is nothing that it could be known of */
static const char *unknown_as(const struct trust_of *of, const char *why)
{
	return of->kept ? why : "the options of this command keep no sample";
}

/* The period of all events with samples; 0 if they have several, or it is unknown */
static uint64_t one_period(const struct estimate *e)
{
	uint64_t period = 0;
	size_t i;

	for (i = 0; i < e->nr_cpus; i++) {
		const struct pd_attr *attr = e->cpus[i].attr == PD_NO_ATTR ? NULL :
			&e->session->pd.attrs[e->cpus[i].attr];

		if (!attr || attr->freq || (i && attr->sample_period != period))
			return 0;
		period = attr->sample_period;
	}
	return period;
}

static void judge_truncation(struct trust *t, const struct trust_of *of)
{
	const struct session *s = of->estimate->session;
	const size_t unseen = of->estimate->unseen_cpus;
	char *rest = unseen ?
		xformat("%zu CPU%s none in all the time that the options of this command keep, so there are no totals",
			unseen, unseen == 1 ? " has" : "s have") :
		xformat("the totals assume that the program did in this time what it did in the rest");
	double lost;
	const bool known = estimate_lost(of->estimate, &lost);

	if (s->aux_truncated && known)
		find(t, level_of(lost) == TRUST_NO ? TRUST_NO : TRUST_CARE, "truncation",
		     "the buffer was full %" PRIu64 " time%s, so about %.1f%% of the time has no samples; %s",
		     s->aux_truncated, plural(s->aux_truncated), 100 * lost, rest);
	else if (s->aux_truncated)
		find(t, TRUST_CARE, "truncation",
		     "the buffer was full %" PRIu64 " time%s; how many samples that cost is unknown, as %s; the totals are too small",
		     s->aux_truncated, plural(s->aux_truncated),
		     unknown_as(of, "the recording has no timestamps (ts_enable), or its buffers are not of CPUs"));
	else if (known && level_of(lost) != TRUST_YES)
		find(t, level_of(lost), "truncation",
		     "AUX data was cut %" PRIu64 " time%s, and about %.1f%% of the time has no samples; %s",
		     s->aux_partial, plural(s->aux_partial), 100 * lost, rest);
	if (s->aux_partial)
		find(t, level_of((double)s->aux_partial / (double)of->seen), "partial records",
		     "%" PRIu64 " AUX record%s may end in a cut sample: at most %.2f%% of the samples",
		     s->aux_partial, plural(s->aux_partial), percent(s->aux_partial, of->seen));
	free(rest);
	t->buffer |= s->aux_truncated;
	if (s->throttles) {
		const double share = s->last > s->first ?
			(double)s->throttled_ns / (double)(s->last - s->first) : 1;

		find(t, level_of(share) == TRUST_NO ? TRUST_NO : TRUST_CARE, "throttled",
		     "the kernel stopped the event %" PRIu64 " time%s, for %.3f s in all, because it had too many samples: these are missing, and the totals are too small; sample less often, or raise kernel.perf_event_max_sample_rate",
		     s->throttles, plural(s->throttles), (double)s->throttled_ns / 1e9);
		want_period(t, 4 * one_period(of->estimate));
	}
	if (s->lost_records && s->sampled) {
		const uint64_t all = s->lost_records + of->seen;

		/* The driver adds one for a pause, whatever it lost: it does not know. */
		find(t, level_of(percent(s->lost_records, all) / 100) == TRUST_NO ? TRUST_NO : TRUST_CARE, "lost samples",
		     "perf lost at least %" PRIu64 " of %" PRIu64 " samples and other records: %.2f%%; a pause of the driver counts as one, whatever it lost, and the totals are too small; sample less often",
		     s->lost_records, all, percent(s->lost_records, all));
		t->ring = true;
		want_period(t, 4 * one_period(of->estimate));
	} else if (s->lost_records) {
		find(t, TRUST_CARE, "lost records",
		     "perf lost %" PRIu64 " record%s of its own, so samples may be missing or have the wrong thread or function",
		     s->lost_records, plural(s->lost_records));
		t->ring = true;
	}
}

static void judge_collisions(struct trust *t, const struct trust_of *of)
{
	const struct session *s = of->estimate->session;
	double share;

	if (!s->aux_collision)
		return;
	if (!estimate_collided(of->estimate, &share)) {
		find(t, TRUST_CARE, "collisions", "in %" PRIu64 " of %" PRIu64
		     " AUX records; how many samples that cost is unknown, as %s; operations after slow ones have too few samples",
		     s->aux_collision, s->aux_events,
		     unknown_as(of, "the samples have no latencies, or the period is unknown"));
		return;
	}
	find(t, level_of(share), "collisions", "in %" PRIu64 " of %" PRIu64
	     " AUX records; by the latencies about %.1f%% of the samples are missing, those of operations soon after slow ones; the totals are too small by about as much",
	     s->aux_collision, s->aux_events, 100 * share);
	/* A period above nearly all latencies */
	if (level_of(share) > TRUST_YES)
		want_period(t, 2 * (uint64_t)hist_percentile(&of->estimate->latency, 99));
}

/* The least factor of @n above 1 */
static uint64_t factor(uint64_t n)
{
	uint64_t f;

	for (f = 2; f * f <= n; f++)
		if (n % f == 0)
			return f;
	return n;
}

static void judge_jitter(struct trust *t, const struct pd_attr *attr, uint64_t interval)
{
	uint64_t resonant = factor(interval + 1);

	if (spe_event_jitter(attr))
		return;
	find(t, interval < TRUST_PERIOD ? TRUST_NO : TRUST_CARE, "no jitter",
	     "each sample comes exactly %" PRIu64 " operations after the one before: a loop whose number of operations is a multiple of %" PRIu64
	     " shows at most 1 in %" PRIu64 " of its operations",
	     interval + 1, resonant, resonant);
	t->jitter = true;
	if (interval < TRUST_PERIOD)
		want_period(t, TRUST_PERIOD);
}

static void judge_period(struct trust *t, const struct trust_of *of, const struct estimate_cpu *cpu,
			 const struct pd_attr *attr)
{
	const struct session *s = of->estimate->session;
	uint64_t interval = spe_event_interval(attr), unit = spe_event_jitter(attr) ? 128 : 1;
	bool seen = s->aux_collision || s->aux_truncated || s->aux_partial;

	if (interval + unit < cpu->mean.high) {
		find(t, TRUST_CARE, "short period", "%" PRIu64 " is below %" PRIu64
		     ", the least interval that the CPU recommends; Linux raises it to this until 6.12, so the totals are known to a factor of %.1f only",
		     interval, cpu->mean.high - unit, (double)cpu->mean.high / (double)cpu->mean.low);
		want_period(t, cpu->mean.high - unit);
	} else if (interval < TRUST_PERIOD && seen) {
		find(t, TRUST_CARE, "short period", "%" PRIu64
		     " is below %d, where a study saw many samples dropped (arXiv 2410.01514); the size is in the lines on collisions and truncation",
		     interval, TRUST_PERIOD);
		want_period(t, TRUST_PERIOD);
	} else if (interval < TRUST_PERIOD) {
		find(t, TRUST_YES, "short period", "%" PRIu64
		     " is below %d, where a study saw many samples dropped (arXiv 2410.01514); this recording reports no drop",
		     interval, TRUST_PERIOD);
	}
	judge_jitter(t, attr, interval);
}

/* The settings of one event that has samples, as its first CPU shows it */
static void judge_event(struct trust *t, const struct trust_of *of, const struct estimate_cpu *cpu)
{
	const struct pd_attr *attr = &of->estimate->session->pd.attrs[cpu->attr];

	if (attr->freq) {
		find(t, TRUST_CARE, "frequency", "the period changed during the recording (%" PRIu64
		     " samples per second requested) and the recording does not say to what: phases with a short period have too many samples, and there are no totals",
		     attr->sample_period);
		want_period(t, 4096);
		return;
	}
	judge_period(t, of, cpu, attr);
}

/* Also those of events without a sample that is kept: their filters may be why */
static void judge_filters(struct trust *t, const struct session *s)
{
	size_t i, nr = 0;

	for (i = 0; i < s->pd.nr_attrs; i++)
		nr += spe_event_is(s, i);
	for (i = 0; i < s->pd.nr_attrs; i++) {
		const struct pd_attr *attr = &s->pd.attrs[i];
		const char *pmu = nr > 1 ? feature_pmu(&s->pd, attr->type) : NULL;
		char *text = spe_event_filter_text(attr);

		if (spe_event_is(s, i) && spe_event_filters(attr))
			find(t, TRUST_YES, "filter", "samples, shares and totals are only of the operations that pass%s%s%s",
			     text + 1, pmu ? ", on the CPUs of " : "", pmu ? pmu : "");
		free(text);
	}
}

static void judge_events(struct trust *t, const struct trust_of *of)
{
	const struct estimate *e = of->estimate;
	uint64_t low = 0, high = 0;
	size_t i, j;

	for (i = 0; i < e->nr_cpus; i++) {
		const struct estimate_cpu *cpu = &e->cpus[i];

		if (cpu->attr == PD_NO_ATTR) {
			find(t, TRUST_CARE, "unknown period", "the file does not say which event wrote the samples of a CPU, so there are no totals");
			return;
		}
		for (j = 0; j < i && e->cpus[j].attr != cpu->attr; j++)
			;
		if (j == i)
			judge_event(t, of, cpu);
		if (cpu->mean.low && (!low || cpu->mean.low < low))
			low = cpu->mean.low;
		if (cpu->mean.low > high)
			high = cpu->mean.low;
	}
	if (low == high)
		return;
	find(t, TRUST_CARE, "several periods", "the mean intervals go from %" PRIu64 " to %" PRIu64
	     " operations: counts and shares over all CPUs favour the CPUs with the short one, by a factor of up to %.1f; the totals allow for this",
	     low, high, (double)high / (double)low);
	want_period(t, high - 1);
}

/* How many of the samples have a time */
static uint64_t timed_samples(const struct estimate *e)
{
	uint64_t timed = 0;
	size_t i;

	for (i = 0; i < e->nr_cpus; i++)
		timed += e->cpus[i].time.samples;
	return timed;
}

/* What makes it uncertain whose a sample is, and records that came more than once */
static void judge_identity(struct trust *t, const struct trust_of *of)
{
	const struct session *s = of->estimate->session;

	if (perfdata_clock(&s->pd) >= 0) {
		find(t, TRUST_CARE, "clock", "events use %s, but samples use the clock of perf: samples have no process, name or mapping where these changed; record without -k",
		     perfdata_clock_name(&s->pd));
		t->again = true;
	} else if (s->foreign_times) {
		find(t, TRUST_CARE, "clock", "samples have the times of the physical counter, which lie outside of the recording: samples have no process, name or mapping where these changed; record without pct_enable");
		t->again = true;
	} else if (of->kept && s->several_pids && !timed_samples(of->estimate)) {
		find(t, TRUST_CARE, "clock", "samples have no times: they have no process, name or mapping where these changed; record with timestamps (ts_enable=1)");
		t->again = true;
	} else if (s->untimed) {
		find(t, TRUST_CARE, "clock", "events have no times: samples have no process, name or mapping where these changed; record without --per-thread");
		t->again = true;
	}
	if (s->cut_maps)
		find(t, TRUST_CARE, "mappings", "perf did not read all mappings of %zu process%s, so code in the others is unknown; record with --proc-map-timeout",
		     s->cut_maps, s->cut_maps == 1 ? "" : "es");
	if (s->foreign_contexts)
		find(t, TRUST_CARE, "ids", "perf ran in a pid namespace of its own, so the ids in the records are not used: threads come from perf's buffers and context switches, and a sample near a switch may have the wrong thread or none; record outside of the container");
	if (s->overwritten)
		find(t, TRUST_CARE, "newest records", "each snapshot, or sample of another event, has only the newest records before it: shares are of these, and there are no totals");
	if (s->copied)
		find(t, TRUST_YES, "copies", "%" PRIu64 " bytes of records are in more than one snapshot and count once",
		     s->copied);
}

/* MIDR_EL1: implementer 31:24, variant 23:20, architecture 19:16, part 15:4, revision 3:0 */
#define MIDR_CORE	UINT64_C(0xff00fff0)
#define MIDR_VARIANT(m)	((m) >> 20 & 0xf)
#define MIDR_REVISION(m) ((m) & 0xf)

/* A known fault of a core that makes its samples misleading */
struct quirk {
	uint64_t core;		/* implementer and part number, as in MIDR_EL1 */
	uint64_t fixed;		/* variant << 4 | revision of the first core without the fault */
	const char *name;	/* core and erratum */
	const char *text;	/* what is wrong, and how to read the samples */
};

/*
 * Each entry names its public source.  Linux's list of errata
 * (Documentation/arch/arm64/silicon-errata.rst) has none of SPE.
 */
static const struct quirk quirks[] = {
	/* Linaro Forge 24.0, "Known issues for Arm SPE" */
	{ 0x4100d0c0, 0x41, "Neoverse N1 erratum 1694299 (fixed in r4p1)",
	  "branch targets have too many samples, some instructions shortly after a branch target too few; the size is not published; compare functions or whole loops, not single instructions" },
};

/*
 * The quirk of the core with this MIDR_EL1, or NULL.  A MIDR_EL1 of --cpu-model has variant
 * and revision 0, so such a core counts as affected.
 */
static const struct quirk *quirk_find(uint64_t midr)
{
	size_t i;

	for (i = 0; i < sizeof(quirks) / sizeof(quirks[0]); i++)
		if ((midr & MIDR_CORE) == quirks[i].core &&
		    (MIDR_VARIANT(midr) << 4 | MIDR_REVISION(midr)) < quirks[i].fixed)
			return &quirks[i];
	return NULL;
}

static void judge_core(struct trust *t, const struct estimate *e)
{
	size_t i, j;

	for (i = 0; i < e->nr_cpus; i++) {
		const struct quirk *quirk = quirk_find(e->cpus[i].midr);

		for (j = 0; j < i && quirk_find(e->cpus[j].midr) != quirk; j++)
			;
		if (quirk && j == i)
			find(t, TRUST_CARE, quirk->name, "%s", quirk->text);
	}
}

/* " --stacks=dwarf --aux-sample": call stacks are samples of another event. */
static char *add_stacks(char *options, const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		uint64_t parts = s->pd.attrs[i].sample_type;

		if (!spe_event_is(s, i) && parts & PERF_SAMPLE_CALLCHAIN)
			return xappend(options, " --stacks%s%s",
				       parts & PERF_SAMPLE_STACK_USER ? "=dwarf" : "",
				       parts & PERF_SAMPLE_AUX ? " --aux-sample" : "");
	}
	return options;
}

/* The options of record for what was recorded; all SPE events have the same. */
static char *record_options(const struct session *s)
{
	char *options = NULL;
	size_t i;

	for (i = 0; s && i < s->pd.nr_attrs && !options; i++)
		if (spe_event_is(s, i))
			options = spe_event_options(s, i);
	if (!options)
		return xformat("%s", "");
	options = add_stacks(options, s);
	return heap_logs_followed(s, perfdata_name(&s->pd)) ? xappend(options, " --heap") : options;
}

/* The options of perf record that have a value */
static const struct {
	char letter;		/* or 0 */
	const char *name;
} valued[] = {
	{ 'C', "cpu" }, { 'p', "pid" }, { 't', "tid" }, { 'e', "event" }, { 'c', "count" },
	{ 'F', "freq" }, { 'o', "output" }, { 'm', "mmap-pages" }, { 'r', "realtime" },
	{ 'G', "cgroup" }, { 'D', "delay" }, { 'u', "uid" }, { 'j', "branch-filter" },
	{ 'k', "clockid" }, { 0, "filter" }, { 0, "call-graph" }, { 0, "proc-map-timeout" },
	{ 0, "max-size" }, { 0, "affinity" }, { 0, "mmap-flush" }, { 0, "control" },
	{ 0, "switch-max-files" }, { 0, "num-thread-synthesize" }, { 0, "synth" }, { 0, "pfm-events" },
	{ 0, "vmlinux" }, { 0, "off-cpu-thresh" },
};

struct command_line {
	struct args words;
	size_t at;
	char *target;		/* " -C 1"; "": it started a command */
	bool of_user;		/* -u, which "perf spe record" does not take */
};

/* The recording is hostile, and the list becomes a part of a command. */
static void take_value(struct command_line *c, char letter, const char *value)
{
	if (!value)
		value = c->at < c->words.count ? c->words.args[c->at++] : "";
	c->of_user |= letter == 'u';
	if (letter && strchr("Cpt", letter) && *value && !value[strspn(value, "0123456789,-")])
		c->target = xappend(c->target, " -%c %s", letter, value);
}

static void take_long(struct command_line *c, const char *word)
{
	size_t len = strcspn(word, "="), i;

	if (!strcmp(word, "all-cpus"))
		c->target = xappend(c->target, " -a");
	for (i = 0; i < sizeof(valued) / sizeof(valued[0]); i++)
		if (strlen(valued[i].name) == len && !strncmp(word, valued[i].name, len))
			take_value(c, valued[i].letter, word[len] ? word + len + 1 : NULL);
}

/*
 * Letters without a value may precede one that has it: "-ac", "1024".  What follows -I, -S or -z in one
 * word is their value.
 */
static void take_letters(struct command_line *c, const char *word)
{
	size_t i;

	for (; *word && !strchr("ISz", *word); word++) {
		if (*word == 'a')
			c->target = xappend(c->target, " -a");
		for (i = 0; i < sizeof(valued) / sizeof(valued[0]); i++) {
			if (valued[i].letter == *word) {
				take_value(c, *word, word[1] ? word + 1 : NULL);
				return;
			}
		}
	}
}

/* The command as a shell takes it; false if one of its words has what a terminal cannot show. */
static bool add_command(struct command_line *c)
{
	char *text = xformat("%s --", c->target);
	bool good = true;

	for (; c->at < c->words.count && good; c->at++) {
		const char *at = c->words.args[c->at];
		char *word = shell_word(at);

		while (*at >= ' ' && *at <= '~')
			at++;
		good = !*at;
		text = xappend(text, " %s", word);
		free(word);
	}
	if (good) {
		free(c->target);
		c->target = text;
	} else {
		free(text);
	}
	return good;
}

/* Read perf's options; what follows them, from c->at on, is the command. */
static void read_target(struct command_line *c, const struct session *s)
{
	*c = (struct command_line){ .target = xformat("%s", "") };
	if (s)
		c->words = feature_words(&s->pd);
	while (c->at < c->words.count && strcmp(c->words.args[c->at++], "record"))
		;
	while (c->at < c->words.count && *c->words.args[c->at] == '-') {
		const char *word = c->words.args[c->at++];

		if (!strcmp(word, "--"))
			break;
		if (word[1] == '-')
			take_long(c, word + 2);
		else
			take_letters(c, word + 1);
	}
}

/*
 * " -a -- sleep 1" of perf's command line; " -- COMMAND" if it has no such target, as the user knows
 * which program to measure
 */
static char *command_target(const struct session *s)
{
	struct command_line c;
	bool whole = true;

	read_target(&c, s);
	if (*c.target && c.at < c.words.count)
		whole = add_command(&c);
	if (!*c.target || !whole)
		c.target = xappend(c.target, " -- COMMAND");
	args_free(&c.words);
	return c.target;
}

/* The CPUs of a list such as "2,0-1", in order: "0-2" */
static char *sorted_cpus(const char *list)
{
	bool has[CPUS_MOST + 1] = { false };
	char *text = NULL, *end;
	unsigned long from, to, i;

	while (*list >= '0' && *list <= '9') {
		from = to = strtoul(list, &end, 10);
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (i = from; i <= to && i < CPUS_MOST; i++)
			has[i] = true;
		list = end + (*end == ',');
	}
	for (i = 0; i < CPUS_MOST; i++) {
		for (to = i; has[i] && has[to + 1]; to++)
			;
		if (has[i])
			text = to == i ? xappend(text, "%s%lu", text ? "," : "", i) :
				xappend(text, "%s%lu-%lu", text ? "," : "", i, to);
		i = to;
	}
	return text ? text : xformat("%s", "");
}

char *trust_target(const struct session *s)
{
	struct command_line c;
	const char *cpus;
	char *text = NULL, *list;

	read_target(&c, s);
	cpus = strstr(c.target, " -C ");
	if (cpus) {
		list = sorted_cpus(cpus + strlen(" -C "));
		text = xformat("some CPUs: %s", list);
		free(list);
	} else if (strstr(c.target, " -p ") || c.of_user) {
		text = xformat("processes that ran already");
	} else if (strstr(c.target, " -t ")) {
		text = xformat("threads that ran already");
	} else if (c.words.count) {
		/* perf record without anything to sample samples all CPUs. */
		text = xformat("%s", *c.target || c.at == c.words.count ? "all CPUs" : "a command");
	}
	free(c.target);
	args_free(&c.words);
	return text;
}

void trust_judge(struct trust *t, const struct trust_of *of)
{
	memset(t, 0, sizeof(*t));
	t->options = record_options(of->estimate->session);
	t->target = command_target(of->estimate->session);
	judge_number(t, of);
	judge_damage(t, of);
	if (of->estimate->session)
		judge_identity(t, of);
	if (of->estimate->session && of->seen) {
		judge_truncation(t, of);
		judge_collisions(t, of);
		judge_filters(t, of->estimate->session);
		judge_events(t, of);
		/* perf spe record may choose a longer period, for which so many times as long is too short. */
		if (t->longer && !t->period)
			t->period = one_period(of->estimate);
	} else if (of->seen) {
		find(t, TRUST_CARE, "unknown period", "the input is SPE bytes alone: they tell neither period nor filters nor losses, so there are no totals");
		t->perf_data = true;
	}
	judge_core(t, of->estimate);
}

char *trust_losses(const struct trust_of *of)
{
	/* Collisions are not here: programs recorded alike lose the same operations by them. */
	static const char *const losses[] = {
		"damaged data", "truncation", "partial records", "throttled", "lost samples",
	};
	struct trust trust;
	char *text = NULL;
	size_t i, j;

	trust_judge(&trust, of);
	for (i = 0; i < trust.nr; i++) {
		const struct trust_finding *f = &trust.found[i];

		for (j = 0; j < sizeof(losses) / sizeof(losses[0]) && strcmp(f->bias, losses[j]); j++)
			;
		/* Behind a semicolon is what it does to the totals. */
		if (f->level == TRUST_NO && j < sizeof(losses) / sizeof(losses[0]))
			text = xappend(text, "%s%.*s", text ? ", and " : "",
				       (int)strcspn(f->text, ";"), f->text);
	}
	trust_free(&trust);
	return text;
}

char *trust_command(const struct trust *t)
{
	char *period = t->period ? xformat(" --period %" PRIu64, t->period) : xformat("%s", "");
	/* The ring of perf's own records, a comma, and the AUX buffer */
	const char *sizes = t->ring && t->buffer ? " -m 16M,16M" : t->ring ? " -m 16M" : t->buffer ? " -m ,16M" : "";
	char *text = NULL;

	/* perf spe record asks for jitter and timestamps where the PMU has them. */
	if (t->period || t->longer || t->buffer || t->ring || t->jitter || t->perf_data || t->again)
		text = xformat("perf spe record%s%s%s%s", t->options, period, sizes, t->target);
	free(period);
	return text;
}

void trust_free(struct trust *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->found[i].text);
	free(t->found);
	free(t->options);
	free(t->target);
	memset(t, 0, sizeof(*t));
}
