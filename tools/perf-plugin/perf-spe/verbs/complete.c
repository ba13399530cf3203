// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options come from the verb's --help, and what a recording holds from the verb
 * report, so that new options and columns need no change here.
 */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* A larger recording is not read: the user would wait for it. */
#define RECORDING_MAX	(64 << 20)

struct completion {
	char **words;
	const char *verb, *word;	/* the last word */
	verb_fn run;
	const char *head;		/* what stands before the part to complete ... */
	size_t head_len;		/* ... in the last word */
	const char *part;
	char **seen;			/* printed already */
	size_t nr_seen, room_seen;
};

/* The output of a verb, to be freed */
static char *capture(const struct completion *c, int argc, char **argv)
{
	FILE *terminal = stdout;
	char *text = NULL;
	size_t len;

	stdout = open_memstream(&text, &len);
	if (!stdout)
		exit(EXIT_INPUT);
	optind = 0;		/* getopt begins anew */
	c->run(argc, argv);
	fclose(stdout);
	stdout = terminal;
	return text;
}

static bool is_seen(const struct completion *c, const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < c->nr_seen; i++)
		if (!strncmp(c->seen[i], word, len) && !c->seen[i][len])
			return true;
	return false;
}

/* Print the word if the user may mean it. */
static void offer(struct completion *c, const char *word, size_t len)
{
	size_t at, n;

	if (strlen(c->part) > len || strncmp(word, c->part, strlen(c->part)) ||
	    is_seen(c, word, len))
		return;
	/* The shell prints them on the terminal. */
	for (at = 0; at < len; at += n)
		if (!utf8_shown(word + at, &n))
			return;
	c->seen = array_grow(c->seen, c->nr_seen, &c->room_seen, sizeof(*c->seen));
	c->seen[c->nr_seen++] = xstrndup(word, len);
	printf("%.*s%.*s\n", (int)c->head_len, c->head, (int)len, word);
}

static void offer_words(struct completion *c, word_fn words)
{
	const char *word;
	unsigned int i;

	for (i = 0; (word = words(i)); i++)
		offer(c, word, strlen(word));
}

/* Each "--name" of the lines of the help that describe options */
static void offer_options(struct completion *c)
{
	char name[64], option[] = "--help", *args[] = { name, option, NULL };
	char *help, *line, *at;

	snprintf(name, sizeof(name), "%s", c->verb);
	help = capture(c, 2, args);
	for (line = strtok(help, "\n"); line; line = strtok(NULL, "\n")) {
		if (line[strspn(line, " ")] != '-')
			continue;
		for (at = line; (at = strstr(at, "--")); at += 2) {
			size_t len = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");

			if (len > 2)
				offer(c, at, len);
		}
	}
	free(help);
}

/* Whether the recording that the options name is one to read at once */
static bool readable(char **args)
{
	const char *path = "perf.data";
	char *data;
	struct stat st;
	bool good;

	for (; *args; args++)
		if (!strcmp(*args, "-i") && args[1])
			path = args[1];
	/* perf's folder form has its samples in this file. */
	data = xformat("%s/data", path);
	good = (!stat(data, &st) || !stat(path, &st)) && S_ISREG(st.st_mode) &&
	       st.st_size <= RECORDING_MAX;
	free(data);
	return good;
}

/* The value that @words give @option, unless the user still types it; NULL: none */
static const char *value_of(char **words, const char *option)
{
	size_t len = strlen(option);

	if (strncmp(words[0], option, len))
		return NULL;
	if (words[0][len])
		return option[1] == '-' && words[0][len] == '=' ? words[0] + len + 1 : NULL;
	return words[2] ? words[1] : NULL;
}

/* The argument that is a recording, as source_argument() takes it; NULL: none */
static const char *named_input(char **words)
{
	const char *named = NULL;
	size_t i;

	for (i = 1; words[i] && words[i + 1]; i++) {
		if (value_of(&words[i], "-i") || value_of(&words[i], "--input") ||
		    value_of(&words[i], "--raw"))
			return NULL;
		if (!named && *words[i] != '-' && *words[i - 1] != '-' && source_is_recording(words[i]))
			named = words[i];
	}
	return named;
}

/* Offer the values that a column has in the recording, the most costly ones first. */
static void offer_column(struct completion *c, const char *column)
{
	static const char *const taken[] = {
		"-i", "--input", "-k", "--vmlinux", "--kallsyms", "--symfs",
	};
	char *args[20] = { xformat("report"), xformat("--by"), xformat("%s", column),
			   xformat("--columns"), xformat("%s", column), NULL };
	size_t nr = 5, i, n;
	char *text = NULL, *line;
	const char *named;

	for (i = 1; c->words[i] && c->words[i + 1]; i++)
		for (n = 0; n < 6; n++) {
			const char *value = value_of(&c->words[i], taken[n]);

			if (value && nr < 16) {
				args[nr++] = xformat("%s", n == 1 ? "-i" : taken[n]);
				args[nr++] = xformat("%s", value);
			}
		}
	named = named_input(c->words);
	if (named && nr < 16) {
		args[nr++] = xformat("-i");
		args[nr++] = xformat("%s", named);
	}
	if (readable(args))
		text = capture(c, (int)nr, args);
	for (line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
		const char *value = line + strspn(line, " "), *slash;

		slash = strcmp(column, "object") ? NULL : strrchr(value, '/');
		if (*line != '#' && strcmp(value, "-") && strcmp(value, "(none)"))
			offer(c, slash ? slash + 1 : value,
			      strlen(slash ? slash + 1 : value));
	}
	free(text);
	for (i = 0; i < nr; i++)
		free(args[i]);
}

static void offer_values(struct completion *c, const struct valued *v,
			 const char *value)
{
	const char *comma = v->list ? strrchr(value, ',') : NULL;

	c->part = comma ? comma + 1 : value;
	c->head_len = (size_t)(c->part - c->head);
	/* What the list has already is not offered again. */
	for (; comma && *value; value += strcspn(value, ",") + 1) {
		if (value >= c->part)
			break;
		c->seen = array_grow(c->seen, c->nr_seen, &c->room_seen,
				     sizeof(*c->seen));
		c->seen[c->nr_seen++] = xstrndup(value, strcspn(value, ","));
	}
	if (v->words) {
		offer_words(c, v->words);
		if (!comma)
			offer(c, "help", strlen("help"));
	} else {
		offer_column(c, v->column);
	}
}

static void offer_for_verb(struct completion *c, const char *previous)
{
	const char *equals = strchr(c->word, '=');
	const struct valued *v;

	if (!strncmp(c->word, "--", 2) && equals) {
		v = valued_find(c->verb, c->word, (size_t)(equals - c->word));
		if (v)
			offer_values(c, v, equals + 1);
		return;
	}
	v = *previous == '-' ? valued_find(c->verb, previous, strlen(previous)) : NULL;
	if (v)
		offer_values(c, v, c->word);
	else if (*c->word == '-')
		offer_options(c);
	else if (!strcmp(c->verb, "annotate") && (*previous != '-' || strchr(previous, '=')))
		offer_column(c, "symbol");
}

/* A shell waits for the answer, and a recording may be large or damaged: then there is none. */
#define WAIT_US	600000

static void on_alarm(int signal)
{
	(void)signal;
	_exit(EXIT_OK);
}

void complete(char **words, word_fn verbs, verb_fn run)
{
	struct completion c = { .words = words, .run = run };
	const struct itimerval wait = { .it_value = { .tv_usec = WAIT_US } };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	size_t nr = 0;

	while (words[nr])
		nr++;
	if (!nr)
		return;
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &wait, NULL);
	c.verb = words[0];
	c.head = c.part = c.word = words[nr - 1];
	if (nr == 1 || (nr == 2 && !strcmp(c.verb, "help")))
		offer_words(&c, verbs);
	else
		offer_for_verb(&c, nr > 2 ? words[nr - 2] : "");
	while (c.nr_seen)
		free(c.seen[--c.nr_seen]);
	free(c.seen);
	if (null >= 0)
		close(null);
}
