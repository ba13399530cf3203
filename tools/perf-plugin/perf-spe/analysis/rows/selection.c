// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
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

static char *time_filter(const char *verb, const char *value, const struct session *s)
{
	struct time_ranges ranges;

	if (!time_ranges_parse(&ranges, verb, value))
		return NULL;
	return time_ranges_filter(&ranges, s ? s->first : 0, s ? s->last : 0);
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
		if (part && several)
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

char *rows_command_all(const struct rows *r, const char *verb)
{
	char *c = source_command(&r->src, verb), *longer;

	if (!r->symbol_options.archived)
		c = command_with(c, "--symfs", r->symbol_options.symfs);
	c = command_with(c, "-k", r->symbol_options.vmlinux);
	c = command_with(c, "--kallsyms", r->symbol_options.kallsyms);
	c = guest_options_add(c, &r->symbol_options.guests);
	c = command_with(c, "--cpu-model", r->midr ? armspe_source_core(r->midr) : NULL);
	longer = xformat("%s%s", c, r->symbol_options.mangled_names ? " --no-demangle" : "");
	free(c);
	return longer;
}

char *rows_command(const struct rows *r, const char *verb, const char *filter)
{
	const char *const *given = r->selection.given;
	const char *user = given[SELECT_FILTER];
	char *both = user && filter ? xformat("(%s) and %s", user, filter) : NULL;
	char *c = rows_command_all(r, verb);

	c = command_with(c, "--comm", given[SELECT_COMM]);
	c = command_with(c, "--dso", given[SELECT_DSO]);
	c = command_with(c, "--cpu", given[SELECT_CPU]);
	c = command_with(c, "--time", given[SELECT_TIME]);
	c = command_with(c, "--filter", both ? both : filter ? filter : user);
	free(both);
	return c;
}
