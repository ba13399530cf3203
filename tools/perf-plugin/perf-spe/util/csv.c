// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "util/util.h"

static void put_quoted(const char *first, const char *text, FILE *to)
{
	putc_unlocked('"', to);
	fputs_unlocked(first, to);
	put_name_without('"', "\"\"", text, to);
	putc_unlocked('"', to);
}

void csv_text(const char *text, FILE *to)
{
	put_quoted("", text, to);
}

void csv_no_formula(const char *text, FILE *to)
{
	put_quoted(*text && strchr("=+-@\t\r", *text) ? "'" : "", text, to);
}
