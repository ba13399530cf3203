// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended atomics: THREADS threads change one word by atomic operations.  In the twin each
 * thread has a word of its own, in a line of its own.
 *
 * FORM 0 adds, FORM 1 stores the greatest number by compare and exchange, FORM 2 takes and
 * releases a lock around a counter.  The check compiles some programs with the atomic operations of
 * FEAT_LSE, and others with exclusives.
 */
#include <stdatomic.h>

#include "flaws.h"

struct cell {
	_Alignas(2 * LINE) _Atomic uint64_t word;
	uint64_t guarded;
};

static struct cell cells[THREADS];

static inline void raise_to(_Atomic uint64_t *word, uint64_t number)
{
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	while (old < number &&
	       !atomic_compare_exchange_weak_explicit(word, &old, number, memory_order_relaxed, memory_order_relaxed))
		;
}

static inline void lock(_Atomic uint64_t *word)
{
	while (atomic_exchange_explicit(word, 1, memory_order_acquire))
		sched_yield();
}

static inline void change(struct cell *cell, uint64_t number)
{
	if (FORM == 0) {
		atomic_fetch_add_explicit(&cell->word, 1, memory_order_relaxed);
	} else if (FORM == 1) {
		raise_to(&cell->word, number);
	} else {
		lock(&cell->word);
		cell->guarded++;
		atomic_store_explicit(&cell->word, 0, memory_order_release);
	}
}

HOT_FUNCTION void *HOT(void *number)
{
	unsigned int me = (unsigned int)(uintptr_t)number;
	struct cell *cell = &cells[IS_FLAWED ? 0 : me];
	struct noise noise = { 0 };

	run_on(me % CPUS);
	for (long i = 0; i < ROUNDS; i += TURN) {
		wait_for_turn(me);
#pragma GCC unroll 8
		for (int j = 0; j < TURN; j++) {
			change(cell, (uint64_t)(i + j + 1) * THREADS + me);
			make_noise(&noise, (uint64_t)(i + j));
		}
		end_turn(me);
	}
	return NULL;
}

int main(void)
{
	run_threads(HOT);
	printf("%llu\n", (unsigned long long)(cells[0].word + cells[0].guarded));
	return 0;
}
