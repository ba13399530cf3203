/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of an input, whatever its form: pieces of AUX data are put
 * together to the streams that they are cut from.
 */
#ifndef PERF_SPE_SAMPLES_H
#define PERF_SPE_SAMPLES_H

#include "armspe.h"
#include "input/session.h"

/* Where to read from, as the command line says. */
struct source {
	const char *path;	/* NULL: perf.data, as with perf */
	bool raw;		/* bare SPE bytes instead of perf.data */
	struct input in;	/* raw */
	struct piece whole;	/* raw: all of it as one piece */
	struct session session;	/* perf.data */
};

/* What -i (or --raw, with @raw) names; false after a message. */
bool source_option(struct source *src, const char *path, bool raw);
/* 0, or -1 after a message */
int source_open(struct source *src);
void source_close(struct source *src);
/* NULL for bare SPE bytes */
struct session *source_session(struct source *src);
const struct piece *source_pieces(const struct source *src, size_t *count);
const struct input *source_input(const struct source *src);
/*
 * For each piece the number of its stream, from 0 on: pieces with the same
 * index, CPU and thread follow each other.  To be freed.
 */
size_t *source_streams(const struct source *src);

struct sample_totals {
	struct armspe_totals decoded;
	uint64_t bytes;
	uint64_t incomplete;		/* bytes of records cut at a stream's end */
	uint64_t incomplete_records;
	uint64_t cut_packets;		/* of these, cut inside a packet */
};

/*
 * One thing found in the data.  What lies in a piece between two spans, and
 * before its first and behind its last, is padding.  The last span of each
 * piece is an empty one with ARMSPE_END.
 *
 *        piece 1     |      piece 2
 *   .. | PC | LAT | E|V | OP | END | padding | PC ..
 *      <- CUT, its -><----- OK ----->
 *         from to    |from         to
 *      <- carried ---|
 */
struct sample_span {
	const struct piece *piece;
	enum armspe_status status;	/* CUT: begins a record, ends the piece */
	size_t from, to;		/* offsets in the piece */
	const uint8_t *carried;		/* its bytes in the pieces before */
	size_t carried_len;
	const struct armspe_record *rec;	/* with ARMSPE_OK, else NULL */
};

typedef void (*sample_fn)(void *context, const struct sample_span *span);

/*
 * The streams that pieces belong to, and the one decoder of them all.  @in is
 * what the pieces lie in, which may be larger than memory, or NULL.
 */
struct streams;

struct streams *streams_new(sample_fn fn, void *context,
			    struct sample_totals *totals,
			    const struct input *in);
/* Call @fn for each span of @p, the next piece of stream @nr. */
void streams_piece(struct streams *w, size_t nr, const struct piece *p);
/* Whether stream @nr waits for the rest of a record, to come at @offset */
bool streams_cut_at(const struct streams *w, size_t nr, uint64_t offset);
/* What is cut stays so: it is counted, and all is freed. */
void streams_end(struct streams *w);

/* Call @fn for each span of @src: piece by piece in the order of the file. */
void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals);

/*
 * Say what was wrong with the data.  EXIT_OK where only whole records, or
 * whole packets of a last one, were there.
 */
int samples_verdict(const struct source *src,
		    const struct sample_totals *totals);

#endif
