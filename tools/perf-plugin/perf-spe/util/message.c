// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/util.h"

void put_name(const char *name, FILE *to)
{
	for (; *name; name++)
		putc_unlocked(iscntrl((unsigned char)*name) ? '?' : *name, to);
}

void say(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	/* Messages and report must stay in order when both go to one file. */
	fflush(stdout);
	progress_hide();
	fputs("perf-spe: ", stderr);
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		put_name(text, stderr);
	else
		fputs("out of memory", stderr);
	va_end(args);
	fputc('\n', stderr);
	free(text);
}
