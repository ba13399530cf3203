// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose call stacks are known.  leaf() has two callers, which take turns: thrash()
 * has it read an array that is larger than any cache, stay() one that fits into the first.  So
 * thrash() causes nearly all misses of leaf(), and the address that a load has read tells who
 * has called leaf(): large or small.  leaf() calls nothing, so it has no frame of its own.
 *
 * usage: callers ROUNDS CALLS   (turns of each caller, and calls in each turn)
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64, LARGE = 16 << 20, SMALL = 4 << 10, READS = 256 };

_Alignas(4096) volatile uint8_t large[LARGE], small[SMALL];
static size_t at;

__attribute__((noipa)) unsigned int leaf(const volatile uint8_t *array, size_t size)
{
	unsigned int sum = 0, reads;

	for (reads = 0; reads < READS; reads++) {
		at = (at + LINE) & (size - 1);
		sum += array[at];
	}
	return sum;
}

__attribute__((noipa)) unsigned int thrash(long calls)
{
	unsigned int sum = 0;

	while (calls--)
		sum += leaf(large, sizeof(large));
	return sum;
}

__attribute__((noipa)) unsigned int stay(long calls)
{
	unsigned int sum = 0;

	while (calls--)
		sum += leaf(small, sizeof(small));
	return sum;
}

/* Returns 0 for text that is no positive number. */
static long number(const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	return errno || *end || value < 1 || value > 1000000000 ? 0 : value;
}

int main(int argc, char **argv)
{
	long rounds = argc == 3 ? number(argv[1]) : 0;
	long calls = argc == 3 ? number(argv[2]) : 0;
	unsigned int sum = 0;

	if (!rounds || !calls) {
		fprintf(stderr, "usage: callers ROUNDS CALLS (1 to 1000000000)\n");
		return 2;
	}
	while (rounds--)
		sum += thrash(calls) + stay(calls);
	printf("%p to %p and %p to %p, %u\n", (void *)large, (void *)(large + LARGE), (void *)small,
	       (void *)(small + SMALL), sum);
	return 0;
}
