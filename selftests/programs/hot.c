// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with a known profile: more than nine in ten of its operations are in hot_loop(),
 * the others in cold_loop().  A profile is wrong if hot_loop is not first.
 *
 * usage: hot ROUNDS   (about 1100 operations per round; at most 10^9 rounds)
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 4096 };

static uint64_t table[WORDS];

/* Executes loads, stores, arithmetic and branches over a table of 32 KiB. */
__attribute__((noinline)) uint64_t hot_loop(uint64_t seed)
{
	uint64_t sum = 0;

	for (int i = 0; i < 128; i++) {
		size_t at = seed % WORDS;

		if (seed & 1)
			sum += table[at];
		else
			table[at] = sum;
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		seed ^= seed >> 33;
	}
	return sum ^ seed;
}

__attribute__((noinline)) uint64_t cold_loop(uint64_t seed)
{
	for (int i = 0; i < 8; i++)
		seed = (seed << 7) ^ (seed >> 9) ^ table[i];
	return seed;
}

int main(int argc, char **argv)
{
	char *end = NULL;
	uint64_t value = 1;
	long rounds;

	errno = 0;
	rounds = argc == 2 ? strtol(argv[1], &end, 10) : -1;
	if (rounds < 1 || rounds > 1000000000 || errno || *end) {
		fprintf(stderr, "usage: hot ROUNDS (1 to 1000000000)\n");
		return 2;
	}
	for (long i = 0; i < rounds; i++) {
		value = hot_loop(value + i);
		value ^= cold_loop(value);
	}
	/* Print the result, so that the compiler cannot remove the work. */
	printf("%ld rounds, %#llx\n", rounds, (unsigned long long)value);
	return 0;
}
