// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"

bool source_option(struct source *src, const char *path, bool raw)
{
	if (src->path) {
		say("'%s' and '%s' are two inputs: keep one, with -i or --raw",
		    src->path, path);
		return false;
	}
	src->path = path;
	src->raw = raw;
	return true;
}

/* A compressed file probably is a recording, and gets the message that tells how to read it. */
static bool has_magic(const char *path)
{
	const char *why;
	char magic[8];
	bool found;
	int fd;

	errno = 0;
	fd = open_regular(path, &why);
	/* Taken for a recording, the file gets a message that says why it cannot be read. */
	if (fd < 0)
		return errno == EACCES;
	found = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		(begins_recording(magic) || unpacker(magic, sizeof(magic)));
	close(fd);
	return found;
}

bool source_is_recording(const char *path)
{
	char *data = xformat("%s/data", path);
	bool found = !strcmp(path, "-") || has_magic(path) || has_magic(data) || tar_is(path);

	free(data);
	return found;
}

void source_argument(struct source *src, int argc, char **argv)
{
	int i;

	for (i = optind; i < argc && !src->path; i++) {
		if (!source_is_recording(argv[i]))
			continue;
		src->path = argv[i];
		memmove(&argv[optind + 1], &argv[optind], (size_t)(i - optind) * sizeof(*argv));
		argv[optind++] = (char *)src->path;
	}
}

/* Such as "perf mem record" */
static const struct perf_name *of_perf(const char *verb, const char *argument)
{
	char *words = xformat("%s %s", verb, argument);
	const struct perf_name *perf = perf_name_find(PERF_VERB, words, strlen(words));

	free(words);
	return perf;
}

void source_say_left(const struct source *src, const char *verb, const char *argument)
{
	const struct perf_name *perf = of_perf(verb, argument);
	struct stat st;

	if (perf)
		say("%s: perf's '%s': %s", verb, perf->name, perf->hint);
	else if (src->path && source_is_recording(argument))
		say("%s: '%s' and '%s' are two inputs: keep one", verb, src->path, argument);
	else if (stat(argument, &st))
		say("%s: unexpected argument '%s': %s; name a recording, or try 'perf-spe help %s'",
		    verb, argument, errno == ENOENT ? "there is no such file" : strerror(errno), verb);
	else
		say("%s: unexpected argument '%s': it is not a perf.data file; name a recording, or try 'perf-spe help %s'",
		    verb, argument, verb);
}

char *source_command(const struct source *src, const char *verb)
{
	return command_with(xformat("perf spe %s", verb), src->raw ? "--raw" : "-i", src->path);
}

static void forget_files(struct source *src)
{
	free(src->unpacked);
	free(src->data);
	free(src->root);
	src->unpacked = src->data = src->root = NULL;
}

int source_open(struct source *src)
{
	int rc;

	if (!src->path)
		src->path = "perf.data";
	if (!src->raw) {
		if (tar_is(src->path)) {
			src->unpacked = archive_unpack(src->path);
			if (!src->unpacked)
				return -1;
			src->root = xformat("%s/root", src->unpacked);
		}
		src->data = src->unpacked ? xformat("%s/" ARCHIVE_DATA, src->unpacked) :
					    xformat("%s", src->path);
		rc = session_load(&src->session, src->data, src->path, src->calls);
		if (rc)
			forget_files(src);
		return rc;
	}
	if (mapped_file_open(&src->in, src->path) < 0)
		return -1;
	if (src->in.size >= 8 && !memcmp(src->in.bytes, "PERFILE2", 8)) {
		say("cannot read %s as SPE bytes: it is a perf.data file; use -i instead of --raw",
		    src->path);
		mapped_file_close(&src->in);
		return -1;
	}
	src->whole.bytes = src->in.bytes;
	src->whole.len = src->in.size;
	src->whole.cpu = src->whole.tid = NO_ID;
	return 0;
}

void source_close(struct source *src)
{
	if (src->raw)
		mapped_file_close(&src->in);
	else
		session_free(&src->session);
	forget_files(src);
}

struct session *source_session(struct source *src)
{
	return src->raw ? NULL : &src->session;
}

const struct piece *source_pieces(const struct source *src, size_t *count)
{
	*count = src->raw ? 1 : src->session.nr_pieces;
	return src->raw ? &src->whole : src->session.pieces;
}

const struct mapped_file *source_input(const struct source *src)
{
	return src->raw ? &src->in : &src->session.pd.in;
}

static bool same_stream(const struct piece *a, const struct piece *b)
{
	return a->idx == b->idx && a->cpu == b->cpu && a->tid == b->tid;
}

static int stream_order(const void *a, const void *b)
{
	const struct piece *x = *(const struct piece *const *)a;
	const struct piece *y = *(const struct piece *const *)b;

	if (x->idx != y->idx)
		return x->idx < y->idx ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

size_t *source_stream_numbers(const struct source *src)
{
	const struct piece **sorted, *pieces;
	size_t i, count, nr_streams = 0, *stream_of;

	pieces = source_pieces(src, &count);
	sorted = xcalloc(count, sizeof(*sorted));
	stream_of = xcalloc(count, sizeof(*stream_of));
	for (i = 0; i < count; i++)
		sorted[i] = &pieces[i];
	qsort(sorted, count, sizeof(*sorted), stream_order);
	for (i = 0; i < count; i++) {
		nr_streams += !i || !same_stream(sorted[i], sorted[i - 1]);
		stream_of[sorted[i] - pieces] = nr_streams - 1;
	}
	free(sorted);
	return stream_of;
}
