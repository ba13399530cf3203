// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "util/util.h"

/* modules.dep and a kernel's log are the longest files that doctor reads. */
#define FILE_MAX_BYTES	((size_t)8 << 20)
#define FILE_FIRST	4096

/* Files in sysfs and procfs have the size 0 or 4096, so read until the end. */
static size_t read_up_to(int fd, char **bytes)
{
	size_t have = 0, room = FILE_FIRST;
	ssize_t got;

	*bytes = xrealloc(NULL, room + 1);
	while (have < FILE_MAX_BYTES) {
		got = read(fd, *bytes + have, room - have);
		if (got <= 0)
			break;
		have += (size_t)got;
		if (have == room) {
			room *= 2;
			*bytes = xrealloc(*bytes, room + 1);
		}
	}
	(*bytes)[have] = '\0';
	return have;
}

char *root_bytes(const char *root, const char *path, size_t *size)
{
	char *full = xformat("%s/%s", root, path), *bytes = NULL;
	/* Opening a FIFO would block. */
	int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		if (st.st_size > (off_t)FILE_MAX_BYTES)
			lseek(fd, st.st_size - (off_t)FILE_MAX_BYTES, SEEK_SET);
		*size = read_up_to(fd, &bytes);
	}
	if (fd >= 0)
		close(fd);
	free(full);
	return bytes;
}

char *root_text(const char *root, const char *path)
{
	size_t size, i;
	char *text = root_bytes(root, path, &size);

	if (!text)
		return NULL;
	for (i = 0; i < size; i++)
		if (!text[i])
			text[i] = ' ';
	while (size && text[size - 1] == '\n')
		text[--size] = '\0';
	return text;
}

bool root_has(const char *root, const char *path, const char *word)
{
	char *text = root_text(root, path);
	bool has = text && strstr(text, word);

	free(text);
	return has;
}

bool root_exists(const char *root, const char *path)
{
	char *full = xformat("%s/%s", root, path);
	bool exists = !access(full, F_OK);

	free(full);
	return exists;
}

bool root_can_list(const char *root, const char *folder)
{
	char *full = xformat("%s/%s", root, folder);
	DIR *dir = opendir(full);

	if (dir)
		closedir(dir);
	free(full);
	return dir;
}

char *root_link_name(const char *root, const char *path)
{
	char *full = xformat("%s/%s", root, path), to[PATH_MAX];
	ssize_t len = readlink(full, to, sizeof(to) - 1);
	const char *slash;

	free(full);
	if (len <= 0)
		return NULL;
	to[len] = '\0';
	slash = strrchr(to, '/');
	return xformat("%s", slash ? slash + 1 : to);
}

static bool name_fits(const char *name, const char *prefix, const char *suffix)
{
	size_t len = strlen(name), first = strlen(prefix), last = strlen(suffix);

	return *name != '.' && len >= first + last && !strncmp(name, prefix, first) &&
	       !strcmp(name + len - last, suffix);
}

struct names root_names(const char *root, const char *folder, const char *prefix,
			const char *suffix)
{
	char *full = xformat("%s/%s", root, folder);
	struct names names = { 0 };
	DIR *dir = opendir(full);
	struct dirent *entry;
	size_t room = 0;

	while (dir && (entry = readdir(dir))) {
		if (!name_fits(entry->d_name, prefix, suffix))
			continue;
		names.at = array_grow(names.at, names.count, &room, sizeof(*names.at));
		names.at[names.count++] = xformat("%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (names.count)
		qsort(names.at, names.count, sizeof(*names.at), text_array_order);
	free(full);
	return names;
}

void names_free(struct names *names)
{
	while (names->count)
		free(names->at[--names->count]);
	free(names->at);
	names->at = NULL;
}
