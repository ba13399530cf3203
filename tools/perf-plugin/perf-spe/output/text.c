// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "output/text.h"
#include "util/memory.h"

void put_escaped(const char *text, FILE *to)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
			fprintf(to, "&#%u;", c);
		else if (c >= ' ' && c != 0x7f)
			putc(c, to);
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
