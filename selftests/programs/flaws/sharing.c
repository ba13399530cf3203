// SPDX-License-Identifier: GPL-2.0-only
/*
 * False sharing: THREADS threads use WORDS words each, all in one cache line.  In the twin each
 * thread's words have lines of their own.
 *
 * FORM 0: all threads count.  FORM 1: those of the first CPU count, and the others read only.
 * FORM 2: as 0, on the heap.
 */
#include "flaws.h"

#ifdef FLAWED
#define PLACE
#else
#define PLACE	_Alignas(2 * LINE)
#endif

struct slot {
	PLACE volatile uint64_t words[WORDS];
};

_Static_assert(!IS_FLAWED || THREADS * sizeof(struct slot) <= LINE, "one line");

/* The lines hold nothing else. */
static union {
	_Alignas(2 * LINE) struct slot slots[THREADS];
	uint8_t whole_lines[2 * LINE];
} fixed;
static struct slot *slots = fixed.slots;

HOT_FUNCTION void *HOT(void *number)
{
	unsigned int me = (unsigned int)(uintptr_t)number;
	struct slot *own = &slots[me];
	struct noise noise = { 0 };
	uint64_t sum = 0;

	run_on(me % CPUS);
	for (long i = 0; i < ROUNDS; i += TURN) {
		wait_for_turn(me);
		if (FORM == 1 && me % CPUS) {
#pragma GCC unroll 8
			for (int j = 0; j < TURN; j++) {
				sum += own->words[j % WORDS];
				make_noise(&noise, (uint64_t)(i + j));
			}
		} else {
#pragma GCC unroll 8
			for (int j = 0; j < TURN; j++) {
				own->words[j % WORDS]++;
				make_noise(&noise, (uint64_t)(i + j));
			}
		}
		end_turn(me);
	}
	return (void *)(uintptr_t)sum;
}

int main(void)
{
	if (FORM == 2)
		slots = aligned_alloc(2 * LINE, sizeof(fixed));
	if (!slots)
		return 1;
	run_threads(HOT);
	printf("%llu\n", (unsigned long long)slots[0].words[0]);
	return 0;
}
