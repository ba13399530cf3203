// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder of Parquet files.  A file is there completely or not at all, and to write it again
 * replaces it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "util/util.h"

static bool sync_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && !fsync(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Create the folders of @path below the one with @begin bytes; false with errno. */
static bool make_folders(char *path, size_t begin)
{
	char *at = path + begin;
	bool good = true;

	while (good && (at = strchr(at + 1, '/'))) {
		*at = '\0';
		good = !mkdir(path, 0755) || errno == EEXIST;
		*at = '/';
	}
	return good;
}

static bool write_synced(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644), error = 0;

	while (fd >= 0 && !error && len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0) {
			error = errno == EINTR ? 0 : errno;
			continue;
		}
		bytes += n;
		len -= (size_t)n;
	}
	if (fd < 0 || (!error && fsync(fd)))
		error = errno;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	errno = error;
	return !error;
}

char *store_put(const struct agent_config *c, const char *key, const char *bytes, size_t len)
{
	char *path = xformat("%s/%s", c->parquet_to, key), *part = xformat("%s.part", path);
	char *folder = xformat("%.*s", (int)(path_short(path) - path), path), *why = NULL;

	if (!make_folders(path, strlen(c->parquet_to)) || !write_synced(part, bytes, len) || rename(part, path) ||
	    !sync_path(folder)) {
		why = xformat("cannot write %s: %s", path, strerror(errno));
		unlink(part);
	}
	free(folder);
	free(part);
	free(path);
	return why;
}

char *store_remove(const struct agent_config *c, const char *key)
{
	char *path = xformat("%s/%s", c->parquet_to, key), *why = NULL;

	if (unlink(path) && errno != ENOENT)
		why = xformat("cannot delete %s: %s", path, strerror(errno));
	free(path);
	return why;
}
