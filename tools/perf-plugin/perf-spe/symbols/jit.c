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

#include "input/input.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

#define BYTES_MAX (1 << 28)

bool jit_is_memory(const char *file)
{
	/* Some names go on, as in "/dev/zero (deleted)" for shared memory without a file. */
	static const char *const names[] = {
		"//anon", "[anon", "/dev/zero", "/anon_hugepage", "/memfd:", "[heap]",
		"[stack", "/SYSV",
	};
	size_t i;

	/* Most are files of "/usr/...": tell them by their second letter. */
	if (file[0] == '/' && !strchr("/admS", file[1]))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(file, names[i], strlen(names[i])))
			return true;
	return false;
}

bool jit_is_code(const struct map *map)
{
	return map->hugetlb || jit_is_memory(map->file);
}

bool jit_is_dumped(const struct map *map)
{
	const char *name = strrchr(map->file, '/');

	return name && !strncmp(name, "/jitted-", 8);
}

char *jit_path_now(int32_t pid)
{
	char *path = xformat("/proc/%" PRId32 "/status", pid), *line = NULL, *inner = NULL;
	FILE *f = fopen(path, "r");
	size_t room = 0;
	struct stat st;

	free(path);
	/* NSpid has the process's id in each pid namespace, its own one last. */
	while (f && getline(&line, &room, f) > 0)
		if (!strncmp(line, "NSpid:", 6)) {
			line[strcspn(line, "\n")] = '\0';
			path = strrchr(line, '\t');
			inner = xformat("/proc/%" PRId32 "/root/tmp/perf-%s.map", pid,
					path ? path + 1 : "");
			break;
		}
	free(line);
	if (f)
		fclose(f);
	if (inner && lstat(inner, &st)) {
		free(inner);
		inner = NULL;
	}
	return inner;
}

uid_t jit_owner_now(int32_t pid)
{
	char *path = xformat("/proc/%" PRId32, pid);
	struct stat st;
	uid_t owner = stat(path, &st) ? geteuid() : st.st_uid;

	free(path);
	return owner;
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

/* The lines of a map; those that may count at one address are a heap, the latest first */
struct log {
	struct symbol *lines;	/* in the order of the file, then by start */
	size_t count, room;
	const struct symbol **heap;
	size_t nr_heap;
};

/* Skip malformed lines: the process may still be writing the last one. */
static void read_lines(char *text, struct log *log)
{
	struct symbol symbol;
	char *next;

	for (; *text; text = next) {
		next = text + strcspn(text, "\n");
		if (*next)
			*next++ = '\0';
		if (!parse_line(text, &symbol))
			continue;
		log->lines = array_grow(log->lines, log->count, &log->room, sizeof(*log->lines));
		log->lines[log->count++] = symbol;
	}
}

/* Names point into the text, so that a later line has a later name. */
static bool later(const struct symbol *a, const struct symbol *b)
{
	return a->name > b->name;
}

static void heap_push(struct log *log, const struct symbol *line)
{
	const struct symbol **heap = log->heap;
	size_t at = log->nr_heap++;

	for (; at && later(line, heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = line;
}

static void heap_pop(struct log *log)
{
	const struct symbol **heap = log->heap, *last = heap[--log->nr_heap];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < log->nr_heap) {
		if (child + 1 < log->nr_heap && later(heap[child + 1], heap[child]))
			child++;
		if (!later(heap[child], last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
}

static int by_start(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Add, for each address, the latest line that has it. */
static void replay(struct log *log, struct symtab *t)
{
	struct symbol part = { 0 };
	uint64_t at = 0;
	size_t i = 0;

	log->heap = xcalloc(log->count + 1, sizeof(*log->heap));
	if (log->count)
		qsort(log->lines, log->count, sizeof(*log->lines), by_start);
	while (i < log->count || log->nr_heap) {
		if (!log->nr_heap)
			at = log->lines[i].start;
		while (i < log->count && log->lines[i].start == at)
			heap_push(log, &log->lines[i++]);
		while (log->nr_heap && log->heap[0]->end <= at)
			heap_pop(log);
		if (!log->nr_heap)
			continue;
		if (part.name != log->heap[0]->name) {
			if (part.name)
				symtab_add(t, &part);
			part = *log->heap[0];
			part.start = at;
		}
		part.end = log->heap[0]->end;
		if (i < log->count && log->lines[i].start < part.end)
			part.end = log->lines[i].start;
		at = part.end;
	}
	if (part.name)
		symtab_add(t, &part);
	free(log->heap);
	free(log->lines);
}

/* Any user can write to /tmp: trust a file there only if root or @owner owns it. */
static FILE *open_map(const char *path, const uid_t *owner)
{
	const char *why;
	struct stat st;
	int fd;

	if (lstat(path, &st))
		return NULL;
	fd = owner ? open_unlinked(path, &why) : open_regular(path, &why);
	if (fd < 0) {
		say("cannot read %s: %s; for symbols of this code copy it below --symfs", path, why);
		return NULL;
	}
	if (!fstat(fd, &st) && st.st_size <= BYTES_MAX &&
	    (!owner || !st.st_uid || st.st_uid == *owner))
		return fdopen(fd, "r");
	say("not using %s: it is too large, or another user owns it; to use it, copy it below --symfs",
	    path);
	close(fd);
	return NULL;
}

bool jit_load(const char *path, const uid_t *owner, struct symtab *t)
{
	FILE *f = open_map(path, owner);
	size_t room = 1 << 16, len = 0, got;
	struct log log = { 0 };
	struct stat st;
	char *text;

	if (!f)
		return !lstat(path, &st);
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
	symtab_own(t, text, room);
	read_lines(text, &log);
	replay(&log, t);
	symtab_finish(t);
	symtab_tell(t, path);
	return true;
}
