// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"

void working_set_add(struct working_set *w, const struct touch *t)
{
	struct page *page = pages_find(w->pages, t->whose, t->address);
	size_t step = heat_scale(t->time, w->pages->last - w->pages->first,
				 WORKING_SET_STEPS);

	if (!page)
		return;
	w->samples[step]++;
	if (!(__atomic_load_n(&page->when, __ATOMIC_RELAXED) >> step & 1))
		__atomic_fetch_or(&page->when, UINT64_C(1) << step, __ATOMIC_RELAXED);
}

void working_set_merge(struct working_set *w, const struct working_set *from)
{
	size_t i;

	for (i = 0; i < WORKING_SET_STEPS; i++)
		w->samples[i] += from->samples[i];
}

/* A bit for each of @steps that has one of the WORKING_SET_STEPS bits of @when */
static uint64_t coarser(uint64_t when, unsigned int steps)
{
	unsigned int each = WORKING_SET_STEPS / steps, step;
	uint64_t mask = each == 64 ? UINT64_MAX : (UINT64_C(1) << each) - 1;
	uint64_t bits = 0;

	for (step = 0; step < steps; step++)
		if (when >> step * each & mask)
			bits |= UINT64_C(1) << step;
	return bits;
}

static void count_steps(uint64_t bits, struct working_set_step *to, bool huge)
{
	if (bits && !huge)
		to[__builtin_ctzll(bits)].fresh++;
	for (; bits; bits &= bits - 1) {
		struct working_set_step *step = &to[__builtin_ctzll(bits)];

		if (huge)
			step->huge++;
		else
			step->pages++;
	}
}

void working_set_steps(const struct working_set *w, struct working_set_step *to, unsigned int steps)
{
	const struct pages *p = w->pages;
	uint64_t huge = 0, bits;
	size_t i;

	memset(to, 0, steps * sizeof(*to));
	for (i = 0; i < WORKING_SET_STEPS; i++)
		to[i / (WORKING_SET_STEPS / steps)].samples += w->samples[i];
	for (i = 0; i < p->table.count; i++) {
		const struct page *page = p->by_address[i];

		bits = coarser(page->when, steps);
		count_steps(bits, to, false);
		huge |= bits;
		if (i + 1 == p->table.count ||
		    !pages_same_huge(page, p->by_address[i + 1])) {
			count_steps(huge, to, true);
			huge = 0;
		}
	}
}
