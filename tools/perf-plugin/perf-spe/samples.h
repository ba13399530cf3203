/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of an input, whatever its form: pieces of AUX data are put
 * together to the streams that they are cut from.
 */
#ifndef PERF_SPE_SAMPLES_H
#define PERF_SPE_SAMPLES_H

#include "armspe.h"
#include "session.h"

/* Where to read from, as the command line says. */
struct source {
	const char *path;
	bool raw;		/* bare SPE bytes instead of perf.data */
	struct input in;	/* raw */
	struct piece whole;	/* raw: all of it as one piece */
	struct session session;	/* perf.data */
};

/* 0, or -1 after a message */
int source_open(struct source *src);
void source_close(struct source *src);
/* NULL for bare SPE bytes */
struct session *source_session(struct source *src);
const struct piece *source_pieces(const struct source *src, size_t *count);

struct sample_totals {
	struct armspe_totals decoded;
	uint64_t bytes;
	uint64_t incomplete;		/* bytes of records cut at a stream's end */
	uint64_t incomplete_records;
	uint64_t cut_packets;		/* of these, cut inside a packet */
};

typedef void (*sample_fn)(void *context, const struct piece *piece,
			  const struct armspe_record *rec);

/* Call @fn for each record of @src: stream by stream, each in order. */
void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals);

/*
 * Say what was wrong with the data.  EXIT_OK where only whole records, or
 * whole packets of a last one, were there.
 */
int samples_verdict(const struct source *src,
		    const struct sample_totals *totals);

void samples_totals_add(struct armspe_totals *sum,
			const struct armspe_totals *add);

/* True where @bytes end between two packets. */
bool samples_whole_packets(const uint8_t *bytes, size_t len);

#endif
