// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/tui/tui.h"
#include "util/util.h"

static struct {
	int kept, real;		/* file descriptors: of messages, of the terminal */
	off_t taken;		/* bytes of kept */
	char *missed;		/* lines that were written and never returned */
} errors = { .kept = -1, .real = -1 };

void tui_errors_begin(void)
{
	fflush(stderr);
	errors.kept = memfd_create("errors", MFD_CLOEXEC);
	errors.real = dup(STDERR_FILENO);
	if (errors.kept >= 0 && errors.real >= 0)
		dup2(errors.kept, STDERR_FILENO);
	errors.taken = 0;
}

/* What was written since the last call, to be freed, or NULL */
static char *take(void)
{
	off_t end;
	char *text;
	ssize_t got;

	fflush(stderr);
	end = errors.kept < 0 ? 0 : lseek(errors.kept, 0, SEEK_END);
	if (end <= errors.taken)
		return NULL;
	text = xcalloc((size_t)(end - errors.taken) + 1, 1);
	got = pread(errors.kept, text, (size_t)(end - errors.taken),
		    errors.taken);
	errors.taken = end;
	if (got <= 0) {
		free(text);
		return NULL;
	}
	return text;
}

static void miss(const char *lines)
{
	char *all;

	if (!*lines)
		return;
	all = xformat("%s%s", errors.missed ? errors.missed : "", lines);
	free(errors.missed);
	errors.missed = all;
}

char *tui_errors_take(void)
{
	char *text = take(), *last, *line;
	size_t len;

	if (!text)
		return NULL;
	len = strlen(text);
	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	last = strrchr(text, '\n');
	line = xformat("%s", last ? last + 1 : text);
	if (last)
		last[1] = '\0';
	else
		*text = '\0';
	miss(text);
	free(text);
	return line;
}

/* The last message in @text whose next lines begin with a blank, as those of a list; else NULL */
static char *last_list(char *text)
{
	const size_t begin = strlen(SAY_BEGIN);
	char *line, *last = NULL;
	bool list = false;

	for (line = text; *line; line += strcspn(line, "\n") + 1) {
		if (strncmp(line, SAY_BEGIN, begin) || !strchr(line, '\n'))
			return NULL;
		list = last && line[begin] == ' ';
		if (!list)
			last = line;
	}
	return list ? last : NULL;
}

char *tui_errors_take_list(void)
{
	off_t before = errors.taken;
	char *text = take(), *line, *lines = NULL;

	line = text ? last_list(text) : NULL;
	if (!line) {
		errors.taken = before;
		free(text);
		return NULL;
	}
	lines = xformat("%s", line + strlen(SAY_BEGIN));
	*line = '\0';
	miss(text);
	free(text);
	for (line = lines; (line = strstr(line, "\n" SAY_BEGIN)); )
		memmove(line + 1, line + 1 + strlen(SAY_BEGIN), strlen(line + 1 + strlen(SAY_BEGIN)) + 1);
	return lines;
}

void tui_errors_end(void)
{
	char *rest = take();

	if (rest)
		miss(rest);
	free(rest);
	if (errors.real >= 0) {
		dup2(errors.real, STDERR_FILENO);
		close(errors.real);
	}
	if (errors.kept >= 0)
		close(errors.kept);
	errors.kept = errors.real = -1;
	if (errors.missed)
		say_again(errors.missed);
	free(errors.missed);
	errors.missed = NULL;
}
