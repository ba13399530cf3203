// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

void put(struct bytes *b, const void *from, size_t len)
{
	while (b->len + len > b->room) {
		b->room = b->room ? 2 * b->room : 1 << 12;
		b->at = realloc(b->at, b->room);
		if (!b->at)
			abort();
	}
	if (len)
		memcpy(b->at + b->len, from, len);
	b->len += len;
}

void put8(struct bytes *b, unsigned int value)
{
	uint8_t byte = (uint8_t)value;

	put(b, &byte, 1);
}

void put16(struct bytes *b, unsigned int value)
{
	uint16_t half = (uint16_t)value;

	put(b, &half, 2);
}

void put32(struct bytes *b, uint32_t value)
{
	put(b, &value, 4);
}

void put64(struct bytes *b, uint64_t value)
{
	put(b, &value, 8);
}

void fill(struct bytes *b, int byte, size_t len)
{
	while (len--)
		put8(b, (unsigned int)byte);
}

void put_padded(struct bytes *b, const char *text)
{
	size_t len = strlen(text) + 1;

	put(b, text, len);
	while (len++ % 8)
		put8(b, 0);
}
