// SPDX-License-Identifier: GPL-2.0-only
/*
 * MD5 (RFC 1321), with which DWARF 5 names the version of a source file.  It protects against
 * mistakes, not against attackers.
 */
#include <stdint.h>
#include <string.h>

#include "util/util.h"

#define BLOCK	64u

/* T[i] of RFC 1321, 3.4: 2^32 times the absolute value of sin(i + 1) */
static const uint32_t sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
	0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
	0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
	0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
	0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
	0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
	0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
	0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint8_t shifts[4][4] = {
	{ 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 },
};

/* RFC 1321, 3.4: the four functions, and which word of the block each step takes */
static uint32_t mix(unsigned int step, const uint32_t s[4], unsigned int *word)
{
	const uint32_t x = s[1], y = s[2], z = s[3];

	switch (step / 16) {
	case 0:
		*word = step;
		return (x & y) | (~x & z);
	case 1:
		*word = (5 * step + 1) % 16;
		return (x & z) | (y & ~z);
	case 2:
		*word = (3 * step + 5) % 16;
		return x ^ y ^ z;
	default:
		*word = 7 * step % 16;
		return y ^ (x | ~z);
	}
}

static void add_block(uint32_t sum[4], const uint8_t *block)
{
	uint32_t s[4], turned;
	unsigned int i, word;

	memcpy(s, sum, sizeof(s));
	for (i = 0; i < 64; i++) {
		unsigned int by = shifts[i / 16][i % 4];

		turned = s[0] + mix(i, s, &word) + sines[i];
		turned += little32(block + 4 * word);
		turned = turned << by | turned >> (32 - by);
		s[0] = s[3];
		s[3] = s[2];
		s[2] = s[1];
		s[1] += turned;
	}
	for (i = 0; i < 4; i++)
		sum[i] += s[i];
}

void md5(const void *bytes, size_t len, uint8_t sum[MD5_BYTES])
{
	uint32_t s[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	const uint8_t *at = bytes;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t left = len, i;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		add_block(s, at);
	/* The rest, a bit, and the number of bits in the last eight bytes */
	memcpy(last, at, left);
	last[left] = 0x80;
	left = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
	for (i = 0; i < 8; i++)
		last[left - 8 + i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
	add_block(s, last);
	if (left > BLOCK)
		add_block(s, last + BLOCK);
	for (i = 0; i < MD5_BYTES; i++)
		sum[i] = (uint8_t)(s[i / 4] >> i % 4 * 8);
}
