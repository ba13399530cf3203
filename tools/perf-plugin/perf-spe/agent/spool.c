// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "util/util.h"

#define BEGINS	"spe-"
#define PART	".part"
#define REFUSED	".refused"
#define LOCK	"send.lock"

static const char *const ends[NR_SPOOL_KINDS] = {
	[SPOOL_WINDOW] = ".jsonl", [SPOOL_OTLP] = ".otlp.pb.gz", [SPOOL_PPROF] = ".pprof.pb.gz",
	[SPOOL_PARQUET] = ".jsonl.new", [SPOOL_HOUR] = ".jsonl.hour",
	[SPOOL_DONE] = ".hour.done",
};

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && !strcmp(name + len - n, end);
}

/* The kind of a finished file; NR_SPOOL_KINDS: of a refused one; -1: none of the agent's */
static int kind_of(const char *name)
{
	int kind = 0;

	if (strncmp(name, BEGINS, strlen(BEGINS)))
		return -1;
	if (ends_with(name, REFUSED))
		return NR_SPOOL_KINDS;
	while (kind < NR_SPOOL_KINDS && !ends_with(name, ends[kind]))
		kind++;
	return kind < NR_SPOOL_KINDS ? kind : -1;
}

/* Call @fn for each file of the folder; false if it cannot be read */
static bool each(const char *folder, void (*fn)(void *context, const char *name), void *context)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		fn(context, entry->d_name);
	if (dir)
		closedir(dir);
	return dir;
}

static void remove_part(void *folder, const char *name)
{
	char *path = xformat("%s/%s", (const char *)folder, name);

	if (!strncmp(name, BEGINS, strlen(BEGINS)) && ends_with(name, PART))
		unlink(path);
	free(path);
}

static bool is_full(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

int spool_begin(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && !access(folder, W_OK)) {
		each(folder, remove_part, (void *)(uintptr_t)folder);
		return fd;
	}
	if (errno == EWOULDBLOCK)
		say("agent: another agent writes to the spool %s: end it, or name another folder", folder);
	else
		say("agent: cannot write to the spool %s: %s; create the folder, and let this user write to it",
		    folder, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int spool_lock_sender(const char *folder)
{
	char *path = xformat("%s/%s", folder, LOCK);
	/* Another user may come to it: the lock needs no right to write. */
	int fd = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);

	/* A full disk is a reason to send. */
	if (fd < 0 && is_full(errno)) {
		fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} else if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
		if (fd >= 0 && errno == EWOULDBLOCK)
			say("agent: another perf spe agent --send works on the spool %s: end it, or let it do this", folder);
		else
			say("agent: cannot lock %s: %s; let this user read it", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

struct found {
	const char *folder, *now;	/* the name of a window of now, or NULL */
	struct spool_state state;
	char *oldest;
};

/*
 * Names begin with the time.  A window of a time to come was written before the clock was set back, so it
 * is older than those after that.
 */
static bool is_older(const struct found *f, const char *name, const char *than)
{
	bool to_come = f->now && strcmp(name, f->now) > 0, than_to_come = f->now && strcmp(than, f->now) > 0;

	return to_come == than_to_come ? strcmp(name, than) < 0 : to_come;
}

static void find(void *context, const char *name)
{
	struct found *f = context;
	char *path = xformat("%s/%s", f->folder, name);
	const int kind = kind_of(name);
	struct stat st;

	if (kind >= 0 && !lstat(path, &st) && S_ISREG(st.st_mode)) {
		f->state.bytes += (uint64_t)st.st_size / st.st_nlink;
		if (kind == NR_SPOOL_KINDS)
			f->state.refused++;
		else
			f->state.count[kind]++;
		if (kind == SPOOL_WINDOW && st.st_mtime > f->state.newest)
			f->state.newest = st.st_mtime;
		/* Only a list tells which Parquet files to delete. */
		if (kind != SPOOL_DONE && (!f->oldest || is_older(f, name, path_short(f->oldest)))) {
			free(f->oldest);
			f->oldest = path;
			return;
		}
	}
	free(path);
}

struct spool_state spool_look(const char *folder)
{
	struct found f = { .folder = folder };

	f.state.readable = each(folder, find, &f);
	free(f.oldest);
	return f.state;
}

/* Remove the oldest file before @file; false if there is none, or @file is small and no window should go for it. */
static bool drop_oldest(struct spool_file *file)
{
	struct found f = { .folder = file->folder, .now = path_short(file->path) };
	bool gone;
	int kind;

	if (file->kind != SPOOL_DONE)
		each(f.folder, find, &f);
	gone = f.oldest && !unlink(f.oldest);
	kind = gone ? kind_of(path_short(f.oldest)) : NR_SPOOL_KINDS;
	if (kind < NR_SPOOL_KINDS)
		file->dropped[kind]++;
	free(f.oldest);
	return gone;
}

bool spool_open(struct spool_file *f, const char *folder, uint64_t most, const char *id, enum spool_kind kind)
{
	*f = (struct spool_file){ .folder = folder, .most = most, .kind = kind };
	f->path = xformat("%s/%s%s%s", folder, strncmp(id, BEGINS, strlen(BEGINS)) ? BEGINS : "", id, ends[kind]);
	f->part = xformat("%s%s", f->path, PART);
	do {
		f->fd = open(f->part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0640);
		f->error = f->fd < 0 ? errno : 0;
	} while (is_full(f->error) && drop_oldest(f));
	return f->fd >= 0;
}

void spool_put(struct spool_file *f, const char *bytes, size_t len)
{
	while (len && !f->error) {
		ssize_t n = write(f->fd, bytes, len);

		if (n < 0) {
			if (errno != EINTR && !(is_full(errno) && drop_oldest(f)))
				f->error = errno;
			continue;
		}
		bytes += n;
		len -= (size_t)n;
		f->bytes += (uint64_t)n;
	}
}

bool sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && !fsync(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

char *spool_id(const char *path, enum spool_kind kind)
{
	return xformat("%.*s", (int)(strlen(path_short(path)) - strlen(ends[kind])), path_short(path));
}

char *spool_path(const char *folder, const char *id, enum spool_kind kind)
{
	return xformat("%s/%s%s", folder, id, ends[kind]);
}

/* The same file under another name: the window is a file of its own there even if the agent deletes this one. */
static void link_new(const struct spool_file *f)
{
	char *id = spool_id(f->path, f->kind), *to = spool_path(f->folder, id, SPOOL_PARQUET);

	if (link(f->part, to))
		say("agent: a window does not become Parquet: cannot link %s: %s; put the spool on a file system with hard links",
		    to, strerror(errno));
	free(to);
	free(id);
}

bool spool_end(struct spool_file *f)
{
	while (!f->error && fsync(f->fd))
		if (!is_full(errno) || !drop_oldest(f))
			f->error = errno;
	while (!f->error && spool_look(f->folder).bytes + f->bytes > f->most &&
	       drop_oldest(f))
		;
	if (f->fd >= 0)
		close(f->fd);
	if (!f->error && f->parquet)
		link_new(f);
	if (!f->error && (rename(f->part, f->path) || !sync_folder(f->folder)))
		f->error = errno;
	if (f->error) {
		unlink(f->part);
		say("agent: %scannot write %s: %s; free space, or let this user write to the spool",
		    f->kind == SPOOL_WINDOW ? "a window is lost: " : f->kind == SPOOL_DONE ? "" : "a profile to send is lost: ",
		    f->path, strerror(f->error));
	}
	free(f->part);
	free(f->path);
	return !f->error;
}

struct listed {
	const char *folder;
	enum spool_kind kind;
	char **paths;
	size_t nr, room;
};

static void list(void *context, const char *name)
{
	struct listed *l = context;

	if (kind_of(name) != (int)l->kind)
		return;
	l->paths = array_grow(l->paths, l->nr + 1, &l->room, sizeof(*l->paths));
	l->paths[l->nr++] = xformat("%s/%s", l->folder, name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **spool_list(const char *folder, enum spool_kind kind)
{
	struct listed l = { .folder = folder, .kind = kind };

	l.paths = array_grow(NULL, 0, &l.room, sizeof(*l.paths));
	each(folder, list, &l);
	qsort(l.paths, l.nr, sizeof(*l.paths), by_text);
	l.paths[l.nr] = NULL;
	return l.paths;
}

bool spool_refuse(const char *path)
{
	char *to = xformat("%s%s", path, REFUSED);
	bool good = !rename(path, to);

	free(to);
	return good;
}
