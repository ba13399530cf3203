// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
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

char *feature_command(const struct perfdata *pd)
{
	char *text = NULL, *longer;
	struct cursor r;
	uint32_t count;

	if (!feature_begin(&r, pd, PD_CMDLINE))
		return NULL;
	for (count = cursor_u32(&r); count && !r.bad; count--) {
		const char *word = feature_string(&r);

		if (r.bad)
			break;
		longer = xformat("%s%s%s", text ? text : "", text ? " " : "",
				 word);
		free(text);
		text = longer;
	}
	return text;
}

const char *feature_pmu(const struct perfdata *pd, uint32_t type)
{
	struct cursor r;
	uint32_t count;

	if (!feature_begin(&r, pd, PD_PMU_MAPPINGS))
		return NULL;
	for (count = cursor_u32(&r); count && !r.bad; count--) {
		uint32_t this = cursor_u32(&r);
		const char *name = feature_string(&r);

		if (!r.bad && this == type)
			return name;
	}
	return NULL;
}

/* EVENT_DESC repeats the attributes in order, each with its ids and its name. */
const char *feature_event(const struct perfdata *pd, size_t attr)
{
	struct cursor r;
	uint32_t count, size, ids, i;
	const char *name;

	if (!feature_begin(&r, pd, PD_EVENT_DESC))
		return NULL;
	count = cursor_u32(&r);
	size = cursor_u32(&r);
	for (i = 0; i < count && !r.bad; i++) {
		cursor_take(&r, size);
		ids = cursor_u32(&r);
		name = feature_string(&r);
		if (i == attr && !r.bad)
			return name;
		cursor_array(&r, ids, 8);
	}
	return NULL;
}
