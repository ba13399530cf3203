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

bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

const char *unpacker(const void *bytes, size_t len)
{
	static const struct {
		const char *magic, *program;
	} known[] = {
		{ "\x1f\x8b", "zcat" }, { "\xfd" "7zXZ", "xzcat" }, { "\x28\xb5\x2f\xfd", "zstdcat" },
		{ "BZh", "bzcat" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (len >= strlen(known[i].magic) && !memcmp(bytes, known[i].magic, strlen(known[i].magic)))
			return known[i].program;
	return NULL;
}

/* Copy standard input to an unlinked file.  Returns its descriptor, or -1. */
static int copy_stdin(const char **why)
{
	static char bytes[1 << 16];
	char *name = temporary_path();
	int fd = mkostemp(name, O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 1;

	if (fd >= 0)
		unlink(name);
	free(name);
	while (got > 0) {
		ssize_t done = 0, part;

		got = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			got = 1;
		else
			for (; got > 0 && done < got; done += part) {
				part = write(fd, bytes + done,
					     (size_t)(got - done));
				if (part < 0)
					got = part = -1;
			}
	}
	if (got < 0) {
		*why = strerror(errno);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

int open_input(const char *path, const char **why)
{
	static int copied = -1;
	static const char *failed;	/* what was read of it is lost */
	int fd;

	if (strcmp(path, "-") != 0)
		return open_regular(path, why);
	output_protect(STDIN_FILENO);
	if (copied < 0 && !failed)
		copied = copy_stdin(&failed);
	*why = failed;
	if (copied < 0)
		return -1;
	fd = fcntl(copied, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		*why = strerror(errno);
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
