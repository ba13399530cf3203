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
#define ENDS	".jsonl"
#define PART	".part"

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && !strcmp(name + len - n, end);
}

/* Call @fn for each file of the folder that begins as windows do and ends with @end; false if it cannot be read */
static bool each(const char *folder, const char *end, void (*fn)(void *context, const char *name),
		 void *context)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, BEGINS, strlen(BEGINS)) && ends_with(entry->d_name, end))
			fn(context, entry->d_name);
	if (dir)
		closedir(dir);
	return dir;
}

static void remove_part(void *folder, const char *name)
{
	char *path = xformat("%s/%s", (const char *)folder, name);

	unlink(path);
	free(path);
}

int spool_begin(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && !access(folder, W_OK)) {
		each(folder, PART, remove_part, (void *)(uintptr_t)folder);
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

struct found {
	const char *folder;
	struct spool_state state;
	char *oldest;		/* their names begin with the time */
};

static void find(void *context, const char *name)
{
	struct found *f = context;
	char *path = xformat("%s/%s", f->folder, name);
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode)) {
		f->state.bytes += (uint64_t)st.st_size;
		f->state.count++;
		if (st.st_mtime > f->state.newest)
			f->state.newest = st.st_mtime;
		if (!f->oldest || strcmp(name, path_short(f->oldest)) < 0) {
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

	f.state.readable = each(folder, ENDS, find, &f);
	free(f.oldest);
	return f.state;
}

/* Remove the oldest window; false if there is none. */
static bool drop_oldest(const char *folder, uint64_t *dropped)
{
	struct found f = { .folder = folder };
	bool gone;

	each(folder, ENDS, find, &f);
	gone = f.oldest && !unlink(f.oldest);
	*dropped += gone;
	free(f.oldest);
	return gone;
}

static bool is_full(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

bool spool_open(struct spool_file *f, const char *folder, uint64_t most, const char *id)
{
	*f = (struct spool_file){ .folder = folder, .most = most };
	f->path = xformat("%s/%s%s%s", folder, BEGINS, id, ENDS);
	f->part = xformat("%s%s", f->path, PART);
	do {
		f->fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
		f->error = f->fd < 0 ? errno : 0;
	} while (is_full(f->error) && drop_oldest(folder, &f->dropped));
	return f->fd >= 0;
}

void spool_put(struct spool_file *f, const char *bytes, size_t len)
{
	while (len && !f->error) {
		ssize_t n = write(f->fd, bytes, len);

		if (n < 0) {
			if (errno != EINTR && !(is_full(errno) && drop_oldest(f->folder, &f->dropped)))
				f->error = errno;
			continue;
		}
		bytes += n;
		len -= (size_t)n;
		f->bytes += (uint64_t)n;
	}
}

/* The file's name must be on the disk too. */
static bool sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && !fsync(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

bool spool_end(struct spool_file *f)
{
	while (!f->error && fsync(f->fd))
		if (!is_full(errno) || !drop_oldest(f->folder, &f->dropped))
			f->error = errno;
	while (!f->error && spool_look(f->folder).bytes + f->bytes > f->most &&
	       drop_oldest(f->folder, &f->dropped))
		;
	if (f->fd >= 0)
		close(f->fd);
	if (!f->error && (rename(f->part, f->path) || !sync_folder(f->folder)))
		f->error = errno;
	if (f->error) {
		unlink(f->part);
		say("agent: a window is lost: cannot write %s: %s; free space, or let this user write to the spool",
		    f->path, strerror(f->error));
	}
	free(f->part);
	free(f->path);
	return !f->error;
}
