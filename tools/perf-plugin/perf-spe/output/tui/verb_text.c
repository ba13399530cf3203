// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another verb runs as a process of its own, because verbs keep state of the recording that they
 * read, and its standard output is the text.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

static void add_sources(struct args *a, const struct symbol_options *o)
{
	size_t i;

	for (i = 0; i < o->sources.nr; i++)
		args_option(a, "--source-dir", o->sources.values[i]);
	if (o->any_source)
		args_add(a, "--any-source");
}

/* The text stands behind a gap.  Messages go where those of this process go. */
static pid_t start(struct args *a, int to)
{
	char *columns = xformat("%zu", terminal_rest(GRID_GAP, SIZE_MAX - GRID_GAP));
	pid_t child = fork();
	int null;

	if (child) {
		free(columns);
		return child;
	}
	null = open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	dup2(to, STDOUT_FILENO);
	setenv(TERMINAL_COLUMNS, columns, 1);
	execv("/proc/self/exe", a->args);
	_exit(127);
}

/* The heading that a text begins with is the same in all views, so leave it out. */
static void drop_heading(char *text)
{
	static const char *const names[] = { "command", "host", "cpus", "pmu", "file", "duration" };
	char *line = text, *to = text;
	bool dropped = false;
	size_t i, len;

	for (; line[0] == '#' && line[1] == ' '; line += len) {
		len = strcspn(line, "\n");
		len += line[len] == '\n';
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (!strncmp(line + 2, names[i], strlen(names[i])) &&
			    line[2 + strlen(names[i])] == ' ')
				break;
		dropped = i < sizeof(names) / sizeof(names[0]) ||
			  (dropped && !strncmp(line, HEADING_INDENT, strlen(HEADING_INDENT)));
		if (dropped)
			continue;
		memmove(to, line, len);
		to += len;
	}
	memmove(to, line, strlen(line) + 1);
}

static char *read_all(int from)
{
	char *text = NULL, part[4096];
	size_t len;
	ssize_t got;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		exit(EXIT_INPUT);
	while ((got = read(from, part, sizeof(part))) > 0)
		fwrite(part, 1, (size_t)got, to);
	fclose(to);
	return text;
}

char *verb_text(const struct rows *r, const char *verb, const char *filter,
		const struct args *arguments)
{
	struct args a = { 0 };
	char *text;
	pid_t child;
	int ends[2];
	size_t i;

	if (pipe2(ends, O_CLOEXEC))
		return xformat("%s", "");
	args_add(&a, "perf-spe");
	args_add(&a, verb);
	args_option(&a, r->src.raw ? "--raw" : "-i", r->src.path);
	rows_args(r, &a);
	if (!strcmp(verb, "annotate"))
		add_sources(&a, &r->symbol_options);
	args_option(&a, "--filter", filter);
	for (i = 0; i < arguments->count; i++)
		args_add(&a, arguments->args[i]);
	args_end(&a);
	child = start(&a, ends[1]);
	close(ends[1]);
	text = child < 0 ? xformat("%s", "") : read_all(ends[0]);
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	drop_heading(text);
	args_free(&a);
	return text;
}
