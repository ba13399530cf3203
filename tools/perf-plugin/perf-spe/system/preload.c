// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heap/heap_format.h"
#include "system/system.h"
#include "util/util.h"

#define LIBRARY "libarmspe-heap.so"

/* Where the library is: as built beside perf-spe, or as installed */
static char *find_library(void)
{
	static const char *const places[] = { "", "../lib/perf-spe/", "../lib64/perf-spe/" };
	char self[PATH_MAX], *path;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (len > 0) {
		self[len] = '\0';
		*(strrchr(self, '/') + 1) = '\0';
		for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			path = xformat("%s%s" LIBRARY, self, places[i]);
			if (!access(path, R_OK))
				return path;
			free(path);
		}
	}
	path = xformat("%s", SPE_LIBDIR "/perf-spe/" LIBRARY);
	if (!access(path, R_OK))
		return path;
	say("record: --heap needs the library " LIBRARY ", but it is neither beside perf-spe nor at %s; install perf-spe again",
	    path);
	free(path);
	return NULL;
}

/* Whether the library or this program gives a file this name: "PID-N.heap", or "recording" */
static bool is_own_name(const char *name)
{
	size_t pid = strspn(name, "0123456789"), n;

	if (!strcmp(name, HEAP_RECORDING))
		return true;
	if (!pid || name[pid] != '-')
		return false;
	n = strspn(name + pid + 1, "0123456789");
	return n && !strcmp(name + pid + 1 + n, ".heap");
}

/* Remove an old folder of logs, but nothing else that is in it, and nothing through a link. */
static bool remove_logs(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return errno == ENOENT;
	}
	while ((entry = readdir(d)))
		if (is_own_name(entry->d_name) &&
		    !fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
	return !rmdir(folder);
}

/* Write what holds for all logs, and lock it: perf, which this process becomes, keeps the lock. */
static bool begin_recording(const char *folder, uint64_t id, uint64_t limit)
{
	struct heap_recording r = { .id = id, .limit = limit };
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *path = xformat("%s/" HEAP_RECORDING, folder);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	bool good;

	memcpy(r.magic, HEAP_RECORDING_MAGIC, sizeof(r.magic));
	r.fd = fd;
	good = fd >= 0 && write(fd, &r, sizeof(r)) == sizeof(r);
	/* A file system without locks has no end of the recording. */
	if (good)
		fcntl(fd, F_SETLK, &lock);
	else
		say("record: cannot write %s for --heap: %s; choose another file with -o", path, strerror(errno));
	free(path);
	return good;
}

static bool make_folder(const char *folder)
{
	char *old = xformat("%s.old", folder);
	bool there = !access(folder, F_OK), good;

	if (there && (!remove_logs(old) || rename(folder, old))) {
		say("record: cannot keep the logs of the last recording as %s, because it is no folder, or has files that --heap did not write; move it away",
		    old);
		free(old);
		return false;
	}
	free(old);
	good = !mkdir(folder, 0700);
	if (!good)
		say("record: cannot make the folder %s for the heap's logs: %s; remove it, or choose another file with -o",
		    folder, strerror(errno));
	return good;
}

bool preload_prepare(struct preload *p, const char *data, uint64_t limit, bool print)
{
	const char *others = getenv("LD_PRELOAD");
	char *library = find_library(), *cwd, *folder;
	uint64_t id = 0;
	bool good;

	if (!library)
		return false;
	cwd = *data == '/' ? NULL : getcwd(NULL, 0);
	folder = xformat("%s%s%s.heap", cwd ? cwd : "", cwd ? "/" : "", data);
	if (getrandom(&id, sizeof(id), 0) != sizeof(id) || !id)
		id = (uint64_t)getpid();
	p->library = xformat("LD_PRELOAD=%s%s%s", library, others && *others ? ":" : "",
			     others ? others : "");
	p->folder = xformat(HEAP_FOLDER_VARIABLE "=%s", folder);
	p->id = xformat(HEAP_ID_VARIABLE "=%" PRIx64, id);
	good = print || (make_folder(folder) && begin_recording(folder, id, limit));
	free(library);
	free(cwd);
	free(folder);
	return good;
}

/* Open the program as execvp(3) would; -1: it is not found. */
static int open_program(const char *name)
{
	char *path = program_find("", getenv("PATH"), name);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	free(path);
	return fd;
}

/* Whether the program has no loader */
static bool is_static(int fd)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned int i;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + i * sizeof(segment));

		if (pread(fd, &segment, sizeof(segment), at) != sizeof(segment) ||
		    segment.p_type == PT_INTERP)
			return false;
	}
	return true;
}

/* Whether the program gets the rights of another user or group: the loader then ignores LD_PRELOAD. */
static bool changes_user(const struct stat *st)
{
	return (st->st_mode & S_ISUID && st->st_uid != getuid()) ||
	       (st->st_mode & S_ISGID && st->st_gid != getgid());
}

void preload_check(const char *name)
{
	int fd = open_program(name);
	struct stat st;

	if (fd < 0)
		return;
	if (is_static(fd))
		say("record: --heap cannot follow %s, because it is linked statically: link it with the C library as a shared object",
		    name);
	else if (!fstat(fd, &st) && changes_user(&st))
		say("record: --heap cannot follow %s, because it changes its user or group when it starts: copy it without that bit",
		    name);
	close(fd);
}

void preload_free(struct preload *p)
{
	free(p->library);
	free(p->folder);
	free(p->id);
}
