// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables that are printed with fixed columns, on a terminal that is narrower: blanks that all rows
 * have in common give way first, and what still has no room goes on below, between two words.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/text.h"
#include "util/util.h"

#define GAP		2	/* blanks that stay between two columns */
#define INDENT		4	/* of what goes on below, behind the last heading */
#define TAB		8u
#define SENTENCE	"     "

size_t fitted_width(void)
{
	return getenv(TERMINAL_COLUMNS) ? 0 : terminal_width(stdout);
}

FILE *fitted_begin(struct fitted *f)
{
	*f = (struct fitted){ .width = fitted_width() };
	f->to = f->width ? open_memstream(&f->text, &f->len) : stdout;
	if (!f->to) {
		say("out of memory: reduce what is printed with --limit or --filter");
		exit(EXIT_INPUT);
	}
	return f->to;
}

/* The lines of a text, with blanks for tabs */
struct line_list {
	char **line;
	size_t nr, room;
};

static char *without_tabs(const char *line, size_t len)
{
	char *text = xcalloc(TAB * len + 1, 1);
	size_t i, at = 0;

	for (i = 0; i < len; i++)
		if (line[i] == '\t')
			do
				text[at++] = ' ';
			while (at % TAB);
		else
			text[at++] = line[i];
	return text;
}

static void split(struct line_list *l, const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		l->line = array_grow(l->line, l->nr, &l->room, sizeof(*l->line));
		l->line[l->nr++] = without_tabs(text, len);
	}
}

/* Sentences have no two blanks in a row. */
static bool is_heading(const char *line)
{
	return *line == '#' && strstr(line, "  ");
}

/* Where the last heading begins, up to which all cells have columns */
static size_t last_column(const char *heading)
{
	size_t at = strlen(heading);

	while (at > 1 && (heading[at - 1] != ' ' || heading[at - 2] != ' '))
		at--;
	return at;
}

static bool all_blank(char **line, size_t nr, size_t column)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (column < strlen(line[i]) && line[i][column] != ' ')
			return false;
	return true;
}

/* Drop common blanks, but GAP of each run.  Returns where the last column is then. */
static size_t squeeze(char **line, size_t nr, size_t end)
{
	size_t column = 0, run = 0, i;

	while (column < end) {
		run = all_blank(line, nr, column) ? run + 1 : 0;
		if (run <= GAP) {
			column++;
			continue;
		}
		for (i = 0; i < nr; i++) {
			char *at = line[i] + column;

			if (column < strlen(line[i]))
				memmove(at, at + 1, strlen(at));
		}
		run--;
		end--;
	}
	return end;
}

static bool too_wide(char **line, size_t nr, size_t width)
{
	size_t i;

	for (i = 0; i < nr && strlen(line[i]) <= width; i++)
		;
	return i < nr;
}

/* Print a table, whose first @heads lines are headings. */
static void put_table(char **line, size_t heads, size_t nr, size_t width)
{
	size_t i, end = last_column(line[heads - 1]);
	char *indent;

	if (too_wide(line, nr, width))
		end = squeeze(line, nr, end);
	indent = xformat("%*s", (int)(end + INDENT < width / 2 + TAB ? end + INDENT : 2 * TAB), "");
	for (i = 0; i < nr; i++)
		put_wrapped(stdout, width, 0, "", i < heads ? "# " : indent, line[i]);
	free(indent);
}

void fitted_end(struct fitted *f)
{
	struct line_list l = { 0 };
	size_t i, heads, nr;

	if (f->to == stdout)
		return;
	fclose(f->to);
	split(&l, f->text);
	for (i = 0; i < l.nr; i += nr) {
		char **line = l.line + i;
		size_t left = l.nr - i;

		for (heads = 0; heads < left && is_heading(line[heads]); heads++)
			;
		for (nr = heads; heads && nr < left && *line[nr] && *line[nr] != '#'; nr++)
			;
		if (heads) {
			put_table(line, heads, nr, f->width);
			continue;
		}
		put_wrapped(stdout, f->width, 0, "", **line == '#' ? "# " : SENTENCE, *line);
		nr = 1;
	}
	for (i = 0; i < l.nr; i++)
		free(l.line[i]);
	free(l.line);
	free(f->text);
}
