// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
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
