/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From pieces of AUX data to records.  perf cuts the stream of bytes of an AUX
 * area into pieces; the decoder joins them again.
 */
#ifndef PERF_SPE_AUX_DECODER_H
#define PERF_SPE_AUX_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "input/piece.h"

struct sample_totals {
	struct armspe_totals decoded;
	uint64_t bytes;
	uint64_t incomplete;		/* bytes of records cut at a stream's begin or end */
	uint64_t incomplete_records;
	uint64_t cut_packets;		/* of these, cut inside a packet */
};

/*
 * A record or damage found in a piece.  Bytes outside of all spans are padding.
 * The last span of each piece is empty and has status ARMSPE_END.
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
	bool rest;			/* CUT: ends a record, begins the piece */
};

typedef void (*sample_fn)(void *context, const struct sample_span *span);

/* Decodes pieces of any number of streams.  Those of a file may be larger than memory. */
struct aux_decoder;

struct aux_decoder *aux_decoder_new(sample_fn fn, void *context,
			    struct sample_totals *totals);
/* Call @fn for each span of @p, the next piece of stream @nr. */
void aux_decoder_piece(struct aux_decoder *d, size_t nr, const struct piece *p);
/* Whether stream @nr ends inside a record, or in damage, and continues at @offset */
bool aux_decoder_cut_at(const struct aux_decoder *d, size_t nr, uint64_t offset);
/* Count the records that are still cut, and free the decoder. */
void aux_decoder_end(struct aux_decoder *d);

#endif
