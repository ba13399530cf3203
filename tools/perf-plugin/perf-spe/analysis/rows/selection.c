// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

#define CPU_MAX		65535

static const struct {
	const char *option;
	const char *join;	/* how to give it once instead of twice */
	const char *verb;	/* prints which values there are */
} kinds[NR_SELECTIONS] = {
	[SELECT_FILTER] = { "--filter", "join the expressions with 'and'", NULL },
	[SELECT_COMM] = { "--comm", "join the names with ','",
		"report --by comm" },
	[SELECT_DSO] = { "--dso", "join the names with ','",
		"report --by object" },
	[SELECT_CPU] = { "--cpu", "join the numbers with ','",
		"report --by cpu" },
	[SELECT_TIME] = { "--time", "join the windows, for example '1,2 3,4' or 10%/1,10%/3",
		"stat" },
};

/* @text in the quotes that it does not have; NULL after a message. */
static char *quoted(const char *verb, const char *option, const char *text, int len)
{
	char quote = memchr(text, '\'', (size_t)len) ? '"' : '\'';

	if (!len)
		say("%s: %s has an empty name: separate names by one ','", verb, option);
	else if (memchr(text, quote, (size_t)len))
		say("%s: %s: '%.*s' has both kinds of quotes: use --filter with ~ for a part of it",
		    verb, option, len, text);
	else
		return xformat("%c%.*s%c", quote, len, text, quote);
	return NULL;
}

/* perf names the kernel so. */
static bool is_kernel(const char *name, size_t len)
{
	static const char kernel[] = "[kernel.kallsyms]";

	return len == sizeof(kernel) - 1 && !memcmp(name, kernel, len);
}

static char *name_test(enum selection_kind kind, const char *quotes)
{
	char end = quotes[strlen(quotes) - 1];
	bool pattern = strpbrk(quotes, "*?");

	if (kind == SELECT_COMM)
		return xformat("comm %s %s", pattern ? "like" : "==", quotes);
	if (pattern)
		return xformat("object like %s", quotes);
	/* Without a folder the name is that of the file. */
	return strchr(quotes, '/') || quotes[1] == '[' ? xformat("object == %s", quotes) :
		xformat("object == %s or object ends %c/%s", quotes, end, quotes + 1);
}

static char *append(char *list, const char *between, char *part)
{
	char *longer = part ? xformat("%s%s%s", list ? list : "", list ? between : "",
				      part) : NULL;

	free(list);
	free(part);
	return longer;
}

static char *names_filter(const char *verb, enum selection_kind kind, const char *list)
{
	const char *option = kinds[kind].option;
	char *text = NULL;
	size_t len;

	for (;; list += len + 1) {
		char *quotes;

		len = strcspn(list, ",");
		quotes = kind == SELECT_DSO && is_kernel(list, len) ?
			xformat("'[kernel]'") : quoted(verb, option, list, (int)len);
		text = append(text, " or ", quotes ? name_test(kind, quotes) : NULL);
		free(quotes);
		if (!text || !list[len])
			return text;
	}
}

/* Parse one of "3" and "0-3". */
static const char *parse_cpus(const char *at, unsigned long *from, unsigned long *to)
{
	char *end;

	if (!isdigit((unsigned char)*at))
		return NULL;
	*from = *to = strtoul(at, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return NULL;
		*to = strtoul(end + 1, &end, 10);
	}
	return *from <= *to && *to <= CPU_MAX ? end : NULL;
}

static char *cpus_filter(const char *verb, const char *list)
{
	const char *at = list;
	unsigned long from, to;
	char *text = NULL;

	do {
		at = parse_cpus(at, &from, &to);
		if (!at || (*at && *at != ',')) {
			say("%s: --cpu needs a list of CPUs, such as 0-3,7, not '%s'", verb,
			    list);
			free(text);
			return NULL;
		}
		text = append(text, " or ", from == to ? xformat("cpu == %lu", from) :
			      xformat("cpu >= %lu and cpu <= %lu", from, to));
	} while (*at++);
	return text;
}

/*
 * The value of --time, in the syntax of perf report: windows of time in seconds of
 * perf's clock or in percent of a recording.
 *
 *   12.5,13     12.5 s to 13 s        ,13        up to 13 s      12.5,   from 12.5 s on
 *   "1,2 3,4"   both                  10%-20%    a part of the recording
 *   10%/2       the second tenth      10%/1,50%-60%   both
 */

/* More than perf takes (10) */
#define TIME_RANGES	64

struct time_range {
	bool has_from, has_to;
	double percent_from, percent_to;	/* in percent, 0 to 100 */
	uint64_t from, to;			/* ns, both included, in seconds */
};

struct time_ranges {
	bool percent;				/* all are in percent, or none */
	size_t count;
	struct time_range list[TIME_RANGES];
};

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
	return at && (w->has_from || w->has_to) ? at : NULL;
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
		return parse_percent(at + 1, &w->percent_to);
	}
	if (!at || *at != '/' || !isdigit((unsigned char)at[1]))
		return NULL;
	n = strtol(at + 1, &end, 10);
	w->percent_from = size * (double)(n - 1);
	w->percent_to = size * (double)n;
	return n >= 1 && size > 0 && w->percent_to < 200 - END_PERCENT ? end : NULL;
}

static bool is_reversed(const struct time_range *w, bool percent)
{
	return percent ? w->percent_from >= w->percent_to :
			 w->has_from && w->has_to && w->from > w->to;
}

/* False after a message that begins with @verb */
static bool parse_times(struct time_ranges *t, const char *verb, const char *text)
{
	const char *at = text + strspn(text, " ");

	*t = (struct time_ranges){ .percent = strchr(text, '%') };
	while (at && *at && t->count < TIME_RANGES) {
		struct time_range *w = &t->list[t->count++];

		at = t->percent ? parse_part(at, w) : parse_span(at, w);
		if (at && is_reversed(w, t->percent)) {
			say("%s: --time: a window of '%s' does not end after it begins: give the earlier time first",
			    verb, text);
			return false;
		}
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

/* The windows as a filter of the column "time".  Adjacent windows in percent have no sample in common. */
static char *time_filter(const char *verb, const char *value, const struct session *s)
{
	struct time_ranges t;
	char *text = NULL;
	size_t len, i;
	FILE *to;

	if (!parse_times(&t, verb, value))
		return NULL;
	if (t.percent && s && !s->last) {
		say("%s: --time %s: the recording's events have no times, so its length is unknown: give FROM,TO in seconds",
		    verb, value);
		return NULL;
	}
	to = open_memstream(&text, &len);
	if (!to)
		exit(EXIT_INPUT);
	for (i = 0; i < t.count; i++) {
		struct time_range ns = in_ns(&t, &t.list[i], s ? s->first : 0, s ? s->last : 0);

		if (i)
			fputs(" or ", to);
		put_window(to, &ns, t.percent ? "<" : "<=");
	}
	fclose(to);
	return text;
}

static char *part_filter(const struct selection *s, const char *verb,
			 enum selection_kind kind, const struct session *session)
{
	const char *value = s->given[kind];

	switch (kind) {
	case SELECT_FILTER:
		return xformat("%s", value);
	case SELECT_CPU:
		return cpus_filter(verb, value);
	case SELECT_TIME:
		return time_filter(verb, value, session);
	default:
		return names_filter(verb, kind, value);
	}
}

bool selection_take(struct selection *s, const char *verb, enum selection_kind kind,
		    const char *value)
{
	struct selection one = { { NULL } };
	struct filter *filter;

	if (s->given[kind]) {
		say("%s: %s is given twice: %s", verb, kinds[kind].option,
		    kinds[kind].join);
		return false;
	}
	s->given[kind] = one.given[kind] = value;
	filter = selection_filter(&one, verb, NULL);
	filter_free(filter);
	return filter;
}

bool selection_any(const struct selection *s)
{
	unsigned int i;

	for (i = 0; i < NR_SELECTIONS; i++)
		if (s->given[i])
			return true;
	return false;
}

bool selection_several(const struct selection *s)
{
	unsigned int i, count = 0;

	for (i = 0; i < NR_SELECTIONS; i++)
		count += s->given[i] != NULL;
	return count > 1;
}

bool selection_needs_times(const struct selection *s)
{
	return s->given[SELECT_TIME];
}

struct filter *selection_filter(const struct selection *s, const char *verb,
				const struct session *session)
{
	char *text = NULL, *where = xformat("%s: --filter", verb);
	bool several = selection_several(s);
	struct filter *filter = NULL;
	unsigned int i;

	for (i = 0; i < NR_SELECTIONS; i++) {
		char *part;

		if (!s->given[i])
			continue;
		part = part_filter(s, verb, i, session);
		/* Users of the terminal may append to it. */
		if (part && (several || (i != SELECT_FILTER && strstr(part, " or "))))
			part = append(append(xformat("("), "", part), "", xformat(")"));
		text = append(text, " and ", part);
		if (!text)
			break;
	}
	if (text)
		filter = filter_parse(where, text);
	free(text);
	free(where);
	return filter;
}

char *selection_options(const struct selection *s)
{
	char *text = NULL;
	unsigned int i;

	for (i = 0; i < NR_SELECTIONS; i++)
		if (s->given[i])
			text = append(text, " and ",
				      xformat("%s '%s'", kinds[i].option, s->given[i]));
	return text;
}

/* "report --by COLUMN" for the first column of a filter */
static char *filter_verb(const char *text)
{
	size_t len;

	for (; *text; text += len ? len : 1) {
		len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
		if (len && field_find(text, len))
			return xformat("report --by %.*s", (int)len, text);
	}
	return NULL;
}

char *selection_verb(const struct selection *s)
{
	unsigned int i;

	for (i = 0; !selection_several(s) && i < NR_SELECTIONS; i++)
		if (s->given[i])
			return kinds[i].verb ? xformat("%s", kinds[i].verb) :
					       filter_verb(s->given[i]);
	return NULL;
}

void rows_args(const struct rows *r, struct args *a)
{
	const struct symbol_options *o = &r->symbol_options;

	args_option(a, "--symfs", o->archived ? NULL : o->symfs);
	args_option(a, "-k", o->vmlinux);
	args_option(a, "--kallsyms", o->kallsyms);
	guest_options_args(&o->guests, a);
	args_option(a, "--cpu-model", r->midr ? armspe_source_core(r->midr) : NULL);
	if (r->stack_within) {
		args_add(a, "--stack-within");
		args_take(a, xformat("%" PRIu64, r->stack_within));
	}
	if (o->mangled_names)
		args_add(a, "--no-demangle");
}

char *rows_command_all(const struct rows *r, const char *verb)
{
	char *c = source_command(&r->src, verb);
	struct args a = { 0 };
	size_t i;

	rows_args(r, &a);
	for (i = 0; i < a.count; i++) {
		char *word = shell_word(a.args[i]);

		c = xappend(c, " %s", word);
		free(word);
	}
	args_free(&a);
	return c;
}

/* The options that select samples, but for --time, behind @command, which this function frees */
static char *with_selection(char *command, const struct rows *r, const char *filter)
{
	const char *const *given = r->selection.given;

	command = command_with(command, "--comm", given[SELECT_COMM]);
	command = command_with(command, "--dso", given[SELECT_DSO]);
	command = command_with(command, "--cpu", given[SELECT_CPU]);
	return command_with(command, "--filter", filter);
}

char *rows_selected(const struct rows *r)
{
	return with_selection(xformat("%s", ""), r, r->selection.given[SELECT_FILTER]);
}

char *rows_command(const struct rows *r, const char *verb, const char *filter)
{
	const char *const *given = r->selection.given;
	const char *user = given[SELECT_FILTER];
	char *both = user && filter ? xformat("(%s) and %s", user, filter) : NULL;
	char *c = command_with(rows_command_all(r, verb), "--time", given[SELECT_TIME]);

	c = with_selection(c, r, both ? both : filter ? filter : user);
	free(both);
	return c;
}
