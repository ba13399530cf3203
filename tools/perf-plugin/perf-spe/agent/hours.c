// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows that wait in the spool become Parquet files.  When their hour is over, one file replaces those
 * of the hour:
 *
 *   spe-ID.jsonl.new	-> spe-ID.parquet is written			-> spe-ID.jsonl.hour
 *   spe-*.jsonl.hour	-> spe-FIRST.hour.parquet has all of them	-> spe-FIRST.hour.done lists them
 *   spe-FIRST.hour.done	-> their files go, then their names in the spool, then the list
 *
 * Each step can be done again, and begins again after a crash with what the spool has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "util/util.h"

/* "spe-YYYYMMDDTHH" begins the names of windows of an hour. */
#define HOUR_NAME	strlen("spe-20260131T23")
/* Seconds that a window may need after its end until it is in the spool */
#define LATE		60

static char *key_of(const char *folder, const char *id, const char *end)
{
	return xformat("%s/%s%s", folder, id, end);
}

char *hours_window(const struct agent_config *c, const char *path, double *wait)
{
	char *id = spool_id(path, SPOOL_PARQUET), *to = spool_path(c->spool, id, SPOOL_HOUR), *key, *why;
	struct parquet_file f;

	/* Not damaged, but not to be read; gone is no failure. */
	if (access(path, R_OK) && errno != ENOENT) {
		why = xformat("cannot read %s: %s; let this user read it", path, strerror(errno));
		f = (struct parquet_file){ 0 };
	} else {
		why = parquet_make((char *const *)&path, 1, &f);
	}
	if (!why && f.windows) {
		key = key_of(f.folder, id, ".parquet");
		why = store_put(c, key, f.bytes, f.len, wait);
		free(key);
		if (!why && rename(path, to) && errno != ENOENT)
			why = xformat("cannot rename %s: %s", path, strerror(errno));
	} else if (!why && f.damaged) {
		say("agent: %s is kept as %s.refused", path, path_short(path));
		spool_refuse(path);
	}
	parquet_free(&f);
	free(to);
	free(id);
	return why;
}

/* The lines of the list at @path, and NULL, all to be freed; NULL with errno if it cannot be read */
static char **read_list(const char *path)
{
	FILE *f = fopen(path, "re");
	char **lines, *line = NULL;
	size_t nr = 0, room = 0, size = 0;

	if (!f)
		return NULL;
	lines = array_grow(NULL, 0, &room, sizeof(*lines));
	while (getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		lines = array_grow(lines, nr + 1, &room, sizeof(*lines));
		lines[nr++] = xformat("%s", line);
	}
	lines[nr] = NULL;
	free(line);
	fclose(f);
	return lines;
}

/* Remove the files of the windows in the list @path, whose first line is their folder; NULL, or why not. */
static char *finish(const struct agent_config *c, const char *path, double *wait)
{
	char **lines = read_list(path), *const *ids, *why = NULL, *at;
	size_t i;

	if (!lines)
		return errno == ENOENT ? NULL : xformat("cannot read %s: %s", path, strerror(errno));
	ids = lines[0] ? lines + 1 : lines;
	for (i = 0; ids[i] && !why; i++) {
		at = key_of(lines[0], ids[i], ".parquet");
		why = store_remove(c, at, wait);
		free(at);
	}
	/* Without these names nothing would delete the files, so they go after all of them. */
	for (i = 0; ids[i] && !why; i++) {
		at = spool_path(c->spool, ids[i], SPOOL_HOUR);
		unlink(at);
		free(at);
	}
	if (!why && unlink(path) && errno != ENOENT)
		why = xformat("cannot delete %s: %s", path, strerror(errno));
	for (i = 0; lines[i]; i++)
		free(lines[i]);
	free(lines);
	return why;
}

/* Whether no window of this hour is still to come */
static bool is_over(const struct agent_config *c, const char *id)
{
	char hour[16];
	struct tm tm = { 0 };
	const char *end;

	snprintf(hour, sizeof(hour), "%.11s", id + strlen("spe-"));
	end = strptime(hour, "%Y%m%dT%H", &tm);
	return end && !*end && time(NULL) >= timegm(&tm) + 3600 + (time_t)c->window + LATE;
}

/* Write the list of the windows at @paths, whose files in @folder have to go; NULL, or why not. */
static char *write_list(const struct agent_config *c, const char *first, const char *folder,
			char *const *paths, size_t count)
{
	struct spool_file list;
	size_t i;
	char *id;

	spool_open(&list, c->spool, c->spool_mib << 20, first, SPOOL_DONE);
	spool_put(&list, folder, strlen(folder));
	for (i = 0; i < count; i++) {
		id = spool_id(paths[i], SPOOL_HOUR);
		spool_put(&list, "\n", 1);
		spool_put(&list, id, strlen(id));
		free(id);
	}
	return spool_end(&list) ? NULL : xformat("the spool cannot be written");
}

/* Store the file @f of all windows at @paths, and remove their own files; NULL, or why not. */
static char *replace(const struct agent_config *c, const struct parquet_file *f, char *const *paths, size_t count,
		     double *wait)
{
	char *first = spool_id(paths[0], SPOOL_HOUR), *key = key_of(f->folder, first, ".hour.parquet");
	char *list = spool_path(c->spool, first, SPOOL_DONE), *why;

	why = store_put(c, key, f->bytes, f->len, wait);
	if (!why)
		why = write_list(c, first, f->folder, paths, count);
	if (!why)
		why = finish(c, list, wait);
	free(list);
	free(key);
	free(first);
	return why;
}

/* One file in place of those of @count windows of an hour; NULL, or why not. */
static char *merge(const struct agent_config *c, char *const *paths, size_t count, double *wait)
{
	struct parquet_file f;
	char *why = parquet_make(paths, count, &f);
	size_t i;

	if (!why && f.windows == count)
		why = replace(c, &f, paths, count, wait);
	else if (!why)
		/* It is not a file of all of them, so their own files stay. */
		for (i = 0; i < count; i++)
			unlink(paths[i]);
	parquet_free(&f);
	return why;
}

static char *each_path(const struct agent_config *c, enum spool_kind kind,
		       char *(*fn)(const struct agent_config *c, char *const *paths, size_t count, double *wait), double *wait)
{
	char **paths = spool_list(c->spool, kind), *why = NULL;
	size_t i, n;

	for (i = 0; paths[i] && !why && !agent_stopped; i += n) {
		for (n = 1; kind == SPOOL_HOUR && paths[i + n] &&
		     !strncmp(path_short(paths[i]), path_short(paths[i + n]), HOUR_NAME);)
			n++;
		why = fn(c, paths + i, n, wait);
	}
	for (i = 0; paths[i]; i++)
		free(paths[i]);
	free(paths);
	return why;
}

static char *finish_list(const struct agent_config *c, char *const *paths, size_t count, double *wait)
{
	(void)count;
	return finish(c, paths[0], wait);
}

static char *end_hour(const struct agent_config *c, char *const *paths, size_t count, double *wait)
{
	if (!is_over(c, path_short(paths[0])))
		return NULL;
	if (count > 1)
		return merge(c, paths, count, wait);
	unlink(paths[0]);
	return NULL;
}

char *hours_merge(const struct agent_config *c, double *wait)
{
	char *why = each_path(c, SPOOL_DONE, finish_list, wait);

	return why ? why : each_path(c, SPOOL_HOUR, end_hour, wait);
}
