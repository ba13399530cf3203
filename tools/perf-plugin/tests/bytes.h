/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes that grow at their end: files that tests write. */
#ifndef SPE_TESTS_BYTES_H
#define SPE_TESTS_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *at;
	size_t len, room;
};

void put(struct bytes *b, const void *from, size_t len);
void put8(struct bytes *b, unsigned int value);
void put16(struct bytes *b, unsigned int value);
void put32(struct bytes *b, uint32_t value);
void put64(struct bytes *b, uint64_t value);
/* @len times the same */
void fill(struct bytes *b, int byte, size_t len);
/* A text, and zeros up to a multiple of 8 bytes, as events of perf have names */
void put_padded(struct bytes *b, const char *text);

#endif
