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

static struct {
	const char *symfs, *folder;
	bool any;
	struct string_set left_out;
	const char *first;	/* of them */
} source;

void source_text_from(const char *symfs, const char *folder, bool any)
{
	source.symfs = symfs;
	source.folder = folder;
	source.any = any;
}

void source_text_say(const char *verb)
{
	size_t count = source.left_out.table.count;

	if (count == 1)
		say("%s: left out the lines of the source file %s: it is not below --symfs, --source-dir or the current folder; give --source-dir DIR, or --any-source",
		    verb, source.first);
	else if (count)
		say("%s: left out the lines of %zu source files, as %s: they are not below --symfs, --source-dir or the current folder; give --source-dir DIR, or --any-source",
		    verb, count, source.first);
	string_set_free(&source.left_out);
	memset(&source.left_out, 0, sizeof(source.left_out));
	source.first = NULL;
}

/* Below @folder, the recorded path or what remains of it without its first folders */
static int open_below(const char *folder, const char *path)
{
	const char *why;
	int fd = -1;

	while (fd < 0 && path && *path) {
		char *full = path_below(folder, path);

		fd = open_regular(full, &why);
		free(full);
		path = strchr(path + 1, '/');
	}
	return fd;
}

/* Below the current folder by all symbolic links, but not in hidden folders such as .ssh */
static int open_here(const char *path)
{
	char *here = realpath(".", NULL), *real = realpath(path, NULL);
	size_t len = here ? strlen(here) : 0;
	const char *why;
	int fd = -1;

	if (len > 1 && real && !strncmp(real, here, len) && real[len] == '/' &&
	    !strstr(real + len, "/."))
		fd = open_regular(real, &why);
	free(here);
	free(real);
	return fd;
}

static int open_source(const char *path)
{
	const char *why;
	struct stat st;
	int fd = -1;

	if (source.symfs && *path == '/') {
		char *full = path_below(source.symfs, path);

		fd = open_regular(full, &why);
		free(full);
	}
	if (fd < 0 && source.folder)
		fd = open_below(source.folder, path);
	if (fd < 0)
		fd = open_here(path);
	if (fd < 0 && source.any)
		return open_regular(path, &why);
	if (fd < 0 && !stat(path, &st)) {
		const char *name = string_set_add(&source.left_out, path);

		source.first = source.first ? source.first : name;
	}
	return fd;
}

static void read_file(struct source_text *t, const char *path)
{
	struct stat st;
	int fd;

	forget(t);
	t->path = xformat("%s", path);
	fd = open_source(path);
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
