// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/text/text.h"
#include "util/util.h"

void put_escaped(const char *text, FILE *to)
{
	size_t len;

	for (; *text; text += len) {
		if (strchr("<>&\"'", *text)) {
			fprintf(to, "&#%u;", (unsigned char)*text);
			len = 1;
		} else if (utf8_shown(text, &len)) {
			fwrite(text, 1, len, to);
		} else if (*text == '\t' || *text == '\n') {
			putc(' ', to);
		} else {
			fputs("\xef\xbf\xbd", to);
		}
	}
}

char *span_text(uint64_t span, bool timed)
{
	if (!timed || !span)
		return xformat("%" PRIu64, span);
	if (span >= 1000000000)
		return xformat("%.3f s", (double)span / 1e9);
	if (span >= 1000000)
		return xformat("%.3f ms", (double)span / 1e6);
	return xformat("%.3f us", (double)span / 1e3);
}

char *size_text(uint64_t bytes)
{
	static const char *const units[] = {
		"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB",
	};
	double size = (double)bytes;
	size_t unit = 0;

	while (size >= 1024) {
		size /= 1024;
		unit++;
	}
	return xformat(size < 10 && unit ? "%.1f %s" : "%.0f %s", size,
		       units[unit]);
}

/* Where the description in a line of help begins: behind the last gap, or behind the first blanks */
static size_t description(const char *line, size_t len)
{
	size_t at, begin = strspn(line, " ");

	for (at = begin; begin && at + 1 < len; at++)
		if (line[at] == ' ' && line[at + 1] == ' ')
			begin = at + strspn(line + at, " ");
	return begin < len ? begin : 0;
}

/*
 * Whether the line goes on with the description that begins at @begin in the line before, or further
 * left than that where an option is long: behind its @blanks.
 */
static bool goes_on(const char *line, size_t blanks, size_t begin)
{
	size_t len = strcspn(line, "\n"), at = strspn(line, " ");

	return len && description(line, len) == at && (at == begin || (at > blanks && at < begin));
}

static size_t widest_line(const char *text)
{
	size_t widest = 0, len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		widest = len > widest ? len : widest;
	}
	return widest;
}

void put_help(FILE *to, const char *text)
{
	size_t width = terminal_width(to);

	if (widest_line(text) <= width)
		width = 0;

	while (*text) {
		size_t len = strcspn(text, "\n"), begin = description(text, len), blanks = strspn(text, " ");
		char *line = xstrndup(text, len), *indent;

		text += len + (text[len] == '\n');
		while (width && len && goes_on(text, blanks, begin)) {
			len = strcspn(text, "\n");
			begin = blanks = strspn(text, " ");
			line = xappend(line, " %.*s", (int)(len - begin), text + begin);
			text += len + (text[len] == '\n');
		}
		indent = xformat("%*s", (int)begin, "");
		put_wrapped(to, width, 0, "", indent, line);
		free(indent);
		free(line);
	}
}

#define REST_MIN	8

size_t terminal_width(FILE *to)
{
	const char *columns = getenv(TERMINAL_COLUMNS);

	if (columns && fileno(to) == STDOUT_FILENO)
		return strtoul(columns, NULL, 10);
	return terminal_columns(fileno(to) == STDOUT_FILENO ? output_terminal() : fileno(to));
}

size_t terminal_rest(size_t used, size_t most)
{
	size_t width = terminal_width(stdout);

	if (!width || width >= used + most)
		return most;
	return width > used + REST_MIN ? width - used : REST_MIN;
}

void put_words(FILE *to, size_t used, const char *gap, const char *indent, const char *text)
{
	put_wrapped(to, terminal_width(to), used, gap, indent, text);
}

void put_sentence(FILE *to, const char *indent, char *text)
{
	put_words(to, 0, "", indent, text);
	free(text);
}
