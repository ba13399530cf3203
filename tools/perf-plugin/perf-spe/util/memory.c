// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "util/util.h"

static void *checked(void *p)
{
	if (!p) {
		say("out of memory: keep fewer samples with --filter, or use a larger machine");
		exit(EXIT_INPUT);
	}
	return p;
}

void *xrealloc(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size));
}

void *xzeroed(size_t count, size_t size)
{
	size_t bytes;

	/* xcalloc() finds no memory for such a size either, and has the message. */
	if (__builtin_mul_overflow(count, size, &bytes))
		return xcalloc(count, size);
	return memset(xrealloc(NULL, bytes), 0, bytes);
}

char *xstrndup(const char *s, size_t len)
{
	return checked(strndup(s, len));
}

/* @text, of @len bytes or NULL, with the formatted text behind it */
static char *format_behind(char *text, size_t len, const char *format, va_list args)
{
	va_list again;
	int more;

	va_copy(again, args);
	more = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = xrealloc(text, len + (size_t)more + 1);
	vsnprintf(text + len, (size_t)more + 1, format, args);
	return text;
}

char *xformat(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_behind(NULL, 0, format, args);
	va_end(args);
	return text;
}

char *xappend(char *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text = format_behind(text, text ? strlen(text) : 0, format, args);
	va_end(args);
	return text;
}

#define BUDGET_MOST	((uint64_t)1 << 30)
#define BUDGET_PART	4u

/* Each symbol asks, so the system is asked once. */
uint64_t file_budget(void)
{
	static _Atomic uint64_t known;
	struct rlimit limit;

	if (known)
		return known;
	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur / BUDGET_PART > BUDGET_MOST)
		known = BUDGET_MOST;
	else
		known = limit.rlim_cur / BUDGET_PART;
	return known;
}

void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	while (*room <= count)
		*room = *room ? 2 * *room : 2;
	return xrealloc(array, *room * size);
}

#define APART	128

void *xapart(size_t size)
{
	size_t all = (size + APART - 1) / APART * APART;

	return memset(checked(aligned_alloc(APART, all)), 0, all);
}
