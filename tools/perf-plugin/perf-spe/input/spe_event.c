// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/attr.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

bool spe_event_is(const struct session *s, size_t attr)
{
	uint32_t type = s->pd.attrs[attr].type;
	const char *pmu = feature_pmu(&s->pd, type);

	return type == s->pmu_type || event_counts_of(&s->counts, attr).aux_events ||
	       (pmu && !strncmp(pmu, "arm_spe", 7)) || spe_event_samples(s, attr);
}

bool spe_event_samples(const struct session *s, size_t attr)
{
	const char *pmu = feature_pmu(&s->pd, s->pd.attrs[attr].type);

	/* A recording that lost its features still has the event's name. */
	if (!pmu)
		pmu = feature_event(&s->pd, attr);
	return pmu && !strncmp(pmu, "spe_sample_", 11);
}

/*
 * The only SPE event, with @typed the only one of PMU @type; PD_NO_ATTR if there
 * is none, or more than one.
 */
static size_t only_event(const struct session *s, bool typed, uint64_t type)
{
	size_t found = PD_NO_ATTR, i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		if (!spe_event_is(s, i) ||
		    (typed && s->pd.attrs[i].type != type))
			continue;
		if (found != PD_NO_ATTR)
			return PD_NO_ATTR;
		found = i;
	}
	return found;
}

size_t spe_event_of_cpu(const struct session *s, int32_t cpu)
{
	size_t attr = event_counts_of_cpu(&s->counts, cpu), i;

	if (attr != PD_NO_ATTR)
		return attr;
	for (i = 0; cpu != NO_ID && i < s->nr_midrs; i++)
		if (s->midrs[i].cpu == (uint32_t)cpu)
			return only_event(s, true, s->midrs[i].pmu);
	return only_event(s, false, 0);
}

/* The value of an attribute's bits in config, config1 ... */
static uint64_t value_of(const struct pd_attr *attr, uint32_t bits)
{
	uint64_t word = attr->config[ARM_SPE_ATTR_WORD(bits)];

	return word << (63 - ARM_SPE_ATTR_HI(bits)) >>
	       (63 - ARM_SPE_ATTR_HI(bits) + ARM_SPE_ATTR_LO(bits));
}

bool spe_event_jitter(const struct pd_attr *attr)
{
	return value_of(attr, ARM_SPE_ATTR_JITTER);
}

bool spe_event_guests(const struct pd_attr *attr)
{
	return attr->exclude_host || value_of(attr, ARM_SPE_ATTR_GUEST);
}

uint64_t spe_event_interval(const struct pd_attr *attr)
{
	uint64_t interval = attr->sample_period & ~UINT64_C(0xff);

	return attr->freq ? 0 : interval ? interval : 256;
}

/*
 * The counter counts from INTERVAL * 256 down to zero, which makes one operation more
 * without random perturbation (D17.3.4.1).  Perturbation without FEAT_SPE_ERnd sets the low
 * 8 bits of the counter at random, a mean of 128 more (D17.3.4.2).  With FEAT_SPE_ERnd it
 * moves each sample by a random number, which leaves the mean at one more (D17.3.4.3).
 * A recording does not say whether the CPU has FEAT_SPE_ERnd.
 *
 * Until 6.12 Linux's driver raises a period below the recommended least interval to this one
 * (arm_spe_event_sanitise_period() in drivers/perf/arm_spe_pmu.c); later ones and this project's
 * take it as it is.  A recording does not say which driver wrote it.
 */
struct spe_mean spe_event_mean(const struct pd_attr *attr, uint64_t least)
{
	uint64_t interval = spe_event_interval(attr);
	uint64_t most = interval > least ? interval : least;

	if (!interval)
		return (struct spe_mean){ 0 };
	return (struct spe_mean){ interval + 1, most + (spe_event_jitter(attr) ? 128 : 1) };
}

char *spe_event_mean_text(const struct pd_attr *attr, const char *to)
{
	const struct spe_mean mean = spe_event_mean(attr, 0);

	if (!mean.low)
		return xformat("varies");
	if (mean.low == mean.high)
		return xformat("%" PRIu64, mean.low);
	return xformat("%" PRIu64 "%s%" PRIu64, mean.low, to, mean.high);
}

static uint64_t least_interval(const struct session *s, int32_t cpu)
{
	size_t i;

	for (i = 0; i < s->nr_midrs; i++)
		if (cpu == NO_ID || s->midrs[i].cpu == (uint32_t)cpu)
			return s->midrs[i].least;
	return 0;
}

struct spe_mean spe_cpu_mean(const struct session *s, int32_t cpu)
{
	size_t attr = s ? spe_event_of_cpu(s, cpu) : PD_NO_ATTR;

	/* The file does not tell how many older records were overwritten. */
	return attr == PD_NO_ATTR || s->overwritten ? (struct spe_mean){ 0 } :
	       spe_event_mean(&s->pd.attrs[attr], least_interval(s, cpu));
}

static const struct {
	const char *name;
	uint32_t bits;
} settings[] = {
	{ "ts_enable", ARM_SPE_ATTR_TS_ENABLE },
	{ "pa_enable", ARM_SPE_ATTR_PA_ENABLE },
	{ "pct_enable", ARM_SPE_ATTR_PCT_ENABLE },
	{ "jitter", ARM_SPE_ATTR_JITTER },
	{ "guest", ARM_SPE_ATTR_GUEST },
	{ "batch", ARM_SPE_ATTR_BATCH },
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

/* The settings from this one on are filters. */
#define FIRST_FILTER ARM_SPE_ATTR_BRANCH_FILTER

bool spe_event_filters(const struct pd_attr *attr)
{
	bool filter = false;
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		filter |= settings[i].bits == FIRST_FILTER;
		if (filter && settings[i].bits != ARM_SPE_ATTR_DISCARD &&
		    value_of(attr, settings[i].bits))
			return true;
	}
	return false;
}

bool spe_event_chosen(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++)
		if (spe_event_is(s, i) && spe_event_filters(&s->pd.attrs[i]))
			return true;
	return false;
}

bool session_one_cpu(const struct session *s)
{
	size_t i;

	for (i = 0; s && i < s->nr_pieces; i++)
		if (s->pieces[i].cpu == NO_ID || s->pieces[i].cpu != s->pieces[0].cpu)
			return false;
	return s && s->nr_pieces;
}

bool spe_event_met(const struct session *s)
{
	static const uint32_t met[] = {
		ARM_SPE_ATTR_EVENT_FILTER, ARM_SPE_ATTR_INV_EVENT_FILTER,
		ARM_SPE_ATTR_MIN_LATENCY_WIDE, ARM_SPE_ATTR_INV_DATA_SRC_FILTER,
	};
	size_t i, k;

	for (i = 0; s && i < s->pd.nr_attrs; i++)
		for (k = 0; k < sizeof(met) / sizeof(met[0]) && spe_event_is(s, i); k++)
			if (value_of(&s->pd.attrs[i], met[k]))
				return true;
	return false;
}

/* Append the settings from @first on, each after @before, to @text, which this function frees. */
static char *settings_add(char *text, const struct pd_attr *a, uint32_t first, const char *before)
{
	bool wanted = false;
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		uint64_t value = value_of(a, settings[i].bits);
		bool single = ARM_SPE_ATTR_LO(settings[i].bits) ==
			      ARM_SPE_ATTR_HI(settings[i].bits);

		wanted |= settings[i].bits == first;
		if (!value || !wanted)
			continue;
		text = single ? xappend(text, "%s%s", before, settings[i].name) :
		       settings[i].bits == ARM_SPE_ATTR_MIN_LATENCY_WIDE ||
		       settings[i].bits == ARM_SPE_ATTR_BATCH ?
		       xappend(text, "%s%s=%" PRIu64, before, settings[i].name, value) :
		       xappend(text, "%s%s=0x%" PRIx64, before, settings[i].name, value);
	}
	return text;
}

char *spe_event_text(const struct session *s, size_t attr)
{
	const struct pd_attr *a = &s->pd.attrs[attr];
	const char *pmu = feature_pmu(&s->pd, a->type), *only = a->exclude_host ? " exclude_host" : "";

	return settings_add(pmu ? xformat("%s%s", pmu, only) : xformat("PMU %u%s", a->type, only), a,
			    settings[0].bits, " ");
}

char *spe_event_filter_text(const struct pd_attr *attr)
{
	return settings_add(xformat("%s", ""), attr, FIRST_FILTER, ", ");
}

/* The settings of one bit that have an option */
static const struct {
	uint32_t bits;
	const char *option;
} switches[] = {
	{ ARM_SPE_ATTR_LOAD_FILTER, "loads" },
	{ ARM_SPE_ATTR_STORE_FILTER, "stores" },
	{ ARM_SPE_ATTR_BRANCH_FILTER, "branches" },
	{ ARM_SPE_ATTR_SIMD_FILTER, "simd" },
	{ ARM_SPE_ATTR_FLOAT_FILTER, "float" },
	{ ARM_SPE_ATTR_PA_ENABLE, "physical" },
};

/* Append an option whose value is a list of these bits, by their names or numbers. */
static char *list_add(char *text, const char *option, uint64_t bits, bool names)
{
	unsigned int bit;

	if (!bits)
		return text;
	text = xappend(text, " --%s ", option);
	for (bit = 0; bit < 64; bit++) {
		const char *comma = bits >> bit > 1 ? "," : "";

		if (!(bits >> bit & 1))
			continue;
		text = names ? xappend(text, "%s%s", armspe_event_name(bit), comma) :
			       xappend(text, "%u%s", bit, comma);
	}
	return text;
}

static char *number_add(char *text, const char *option, uint64_t value)
{
	return value ? xappend(text, " --%s %" PRIu64, option, value) : text;
}

char *spe_event_options(const struct session *s, size_t attr)
{
	const struct pd_attr *a = &s->pd.attrs[attr];
	uint64_t dropped = value_of(a, ARM_SPE_ATTR_INV_DATA_SRC_FILTER);
	char *text = xformat("%s", spe_event_samples(s, attr) ? " --samples" : "");
	size_t i;

	for (i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
		if (value_of(a, switches[i].bits))
			text = xappend(text, " --%s", switches[i].option);
	text = list_add(text, "event", value_of(a, ARM_SPE_ATTR_EVENT_FILTER), true);
	text = list_add(text, "not-event", value_of(a, ARM_SPE_ATTR_INV_EVENT_FILTER), true);
	text = list_add(text, "data-source", dropped ? ~dropped : 0, false);
	text = number_add(text, "min-latency", value_of(a, ARM_SPE_ATTR_MIN_LATENCY_WIDE));
	text = number_add(text, "batch", value_of(a, ARM_SPE_ATTR_BATCH));
	if (a->exclude_host || spe_event_guests(a))
		text = xappend(text, " --guests%s", a->exclude_host ? "=only" : "");
	if (a->exclude_kernel != a->exclude_user)
		text = xappend(text, a->exclude_kernel ? " --user" : " --kernel");
	return text;
}

char *other_event_name(const struct session *s, size_t attr)
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

bool session_excludes_kernel(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++)
		if (!s->pd.attrs[i].exclude_kernel)
			return false;
	return s->pd.nr_attrs;
}
