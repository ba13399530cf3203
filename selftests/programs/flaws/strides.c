// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads that miss with a stride, in an array that is larger than the caches of a CPU.
 *
 * FORM 0 reads the keys of RECORDS records of BYTES bytes; in the twin the keys of one byte are
 * next to each other.  FORM 1 does so downwards.  FORM 2 reads the records from one end to the
 * other again and again; its twin finishes each piece of them before the next one.
 */
#include "flaws.h"

enum { TILE = 64, PASSES = ROUNDS / RECORDS + 1, STEP = IS_FLAWED || FORM == 2 ? BYTES : 1 };

static _Alignas(PAGE) volatile uint8_t memory[(size_t)RECORDS * BYTES];

static inline volatile uint8_t *key_of(unsigned int record)
{
	return &memory[(size_t)record * STEP];
}

HOT_FUNCTION uint64_t HOT(void)
{
	unsigned int at = 0, tile = 0, pass = 0;
	struct noise noise = { 0 };
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
		if (FORM == 1)
			sum += *key_of(RECORDS - 1 - at);
		else
			sum += *key_of(at);
		at++;
		if (FORM == 2 && !IS_FLAWED && at % TILE == 0) {
			if (++pass == PASSES) {
				pass = 0;
				tile = at;
			}
			at = tile;
		}
		if (at >= RECORDS)
			at = tile = 0;
		make_noise(&noise, (uint64_t)i);
	}
	return sum;
}

int main(void)
{
	for (unsigned int i = 0; i < RECORDS; i++)
		*key_of(i) = (uint8_t)next_random();
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
