/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From pieces of AUX data to records: pieces are put together to the streams
 * that perf cut them from.
 */
#ifndef PERF_SPE_AUX_DECODER_H
#define PERF_SPE_AUX_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "input/mapped_file.h"
#include "input/piece.h"

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
 * Decodes pieces of any number of streams.  @in is the file that the pieces lie
 * in, which may be larger than memory, or NULL.
 */
struct aux_decoder;

struct aux_decoder *aux_decoder_new(sample_fn fn, void *context,
			    struct sample_totals *totals,
			    const struct mapped_file *in);
/* Call @fn for each span of @p, the next piece of stream @nr. */
void aux_decoder_piece(struct aux_decoder *d, size_t nr, const struct piece *p);
/* Whether stream @nr waits for the rest of a record, to come at @offset */
bool aux_decoder_cut_at(const struct aux_decoder *d, size_t nr, uint64_t offset);
/* What is cut stays so: it is counted, and all is freed. */
void aux_decoder_end(struct aux_decoder *d);

#endif
