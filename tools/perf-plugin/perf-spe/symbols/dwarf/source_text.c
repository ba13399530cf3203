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
	t->sure = false;
}

/* Files that a message counts */
struct counted {
	struct string_set names;
	const char *first;
	char *why;		/* the first one */
};

static struct {
	const char *symfs;
	bool archived;
	struct source_dirs dirs;
	bool any;
	struct counted elsewhere, unfit, missing;
} source;

/* Takes @why. */
static void count(struct counted *c, const char *path, char *why)
{
	const char *name = string_set_add(&c->names, path);

	if (c->first) {
		free(why);
		return;
	}
	c->first = name;
	c->why = why;
}

static void forget_counted(struct counted *c)
{
	string_set_free(&c->names);
	free(c->why);
	memset(c, 0, sizeof(*c));
}

void source_text_from(const char *symfs, bool archived, const struct source_dirs *dirs, bool any)
{
	source.symfs = symfs;
	source.archived = archived;
	source.dirs = *dirs;
	source.any = any;
}

bool source_text_dir(struct source_dirs *dirs, const char *verb, const char *value)
{
	struct stat st;

	if (*value == '=' || !*value) {
		say("%s: --source-dir needs a folder, or OLD=NEW with the beginning of recorded paths and the folder to use for it, not '%s'",
		    verb, value);
		return false;
	}
	if (dirs->nr == SOURCE_DIRS) {
		say("%s: --source-dir is given more than %d times: leave '%s' out", verb,
		    SOURCE_DIRS, value);
		return false;
	}
	/* A folder may have '=' in its name. */
	dirs->maps[dirs->nr] = strchr(value, '=') && stat(value, &st);
	dirs->values[dirs->nr++] = value;
	return true;
}

static void say_elsewhere(const char *verb)
{
	size_t nr = source.elsewhere.names.table.count;

	if (nr == 1)
		say("%s: left out the lines of the source file %s: it is not below --symfs, --source-dir or the current folder; give --source-dir DIR, or --any-source",
		    verb, source.elsewhere.first);
	else if (nr)
		say("%s: left out the lines of %zu source files, such as %s: they are not below --symfs, --source-dir or the current folder; give --source-dir DIR, or --any-source",
		    verb, nr, source.elsewhere.first);
}

static void say_unfit(const char *verb)
{
	size_t nr = source.unfit.names.table.count;
	const char *what = source.any ? "printed doubtful lines" : "left out the lines";
	const char *or = source.any ? "" : ", or --any-source";

	if (nr == 1)
		say("%s: %s of the source file %s: %s; give --source-dir DIR with the program's version%s",
		    verb, what, source.unfit.first, source.unfit.why, or);
	else if (nr)
		say("%s: %s of %zu source files, such as %s: %s; give --source-dir DIR with the programs' versions%s",
		    verb, what, nr, source.unfit.first, source.unfit.why, or);
}

/* "--symfs a, --source-dir b and the current folder", to be freed */
static char *sought(void)
{
	char *text = source.archived ? xformat("%s", "in the archive, ") :
		     source.symfs ? xformat("below --symfs %s, ", source.symfs) : xformat("%s", "");
	size_t i;

	for (i = 0; i < source.dirs.nr; i++)
		text = xappend(text, "in --source-dir %s, ", source.dirs.values[i]);
	return text;
}

static void say_missing(const char *verb)
{
	size_t count = source.missing.names.table.count;
	char *where;

	if (!count)
		return;
	where = sought();
	if (count == 1)
		say("%s: the source file %s was not found: sought %sin the current folder; give --source-dir DIR, or --source-dir OLD=NEW where paths begin with OLD",
		    verb, source.missing.first, where);
	else
		say("%s: %zu source files were not found, such as %s: sought %sin the current folder; give --source-dir DIR, or --source-dir OLD=NEW where paths begin with OLD",
		    verb, count, source.missing.first, where);
	free(where);
}

void source_text_say(const char *verb)
{
	say_elsewhere(verb);
	say_unfit(verb);
	say_missing(verb);
	forget_counted(&source.elsewhere);
	forget_counted(&source.unfit);
	forget_counted(&source.missing);
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

/* What follows @old in @path, of which @len characters name folders; NULL: another folder */
static const char *behind(const char *path, const char *old, size_t len)
{
	if (strncmp(path, old, len))
		return NULL;
	return path[len] == '/' || old[len - 1] == '/' ? path + len : NULL;
}

/* In a folder of --source-dir */
static int open_in_dirs(const char *path)
{
	const struct source_dirs *d = &source.dirs;
	int fd = -1;
	size_t i;

	for (i = 0; i < d->nr && fd < 0; i++) {
		const char *value = d->values[i], *why, *rest;
		size_t old = strcspn(value, "=");
		char *full;

		if (!d->maps[i]) {
			fd = open_below(value, path);
			continue;
		}
		rest = behind(path, value, old);
		full = rest ? path_below(value + old + 1, rest) : NULL;
		fd = full ? open_regular(full, &why) : -1;
		free(full);
	}
	return fd;
}

int source_text_open(const char *path)
{
	const char *why;
	struct stat st;
	int fd = -1;

	if (source.symfs) {
		char *full = path_below(source.symfs, path);

		fd = open_regular(full, &why);
		free(full);
	}
	if (fd < 0)
		fd = open_in_dirs(path);
	if (fd < 0)
		fd = open_here(path);
	if (fd < 0 && source.any)
		fd = open_regular(path, &why);
	if (fd < 0)
		count(stat(path, &st) ? &source.missing : &source.elsewhere, path, NULL);
	return fd;
}

/* Count the file if it is of another version than the program's, and drop its lines. */
static void check(struct source_text *t, char *why)
{
	char *path;

	if (!why)
		return;
	count(&source.unfit, t->path, why);
	if (source.any)
		return;
	path = xformat("%s", t->path);
	forget(t);
	t->path = path;
}

static void read_file(struct source_text *t, struct dso *dso, const char *path)
{
	struct stat st;
	int fd;

	forget(t);
	t->path = xformat("%s", path);
	fd = source_text_open(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size <= LARGEST) {
		ssize_t len;

		t->bytes = xcalloc((size_t)st.st_size + 1, 1);
		len = read(fd, t->bytes, (size_t)st.st_size);
		t->bytes[len > 0 ? len : 0] = '\0';
		md5(t->bytes, len > 0 ? (size_t)len : 0, t->sum);
		read_lines(t);
		check(t, source_mismatch(t, dso, st.st_mtime));
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
		read_file(t, dso, path);
	if (t->bytes && !t->sure)
		check(t, source_mismatch_at(t, dso, address));
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
