/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profiling session as a tool runs it: an event, its data ring, its AUX buffer, and the data
 * that was read from both.
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

	/* What was read so far. */
	uint8_t *data;
	size_t size, room;
	struct spe_chunk *chunk;
	size_t chunks, chunk_room;
	uint64_t flags;		/* of all chunks, combined by OR */
	uint64_t next;		/* offset in the stream after the last chunk */
	unsigned int gaps;	/* places where bytes between chunks are not padding */
	size_t skipped;		/* bytes of padding between chunks */
	unsigned int lost;	/* events that the kernel dropped because the data ring was full */
	unsigned int starts;	/* PERF_RECORD_ITRACE_START */
	uint32_t start_tid;
};

struct spe_shape {
	unsigned int aux_pages;	/* 0: no AUX buffer */
	bool overwrite;		/* snapshot mode */
	bool cgroup;		/* pid is a file descriptor of a control group */
};

/* A page of this kernel: 4, 16 or 64 KiB.  perf gives the unit the buffer page by page. */
size_t spe_page_size(void);

/* How many pages BYTES are; one at least. */
unsigned int spe_pages(size_t bytes);

/* How many records of 64 bytes a page holds. */
unsigned int spe_page_records(void);

/*
 * Opens an event and maps its buffers.  Returns 0 or the negative error number of the call that
 * failed.  spe_session_close() may be called in both cases, and on a zeroed session.
 */
int spe_session_open(struct spe_session *session, union spe_attr *attr,
		     int pid, int cpu, struct spe_shape shape);
void spe_session_close(struct spe_session *session);

/* Return 0 or a negative error number. */
int spe_session_enable(struct spe_session *session);
int spe_session_disable(struct spe_session *session);

/*
 * Reads all events in the data ring, copies the AUX bytes that they announce (not in snapshot
 * mode) and frees the space.  Returns the number of PERF_RECORD_AUX, or -EINVAL if the ring is
 * malformed.
 */
int spe_session_drain(struct spe_session *session);

/* Forgets the bytes and flags read so far, but keeps the position in the stream. */
void spe_session_forget(struct spe_session *session);

/*
 * Decodes what was read.  Each chunk must hold whole records only.  The caller frees RECORDS
 * with spe_records_free().
 */
void spe_session_records(const struct spe_session *session,
			 struct spe_records *records);

/*
 * In snapshot mode, with the event disabled: decodes the buffer from the oldest byte to the
 * newest.
 */
void spe_session_snapshot(const struct spe_session *session,
			  struct spe_records *records);

/* The AUX head: how many bytes the driver has published in all. */
uint64_t spe_session_head(const struct spe_session *session);

#endif
