// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "util/util.h"

#define NS_PER_SECOND	UINT64_C(1000000000)
/* Larger seconds do not fit into 64 bits of nanoseconds. */
#define SECONDS_MAX	(UINT64_MAX / NS_PER_SECOND - 1)
/* A third or a seventh is rounded: 33.33%/3 ends where the recording does. */
#define END_PERCENT	99.99

/* Parse "12.5" exactly, which a double would not; NULL if it is no time. */
static const char *parse_seconds(const char *at, uint64_t *ns)
{
	uint64_t unit = NS_PER_SECOND / 10, seconds = 0;

	if (!isdigit((unsigned char)*at))
		return NULL;
	for (; isdigit((unsigned char)*at); at++) {
		seconds = seconds * 10 + (uint64_t)(*at - '0');
		if (seconds > SECONDS_MAX)
			return NULL;
	}
	*ns = seconds * NS_PER_SECOND;
	if (*at != '.')
		return at;
	for (at++; isdigit((unsigned char)*at); at++, unit /= 10)
		*ns += unit * (uint64_t)(*at - '0');
	return at;
}

/* Parse "FROM,TO", of which one may be missing. */
static const char *parse_span(const char *at, struct time_range *w)
{
	if (*at != ',') {
		at = parse_seconds(at, &w->from);
		w->has_from = true;
	}
	if (!at || *at != ',')
		return NULL;
	at++;
	if (*at && *at != ' ') {
		at = parse_seconds(at, &w->to);
		w->has_to = true;
	}
	return at && (w->has_from || w->has_to) &&
	       !(w->has_from && w->has_to && w->from > w->to) ? at : NULL;
}

/* Parse a number from 0 to 100 and its "%". */
static const char *parse_percent(const char *at, double *percent)
{
	char *end;

	if (!isdigit((unsigned char)*at))
		return NULL;
	*percent = strtod(at, &end);
	return *end == '%' && *percent <= 100 ? end + 1 : NULL;
}

/* Parse "A%-B%" or "A%/N". */
static const char *parse_part(const char *at, struct time_range *w)
{
	double size;
	char *end;
	long n;

	at = parse_percent(at, &size);
	if (at && *at == '-') {
		w->percent_from = size;
		at = parse_percent(at + 1, &w->percent_to);
		return at && w->percent_from < w->percent_to ? at : NULL;
	}
	if (!at || *at != '/' || !isdigit((unsigned char)at[1]))
		return NULL;
	n = strtol(at + 1, &end, 10);
	w->percent_from = size * (double)(n - 1);
	w->percent_to = size * (double)n;
	return n >= 1 && size > 0 && w->percent_to < 200 - END_PERCENT ? end : NULL;
}

bool time_ranges_parse(struct time_ranges *t, const char *verb, const char *text)
{
	const char *at = text + strspn(text, " ");

	*t = (struct time_ranges){ .percent = strchr(text, '%') };
	while (at && *at && t->count < TIME_RANGES) {
		struct time_range *w = &t->list[t->count++];

		at = t->percent ? parse_part(at, w) : parse_span(at, w);
		if (at && *at && *at != (t->percent ? ',' : ' '))
			at = NULL;
		else if (at && *at)
			at += t->percent ? 1 + strspn(at + 1, " ") : strspn(at, " ");
		if (t->percent && at && !*at && at[-1] == ',')
			at = NULL;
	}
	if (at && !*at && t->count)
		return true;
	if (at && *at)
		say("%s: --time takes at most %d windows: remove '%s'", verb,
		    TIME_RANGES, at);
	else
		say("%s: --time needs FROM,TO in seconds, A%%-B%% or A%%/N, such as 12.5,13 or 10%%-20%% or 10%%/2, not '%s'",
		    verb, text);
	return false;
}

static uint64_t at_percent(uint64_t first, uint64_t last, double percent)
{
	return first + (uint64_t)((double)(last - first) * percent / 100);
}

/*
 * Window @w in ns.  The windows at the ends of the recording have no limit there: a sample can be
 * earlier or later than the events that tell the recording's length.
 */
static struct time_range in_ns(const struct time_ranges *t, const struct time_range *w,
			       uint64_t first, uint64_t last)
{
	struct time_range ns = *w;

	if (!t->percent)
		return ns;
	ns.has_from = w->percent_from > 0;
	ns.has_to = w->percent_to < END_PERCENT;
	ns.from = at_percent(first, last, w->percent_from);
	ns.to = at_percent(first, last, w->percent_to);
	return ns;
}

static void put_window(FILE *to, const struct time_range *ns, const char *before_end)
{
	if (ns->has_from)
		fprintf(to, "time >= %" PRIu64, ns->from);
	if (ns->has_from && ns->has_to)
		fputs(" and ", to);
	if (ns->has_to)
		fprintf(to, "time %s %" PRIu64, before_end, ns->to);
	if (!ns->has_from && !ns->has_to)
		fputs("time", to);
}

char *time_ranges_filter(const struct time_ranges *t, uint64_t first, uint64_t last)
{
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		exit(EXIT_INPUT);
	for (i = 0; i < t->count; i++) {
		struct time_range ns = in_ns(t, &t->list[i], first, last);

		if (i)
			fputs(" or ", to);
		put_window(to, &ns, t->percent ? "<" : "<=");
	}
	fclose(to);
	return text;
}
