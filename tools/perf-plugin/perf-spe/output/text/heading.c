// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "output/text/text.h"
#include "util/util.h"

static char *host_text(const struct session *s)
{
	char *host = feature_hostname(&s->pd), *list = text_list_take(NULL, host);

	if (s->pd.osrelease)
		list = text_list_take(list, xformat("Linux %s", s->pd.osrelease));
	return text_list_add(list, s->pd.arch);
}

/* For samples of a CPU that the recording does not list */
static char *missing_text(const struct session *s)
{
	int32_t cpu = NO_ID;
	bool more = false;
	uint64_t midr;
	char *core, *text;
	size_t i;

	for (i = 0; i < s->nr_pieces; i++) {
		const struct piece *p = &s->pieces[i];

		if (p->cpu == cpu || !session_cpu_missing(s, p->cpu))
			continue;
		more |= cpu != NO_ID;
		if (cpu == NO_ID)
			cpu = p->cpu;
	}
	if (cpu == NO_ID)
		return NULL;
	if (!session_midr(s, cpu, &midr))
		return xformat("the file does not say which core CPU %" PRId32
			       "%s is, and names several kinds: source_name is empty there; name the core with --cpu-model",
			       cpu, more ? " or another one" : "");
	core = session_core(midr);
	text = xformat("the file does not say which core CPU %" PRId32
		       "%s is: taken for %s, as all that it names are alike",
		       cpu, more ? " or another one" : "", core);
	free(core);
	return text;
}

static char *cpus_text(const struct rows *r, const struct session *s)
{
	char *cpus = s ? feature_cpu(&s->pd) : NULL, *text;
	char *cores = r->midr ? xformat("%s by --cpu-model",
					armspe_source_core(r->midr)) :
				s ? session_cores(s) : NULL;

	if (!cpus || !cores)
		return cpus ? cpus : cores;
	text = xformat("%s: %s", cpus, cores);
	free(cpus);
	free(cores);
	return text;
}

static char *pmu_text(const struct session *s)
{
	char *list = NULL;
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++)
		if (spe_event_is(s, i))
			list = text_list_add(list, feature_pmu(&s->pd, s->pd.attrs[i].type));
	return list;
}

/* How many samples have a stack, and which sample that is of */
static char *stacks_text(const struct rows *r, const struct session *s)
{
	uint64_t found = r->stack_count[STACK_FOUND];
	char *event = s->calls.event ? xformat("%s", s->calls.event) :
		      s->calls.attr == PD_NO_ATTR ? xformat("several events") :
		      other_event_name(s, s->calls.attr), *text;

	text = xformat("%" PRIu64 " of %" PRIu64 " sample%s %s one (%.2f%%): %sthat of a sample of %s at most %" PRIu64 " ms away",
		       found, r->kept, plural(r->kept), found == 1 ? "has" : "have",
		       percent(found, r->kept), s->sampled ? "its own, or " : "", event, stacks_within(r->stacks) / 1000000);
	free(event);
	/* A live session has forgotten most of them. */
	if (s->live)
		return text;
	return xappend(text, ", of which there %s %zu", s->calls.nr == 1 ? "is" : "are", s->calls.nr);
}

char *stacks_none_text(const uint64_t *count)
{
	static const char *const why[NR_STACK_STATUS] = {
		[STACK_NO_SAMPLE] = "without such a sample near",
		[STACK_NOT_IN] = "in a function that no near one has",
		[STACK_DIFFER] = "between two with other callers",
		[STACK_ALTERNATE] = "in a function whose callers take turns faster than these samples come (record --samples --perf -g gives each its own)",
		[STACK_NO_KEY] = "without time, thread or function",
	};
	uint64_t none = 0;
	char *list = NULL, *text;
	unsigned int i;

	for (i = 0; i < NR_STACK_STATUS; i++) {
		if (!why[i] || !count[i])
			continue;
		list = text_list_take(list, xformat("%" PRIu64 " %s", count[i], why[i]));
		none += count[i];
	}
	if (!list)
		return NULL;
	text = xformat("%" PRIu64 " sample%s %s none: %s", none, plural(none),
		       none == 1 ? "has" : "have", list);
	free(list);
	return text;
}

/* How many copied stacks lack their outer callers, and why; NULL if there are none */
static char *short_stacks_text(const struct rows *r, const struct session *s)
{
	static const char *const why[NR_UNWIND_ENDS] = {
		[UNWIND_FILE] = "in code whose file is not there (--symfs tells where files are)",
		[UNWIND_NO_FILE] = "in code that is in no file",
		[UNWIND_NO_CODE] = "at an address without code",
		[UNWIND_CFI] = "in a function without unwinding data (.eh_frame)",
		[UNWIND_COPY] = "where perf's copy of the stack ends (the event's term stack-size sets how long that is)",
		[UNWIND_DEEP] = "after as many callers as perf-spe keeps",
	};
	const uint64_t *ends = stacks_ends(r->stacks);
	char *list = NULL, *text;
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < NR_UNWIND_ENDS; i++) {
		if (!why[i] || !ends[i])
			continue;
		list = text_list_take(list, xformat("%" PRIu64 " %s", ends[i], why[i]));
		all += ends[i];
	}
	if (!list)
		return NULL;
	text = xformat("%" PRIu64 " of the %zu copied stack%s %s early, so outer callers are missing: %s",
		       all, s->calls.nr, plural(s->calls.nr), all == 1 ? "ends" : "end", list);
	free(list);
	return text;
}

/* Which part of the samples is of guests; NULL if the recording did not ask for them */
static char *guests_text(const struct rows *r, const struct session *s)
{
	if (!s || !s->guests)
		return NULL;
	if (!r->kept)
		return xformat("the recording asked for samples of guests");
	return xformat("%" PRIu64 " of %" PRIu64 " sample%s (%.2f%%) %s of guests: see the columns guest, vm and vcpu",
		       r->guests, r->kept, plural(r->kept), percent(r->guests, r->kept),
		       r->guests == 1 ? "is" : "are");
}

static void give(heading_fn fn, void *context, const char *name, char *text)
{
	if (text && *text)
		fn(context, name, text);
	else
		free(text);
}

void heading_stacks(const struct rows *r, heading_fn fn, void *context)
{
	if (!r->stacks || !r->kept)
		return;
	give(fn, context, "stacks", stacks_text(r, r->resolver.session));
	give(fn, context, "stacks", stacks_none_text(r->stack_count));
	give(fn, context, "stacks", short_stacks_text(r, r->resolver.session));
}

/* That tables count samples alike which do not stand for as many operations; NULL if all do */
static char *periods_text(const struct session *s)
{
	uint64_t least = UINT64_MAX, most = 0;
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		const uint64_t mean = spe_event_is(s, i) ? spe_event_mean(&s->pd.attrs[i], 0).low : 0;

		if (mean && mean < least)
			least = mean;
		if (mean > most)
			most = mean;
	}
	if (least >= most)
		return NULL;
	return xformat("a sample stands for %" PRIu64 " to %" PRIu64 " operations, by its PMU, but all count alike: counts and shares of several PMUs favour the one with the shortest period; the totals of 'perf spe stat' allow for this",
		       least, most);
}

/* What the file cannot tell of the samples' programs */
static void heading_limits(const struct session *s, heading_fn fn, void *context)
{
	if (perfdata_clock(&s->pd) >= 0)
		give(fn, context, "clock", xformat("events use %s, but samples use the clock of perf, so processes and mappings that changed are unknown; record without -k",
			perfdata_clock_name(&s->pd)));
	else if (s->foreign_times)
		give(fn, context, "clock", xformat("samples have the times of the physical counter, which lie outside of the recording, so processes and mappings that changed are unknown; record without pct_enable"));
	else if (s->untimed)
		give(fn, context, "clock", xformat("events have no times, so processes and mappings that changed are unknown; record without --per-thread"));
	if (s->cut_maps)
		give(fn, context, "mappings", xformat("perf did not read all mappings of %zu process%s, so code in the others is unknown; record with --proc-map-timeout",
			s->cut_maps, s->cut_maps == 1 ? "" : "es"));
	if (s->copied)
		give(fn, context, "copies", xformat("%" PRIu64 " bytes of records are in more than one snapshot and count once",
			s->copied));
	if (s->foreign_contexts)
		give(fn, context, "ids", xformat("perf ran in a pid namespace of its own: the ids in the records are not those of its events, and are not used"));
	if (s->guessed_owners)
		give(fn, context, "owners", xformat("neither contexts nor context switches were recorded: samples of children count as of the thread that perf started"));
}

void heading_each(const struct rows *r, heading_fn fn, void *context)
{
	const struct session *s = r->resolver.session;

	if (s) {
		give(fn, context, "command", feature_command(&s->pd));
		give(fn, context, "host", host_text(s));
	}
	give(fn, context, "cpus", cpus_text(r, s));
	if (s && !r->midr)
		give(fn, context, "cores", missing_text(s));
	if (s)
		give(fn, context, "pmu", pmu_text(s));
	/* perf.data has no time of day, and the file's own time may be that of a copy. */
	if (r->src.path && strcmp(r->src.path, "-"))
		give(fn, context, "file", xformat("%s", r->src.path));
	if (s && s->last > s->first)
		give(fn, context, "duration", xformat("%.3f s, from %.6f to %.6f s of %s",
			(double)(s->last - s->first) / 1e9, (double)s->first / 1e9,
			(double)s->last / 1e9, perfdata_clock_name(&s->pd)));
	if (s) {
		give(fn, context, "periods", periods_text(s));
		heading_limits(s, fn, context);
	}
	heading_stacks(r, fn, context);
	give(fn, context, "guests", guests_text(r, s));
}

/* The first MIDR_EL1 of the recording whose data sources are not known, or 0 */
static uint64_t unknown_midr(const struct session *s)
{
	uint64_t midr;
	size_t i;

	for (i = 0; i < s->nr_midrs; i++)
		if (!armspe_source_core(s->midrs[i].midr))
			return s->midrs[i].midr;
	return !s->nr_midrs && session_midr(s, NO_ID, &midr) &&
	       !armspe_source_core(midr) ? midr : 0;
}

char *heading_no_source(const struct rows *r)
{
	const struct session *s = r->resolver.session;
	const bool cores = r->names & ROW_CORE;
	const bool filtered = r->filter && filter_names_source(r->filter);
	const char *core, *empty = cores ? "core and source_name are" : "source_name is";
	uint64_t midr;

	/* A filter by this name keeps no sample that could show a source. */
	if (r->midr || !(cores || r->names_sources || filtered) ||
	    !(cores || r->sourced || (filtered && !r->kept)))
		return NULL;
	if (!s || (!s->nr_midrs && !session_midr(s, NO_ID, &midr)))
		return xformat("%s empty: the recording does not say which cores it is of; name the core, for example --cpu-model neoverse-n1", empty);
	midr = unknown_midr(s);
	if (!midr)
		return NULL;
	core = armspe_core_name(midr);
	return xformat("%s empty where MIDR_EL1 is 0x%" PRIx64
		       "%s%s%s: perf-spe does not know its data sources; if a known core has the same ones, name it, for example --cpu-model neoverse-n1",
		       empty, midr, core ? " (" : "", core ? core : "", core ? ")" : "");
}

void heading_line(void *context, const char *name, char *text)
{
	FILE *to = context;
	int used = fprintf(to, "# %-10s", name);

	put_words(to, (size_t)used, " ", HEADING_INDENT, text);
	free(text);
}

void heading_print(FILE *to, const struct rows *r)
{
	char *no_source = heading_no_source(r);

	heading_each(r, heading_line, to);
	if (no_source) {
		putc('#', to);
		put_words(to, 1, " ", "# ", no_source);
	}
	free(no_source);
}
