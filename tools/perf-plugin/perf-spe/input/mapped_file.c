// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input files are mapped, so that they may be larger than memory.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"

/* More files than these would take descriptors that the program needs for others. */
#define OPEN_MOST	256u

/* The mappings that a SIGBUS may belong to */
static struct mapped_file *watched;
static size_t nr_watched, room_watched;

/* The mapping that @at is in, or NULL */
static const struct mapped_file *mapping_of(uintptr_t at)
{
	size_t i;

	for (i = 0; i < nr_watched; i++)
		if (at - (uintptr_t)watched[i].bytes < watched[i].size)
			return &watched[i];
	return NULL;
}

/* The mapping with all of these bytes, or NULL: compressed events and rings are in no file. */
static const struct mapped_file *mapping_with(const uint8_t *from, size_t len)
{
	const struct mapped_file *in = mapping_of((uintptr_t)from);

	return in && len <= in->size - (size_t)(from - in->bytes) ? in : NULL;
}

static size_t put_text(char *to, size_t at, const char *text)
{
	size_t len;

	for (; *text && at < 500; text += len) {
		if (utf8_shown(text, &len)) {
			memcpy(to + at, text, len);
			at += len;
		} else {
			to[at++] = '?';
		}
	}
	return at;
}

/*
 * Another program has truncated the mapped file, and perf-spe read behind the new
 * end.  Only async-signal-safe functions may be called here.
 */
static void on_sigbus(int signal, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	const struct mapped_file *in = mapping_of(at);
	char text[600];
	size_t len = 0;
	int shift = 60;

	(void)context;
	if (!in) {
		struct sigaction plain = { .sa_handler = SIG_DFL };

		sigaction(signal, &plain, NULL);
		return;
	}
	len = put_text(text, len, "perf-spe: ");
	at -= (uintptr_t)in->bytes;
	len = put_text(text, len, in->path);
	len = put_text(text, len, ": the file became shorter or unreadable; copy it and read the copy: offset 0x");
	while (shift && !(at >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		text[len++] = "0123456789abcdef"[at >> shift & 15];
	text[len++] = '\n';
	output_remove_parts();
	if (write(STDERR_FILENO, text, len) < 0)
		_exit(EXIT_INPUT);
	_exit(EXIT_INPUT);
}

static void watch(const struct mapped_file *in)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	watched = array_grow(watched, nr_watched, &room_watched, sizeof(*watched));
	watched[nr_watched++] = *in;
	action.sa_sigaction = on_sigbus;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

int mapped_file_open(struct mapped_file *in, const char *path)
{
	const char *why = NULL;
	struct stat st;
	void *map;
	int fd;

	memset(in, 0, sizeof(*in));
	in->path = path;
	errno = 0;
	fd = open_input(path, &why);
	if (fd >= 0 && fstat(fd, &st) < 0)
		why = strerror(errno);
	else if (fd >= 0 && !st.st_size)
		why = "it is empty";
	if (why) {
		say("cannot read %s: %s; %s", path, why, fd < 0 && errno == EACCES ?
		    "become its owner or root, or have the owner give it to you" :
		    "name a file that is a recording");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED || nr_watched >= OPEN_MOST) {
		close(fd);
		fd = -1;
	}
	if (map == MAP_FAILED) {
		say("cannot map %s into memory: %s; copy it to a local disk", path,
		    strerror(errno));
		return -1;
	}
	in->bytes = map;
	in->size = (size_t)st.st_size;
	in->fd = fd;
	watch(in);
	return 0;
}

void mapped_file_forget(const uint8_t *from, size_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = ((uintptr_t)from + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)from + len) / page * page;

	if (end > start && mapping_with(from, len))
		madvise((void *)start, end - start, MADV_DONTNEED);
}

const uint8_t *mapped_file_read(const uint8_t *from, size_t len, uint8_t *room)
{
	const struct mapped_file *in = mapping_with(from, len);

	if (!in || in->fd < 0)
		return from;
	/* If the file became shorter, the caller reads @from, and on_sigbus() tells the user. */
	return pread(in->fd, room, len, from - in->bytes) == (ssize_t)len ? room : from;
}

void mapped_file_close(struct mapped_file *in)
{
	size_t i;

	if (!in->bytes)
		return;
	for (i = 0; i < nr_watched; i++)
		if (watched[i].bytes == in->bytes)
			watched[i] = watched[--nr_watched];
	if (!nr_watched) {
		free(watched);
		watched = NULL;
		room_watched = 0;
	}
	munmap((void *)(uintptr_t)in->bytes, in->size);
	if (in->fd >= 0)
		close(in->fd);
	in->bytes = NULL;
}
