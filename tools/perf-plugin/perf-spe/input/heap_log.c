// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"

bool heap_log_named(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, ".heap");
}

/* As many of @len bytes as the file has there */
static size_t read_at(int fd, void *to, size_t len, uint64_t offset)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(fd, (char *)to + got, len - got, (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return got;
}

static const char *check_header(const struct heap_header *h, size_t len)
{
	if (len < sizeof(*h) || memcmp(h->magic, HEAP_MAGIC, sizeof(h->magic)))
		return "it is no log of a heap, or of another version; use the folder that 'perf spe record --heap' wrote";
	if (h->header_bytes != HEAP_CHUNK || h->chunk_bytes != HEAP_CHUNK ||
	    (h->clock != HEAP_COUNTER && h->clock != HEAP_MONOTONIC_RAW) || h->pid <= 0)
		return "its header is damaged; copy the file again, or record again";
	return NULL;
}

int heap_log_open(struct heap_log *l, const char *path)
{
	const char *why = NULL;
	struct stat st;
	size_t len = 0;

	memset(l, 0, sizeof(*l));
	l->path = path;
	/* A FIFO with the name of a log must not make perf-spe wait. */
	l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (l->fd < 0 || fstat(l->fd, &st))
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		why = "it is no file";
	else
		len = read_at(l->fd, &l->header, sizeof(l->header), 0);
	if (l->fd >= 0)
		output_protect(l->fd);
	if (!why)
		why = check_header(&l->header, len);
	if (why) {
		say("cannot read %s: %s", path, why);
		heap_log_close(l);
		return -1;
	}
	if ((uint64_t)st.st_size > HEAP_CHUNK)
		l->chunks = (uint64_t)st.st_size / HEAP_CHUNK - 1;
	if (l->header.chunks > l->chunks && !l->header.stopped)
		l->missing = l->header.chunks - l->chunks;
	return 0;
}

void heap_log_close(struct heap_log *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

/* Chunk @n into @words; what the file does not have is 0. */
static void read_chunk(const struct heap_log *l, uint64_t n, uint64_t *words)
{
	size_t got = read_at(l->fd, words, HEAP_CHUNK, (n + 1) * HEAP_CHUNK);

	memset((char *)words + got, 0, HEAP_CHUNK - got);
}

void heap_log_each(struct heap_log *l, heap_record_fn fn, void *context)
{
	uint64_t *words = xcalloc(1, HEAP_CHUNK), n;
	int more;

	l->damaged = 0;
	for (n = 0; n < l->chunks; n++) {
		struct heap_chunk c;

		read_chunk(l, n, words);
		heap_chunk_begin(&c, words);
		while ((more = heap_chunk_next(&c)) > 0)
			fn(context, &c.rec);
		l->damaged += more < 0;
	}
	free(words);
}

/* A chunk that waits for its turn, and one whose records are given out */
struct waiting {
	uint64_t time, n;
};

struct open_chunk {
	struct heap_chunk chunk;
	uint64_t n;
	uint64_t words[HEAP_CHUNK_WORDS];
};

/* The open chunks, a binary heap by the time of their next record */
struct merge {
	struct open_chunk **open;
	size_t nr, room;
};

static int waiting_order(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* Two records of one thread never have the same time in different chunks. */
static bool before(const struct open_chunk *a, const struct open_chunk *b)
{
	if (a->chunk.rec.time != b->chunk.rec.time)
		return a->chunk.rec.time < b->chunk.rec.time;
	return a->n < b->n;
}

static void swap_open(struct merge *m, size_t a, size_t b)
{
	struct open_chunk *one = m->open[a];

	m->open[a] = m->open[b];
	m->open[b] = one;
}

static void sift_down(struct merge *m)
{
	size_t at = 0, least;

	for (;; at = least) {
		least = 2 * at + 1;
		if (least >= m->nr)
			return;
		if (least + 1 < m->nr && before(m->open[least + 1], m->open[least]))
			least++;
		if (!before(m->open[least], m->open[at]))
			return;
		swap_open(m, at, least);
	}
}

static void add_open(struct merge *m, struct open_chunk *o)
{
	size_t at = m->nr;

	m->open = array_grow(m->open, m->nr, &m->room, sizeof(*m->open));
	m->open[m->nr++] = o;
	for (; at && before(m->open[at], m->open[(at - 1) / 2]); at = (at - 1) / 2)
		swap_open(m, at, (at - 1) / 2);
}

/* Open the chunk if it has a record. */
static void open_chunk(struct heap_log *l, struct merge *m, uint64_t n)
{
	struct open_chunk *o = xcalloc(1, sizeof(*o));
	int more;

	o->n = n;
	read_chunk(l, n, o->words);
	heap_chunk_begin(&o->chunk, o->words);
	more = heap_chunk_next(&o->chunk);
	if (more > 0) {
		add_open(m, o);
		return;
	}
	l->damaged += more < 0;
	free(o);
}

/* Give out the earliest record, and close its chunk after the last. */
static void give_first(struct heap_log *l, struct merge *m, heap_record_fn fn, void *context)
{
	struct open_chunk *o = m->open[0];
	int more;

	fn(context, &o->chunk.rec);
	more = heap_chunk_next(&o->chunk);
	if (more <= 0) {
		l->damaged += more < 0;
		free(o);
		m->open[0] = m->open[--m->nr];
	}
	sift_down(m);
}

void heap_log_sorted(struct heap_log *l, heap_record_fn fn, void *context)
{
	struct waiting *waiting = xcalloc(l->chunks + 1, sizeof(*waiting));
	struct merge m = { 0 };
	uint64_t n, head[2];
	size_t next = 0;

	l->damaged = 0;
	for (n = 0; n < l->chunks; n++) {
		head[1] = 0;
		read_at(l->fd, head, sizeof(head), (n + 1) * HEAP_CHUNK);
		waiting[n].time = head[1];
		waiting[n].n = n;
	}
	qsort(waiting, l->chunks, sizeof(*waiting), waiting_order);
	while (next < l->chunks || m.nr) {
		if (next < l->chunks &&
		    (!m.nr || waiting[next].time <= m.open[0]->chunk.rec.time))
			open_chunk(l, &m, waiting[next++].n);
		else
			give_first(l, &m, fn, context);
	}
	free(m.open);
	free(waiting);
}
