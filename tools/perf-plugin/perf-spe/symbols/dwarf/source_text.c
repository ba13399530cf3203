// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* Larger than any source file that a person writes */
#define LARGEST	((off_t)64 << 20)

static void read_lines(struct source_text *t)
{
	size_t room = 0;
	char *at = t->bytes;

	while (at) {
		t->lines = array_grow(t->lines, t->nr_lines, &room,
				      sizeof(*t->lines));
		t->lines[t->nr_lines++] = at;
		at = strchr(at, '\n');
		if (at)
			*at++ = '\0';
	}
}

static void forget(struct source_text *t)
{
	free(t->path);
	free(t->bytes);
	free(t->lines);
	t->path = t->bytes = NULL;
	t->lines = NULL;
	t->nr_lines = 0;
}

static void read_file(struct source_text *t, const char *path)
{
	const char *why;
	struct stat st;
	int fd;

	forget(t);
	t->path = xformat("%s", path);
	fd = open_regular(path, &why);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size <= LARGEST) {
		ssize_t len;

		t->bytes = xcalloc((size_t)st.st_size + 1, 1);
		len = read(fd, t->bytes, (size_t)st.st_size);
		t->bytes[len > 0 ? len : 0] = '\0';
		read_lines(t);
	}
	close(fd);
}

const char *source_text_at(struct source_text *t, struct dso *dso,
			   uint64_t address, bool *other)
{
	const char *path;
	int line;

	if (!srcline_find(dso, address, &path, &line))
		return NULL;
	*other = !t->path || strcmp(t->path, path);
	if (!*other && line == t->last)
		return NULL;
	if (*other)
		read_file(t, path);
	t->last = line;
	free(t->shown);
	t->shown = line > 0 && (size_t)line <= t->nr_lines ?
		xformat("%5d\t%s", line, t->lines[line - 1]) :
		xformat("%5d", line);
	return t->shown;
}

void source_text_free(struct source_text *t)
{
	forget(t);
	free(t->shown);
}
