// SPDX-License-Identifier: GPL-2.0-only
/*
 * MD5 (RFC 1321), with which DWARF 5 names the version of a source file, and which protects against
 * mistakes, not against attackers; and SHA-256 (FIPS 180-4), by which a request to S3 names what it
 * carries.
 */
#include <stdint.h>
#include <string.h>

#include "util/util.h"

#define BLOCK	64u

/*
 * Add all blocks of @bytes to @sum.  The rest is followed by a bit, and by the number of bits in the
 * last eight bytes, in big-endian order if @big.
 */
static void add_all(uint32_t *sum, const void *bytes, size_t len,
		    void (*add_block)(uint32_t *sum, const uint8_t *block), bool big)
{
	const uint8_t *at = bytes;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t left = len, i;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		add_block(sum, at);
	if (left)
		memcpy(last, at, left);
	last[left] = 0x80;
	left = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
	for (i = 0; i < 8; i++)
		last[big ? left - 1 - i : left - 8 + i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
	add_block(sum, last);
	if (left > BLOCK)
		add_block(sum, last + BLOCK);
}

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

static void md5_block(uint32_t *sum, const uint8_t *block)
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
	size_t i;

	add_all(s, bytes, len, md5_block, false);
	for (i = 0; i < MD5_BYTES; i++)
		sum[i] = (uint8_t)(s[i / 4] >> i % 4 * 8);
}

/* FIPS 180-4, 4.2.2: of the cube roots of the first 64 primes, the first 32 bits behind the point */
static const uint32_t roots[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, unsigned int by)
{
	return x >> by | x << (32 - by);
}

static void sha256_block(uint32_t *sum, const uint8_t *block)
{
	uint32_t w[64], s[8], first, second;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (i < 16)
			w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
		else
			w[i] = w[i - 16] + w[i - 7] +
			       (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
			       (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	}
	memcpy(s, sum, sizeof(s));
	for (i = 0; i < 64; i++) {
		first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6])) + roots[i] + w[i];
		second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
			 ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += first;
		s[0] = first + second;
	}
	for (i = 0; i < 8; i++)
		sum[i] += s[i];
}

void sha256(const void *bytes, size_t len, char hex[2 * SHA256_BYTES + 1])
{
	uint32_t s[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	size_t i;

	add_all(s, bytes, len, sha256_block, true);
	for (i = 0; i < SHA256_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", s[i / 4] >> (24 - i % 4 * 8) & 255);
}
