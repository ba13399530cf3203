// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

	/* Keep the order of messages and report when both go to one file. */
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

static void *checked(void *p)
{
	if (!p) {
		say("out of memory");
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

void *xaligned(size_t alignment, size_t size)
{
	return checked(aligned_alloc(alignment, size));
}

char *xstrndup(const char *s, size_t len)
{
	return checked(strndup(s, len));
}

char *xformat(const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = xrealloc(NULL, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)len + 1, format, args);
	va_end(args);
	return text;
}

void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 16;
	return xrealloc(array, *room * size);
}

int open_regular(const char *path, const char **why)
{
	struct stat st;
	int fd;

	*why = NULL;
	if (stat(path, &st) < 0)
		*why = strerror(errno);
	else if (S_ISDIR(st.st_mode))
		*why = "is a directory, not a file";
	else if (!S_ISREG(st.st_mode))
		*why = "not a regular file: save it to one";
	if (*why)
		return -1;
	/* What took the file's place since then must not block either. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		*why = strerror(errno);
	return fd;
}

bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 0);
	if (isdigit((unsigned char)*text) && !*end && *count && !errno)
		return true;
	say("%s: --%s %s: not a positive number", verb, option, text);
	return false;
}

uint64_t hash_bytes(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t hash = 0xcbf29ce484222325ULL;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return hash;
}
