// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page table walks: WORDS words, each on a page of its own, in random order.  They are more pages
 * than the TLB has entries, and few enough lines for the first cache.  In the twin the words have
 * neighbouring lines.
 *
 * FORM 0 adds the words, FORM 1 counts in them, FORM 2 follows a list from word to word.
 */
#include "flaws.h"

static _Alignas(PAGE) uint8_t memory[WORDS * PAGE];
static volatile uint64_t *where[WORDS];

static void arrange(void)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		size_t line = IS_FLAWED ? i * (PAGE / LINE) + next_random() % (PAGE / LINE) : i;

		where[i] = (volatile uint64_t *)&memory[line * LINE];
	}
	for (unsigned int i = WORDS - 1; i; i--) {
		unsigned int with = next_random() % (i + 1);
		volatile uint64_t *swap = where[i];

		where[i] = where[with];
		where[with] = swap;
	}
	for (unsigned int i = 0; i < WORDS; i++)
		*where[i] = (uint64_t)(uintptr_t)where[(i + 1) % WORDS];
}

HOT_FUNCTION uint64_t HOT(void)
{
	volatile uint64_t *node = where[0];
	struct noise noise = { 0 };
	unsigned int at = 0;
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
		if (FORM == 0)
			sum += *where[at];
		else if (FORM == 1)
			++*where[at];
		else
			node = (volatile uint64_t *)(uintptr_t)*node;
		at = at + 1 == WORDS ? 0 : at + 1;
		make_noise(&noise, (uint64_t)i);
	}
	return sum + *node;
}

int main(void)
{
	arrange();
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
