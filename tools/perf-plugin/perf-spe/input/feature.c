// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

bool feature_begin(struct cursor *r, const struct perfdata *pd,
		   unsigned int feature)
{
	*r = (struct cursor){ pd->features[feature].bytes, pd->features[feature].len, false };
	return r->at;
}

const char *feature_string(struct cursor *r)
{
	uint32_t len = cursor_u32(r);
	const uint8_t *at = cursor_take(r, len);

	if (!at || !memchr(at, 0, len)) {
		r->bad = true;
		return "";
	}
	return (const char *)at;
}

static char *one_string(const struct perfdata *pd, unsigned int feature)
{
	struct cursor r;
	const char *text;

	if (!feature_begin(&r, pd, feature))
		return NULL;
	text = feature_string(&r);
	return r.bad ? NULL : xformat("%s", text);
}

char *feature_hostname(const struct perfdata *pd)
{
	return one_string(pd, PD_HOSTNAME);
}

/* "4 CPUs, Neoverse-N1" */
char *feature_cpu(const struct perfdata *pd)
{
	char *name = one_string(pd, PD_CPUDESC), *text;
	struct cursor r;
	uint32_t online = 0;

	if (feature_begin(&r, pd, PD_NRCPUS)) {
		cursor_u32(&r);	/* CPUs configured */
		online = cursor_u32(&r);
	}
	if (!online)
		return name;
	text = xformat("%u CPU%s%s%s", online, plural(online), name ? ", " : "",
		       name ? name : "");
	free(name);
	return text;
}

char *feature_memory(const struct perfdata *pd)
{
	struct cursor r;
	uint64_t kib;

	if (!feature_begin(&r, pd, PD_TOTAL_MEM))
		return NULL;
	kib = cursor_u64(&r);
	return r.bad ? NULL : xformat("%" PRIu64 " MiB", kib / 1024);
}

struct args feature_words(const struct perfdata *pd)
{
	struct args words = { 0 };
	struct cursor r;
	uint32_t count;

	if (!feature_begin(&r, pd, PD_CMDLINE))
		return words;
	for (count = cursor_u32(&r); count && !r.bad; count--) {
		const char *word = feature_string(&r);

		if (!r.bad)
			args_add(&words, word);
	}
	return words;
}

char *feature_command(const struct perfdata *pd)
{
	struct args words = feature_words(pd);
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);

	for (i = 0; to && i < words.count; i++)
		fprintf(to, "%s%s", ftell(to) ? " " : "", words.args[i]);
	args_free(&words);
	if (to && !fclose(to) && len)
		return text;
	free(text);
	return NULL;
}

static const struct hash_kind pmu_kind = {
	HASH_SLOTS(struct pd_pmu, name), .key = { HASH_NUMBER(struct pd_pmu, type) },
};

/* Each attribute is looked up, and a file may have many. */
static void index_pmus(struct perfdata *pd)
{
	struct cursor r;
	uint32_t count;

	if (!feature_begin(&r, pd, PD_PMU_MAPPINGS))
		return;
	for (count = cursor_u32(&r); count && !r.bad; count--) {
		uint32_t type = cursor_u32(&r);
		const char *name = feature_string(&r);
		struct pd_pmu *pmu;

		if (r.bad)
			break;
		pmu = hash_table_add(&pd->pmus, &pmu_kind, &type);
		if (!pmu->name)
			*pmu = (struct pd_pmu){ type, name };
	}
}

const char *feature_pmu(const struct perfdata *pd, uint32_t type)
{
	const struct pd_pmu *pmu = hash_table_find(&pd->pmus, &pmu_kind, &type);

	return pmu ? pmu->name : NULL;
}

/* EVENT_DESC repeats the attributes in order, each with its ids and its name. */
static void index_events(struct perfdata *pd)
{
	struct cursor r;
	uint32_t count, size, ids, i;
	const char *name;
	size_t room = 0;

	if (!feature_begin(&r, pd, PD_EVENT_DESC))
		return;
	count = cursor_u32(&r);
	size = cursor_u32(&r);
	for (i = 0; i < count && !r.bad; i++) {
		cursor_take(&r, size);
		ids = cursor_u32(&r);
		name = feature_string(&r);
		if (r.bad)
			break;
		pd->event_names = array_grow(pd->event_names, i, &room, sizeof(*pd->event_names));
		pd->event_names[i] = name;
		pd->nr_event_names = i + 1;
		cursor_array(&r, ids, 8);
	}
}

const char *feature_event(const struct perfdata *pd, size_t attr)
{
	return attr < pd->nr_event_names ? pd->event_names[attr] : NULL;
}

void feature_index(struct perfdata *pd, unsigned int feature)
{
	if (feature == PD_PMU_MAPPINGS)
		index_pmus(pd);
	else if (feature == PD_EVENT_DESC)
		index_events(pd);
}
