// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

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
