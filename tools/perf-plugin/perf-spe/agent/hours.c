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

/* Remove the files of the windows in the list @path, whose first line is their folder; NULL, or why not. */
static char *finish(const struct agent_config *c, const char *path, double *wait)
{
	char *line = NULL, *folder = NULL, *why = NULL, *key, *in_spool;
	FILE *list = fopen(path, "re");
	size_t room = 0;
	bool again;

	if (!list && errno == ENOENT)
		return NULL;
	if (!list)
		return xformat("cannot read %s: %s", path, strerror(errno));
	/* First the files, then, in a second turn, the names without which nothing would delete these files */
	for (again = false; !why; again = true) {
		rewind(list);
		free(folder);
		folder = NULL;
		while (!why && getline(&line, &room, list) > 0) {
			line[strcspn(line, "\n")] = '\0';
			if (!folder) {
				folder = xformat("%s", line);
				continue;
			}
			key = key_of(folder, line, ".parquet");
			in_spool = spool_path(c->spool, line, SPOOL_HOUR);
			if (again)
				unlink(in_spool);
			else
				why = store_remove(c, key, wait);
			free(in_spool);
			free(key);
		}
		if (again)
			break;
	}
	if (!why && unlink(path) && errno != ENOENT)
		why = xformat("cannot delete %s: %s", path, strerror(errno));
	fclose(list);
	free(folder);
	free(line);
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

/* One file in place of those of @count windows of an hour; NULL, or why not. */
static char *merge(const struct agent_config *c, char *const *paths, size_t count, double *wait)
{
	char *first = spool_id(paths[0], SPOOL_HOUR), *id, *key, *why;
	struct parquet_file f;
	struct spool_file list;
	size_t i;

	why = parquet_make(paths, count, &f);
	/* The files of single windows stay if this is not a file of all of them. */
	for (i = 0; !why && f.windows != count && i < count; i++)
		unlink(paths[i]);
	if (!why && f.windows == count) {
		key = key_of(f.folder, first, ".hour.parquet");
		why = store_put(c, key, f.bytes, f.len, wait);
		free(key);
	}
	if (!why && f.windows == count) {
		spool_open(&list, c->spool, c->spool_mib << 20, first, SPOOL_DONE);
		spool_put(&list, f.folder, strlen(f.folder));
		for (i = 0; i < count; i++) {
			id = spool_id(paths[i], SPOOL_HOUR);
			spool_put(&list, "\n", 1);
			spool_put(&list, id, strlen(id));
			free(id);
		}
		if (!spool_end(&list))
			why = xformat("the spool cannot be written");
	}
	if (!why && f.windows == count) {
		key = spool_path(c->spool, first, SPOOL_DONE);
		why = finish(c, key, wait);
		free(key);
	}
	parquet_free(&f);
	free(first);
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
