// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/attr.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "input/feature.h"
#include "input/session.h"

#ifndef PERF_AUX_FLAG_COLLISION
#define PERF_AUX_FLAG_COLLISION 0x08
#endif

/* More than any machine has; what a file says beyond is not kept. */
#define CPUS 65536u

static struct asked_event *event_of(struct session *s, size_t attr)
{
	struct asked *a = &s->asked;
	size_t room = a->room;

	if (attr >= room) {
		a->room = attr + 8;
		a->of = xrealloc(a->of, a->room * sizeof(*a->of));
		memset(a->of + room, 0, (a->room - room) * sizeof(*a->of));
	}
	return &a->of[attr];
}

static void cpu_set(struct asked *a, uint32_t cpu, size_t attr)
{
	if (cpu >= CPUS)
		return;
	while (cpu >= a->room_cpus) {
		size_t i = a->room_cpus;

		a->room_cpus = i ? 2 * i : 64;
		a->cpus = xrealloc(a->cpus, a->room_cpus * sizeof(*a->cpus));
		for (; i < a->room_cpus; i++)
			a->cpus[i] = PD_NO_ATTR;
	}
	a->cpus[cpu] = attr;
}

static void add_aux(struct session *s, const struct pd_event *ev)
{
	struct asked_event *e = event_of(s, ev->attr);
	uint64_t flags;

	if (ev->len < 24)
		return;
	flags = pd_load64(ev->body + 16);
	e->aux_events++;
	e->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	e->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	e->collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	/* Only whose buffer it is writes such an event. */
	if (ev->id.has_cpu)
		cpu_set(&s->asked, ev->id.cpu, ev->attr);
}

/* Where a sample has its period; its fields stand in perf_event_open(2)'s order */
static uint64_t sample_period(const struct pd_attr *attr,
			      const struct pd_event *ev)
{
	uint64_t before = attr->sample_type &
			  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			   PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			   PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
	size_t at = 8 * (size_t)__builtin_popcountll(before);

	if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
		return attr->freq ? 0 : attr->sample_period;
	return ev->len >= at + 8 ? pd_load64(ev->body + at) : 0;
}

void asked_event(struct session *s, const struct pd_event *ev)
{
	struct asked_event *e;

	if (ev->attr >= s->pd.nr_attrs)
		return;
	e = event_of(s, ev->attr);
	if (ev->type == PERF_RECORD_AUX) {
		add_aux(s, ev);
	} else if (ev->type == PERF_RECORD_LOST && ev->len >= 16) {
		e->lost += pd_load64(ev->body + 8);
	} else if (ev->type == PERF_RECORD_LOST_SAMPLES && ev->len >= 8) {
		e->lost += pd_load64(ev->body);
	} else if (ev->type == PERF_RECORD_SAMPLE) {
		e->samples++;
		e->sum += sample_period(&s->pd.attrs[ev->attr], ev);
	}
}

struct asked_event asked_of(const struct session *s, size_t attr)
{
	static const struct asked_event nothing;

	return attr < s->asked.room ? s->asked.of[attr] : nothing;
}

bool asked_is_spe(const struct session *s, size_t attr)
{
	uint32_t type = s->pd.attrs[attr].type;
	const char *pmu = feature_pmu(&s->pd, type);

	return type == s->pmu_type || asked_of(s, attr).aux_events ||
	       (pmu && !strncmp(pmu, "arm_spe", 7));
}

/* The only event of SPE that there is, or of PMU @type; PD_NO_ATTR: several */
static size_t the_one(const struct session *s, bool typed, uint64_t type)
{
	size_t found = PD_NO_ATTR, i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		if (!asked_is_spe(s, i) ||
		    (typed && s->pd.attrs[i].type != type))
			continue;
		if (found != PD_NO_ATTR)
			return PD_NO_ATTR;
		found = i;
	}
	return found;
}

size_t asked_of_cpu(const struct session *s, int32_t cpu)
{
	size_t i;

	if (cpu != NO_ID && (uint32_t)cpu < s->asked.room_cpus &&
	    s->asked.cpus[cpu] != PD_NO_ATTR)
		return s->asked.cpus[cpu];
	for (i = 0; cpu != NO_ID && i < s->nr_midrs; i++)
		if (s->midrs[i].cpu == (uint32_t)cpu)
			return the_one(s, true, s->midrs[i].pmu);
	return the_one(s, false, 0);
}

/* Bits of config, config1 ... that an attribute takes */
static uint64_t value_of(const struct pd_attr *attr, uint32_t bits)
{
	uint64_t word = attr->config[ARM_SPE_ATTR_WORD(bits)];

	return word << (63 - ARM_SPE_ATTR_HI(bits)) >>
	       (63 - ARM_SPE_ATTR_HI(bits) + ARM_SPE_ATTR_LO(bits));
}

bool asked_jitter(const struct pd_attr *attr)
{
	return value_of(attr, ARM_SPE_ATTR_JITTER);
}

uint64_t asked_interval(const struct pd_attr *attr)
{
	uint64_t interval = attr->sample_period & ~UINT64_C(0xff);

	return attr->freq ? 0 : interval ? interval : 256;
}

static const struct {
	const char *name;
	uint32_t bits;
} words[] = {
	{ "ts_enable", ARM_SPE_ATTR_TS_ENABLE },
	{ "pa_enable", ARM_SPE_ATTR_PA_ENABLE },
	{ "pct_enable", ARM_SPE_ATTR_PCT_ENABLE },
	{ "jitter", ARM_SPE_ATTR_JITTER },
	{ "branch_filter", ARM_SPE_ATTR_BRANCH_FILTER },
	{ "load_filter", ARM_SPE_ATTR_LOAD_FILTER },
	{ "store_filter", ARM_SPE_ATTR_STORE_FILTER },
	{ "simd_filter", ARM_SPE_ATTR_SIMD_FILTER },
	{ "float_filter", ARM_SPE_ATTR_FLOAT_FILTER },
	{ "branch_filter_mask", ARM_SPE_ATTR_BRANCH_FILTER_MASK },
	{ "load_filter_mask", ARM_SPE_ATTR_LOAD_FILTER_MASK },
	{ "store_filter_mask", ARM_SPE_ATTR_STORE_FILTER_MASK },
	{ "simd_filter_mask", ARM_SPE_ATTR_SIMD_FILTER_MASK },
	{ "float_filter_mask", ARM_SPE_ATTR_FLOAT_FILTER_MASK },
	{ "discard", ARM_SPE_ATTR_DISCARD },
	{ "event_filter", ARM_SPE_ATTR_EVENT_FILTER },
	{ "inv_event_filter", ARM_SPE_ATTR_INV_EVENT_FILTER },
	{ "min_latency", ARM_SPE_ATTR_MIN_LATENCY_WIDE },
	{ "inv_data_src_filter", ARM_SPE_ATTR_INV_DATA_SRC_FILTER },
};

char *asked_words(const struct session *s, size_t attr)
{
	const struct pd_attr *a = &s->pd.attrs[attr];
	const char *pmu = feature_pmu(&s->pd, a->type);
	char *text = pmu ? xformat("%s", pmu) : xformat("PMU %u", a->type);
	char *longer;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		uint64_t value = value_of(a, words[i].bits);
		bool single = ARM_SPE_ATTR_LO(words[i].bits) ==
			      ARM_SPE_ATTR_HI(words[i].bits);

		if (!value)
			continue;
		longer = single ? xformat("%s %s", text, words[i].name) :
			 words[i].bits == ARM_SPE_ATTR_MIN_LATENCY_WIDE ?
			 xformat("%s %s=%" PRIu64, text, words[i].name, value) :
			 xformat("%s %s=0x%" PRIx64, text, words[i].name, value);
		free(text);
		text = longer;
	}
	return text;
}

char *asked_name(const struct session *s, size_t attr)
{
	const struct pd_attr *a = &s->pd.attrs[attr];
	const char *name = feature_event(&s->pd, attr);
	const char *pmu = feature_pmu(&s->pd, a->type);

	if (name && *name)
		return xformat("%s", name);
	if (pmu)
		return xformat("%s/config=0x%" PRIx64 "/", pmu, a->config[0]);
	return xformat("event %u/0x%" PRIx64, a->type, a->config[0]);
}

void asked_free(struct asked *a)
{
	free(a->of);
	free(a->cpus);
	memset(a, 0, sizeof(*a));
}
