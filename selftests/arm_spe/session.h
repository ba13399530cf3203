/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One profiling session as a tool would run it: an event, its data ring, its
 * AUX buffer, and what was read out of both.
 */
#ifndef ARM_SPE_TEST_SESSION_H
#define ARM_SPE_TEST_SESSION_H

#include "pmu.h"
#include "record.h"

/* What one PERF_RECORD_AUX announced. */
struct spe_chunk {
	uint64_t offset;	/* in the AUX stream, bytes */
	uint64_t size;		/* bytes */
	uint64_t flags;		/* PERF_AUX_FLAG_* */
	size_t at;		/* where its bytes are in spe_session.data */
};

struct spe_session {
	int fd;
	struct perf_event_mmap_page *page;
	size_t ring_size;
	uint8_t *aux;
	size_t aux_size;
	bool overwrite;

	/* Read so far. */
	uint8_t *data;
	size_t size, room;
	struct spe_chunk *chunk;
	size_t chunks, chunk_room;
	uint64_t flags;		/* of all chunks, ored */
	uint64_t next;		/* stream offset after the last chunk */
	unsigned int gaps;	/* bytes between chunks that no padding explains */
	size_t skipped;		/* bytes of padding between chunks */
	unsigned int lost;	/* events that the data ring had no room for */
	unsigned int starts;	/* PERF_RECORD_ITRACE_START */
	uint32_t start_tid;
};

struct spe_shape {
	unsigned int aux_pages;	/* 0: no AUX buffer */
	bool overwrite;		/* snapshot mode */
	bool cgroup;		/* pid is a file descriptor of a control group */
};

/*
 * Opens an event and maps its buffers.  Returns 0 or the negative error
 * number of whichever call refused; spe_session_close() is allowed after both
 * and on a zeroed session.
 */
int spe_session_open(struct spe_session *session, union spe_attr *attr,
		     int pid, int cpu, struct spe_shape shape);
void spe_session_close(struct spe_session *session);

/* 0 or a negative error number. */
int spe_session_enable(struct spe_session *session);
int spe_session_disable(struct spe_session *session);

/*
 * Reads every event in the data ring, copies the AUX bytes that they announce
 * (not in snapshot mode) and gives the space back.  Returns the number of
 * PERF_RECORD_AUX read, or -EINVAL for a malformed ring.
 */
int spe_session_drain(struct spe_session *session);

/*
 * Forgets the bytes and flags read so far, but not the place in the stream.
 */
void spe_session_forget(struct spe_session *session);

/*
 * Decodes what was read, each chunk on its own: a chunk must hold whole
 * records.  The caller frees with spe_records_free().
 */
void spe_session_records(const struct spe_session *session,
			 struct spe_records *records);

/*
 * In snapshot mode, with the event disabled: decodes what the buffer holds,
 * from the oldest byte to the newest.
 */
void spe_session_snapshot(const struct spe_session *session,
			  struct spe_records *records);

/* How many bytes have been produced in all, as the kernel publishes it. */
uint64_t spe_session_head(const struct spe_session *session);

#endif
