// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that read 8 MiB, each with one load and in its own order.  records() goes up by
 * records of 192 bytes, down() goes down by words of 4 bytes, table() reads words at random,
 * and messages() goes up by messages of 16 to 512 bytes.
 *
 * usage: walks ROUNDS
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 8 << 20, LONGEST = 512 };

struct record {
	volatile uint64_t key;
	uint8_t rest[184];
};

static _Alignas(4096) union {
	volatile uint32_t words[BYTES / 4];
	struct record records[BYTES / sizeof(struct record)];
	volatile uint8_t bytes[BYTES];
} memory;

__attribute__((noinline)) uint64_t records(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BYTES / sizeof(struct record); i++)
		sum += memory.records[i].key;
	return sum;
}

__attribute__((noinline)) uint64_t down(void)
{
	uint64_t sum = 0;

	for (size_t i = BYTES / 4; i--;)
		sum += memory.words[i];
	return sum;
}

/* Knuth's linear congruential generator, so that each read is at another place */
__attribute__((noinline)) uint64_t table(uint64_t seed)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BYTES / 64; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += memory.words[(seed >> 33) % (BYTES / 4)];
	}
	return sum;
}

/* The first byte of a message is its length in units of 16 bytes. */
__attribute__((noinline)) uint64_t messages(void)
{
	uint64_t count = 0;

	for (size_t at = 0; at < BYTES - LONGEST; count++)
		at += memory.bytes[at] * 16u;
	return count;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t sum = 0, seed = 7;

	for (size_t at = 0; at < BYTES; at += 16) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		memory.bytes[at] = (uint8_t)(1 + (seed >> 33) % (LONGEST / 16));
	}
	while (rounds-- > 0) {
		for (int i = 0; i < 8; i++)
			sum += records() + messages();
		sum += down() + table(sum);
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
