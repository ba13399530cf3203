// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/util.h"

int open_regular(const char *path, const char **why)
{
	struct stat st;
	int fd;

	*why = NULL;
	if (stat(path, &st) < 0)
		*why = strerror(errno);
	else if (S_ISDIR(st.st_mode))
		*why = "it is a directory";
	else if (!S_ISREG(st.st_mode))
		*why = "it is not a regular file";
	if (*why)
		return -1;
	/* Another file may have replaced it since stat(): do not block on a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		*why = strerror(errno);
	else
		output_protect(fd);
	return fd;
}

char *path_below(const char *folder, const char *name)
{
	char *path = xcalloc(strlen(folder) + strlen(name) + 2, 1);
	char *begin = stpcpy(path, folder), *to = begin;
	size_t len;

	for (;; name += len) {
		name += strspn(name, "/");
		len = strcspn(name, "/");
		if (!len)
			return path;
		if (len == 2 && !memcmp(name, "..", 2)) {
			/* Forget the last part, if there is one. */
			while (to > begin && *--to != '/')
				;
		} else if (len != 1 || *name != '.') {
			*to++ = '/';
			memcpy(to, name, len);
			to += len;
		}
		*to = '\0';
	}
}

char *program_find(const char *root, const char *path, const char *name)
{
	int mode = *root ? F_OK : X_OK;
	size_t len;

	if (strchr(name, '/') || !path)
		return access(name, X_OK) ? NULL : xformat("%s", name);
	for (;; path += len + 1) {
		char *here, *full;
		bool found;

		/* An empty part is the current folder. */
		len = strcspn(path, ":");
		here = xformat("%.*s%s%s", (int)len, path, len ? "/" : "", name);
		full = xformat("%s%s", root, here);
		found = !access(full, mode);
		free(full);
		if (found)
			return here;
		free(here);
		if (!path[len])
			return NULL;
	}
}

char *temporary_path(void)
{
	const char *folder = getenv("TMPDIR");

	return xformat("%s/perf-spe-XXXXXX", folder && *folder ? folder : "/tmp");
}

int open_unlinked(const char *path, const char **why)
{
	const char *name = strrchr(path, '/') + 1;
	char *folder = xformat("%.*s", (int)(name - path), path);
	bool of_root = strchr(path + 1, '/') == name - 1;
	int at, fd = -1;
	struct stat st;

	*why = NULL;
	/* With the slash at its end a folder's link would be followed. */
	folder[strlen(folder) - 1] = '\0';
	at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC | (of_root ? 0 : O_NOFOLLOW));
	if (at >= 0)
		fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		*why = errno == ELOOP || errno == ENOTDIR ?
			"it is a symbolic link, or in one" : strerror(errno);
	else if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		*why = "it is not a regular file";
	if (at >= 0)
		close(at);
	if (*why && fd >= 0)
		close(fd);
	free(folder);
	if (*why)
		return -1;
	output_protect(fd);
	return fd;
}
