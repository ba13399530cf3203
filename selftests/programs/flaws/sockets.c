// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of another socket: the program runs on FAR_CPU, whose socket has none of the machine's
 * memory.  The twin runs on NEAR_CPU, at the memory.  The array is larger than the last level
 * cache.  Pages come in random order, and the lines of a page, so there is no stride and few page
 * table walks.
 *
 * FORM 0 adds words, FORM 1 follows a list from line to line, FORM 2 counts in the words.
 */
#include "flaws.h"

enum { LINES = PAGE / LINE };

static _Alignas(PAGE) uint8_t memory[(size_t)PAGES * PAGE];
static uint16_t page_order[PAGES];
static uint8_t line_order[LINES];

static volatile uint64_t *word_of(unsigned int page, unsigned int line)
{
	return (volatile uint64_t *)&memory[(size_t)page_order[page] * PAGE + (size_t)line_order[line] * LINE];
}

static void arrange(void)
{
	for (unsigned int i = 0; i < PAGES; i++) {
		unsigned int with = next_random() % (i + 1);

		page_order[i] = page_order[with];
		page_order[with] = (uint16_t)i;
	}
	for (unsigned int i = 0; i < LINES; i++) {
		unsigned int with = next_random() % (i + 1);

		line_order[i] = line_order[with];
		line_order[with] = (uint8_t)i;
	}
	for (unsigned int i = 0; i < PAGES; i++)
		for (unsigned int j = 0; j < LINES; j++)
			*word_of(i, j) = (uint64_t)(uintptr_t)(j + 1 < LINES ? word_of(i, j + 1) :
							       word_of((i + 1) % PAGES, 0));
}

HOT_FUNCTION uint64_t HOT(void)
{
	volatile uint64_t *node = word_of(0, 0);
	unsigned int page = 0, line = 0;
	struct noise noise = { 0 };
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
		if (FORM == 0)
			sum += *word_of(page, line);
		else if (FORM == 1)
			node = (volatile uint64_t *)(uintptr_t)*node;
		else
			++*word_of(page, line);
		line = line + 1 == LINES ? 0 : line + 1;
		if (!line)
			page = page + 1 == PAGES ? 0 : page + 1;
		make_noise(&noise, (uint64_t)i);
	}
	return sum + *node;
}

int main(void)
{
	run_on(IS_FLAWED ? FAR_CPU : NEAR_CPU);
	arrange();
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
