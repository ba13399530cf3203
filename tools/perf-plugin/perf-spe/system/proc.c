// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read processes that began before sampling from /proc, and make the events that
 * the kernel would have sent for them.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "input/input.h"
#include "system/system.h"
#include "util/util.h"

/* An event under construction; the longest is an MMAP2 with a file name. */
struct made {
	_Alignas(8) uint8_t bytes[8192];
	size_t len;
};

static void put(struct made *m, const void *bytes, size_t len)
{
	if (len > sizeof(m->bytes) - m->len)
		len = sizeof(m->bytes) - m->len;
	memcpy(m->bytes + m->len, bytes, len);
	m->len += len;
}

static void put32(struct made *m, uint32_t value)
{
	put(m, &value, sizeof(value));
}

static void put64(struct made *m, uint64_t value)
{
	put(m, &value, sizeof(value));
}

static void begin(struct made *m, uint32_t type)
{
	struct perf_event_header header = { .type = type };

	m->len = 0;
	put(m, &header, sizeof(header));
}

/* Append a name, padded to 8 bytes as the kernel does. */
static void put_text(struct made *m, const char *text)
{
	size_t len = strlen(text) + 1;

	put(m, text, len);
	while (m->len % 8)
		put(m, "", 1);
}

/* Append the sample_id (LIVE_SAMPLE_TYPE).  Time 0: the event holds always. */
static void end(struct live *l, struct made *m, int32_t pid, int32_t tid)
{
	uint16_t size;

	put32(m, (uint32_t)pid);
	put32(m, (uint32_t)tid);
	put64(m, 0);		/* time */
	put64(m, 0);		/* CPU */
	put64(m, 0);		/* event */
	size = (uint16_t)m->len;
	memcpy(m->bytes + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
	live_event(l, (const void *)m->bytes);
}

static void make_comm(struct live *l, int32_t pid, int32_t tid,
		      const char *comm)
{
	struct made m;

	begin(&m, PERF_RECORD_COMM);
	put32(&m, (uint32_t)pid);
	put32(&m, (uint32_t)tid);
	put_text(&m, comm);
	end(l, &m, pid, tid);
}

/* "START-END rwxp OFFSET MAJOR:MINOR INODE    NAME" */
static void make_map(struct live *l, int32_t pid, const char *line)
{
	uint64_t start, stop, offset, inode = 0;
	uint32_t major = 0, minor = 0;
	char flags[5];
	struct made m;
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
		   &start, &stop, flags, &offset, &major, &minor, &inode, &name) < 4 ||
	    flags[2] != 'x' || stop <= start)
		return;
	begin(&m, PERF_RECORD_MMAP2);
	put32(&m, (uint32_t)pid);
	put32(&m, (uint32_t)pid);
	put64(&m, start);
	put64(&m, stop - start);
	put64(&m, offset);
	put32(&m, major);
	put32(&m, minor);
	put64(&m, inode);
	put64(&m, 0);		/* its generation */
	put32(&m, PROT_EXEC);
	put32(&m, 0);		/* flags of mmap */
	put_text(&m, name && line[name] ? line + name : "//anon");
	end(l, &m, pid, pid);
}

static FILE *open_of(const char *root, int32_t pid, const char *file)
{
	char *path = xformat("%s/proc/%" PRId32 "/%s", root, pid, file);
	FILE *f = fopen(path, "re");

	free(path);
	return f;
}

int32_t proc_process(const char *root, int32_t tid)
{
	FILE *f = open_of(root, tid, "status");
	int32_t pid = NO_ID;
	char line[256];

	while (f && pid == NO_ID && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %" SCNd32, &pid) != 1)
			pid = NO_ID;
	if (f)
		fclose(f);
	return pid;
}

/* Whether the list of controllers, with commas between, has perf's */
static bool has_perf_event(const char *list)
{
	static const char name[] = "perf_event";

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == sizeof(name) - 1 && !strncmp(list, name, sizeof(name) - 1))
			return true;
	return false;
}

/* Lines "NUMBER:CONTROLLERS:PATH"; the unified hierarchy is "0::PATH". */
char *proc_group(const char *root, int32_t pid)
{
	FILE *f = open_of(root, pid, "cgroup");
	char line[6000], *path = NULL, *end;
	bool perf = false;
	size_t len;

	while (f && !perf && fgets(line, sizeof(line), f)) {
		char *list = strchr(line, ':'), *at = list ? strchr(list + 1, ':') : NULL;

		if (!at || !(end = strchr(at, '\n')))
			continue;
		*at++ = *end = '\0';
		perf = has_perf_event(list + 1);
		if (*at != '/' || !(perf || !strcmp(line, "0:")))
			continue;
		len = deleted_len(at);
		if (!len)
			len = strlen(at);
		free(path);
		path = xstrndup(at, len);
	}
	if (f)
		fclose(f);
	return path;
}

/* Lines "NAME HIERARCHY GROUPS ENABLED" */
bool proc_has_groups(const char *root)
{
	char *path = xformat("%s/proc/cgroups", root), line[256], name[64];
	FILE *f = fopen(path, "re");
	int enabled = 0;

	free(path);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %*d %*d %d", name, &enabled) == 2 && !strcmp(name, "perf_event"))
			break;
		else
			enabled = 0;
	if (f)
		fclose(f);
	return enabled;
}

int32_t *proc_threads(const char *root, int32_t pid, size_t *count)
{
	char *path = xformat("%s/proc/%" PRId32 "/task", root, pid);
	DIR *dir = opendir(path);
	struct dirent *entry;
	int32_t *tids = NULL;
	size_t room = 0;

	*count = 0;
	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		tids = array_grow(tids, *count, &room, sizeof(*tids));
		tids[(*count)++] = (int32_t)strtol(entry->d_name, NULL, 10);
	}
	if (dir)
		closedir(dir);
	free(path);
	return tids;
}

/* Threads have names of their own.  False if there is no such task */
static bool read_comm(const char *root, int32_t pid, const char *file, char *comm, size_t size)
{
	FILE *f = open_of(root, pid, file);

	if (!f)
		return false;
	if (!fgets(comm, (int)size, f))
		comm[0] = '\0';
	fclose(f);
	comm[strcspn(comm, "\n")] = '\0';
	return true;
}

bool proc_one(struct live *l, const char *root, int32_t pid)
{
	char line[6000], comm[64], file[64];
	size_t i, count;
	int32_t *tids;
	FILE *f;

	if (!read_comm(root, pid, "comm", comm, sizeof(comm)))
		return false;
	tids = proc_threads(root, pid, &count);
	make_comm(l, pid, pid, comm);
	for (i = 0; i < count; i++) {
		snprintf(file, sizeof(file), "task/%" PRId32 "/comm", tids[i]);
		/* A thread that ends meanwhile has no samples of now. */
		if (tids[i] != pid && read_comm(root, pid, file, comm, sizeof(comm)))
			make_comm(l, pid, tids[i], comm);
	}
	free(tids);
	f = open_of(root, pid, "maps");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		make_map(l, pid, line);
	}
	if (f)
		fclose(f);
	return true;
}

bool proc_all(struct live *l, const char *root)
{
	char *path = xformat("%s/proc", root);
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	/* /proc has no folder for the idle task. */
	make_comm(l, 0, 0, "swapper");
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			found |= proc_one(l, root,
					  (int32_t)strtol(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
	free(path);
	return found;
}

/* Of the kernel's <linux/mempolicy.h>: only pages that no other process uses */
#define MOVE_OWN_PAGES	2

int pages_where(int32_t pid, void *const *pages, size_t count, int *nodes)
{
	return syscall(SYS_move_pages, pid, count, pages, NULL, nodes, 0) < 0 ? -errno : 0;
}

int pages_move(int32_t pid, void *const *pages, size_t count, const int *to, int *nodes)
{
	/* A positive result counts pages that did not move; nodes[] tells which. */
	return syscall(SYS_move_pages, pid, count, pages, to, nodes, MOVE_OWN_PAGES) < 0 ?
	       -errno : 0;
}

bool process_name(int32_t pid, char *name, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	return sysfs_line(path, name, size);
}
