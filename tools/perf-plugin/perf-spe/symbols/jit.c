// SPDX-License-Identifier: GPL-2.0-only
/*
 * JIT compilers write /tmp/perf-PID.map for profilers: one function per line, as
 * "START SIZE NAME" with hexadecimal numbers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/jit.h"
#include "symbols/elf/symtab.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/message.h"

#define BYTES_MAX (1 << 28)

bool jit_is_code(const char *file)
{
	/* Some names go on, as in "/dev/zero (deleted)" for shared memory without a file. */
	static const char *const names[] = {
		"//anon", "[anon", "/dev/zero", "/anon_hugepage", "/memfd:", "[heap]",
		"[stack", "/SYSV",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(file, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Split a line in place.  False if it has another form. */
static bool parse_line(char *line, struct symbol *symbol)
{
	uint64_t len;
	char *end;

	memset(symbol, 0, sizeof(*symbol));
	symbol->start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	line = end + 1;
	len = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !end[1] || !len ||
	    symbol->start + len < len)
		return false;
	symbol->end = symbol->start + len;
	symbol->name = end + 1;
	return true;
}

/* Skip malformed lines: the process may still be writing the last one. */
static void read_lines(char *text, struct symtab *t)
{
	struct symbol symbol;
	char *next;

	for (; *text; text = next) {
		next = text + strcspn(text, "\n");
		if (*next)
			*next++ = '\0';
		if (parse_line(text, &symbol))
			symtab_add(t, &symbol);
	}
}

/*
 * Any user can write to /tmp.  Without @believe, trust a file only if root or
 * this user owns it.
 */
static FILE *open_map(const char *path, bool believe)
{
	const char *why;
	struct stat st;
	int fd;

	if (access(path, F_OK))
		return NULL;
	fd = open_regular(path, &why);
	if (fd < 0) {
		say("cannot read %s: %s; for symbols of this code copy it below --symfs", path, why);
		return NULL;
	}
	if (!fstat(fd, &st) && st.st_size <= BYTES_MAX &&
	    (believe || !st.st_uid || st.st_uid == geteuid()))
		return fdopen(fd, "r");
	say("not using %s: it is too large, or another user owns it; to use it, copy it below --symfs",
	    path);
	close(fd);
	return NULL;
}

void jit_load(const char *path, bool believe, struct symtab *t)
{
	FILE *f = open_map(path, believe);
	size_t room = 1 << 16, len = 0, got;
	char *text;

	if (!f)
		return;
	text = xrealloc(NULL, room);
	while ((got = fread(text + len, 1, room - len - 1, f)) > 0) {
		len += got;
		if (room - len == 1)
			text = xrealloc(text, room *= 2);
		if (len > BYTES_MAX)
			break;
	}
	text[len] = '\0';
	fclose(f);
	symtab_own(t, text);
	read_lines(text, t);
	symtab_finish(t);
}
