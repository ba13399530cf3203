/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For the files of the library only */
#ifndef ARMSPE_INTERNAL_H
#define ARMSPE_INTERNAL_H

#ifdef __KERNEL__
#include <linux/limits.h>
#include <linux/string.h>
#define UINT32_MAX U32_MAX
#else
#include <string.h>
#endif

#include "armspe.h"
#include "decoder.h"

#define ARRAY_LEN(array)	(sizeof(array) / sizeof((array)[0]))

/* D18.1.1: 0x20-0x3f is the first byte of an extended header. */
static inline bool header_is_extended(uint8_t header)
{
	return header >= SPE_HDR_EXT_FIRST && header <= SPE_HDR_EXT_LAST;
}

/*
 * Parses the record at @bytes, which do not start with padding.  Fills all of *rec
 * but its offset.
 *
 * ARMSPE_OK       the record is complete and has rec->bytes bytes
 * ARMSPE_CUT      @len, less than 2048, ends a record without damage.  *rec has the
 *                 packets before the end
 * ARMSPE_DAMAGED  by the rules in resync.c.  rec->bytes is the offset of a repeated
 *                 packet, or 0 if the damage has another reason
 */
enum armspe_status armspe_record_parse(const uint8_t *bytes, size_t len,
				       struct armspe_record *rec);

/*
 * Returns the length of the damage that starts at @bytes, 1 to @len.  The caller
 * knows that the record there is damaged.  @again is the rec->bytes of
 * armspe_record_parse().  See resync.c.
 */
size_t armspe_resync_find(const uint8_t *bytes, size_t len, size_t again);

/* Fast path, see shape.c.  Returns false if no known layout matches at dec->pos. */
bool armspe_shape_decode(struct armspe_decoder *dec,
			 struct armspe_record *rec);
/* Learns the layout of @rec, which the parser found at dec->pos. */
void armspe_shape_learn(struct armspe_decoder *dec,
			const struct armspe_record *rec);

/* Returns the number of zero bytes at the start of @bytes, at most @len. */
static inline size_t armspe_padding_run(const uint8_t *bytes, size_t len)
{
	size_t run = 0;
	uint64_t word;

	while (len - run >= sizeof(word)) {
		memcpy(&word, bytes + run, sizeof(word));
		if (word)
			break;
		run += sizeof(word);
	}
	while (run < len && !bytes[run])
		run++;
	return run;
}

#endif
