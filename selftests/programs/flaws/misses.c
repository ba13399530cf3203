// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache misses without a stride: LINES lines in random order, more than the last level cache has.
 * In the twin they are so few that the first cache has them all.
 *
 * FORM 0 adds words, FORM 1 follows a list from node to node, FORM 2 counts in fields of records.
 * With NEAR successive lines are mostly on one page, so that few accesses need a page table walk.
 */
#include "flaws.h"

enum { IN_PAGE = PAGE / LINE, COUNT = IS_FLAWED ? LINES : 192 };

struct record {
	struct record *next;
	uint64_t key, count, unused[5];
};

static _Alignas(PAGE) struct record records[COUNT];

static inline unsigned int draw_line(unsigned int before)
{
	unsigned int drawn = next_random();

	if (NEAR && drawn % IN_PAGE)
		return (before & -(unsigned int)IN_PAGE) + drawn / IN_PAGE % IN_PAGE;
	return drawn / IN_PAGE % COUNT;
}

/*
 * A list of all records (Sattolo's shuffle).  With NEAR it stays on a page for a while.  It also writes
 * all records: pages that were never written are one page of zeros.
 */
static void arrange(void)
{
	const unsigned int piece = NEAR ? IN_PAGE : COUNT;

	for (unsigned int i = 0; i < COUNT; i++)
		records[i].next = &records[i];
	for (unsigned int first = 0; first < COUNT; first += piece)
		for (unsigned int i = first + piece - 1; i > first; i--) {
			unsigned int with = first + next_random() % (i - first);
			struct record *swap = records[i].next;

			records[i].next = records[with].next;
			records[with].next = swap;
		}
	/* Exchanging what two cycles have as next makes one of them. */
	for (unsigned int first = piece; first < COUNT; first += piece) {
		unsigned int with = next_random() % first;
		struct record *swap = records[with].next;

		records[with].next = records[first].next;
		records[first].next = swap;
	}
}

HOT_FUNCTION uint64_t HOT(void)
{
	volatile struct record *node = records;
	struct noise noise = { 0 };
	unsigned int at = 0;
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
		if (FORM == 1) {
			node = node->next;
		} else {
			at = draw_line(at);
			if (FORM == 0)
				sum += ((volatile struct record *)records)[at].key;
			else
				((volatile struct record *)records)[at].count++;
		}
		make_noise(&noise, (uint64_t)i);
	}
	return sum + node->key;
}

int main(void)
{
	arrange();
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
