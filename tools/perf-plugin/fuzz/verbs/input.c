// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static void fail(const char *path)
{
	fprintf(stderr, "fuzz: cannot use %s: %s\n", path, strerror(errno));
	exit(2);
}

/* The entries of a folder in an order that does not depend on the file system */
static struct dirent **list(const char *folder, int *count)
{
	struct dirent **entries;

	*count = scandir(folder, &entries, NULL, alphasort);
	if (*count < 3)
		fail(folder);
	return entries;
}

static void read_seed(struct bytes *to, const char *path)
{
	uint8_t part[4096];
	size_t got;
	FILE *f = fopen(path, "re");

	if (!f)
		fail(path);
	while ((got = fread(part, 1, sizeof(part), f)) > 0)
		put(to, part, got);
	fclose(f);
}

/* @each for each entry of the folder @name */
static void seeds_each(struct seeds *s, const char *folder, const char *name,
		       void (*each)(struct seeds *s, const char *path))
{
	char path[4096], below[4096 + 256];
	struct dirent **entries;
	int count, i;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	entries = list(path, &count);
	for (i = 0; i < count; i++) {
		snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			each(s, below);
		free(entries[i]);
	}
	free(entries);
}

static void add_tree(struct seeds *s, const char *path)
{
	s->trees = realloc(s->trees, (s->nr_trees + 1) * sizeof(*s->trees));
	if (!s->trees)
		abort();
	memset(&s->trees[s->nr_trees], 0, sizeof(*s->trees));
	tree_load(&s->trees[s->nr_trees++], path);
}

static void add_recording(struct seeds *s, const char *path)
{
	s->recordings = realloc(s->recordings, (s->nr_recordings + 1) * sizeof(*s->recordings));
	if (!s->recordings)
		abort();
	memset(&s->recordings[s->nr_recordings], 0, sizeof(*s->recordings));
	read_seed(&s->recordings[s->nr_recordings++], path);
}

void seeds_load(struct seeds *s, const char *folder)
{
	seeds_each(s, folder, "programs", add_tree);
	seeds_each(s, folder, "recordings", add_recording);
}

void input_put(const char *path, const void *bytes, size_t len)
{
	char folder[4096];
	const char *slash = path;
	FILE *f;

	while ((slash = strchr(slash + 1, '/'))) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		if (mkdir(folder, 0700) && errno != EEXIST)
			fail(folder);
	}
	f = fopen(path, "we");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		fail(path);
}

static void put_tree(const struct tree *t, size_t spoiled, struct dice *d)
{
	char path[4096];
	size_t i;

	for (i = 0; i < t->nr_files; i++) {
		struct bytes copy = { 0 };

		put(&copy, t->files[i].content.at, t->files[i].content.len);
		if (i == spoiled || (spoiled < t->nr_files && one_in(d, 8)))
			program_spoil(d, &t->files[i], &copy);
		snprintf(path, sizeof(path), "symfs/%s", t->files[i].path);
		input_put(path, copy.at, copy.len);
		free(copy.at);
	}
}

void input_make(const struct seeds *s, enum kind kind, struct dice *d)
{
	const struct tree *t = &s->trees[draw(d, s->nr_trees)];
	size_t spoiled = kind == PROGRAMS ? draw(d, t->nr_files) : SIZE_MAX;
	struct bytes log = { 0 };
	struct recording r;

	put_tree(t, spoiled, d);
	recording_make(&r, d, t, kind == RECORDINGS);
	if (kind == RECORDINGS && one_in(d, 3))
		recording_read(&r, &s->recordings[draw(d, s->nr_recordings)]);
	recording_write(&r, "perf.data");
	if (one_in(d, 6)) {
		heap_log_make(&r, &log);
		input_put("perf.data.heap/10-0.heap", log.at, log.len);
		free(log.at);
	}
	recording_free(&r);
}
