// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks an archive of perf spe archive to a folder that only this process uses: recording/ has
 * the recording and its heap logs, root/ has the files that --symfs finds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"

/* Files and folders of an archive */
#define FILES_MOST	100000u

struct unpacking {
	const char *folder;
	size_t files;
	struct string_set folders;	/* that were made */
};

/* Make the folders of the file @path below u->folder. */
static const char *make_folders(struct unpacking *u, const char *path)
{
	char *folder = xformat("%s", path), *at = folder + strlen(u->folder);
	size_t known;

	while ((at = strchr(at + 1, '/'))) {
		*at = '\0';
		known = u->folders.table.count;
		string_set_add(&u->folders, folder);
		if (u->folders.table.count > known) {
			const char *why = ++u->files > FILES_MOST ? "it has too many files" :
					  mkdir(folder, 0700) ? strerror(errno) : NULL;

			if (why) {
				free(folder);
				return why;
			}
			output_temporary(folder, true);
		}
		*at = '/';
	}
	free(folder);
	return NULL;
}

static const char *copy(FILE *from, uint64_t size, int64_t mtime, int fd)
{
	struct timespec times[2] = { { .tv_sec = mtime }, { .tv_sec = mtime } };
	char bytes[1 << 14];

	while (size) {
		size_t got = fread(bytes, 1, size < sizeof(bytes) ? (size_t)size : sizeof(bytes), from);
		size_t done = 0;

		if (!got)
			return "it is truncated";
		while (done < got) {
			ssize_t part = write(fd, bytes + done, got - done);

			if (part < 0)
				return strerror(errno);
			done += (size_t)part;
		}
		size -= got;
	}
	/* perf-spe compares the times of source files and programs. */
	return futimens(fd, times) ? strerror(errno) : NULL;
}

static const char *unpack(void *context, const char *name, FILE *from, uint64_t size, int64_t mtime)
{
	struct unpacking *u = context;
	const char *why;
	char *path;
	int fd;

	if (strncmp(name, "recording/", 10) && strncmp(name, "root/", 5))
		return "perf spe archive did not write it";
	if (++u->files > FILES_MOST)
		return "it has too many files";
	path = xformat("%s/%s", u->folder, name);
	why = make_folders(u, path);
	fd = why ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (!why && fd < 0)
		why = errno == EEXIST ? "a name comes twice" : strerror(errno);
	if (!why) {
		output_temporary(path, false);
		why = copy(from, size, mtime, fd);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return why;
}

char *archive_unpack(const char *path)
{
	char *folder = temporary_path(), *root, *data;
	struct unpacking u = { .folder = folder };
	const char *why;

	if (!mkdtemp(folder)) {
		say("cannot unpack %s: %s: %s; name a folder with free space in the variable TMPDIR",
		    path, folder, strerror(errno));
		free(folder);
		return NULL;
	}
	output_temporary(folder, true);
	/* Without root/, the files of this machine would be used instead. */
	root = xformat("%s/root/", folder);
	why = make_folders(&u, root);
	free(root);
	if (!why)
		why = tar_read(path, unpack, &u);
	string_set_free(&u.folders);
	data = xformat("%s/" ARCHIVE_DATA, folder);
	if (!why && access(data, F_OK))
		why = "it has no " ARCHIVE_DATA;
	free(data);
	if (!why)
		return folder;
	say("cannot unpack %s to %s: %s; copy the archive again, or name a folder with free space in the variable TMPDIR",
	    path, folder, why);
	free(folder);
	return NULL;
}
