/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the library's own files only. */
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
 * Parse the record at @bytes, which is not padding.  Fills all of *rec but its
 * offset.  With @strict an unknown or reserved packet is damage too.
 *
 * ARMSPE_OK       complete; rec->bytes long
 * ARMSPE_CUT      sound as far as @len goes, which is less than 2048
 * ARMSPE_DAMAGED  by the rules in resync.c; rec->bytes then is the offset of a
 *                 packet that came a second time, or 0 where that is not why
 */
enum armspe_status armspe_record_parse(const uint8_t *bytes, size_t len,
				       bool strict, struct armspe_record *rec);

/*
 * Length of the damaged stretch that starts at @bytes, where a record is known
 * to be bad: 1 to @len.  @again is the rec->bytes of armspe_record_parse().
 * See resync.c.
 */
size_t armspe_resync_find(const uint8_t *bytes, size_t len, size_t again);

/* Fast path, see shape.c.  False where no known layout matches at dec->pos. */
bool armspe_shape_decode(struct armspe_decoder *dec,
			 struct armspe_record *rec);
/* Remember the layout of @rec, which was parsed at dec->pos. */
void armspe_shape_learn(struct armspe_decoder *dec,
			const struct armspe_record *rec);

/* Number of zero bytes at the start of @bytes, at most @len. */
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
