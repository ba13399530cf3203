// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/heap/heap.h"
#include "input/input.h"
#include "util/util.h"

struct process_log {
	char *path;
	struct heap_header header;
	struct heap_blocks *blocks;	/* NULL: not read yet */
	bool failed;
};

struct heap_logs {
	const struct session *session;
	struct process_log *logs;	/* by process, then start */
	size_t nr, room;
};

char *heap_logs_folder(const char *data)
{
	char *folder, *real;
	size_t len = strlen(data);

	while (len > 1 && data[len - 1] == '/')
		len--;
	/* Standard input has no folder, even if there is one of its name. */
	if (!strcmp(data, "-"))
		return xformat("/dev/stdin.heap");
	folder = xformat("%.*s.heap", (int)len, data);
	real = access(folder, F_OK) ? realpath(data, NULL) : NULL;
	if (real) {
		free(folder);
		folder = xformat("%s.heap", real);
		free(real);
	}
	return folder;
}

/* The id in the recording's command; 0: it has none */
static uint64_t recorded_id(const struct session *s)
{
	static const char variable[] = HEAP_ID_VARIABLE "=";
	char *command = feature_command(&s->pd);
	const char *found = command ? strstr(command, variable) : NULL;
	uint64_t id = found ? strtoull(found + strlen(variable), NULL, 16) : 0;

	free(command);
	return id;
}

/* perf of Linux 7.3 records its own path as the command, without arguments. */
static bool command_is_bare(const struct session *s)
{
	char *command = feature_command(&s->pd);
	bool bare = command && *command && !strchr(command, ' ');

	free(command);
	return bare;
}

bool heap_logs_followed(const struct session *s, const char *data)
{
	char *folder;
	bool there;

	if (recorded_id(s))
		return true;
	if (!command_is_bare(s))
		return false;
	folder = heap_logs_folder(data);
	there = !access(folder, F_OK);
	free(folder);
	return there;
}

static int log_order(const void *a, const void *b)
{
	const struct process_log *x = a, *y = b;

	if (x->header.pid != y->header.pid)
		return x->header.pid < y->header.pid ? -1 : 1;
	return x->header.start < y->header.start ? -1 : x->header.start > y->header.start;
}

/* Add the log at @path, which is freed later, or say why not; count one of another recording. */
static void add_log(struct heap_logs *l, char *path, uint64_t id, size_t *foreign)
{
	struct heap_log log;

	if (heap_log_open(&log, path) < 0) {
		free(path);
		return;
	}
	heap_log_close(&log);
	if (id && log.header.id != id) {
		++*foreign;
		free(path);
		return;
	}
	l->logs = array_grow(l->logs, l->nr, &l->room, sizeof(*l->logs));
	l->logs[l->nr++] = (struct process_log){ .path = path, .header = log.header };
}

struct heap_logs *heap_logs_new(const struct session *s, const char *data)
{
	struct heap_logs *l = xcalloc(1, sizeof(*l));
	char *folder = heap_logs_folder(data);
	DIR *d = opendir(folder);
	struct dirent *entry;
	uint64_t id = recorded_id(s);
	size_t foreign = 0, files = 0;

	l->session = s;
	if (!d)
		say("no names of heap blocks: cannot open %s: %s; record with 'perf spe record --heap', and copy that folder with the recording",
		    folder, strerror(errno));
	while (d && (entry = readdir(d)))
		if (heap_log_named(entry->d_name) && ++files)
			add_log(l, xformat("%s/%s", folder, entry->d_name), id, &foreign);
	if (foreign)
		say("%s: %zu log%s belong%s to another recording and %s not used", folder, foreign,
		    plural(foreign), foreign == 1 ? "s" : "", foreign == 1 ? "is" : "are");
	else if (d && !files)
		say("no names of heap blocks: %s is empty, because no recorded program could be followed: it is linked statically, has a malloc of its own, or changes its user; link it with the C library as a shared object, and record again",
		    folder);
	if (d)
		closedir(d);
	free(folder);
	if (l->nr)
		qsort(l->logs, l->nr, sizeof(*l->logs), log_order);
	return l;
}

void heap_logs_free(struct heap_logs *l)
{
	size_t i;

	if (!l)
		return;
	for (i = 0; i < l->nr; i++) {
		free(l->logs[i].path);
		heap_blocks_free(l->logs[i].blocks);
	}
	free(l->logs);
	free(l);
}

bool heap_logs_any(const struct heap_logs *l)
{
	return l->nr;
}

static const char *why_stopped(uint32_t error)
{
	if (error == HEAP_LIMIT)
		return "the logs reached their limit, or the quota of the disk; record with a larger --heap-limit";
	return error ? strerror((int)error) : "";
}

static struct heap_blocks *read_blocks(struct process_log *p)
{
	struct heap_log log;

	if (p->blocks || p->failed)
		return p->blocks;
	p->failed = heap_log_open(&log, p->path) < 0;
	if (p->failed)
		return NULL;
	p->blocks = heap_blocks_new(&log);
	if (log.missing || log.damaged)
		say("%s: %" PRIu64 " parts are missing and %" PRIu64 " are damaged, so some blocks have no name; copy the folder again",
		    p->path, log.missing, log.damaged);
	if (log.header.lost)
		say("%s: the program made %" PRIu64 " calls that could not be logged%s%s", p->path,
		    log.header.lost, log.header.stopped ? ": " : "", why_stopped(log.header.stopped));
	heap_log_close(&log);
	return p->blocks;
}

/* How many logs are of processes before @pid, or of @pid and began at or before @time */
static size_t logs_until(const struct heap_logs *l, int32_t pid, uint64_t time)
{
	const struct process_log *logs = l->logs;
	size_t low;

	lower_bound(low, l->nr, logs[low].header.pid < pid ||
				(logs[low].header.pid == pid && logs[low].header.start <= time));
	return low;
}

static bool is_of(const struct heap_logs *l, size_t i, int32_t pid)
{
	return i < l->nr && l->logs[i].header.pid == pid;
}

/* The log of @pid at the time: the last one that began before, or else the first */
static struct process_log *log_at(struct heap_logs *l, int32_t pid, const uint64_t *time)
{
	size_t at = logs_until(l, pid, time ? *time : UINT64_MAX);

	if (!at || !is_of(l, at - 1, pid))
		return is_of(l, at, pid) ? &l->logs[at] : NULL;
	/* Without a time two programs of a process cannot be told apart. */
	return !time && at > 1 && is_of(l, at - 2, pid) ? NULL : &l->logs[at - 1];
}

/* Another program may have had the pid when the log began. */
static bool is_log_of(const struct heap_logs *l, const struct process_log *log,
		      const struct process *process, int32_t pid)
{
	const struct process *then;
	uint64_t time;

	/* A program that had the pid and wrote no log may have run at the sample's time. */
	if (!process && !processes_one(&l->session->processes, pid))
		return false;
	if (!process || log->header.clock != HEAP_COUNTER || l->session->untimed ||
	    !session_time(l->session, log->header.start, &time))
		return true;
	then = processes_at(&l->session->processes, log->header.pid, time);
	return !then || then == process;
}

/* A longer chain of forks is not followed. */
#define GENERATIONS	64

bool heap_logs_find(struct heap_logs *l, const struct process *process, int32_t pid,
		    uint64_t address, const uint64_t *timestamp, struct heap_found *found,
		    const struct heap_blocks **blocks)
{
	const struct heap_blocks *child[GENERATIONS];
	uint64_t time = timestamp ? *timestamp : 0, then[GENERATIONS];
	bool inherited = false;
	size_t n, i;

	for (n = 0; n < GENERATIONS; n++) {
		struct process_log *p = log_at(l, pid, timestamp ? &time : NULL);
		bool timed = timestamp && p && p->header.clock == HEAP_COUNTER;

		*blocks = p && (inherited || is_log_of(l, p, process, pid)) ? read_blocks(p) : NULL;
		if (!*blocks)
			return false;
		if (timed ? heap_blocks_find(*blocks, address, time, found) :
			    heap_blocks_only(*blocks, address, found)) {
			if (inherited && found->life == HEAP_LIVE)
				found->life = HEAP_INHERITED;
			for (i = 0; i < n && found->life == HEAP_INHERITED; i++)
				if (heap_blocks_gave_up(child[i], found->start, then[i]))
					found->life = HEAP_FREED;
			return true;
		}
		child[n] = *blocks;
		then[n] = time;
		if (!p->header.parent)
			return false;
		/* The child does not have what its parent got after the fork. */
		if (p->header.start < time)
			time = p->header.start;
		pid = p->header.parent;
		inherited = true;
	}
	return false;
}
