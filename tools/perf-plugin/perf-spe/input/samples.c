// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals)
{
	struct aux_decoder *decoder = aux_decoder_new(src->raw ? NULL : &src->session, fn, context, totals);
	const struct piece *pieces;
	size_t i, count, *stream_of;

	pieces = source_pieces(src, &count);
	stream_of = source_stream_numbers(src);
	for (i = 0; i < count; i++)
		aux_decoder_piece(decoder, stream_of[i], &pieces[i]);
	aux_decoder_end(decoder);
	free(stream_of);
}

int samples_verdict(const struct source *src,
		    const struct sample_totals *totals)
{
	const struct armspe_totals *d = &totals->decoded;
	char *dump = source_command(src, "dump");
	int rc = EXIT_OK;

	if (!d->records && (d->damaged || totals->incomplete)) {
		say("%s: no SPE record in %" PRIu64 " byte%s: it is no SPE data, or damaged; name another file; to see the bytes, run: %s",
		    src->path, totals->bytes, plural(totals->bytes), dump);
		free(dump);
		return EXIT_INPUT;
	}
	/* Text and programs decode too, but mostly to undefined packets. */
	if (2 * d->unknown > d->packets) {
		say("%s: %" PRIu64 " of %" PRIu64
		    " packets are unknown: it is probably no SPE data; name another file; to see the packets, run: %s",
		    src->path, d->unknown, d->packets, dump);
		rc = EXIT_INPUT;
	}
	if (d->damaged) {
		say("%s: skipped %" PRIu64 " damaged byte%s in %" PRIu64
		    " place%s; to see them, run: %s", src->path, d->damaged,
		    plural(d->damaged), d->damages, plural(d->damages), dump);
		rc = EXIT_INPUT;
	}
	if (totals->incomplete)
		say("%s: skipped %" PRIu64 " byte%s of %" PRIu64
		    " incomplete record%s, as the data begins or ends inside; to see where, run: %s",
		    src->path, totals->incomplete, plural(totals->incomplete),
		    totals->incomplete_records,
		    plural(totals->incomplete_records), dump);
	free(dump);
	if (totals->cut_packets || (!src->raw && src->session.pd.damaged))
		rc = EXIT_INPUT;
	return rc;
}
