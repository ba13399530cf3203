// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Holds about 400 AUX records before the test reads. */
#define RING_BYTES	(32 * 1024)
#define RECORD_BYTES	64

static void die_without_memory(void)
{
	static const char text[] = "# out of memory\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(2);
}

static void *grow(void *array, size_t *room, size_t need, size_t each)
{
	size_t next = *room ? *room : 256;

	if (need <= *room)
		return array;
	while (next < need)
		next *= 2;
	array = realloc(array, next * each);
	if (!array)
		die_without_memory();
	*room = next;
	return array;
}

size_t spe_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

unsigned int spe_pages(size_t bytes)
{
	return (unsigned int)((bytes + spe_page_size() - 1) / spe_page_size());
}

unsigned int spe_page_records(void)
{
	return (unsigned int)(spe_page_size() / RECORD_BYTES);
}

static int map_buffers(struct spe_session *session, struct spe_shape shape)
{
	size_t page_size = spe_page_size();
	size_t ring = (spe_pages(RING_BYTES) + 1) * page_size;
	void *at;

	at = mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED,
		  session->fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	session->page = at;
	session->ring_size = ring;
	if (!shape.aux_pages)
		return 0;

	/* The kernel accepts any AUX offset beyond the ring. */
	session->page->aux_offset = ring;
	session->page->aux_size = shape.aux_pages * page_size;
	session->overwrite = shape.overwrite;
	/* A read-only mapping selects snapshot mode. */
	at = mmap(NULL, session->page->aux_size,
		  shape.overwrite ? PROT_READ : PROT_READ | PROT_WRITE,
		  MAP_SHARED, session->fd, (off_t)ring);
	if (at == MAP_FAILED)
		return -errno;
	session->aux = at;
	session->aux_size = session->page->aux_size;
	return 0;
}

int spe_session_open(struct spe_session *session, union spe_attr *attr,
		     int pid, int cpu, struct spe_shape shape)
{
	int ret;

	memset(session, 0, sizeof(*session));
	session->fd = spe_attr_open_flags(attr, pid, cpu,
					  shape.cgroup ? PERF_FLAG_PID_CGROUP : 0);
	if (session->fd < 0) {
		ret = session->fd;
		session->fd = 0;
		return ret;
	}
	ret = map_buffers(session, shape);
	if (ret)
		spe_session_close(session);
	return ret;
}

void spe_session_close(struct spe_session *session)
{
	if (session->aux)
		munmap(session->aux, session->aux_size);
	if (session->page)
		munmap(session->page, session->ring_size);
	if (session->fd > 0)
		close(session->fd);
	free(session->data);
	free(session->chunk);
	memset(session, 0, sizeof(*session));
}

int spe_session_enable(struct spe_session *session)
{
	return ioctl(session->fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

int spe_session_disable(struct spe_session *session)
{
	return ioctl(session->fd, PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

uint64_t spe_session_head(const struct spe_session *session)
{
	return __atomic_load_n(&session->page->aux_head, __ATOMIC_ACQUIRE);
}

static void copy_aux(struct spe_session *session, uint64_t offset,
		     uint64_t size)
{
	session->data = grow(session->data, &session->room,
			     session->size + size, 1);
	while (size) {
		size_t at = offset % session->aux_size;
		size_t part = session->aux_size - at;

		if (part > size)
			part = size;
		memcpy(session->data + session->size, session->aux + at, part);
		session->size += part;
		offset += part;
		size -= part;
	}
}

/*
 * A driver may skip bytes that it cannot use, for example at the end of the buffer, without an
 * event that announces them.  Such bytes must be padding.
 */
static void take_hole(struct spe_session *session, uint64_t offset)
{
	uint64_t at = session->next;

	if (offset < at || offset - at > session->aux_size) {
		session->gaps++;
		return;
	}
	for (; at < offset; at++) {
		if (session->aux[at % session->aux_size]) {
			session->gaps++;
			return;
		}
		session->skipped++;
	}
}

/* The body of PERF_RECORD_AUX, as include/uapi/linux/perf_event.h lists it. */
struct aux_event {
	uint64_t offset, size, flags;
};

static int take_aux(struct spe_session *session, const struct aux_event *aux)
{
	struct spe_chunk *chunk;

	session->chunk = grow(session->chunk, &session->chunk_room,
			      session->chunks + 1, sizeof(*chunk));
	chunk = &session->chunk[session->chunks++];
	*chunk = (struct spe_chunk){ aux->offset, aux->size, aux->flags,
				     session->size };
	session->flags |= aux->flags;
	if (session->overwrite)
		return 0;
	if (aux->size > session->aux_size)
		return -EINVAL;
	take_hole(session, aux->offset);
	session->next = aux->offset + aux->size;
	copy_aux(session, aux->offset, aux->size);
	__atomic_store_n(&session->page->aux_tail, session->next,
			 __ATOMIC_RELEASE);
	return 0;
}

static int take_event(struct spe_session *session,
		      const struct perf_event_header *header, const void *body)
{
	struct { uint32_t pid, tid; } start;
	struct { uint64_t id, lost; } lost;
	struct aux_event aux;

	switch (header->type) {
	case PERF_RECORD_AUX:
		memcpy(&aux, body, sizeof(aux));
		return take_aux(session, &aux) ? -EINVAL : 1;
	case PERF_RECORD_ITRACE_START:
		memcpy(&start, body, sizeof(start));
		session->starts++;
		session->start_tid = start.tid;
		return 0;
	case PERF_RECORD_LOST:
		memcpy(&lost, body, sizeof(lost));
		session->lost += (unsigned int)lost.lost;
		return 0;
	default:
		return 0;
	}
}

int spe_session_drain(struct spe_session *session)
{
	const uint8_t *ring = (uint8_t *)session->page +
			      session->page->data_offset;
	uint64_t size = session->page->data_size;
	uint64_t tail = session->page->data_tail;
	uint64_t head = __atomic_load_n(&session->page->data_head,
					__ATOMIC_ACQUIRE);
	uint8_t event[4096];
	int chunks = 0;

	while (tail != head) {
		struct perf_event_header header;
		int ret;

		/* The size of an event is a multiple of 8, so a header never wraps. */
		memcpy(&header, ring + tail % size, sizeof(header));
		if (header.size < sizeof(header) || header.size > sizeof(event))
			return -EINVAL;
		for (size_t i = 0; i < header.size; i++)
			event[i] = ring[(tail + i) % size];
		ret = take_event(session, &header, event + sizeof(header));
		if (ret < 0)
			return ret;
		chunks += ret;
		tail += header.size;
	}
	__atomic_store_n(&session->page->data_tail, tail, __ATOMIC_RELEASE);
	return chunks;
}

void spe_session_forget(struct spe_session *session)
{
	session->size = 0;
	session->chunks = 0;
	session->flags = 0;
	session->gaps = 0;
	session->skipped = 0;
	session->lost = 0;
	session->starts = 0;
}

void spe_session_records(const struct spe_session *session,
			 struct spe_records *records)
{
	memset(records, 0, sizeof(*records));
	for (size_t i = 0; i < session->chunks; i++)
		spe_records_add(records, session->data + session->chunk[i].at,
				session->chunk[i].size);
}

void spe_session_snapshot(const struct spe_session *session,
			  struct spe_records *records)
{
	size_t at = spe_session_head(session) % session->aux_size;

	/*
	 * The newest byte is just below the head.  Above the head is the oldest data or, if the
	 * buffer has not wrapped yet, zeros, which are padding.
	 */
	memset(records, 0, sizeof(*records));
	spe_records_add(records, session->aux + at, session->aux_size - at);
	spe_records_add(records, session->aux, at);
}
