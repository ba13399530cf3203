// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mispredicted branches: the program branches on random data.
 *
 * FORM 0 branches on three bits of each of ITEMS bytes; in the twin the bytes are sorted.  FORM 1
 * calls one of four functions by each byte; in the twin they are sorted, too.  FORM 2 branches as
 * FORM 0; its twin computes without branches.
 */
#include "flaws.h"

static uint8_t items[ITEMS];

static int by_value(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

HOT_FUNCTION static uint64_t add(uint64_t x) { return x + 3; }
HOT_FUNCTION static uint64_t flip(uint64_t x) { return ~x; }
HOT_FUNCTION static uint64_t shift(uint64_t x) { return x << 1; }
HOT_FUNCTION static uint64_t mix(uint64_t x) { return x ^ x >> 7; }

static uint64_t (*const volatile steps[4])(uint64_t x) = { add, flip, shift, mix };

static inline uint64_t choose(bool which, uint64_t sum, uint64_t one, uint64_t other)
{
	uint64_t mask = -(uint64_t)which;

	if (FORM == 2 && !IS_FLAWED)
		return sum ^ ((one & mask) | (other & ~mask));
	if (which) {
		KEEP_BRANCH();
		sum ^= one;
	} else {
		KEEP_BRANCH();
		sum ^= other;
	}
	return sum;
}

HOT_FUNCTION uint64_t HOT(void)
{
	struct noise noise = { 0 };
	unsigned int at = 0;
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
		uint8_t item = items[at];

		if (FORM == 1) {
			sum = steps[item >> 6](sum);
		} else {
			sum = choose(item & 128, sum, sum + 5, sum << 3);
			sum = choose(item & 64, sum, sum + 9, sum >> 5);
			sum = choose(item & 32, sum, sum + 17, sum << 2);
		}
		at = at + 1 == ITEMS ? 0 : at + 1;
		make_noise(&noise, (uint64_t)i);
	}
	return sum;
}

int main(void)
{
	for (unsigned int i = 0; i < ITEMS; i++)
		items[i] = (uint8_t)(next_random() >> 8);
	if (!IS_FLAWED && FORM != 2)
		qsort(items, ITEMS, 1, by_value);
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
