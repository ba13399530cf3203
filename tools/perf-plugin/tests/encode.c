// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The encoder.  It follows the figures of D18.2, with their literal header values
 * and without the decoder's tables, so that the tests find a mistake in either.
 */
#include <string.h>

#include "encode.h"

void armspe_encode_init(struct armspe_encoder *enc, uint8_t *bytes,
			size_t size)
{
	enc->bytes = bytes;
	enc->size = size;
	enc->len = 0;
	enc->overflow = false;
}

static void put(struct armspe_encoder *enc, const uint8_t *header,
		unsigned int header_bytes, uint64_t payload,
		unsigned int payload_bytes)
{
	uint8_t *to = enc->bytes + enc->len;
	unsigned int i;

	if (enc->overflow ||
	    enc->size - enc->len < header_bytes + payload_bytes) {
		enc->overflow = true;
		return;
	}
	for (i = 0; i < header_bytes; i++)
		*to++ = header[i];
	for (i = 0; i < payload_bytes; i++)
		*to++ = (uint8_t)(payload >> 8 * i);
	enc->len += header_bytes + payload_bytes;
}

static void put_short(struct armspe_encoder *enc, unsigned int header,
		      uint64_t payload, unsigned int payload_bytes)
{
	uint8_t byte = (uint8_t)header;

	put(enc, &byte, 1, payload, payload_bytes);
}

/* log2 of a payload size, as SZ holds it */
static unsigned int sz(unsigned int bytes)
{
	return bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
}

/* Figures D18-2 and D18-9: INDEX[4:3] in byte 0, INDEX[2:0] in byte 1 */
static void put_extended(struct armspe_encoder *enc, unsigned int index,
			 unsigned int byte1, uint64_t payload,
			 unsigned int payload_bytes)
{
	uint8_t header[2] = { (uint8_t)(0x20 | (index >> 3 & 3)),
			      (uint8_t)(byte1 | (index & 7)) };

	put(enc, header, 2, payload, payload_bytes);
}

void armspe_encode_address_ext(struct armspe_encoder *enc, unsigned int index,
			       uint64_t payload)
{
	put_extended(enc, index, 0xb0, payload, 8);
}

void armspe_encode_counter_ext(struct armspe_encoder *enc, unsigned int index,
			       uint16_t count)
{
	put_extended(enc, index, 0x98, count, 2);
}

void armspe_encode_address(struct armspe_encoder *enc, unsigned int index,
			   uint64_t payload)
{
	if (index < 8)
		put_short(enc, 0xb0 | index, payload, 8);
	else
		armspe_encode_address_ext(enc, index, payload);
}

void armspe_encode_counter(struct armspe_encoder *enc, unsigned int index,
			   uint16_t count)
{
	if (index < 8)
		put_short(enc, 0x98 | index, count, 2);
	else
		armspe_encode_counter_ext(enc, index, count);
}

void armspe_encode_context(struct armspe_encoder *enc, unsigned int index,
			   uint32_t context)
{
	put_short(enc, 0x64 | (index & 3), context, 4);
}

void armspe_encode_events(struct armspe_encoder *enc, unsigned int bytes,
			  uint64_t events)
{
	put_short(enc, 0x42 | sz(bytes) << 4, events, 1u << sz(bytes));
}

void armspe_encode_source(struct armspe_encoder *enc, unsigned int bytes,
			  uint16_t source)
{
	put_short(enc, 0x43 | sz(bytes) << 4, source, 1u << sz(bytes));
}

void armspe_encode_op(struct armspe_encoder *enc, unsigned int op_class,
		      uint8_t payload)
{
	put_short(enc, 0x48 | (op_class & 3), payload, 1);
}

void armspe_encode_timestamp(struct armspe_encoder *enc, uint64_t ts)
{
	put_short(enc, 0x71, ts, 8);
}

void armspe_encode_end(struct armspe_encoder *enc)
{
	put_short(enc, 0x01, 0, 0);
}

void armspe_encode_padding(struct armspe_encoder *enc, size_t bytes)
{
	while (bytes-- && !enc->overflow)
		put_short(enc, 0x00, 0, 0);
}

void armspe_encode_align(struct armspe_encoder *enc, size_t align)
{
	while (enc->len % align && !enc->overflow)
		put_short(enc, 0x00, 0, 0);
}
