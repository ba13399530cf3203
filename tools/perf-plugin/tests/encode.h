/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values to packets: what the tests decode. */
#ifndef SPE_TESTS_ENCODE_H
#define SPE_TESTS_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A buffer to which the armspe_encode_* functions append packets.  They drop a
 * packet that does not fit and set overflow, so one test after a sequence of
 * calls is enough.
 */
struct armspe_encoder {
	uint8_t *bytes;
	size_t size;
	size_t len;
	bool overflow;
};

void armspe_encode_init(struct armspe_encoder *enc, uint8_t *bytes,
			size_t size);
/* @index is 0 to 31.  An index below 8 gets the short header. */
void armspe_encode_address(struct armspe_encoder *enc, unsigned int index,
			   uint64_t payload);
void armspe_encode_counter(struct armspe_encoder *enc, unsigned int index,
			   uint16_t count);
/* The same with an extended header for every index, as Table D18-2 allows. */
void armspe_encode_address_ext(struct armspe_encoder *enc, unsigned int index,
			       uint64_t payload);
void armspe_encode_counter_ext(struct armspe_encoder *enc, unsigned int index,
			       uint16_t count);
/* @index is 0 to 3. */
void armspe_encode_context(struct armspe_encoder *enc, unsigned int index,
			   uint32_t context);
/* @bytes is 1, 2, 4 or 8. */
void armspe_encode_events(struct armspe_encoder *enc, unsigned int bytes,
			  uint64_t events);
/* @bytes is 1 or 2. */
void armspe_encode_source(struct armspe_encoder *enc, unsigned int bytes,
			  uint16_t source);
/* @op_class is 0 to 3. */
void armspe_encode_op(struct armspe_encoder *enc, unsigned int op_class,
		      uint8_t payload);
void armspe_encode_timestamp(struct armspe_encoder *enc, uint64_t ts);
void armspe_encode_end(struct armspe_encoder *enc);
void armspe_encode_padding(struct armspe_encoder *enc, size_t bytes);
/* Appends padding until the length is a multiple of @align bytes. */
void armspe_encode_align(struct armspe_encoder *enc, size_t align);

#endif
