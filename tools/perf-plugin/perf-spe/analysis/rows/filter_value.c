// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "util/util.h"

/* How much of a word a message quotes */
static int quoted(size_t len)
{
	return len < 40 ? (int)len : 40;
}

char *field_suggest(const char *name, size_t len)
{
	const struct perf_name *n = perf_name_find(PERF_COLUMN, name, len);
	const struct field *events = field_find("events", strlen("events"));

	if (n)
		return xformat("did you mean '%s'? perf calls it '%s'", n->ours, n->name);
	if (events && events->words && words_have(events->words, name, len))
		return xformat("it is an event: --filter 'events has %.*s' keeps its samples, and 'perf spe report --events help' lists those that rows can count",
			       (int)len, name);
	return suggest(field_name, name, len);
}

const struct field *filter_value_column(const char *where, const char *name,
					size_t len)
{
	const struct field *field = field_find(name, len);
	char *proposal;

	if (field)
		return field;
	proposal = field_suggest(name, len);
	say("%s: unknown column '%.*s'; %s", where, quoted(len), name, proposal);
	free(proposal);
	return NULL;
}

/* Whether a word of the list contains the @len characters at @part */
static bool words_contain(word_fn words, const char *part, size_t len)
{
	const char *word;
	unsigned int i;

	for (i = 0; (word = words(i)); i++)
		if (memmem(word, strlen(word), part, len))
			return true;
	return false;
}

bool filter_value_words(const char *where, const struct field *field,
			const char *value, bool part)
{
	char *proposal;
	size_t len;

	for (; field->words; value += len + 1) {
		len = strcspn(value, "|");
		if (!(part ? words_contain(field->words, value, len) :
			     words_have(field->words, value, len))) {
			proposal = suggest(field->words, value, len);
			say("%s: column '%s' %s '%.*s'; %s", where, field->name,
			    part ? "never contains" : "is never", quoted(len),
			    value, proposal);
			free(proposal);
			return false;
		}
		if (!value[len])
			break;
	}
	return true;
}

bool filter_value_number(const char *where, const struct field *field,
			 const char *value, uint64_t *number)
{
	static const struct {
		const char *column, *advice;
	} special[] = {
		{ "el", "0 for user space, 1 for the kernel, or 2 for a hypervisor or a kernel with VHE" },
		{ "time", "nanoseconds of perf's clock, such as 12500000000, or --time in seconds" },
	};
	const char *advice = "a number, such as 100 or 0x64";
	char *end;
	size_t i;

	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (!strcmp(field->name, special[i].column))
			advice = special[i].advice;
	errno = 0;
	*number = strtoull(value, &end, 0);
	if (!isdigit((unsigned char)*value) || *end)
		say("%s: column '%s' holds numbers, and '%.40s' is none: give %s", where, field->name,
		    value, advice);
	else if (errno)
		say("%s: '%.40s' is larger than %" PRIu64 ", the largest number: give a smaller one",
		    where, value, UINT64_MAX);
	else
		return true;
	return false;
}

bool filter_value_mismatch(const char *where, const struct field *field)
{
	say("%s: column '%s' holds %s: compare it with %s", where, field->name,
	    field->kind == FIELD_TEXT ? "text" : "numbers",
	    field->list ? "==, !=, ~, ends, has or like" :
	    field->kind == FIELD_TEXT ? "==, !=, ~, ends or like" : "==, !=, <, <=, > or >=");
	return false;
}

bool filter_value_list(const char *where, const struct field *field, const char *name, bool without)
{
	say("%s: column '%s' is a list of names, and '%s' compares all of it: write \"%s%s has %s\", or put a list of this name alone in quotes",
	    where, field->name, without ? "!=" : "==", without ? "not " : "", field->name, name);
	return false;
}
