// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 0);
	if (isdigit((unsigned char)*text) && !*end && *count && !errno)
		return true;
	say("%s: %s%s needs a positive number, not '%s'", verb,
	    option[1] ? "--" : "-", option, text);
	return false;
}

#define NAMES	64
#define NAME	32

/* "--limit" and so on; a word_fn has no context. */
static char names[NAMES][NAME];
static unsigned int nr_names;

static const char *option_name(unsigned int index)
{
	return index < nr_names ? names[index] : NULL;
}

static void take_names(const struct option *options)
{
	for (nr_names = 0; options[nr_names].name && nr_names < NAMES; nr_names++)
		snprintf(names[nr_names], NAME, "--%s", options[nr_names].name);
}

/* How many options begin with the @len characters at @name */
static unsigned int begin_with(const struct option *options, const char *name,
			       size_t len)
{
	unsigned int count = 0;

	for (; options->name; options++)
		count += !strncmp(options->name, name, len);
	return count;
}

static bool is_long(const char *word)
{
	return word[0] == '-' && word[1] == '-';
}

/* What getopt_long() has refused: optopt is 0, a letter, or a value of @options */
static void say_refused(const char *verb, const char *word,
			const struct option *options, int got)
{
	char letter[3] = { '-', (char)optopt, '\0' }, *near = NULL;
	const char *what = "unknown option", *why = "", *name = letter;
	size_t len = strlen(letter);

	if (is_long(word) && (!optopt || got == ':' || strchr(word, '='))) {
		name = word;
		len = strcspn(word, "=");
	}
	if (got == ':') {
		what = "option";
		why = " has no value";
	} else if (is_long(name) && optopt) {
		what = "option";
		why = " takes no value";
	} else if (is_long(name) && begin_with(options, name + 2, len - 2) > 1) {
		what = "option";
		why = " is short for several options";
	} else if (is_long(name)) {
		take_names(options);
		near = suggest_near(option_name, name, len);
	}
	say("%s: %s '%.*s'%s%s%s try 'perf-spe help %s'", verb, what, (int)len,
	    name, why, near ? "; " : ":", near ? near : "", verb);
	free(near);
}

int option_next(const char *verb, int argc, char **argv, const char *letters,
		const struct option *options)
{
	bool in_order = *letters == '+';
	/* ':' lets getopt_long() tell a missing value from an unknown option. */
	char *own = xformat("%s:%s", in_order ? "+" : "", letters + in_order);
	int option;

	opterr = 0;
	option = getopt_long(argc, argv, own, options, NULL);
	free(own);
	if (option != '?' && option != ':')
		return option;
	say_refused(verb, argv[optind - 1], options, option);
	return '?';
}
