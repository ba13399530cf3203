// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
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
	if (errno == ERANGE && !*end && isdigit((unsigned char)*text))
		say("%s: %s%s %s is too large: give at most %" PRIu64, verb,
		    option[1] ? "--" : "-", option, text, UINT64_MAX);
	else
		say("%s: %s%s needs a positive whole number, not '%s'", verb,
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

/* "choose --time, --tid:", the options that begin with the @len characters at @name; NULL for one or none */
static char *begin_with(const struct option *options, const char *name, size_t len)
{
	char *list = xformat("choose");
	unsigned int count = 0;

	for (; options->name; options++)
		if (!strncmp(options->name, name, len))
			list = xappend(list, "%s --%s", count++ ? "," : "", options->name);
	if (count > 1)
		return xappend(list, ":");
	free(list);
	return NULL;
}

static bool is_long(const char *word)
{
	return word[0] == '-' && word[1] == '-';
}

/* "give --format jsonl;" for an option that other verbs have; NULL: none.  To be freed */
static char *elsewhere(const char *verb, const char *name, size_t len)
{
	char *where = xformat(OTHER_VERBS "%s", verb);
	const struct perf_name *other = perf_name_find(where, name + 2, len - 2);

	free(where);
	return other ? xformat("%s;", other->hint) : NULL;
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
	} else if (is_long(name) && (near = begin_with(options, name + 2, len - 2))) {
		what = "option";
		why = " is short for several options";
	} else if (is_long(name) && !(near = elsewhere(verb, name, len))) {
		take_names(options);
		near = suggest_near(option_name, name, len);
	}
	say("%s: %s '%.*s'%s%s%s try 'perf-spe help %s'", verb, what, (int)len,
	    name, why, near ? "; " : ":", near ? near : "", verb);
	free(near);
}

/* What option_next() gives getopt_long(): the verb's options, and perf's names for them */
struct grammar {
	struct option *options;
	size_t nr, room;
	char *letters;
	int letter_means[128];		/* what to return for perf's letter; 0: the letter */
};

/* No option of a verb has such a value: perf's option number n, for which there is a hint */
#define HINTED	(1 << 24)

static void add_option(struct grammar *g, const char *name, int argument, int value)
{
	g->options = array_grow(g->options, g->nr, &g->room, sizeof(*g->options));
	g->options[g->nr++] = (struct option){ name, argument, NULL, value };
}

/* The value of the verb's own option @name, of which some are one letter */
static int value_of(const struct option *options, const char *name)
{
	for (; options->name; options++)
		if (!strcmp(options->name, name))
			return options->val;
	return *name;
}

static void add_name(struct grammar *g, const struct option *options, const struct perf_name *n,
		     int number)
{
	int value = n->ours ? value_of(options, n->ours) : HINTED + number;

	if (n->name)
		add_option(g, n->name, !n->ours ? optional_argument :
			   n->has_value ? required_argument : no_argument, value);
	if (!n->letter)
		return;
	g->letter_means[(unsigned char)n->letter] = value;
	g->letters = xappend(g->letters, "%c%s", n->letter, n->ours && n->has_value ? ":" : "");
}

static void grammar_make(struct grammar *g, const char *verb, const char *letters,
			 const struct option *options)
{
	bool in_order = *letters == '+';
	const struct perf_name *n = NULL;
	const struct option *o;
	int number = 0;

	memset(g, 0, sizeof(*g));
	/* ':' lets getopt_long() tell a missing value from an unknown option. */
	g->letters = xformat("%s:%s", in_order ? "+" : "", letters + in_order);
	for (o = options; o->name; o++)
		add_option(g, o->name, o->has_arg, o->val);
	while ((n = perf_name_next(verb, n)))
		add_name(g, options, n, number++);
	add_option(g, NULL, 0, 0);
}

static void say_hint(const char *verb, int number)
{
	const struct perf_name *n = perf_name_next(verb, NULL);

	while (number--)
		n = perf_name_next(verb, n);
	if (n->letter && n->name)
		say("%s: perf's option -%c, --%s: %s; try 'perf-spe help %s'", verb, n->letter, n->name,
		    n->hint, verb);
	else if (n->name)
		say("%s: perf's option --%s: %s; try 'perf-spe help %s'", verb, n->name, n->hint, verb);
	else
		say("%s: perf's option -%c: %s; try 'perf-spe help %s'", verb, n->letter, n->hint, verb);
}

static values_fn print_values;

void option_values(values_fn print)
{
	print_values = print;
}

/* End the program if the user asks for the values that an option can have. */
static void help_value(const char *verb, const struct option *options, int option)
{
	char letter[2] = { (char)option, '\0' };
	const char *name = letter;

	if (!optarg || strcmp(optarg, "help") || !print_values)
		return;
	for (; options->name; options++)
		if (options->val == option) {
			name = options->name;
			break;
		}
	if (print_values(verb, name))
		exit(fflush(stdout) ? EXIT_INPUT : EXIT_OK);
}

int option_next(const char *verb, int argc, char **argv, const char *letters,
		const struct option *options)
{
	struct grammar g;
	int option;

	grammar_make(&g, verb, letters, options);
	opterr = 0;
	option = getopt_long(argc, argv, g.letters, g.options, NULL);
	if (option > 0 && option < 128 && g.letter_means[option])
		option = g.letter_means[option];
	if (option == '?' || option == ':')
		say_refused(verb, argv[optind - 1], g.options, option);
	else if (option >= HINTED)
		say_hint(verb, option - HINTED);
	free(g.options);
	free(g.letters);
	if (option == '?' || option == ':' || option >= HINTED)
		return '?';
	help_value(verb, options, option);
	return option;
}
