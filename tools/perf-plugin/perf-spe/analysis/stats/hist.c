// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "util/util.h"

/*
 * The first 16 bits of a bin are its cycles, and a bin in use is not 0.  Cycles are small and
 * clustered: they fill the slots evenly as they are.  With few of them in use, most samples
 * find their bin in the first slot.
 */
static const struct hash_kind bin_table = {
	.size = sizeof(struct hist_bin), .used = { 0, sizeof(struct hist_bin) },
	.hashed = true, .key = { { 0, sizeof(uint16_t) } }, .spare = 2,
};

const struct hist_bin *hist_next(const struct hist *h,
				 const struct hist_bin *bin)
{
	return hash_table_next(&h->bins, &bin_table, bin);
}

void hist_add_many(struct hist *h, uint16_t cycles, uint64_t count)
{
	struct hist_bin *bin = hash_table_add(&h->bins, &bin_table, &cycles);

	bin->cycles = cycles;
	bin->count += count;
	h->count += count;
	h->sum += count * cycles;
}

static bool all_have(const uint32_t *valid, size_t rows, unsigned int counter)
{
	uint32_t all = 1u << counter;
	size_t i;

	for (i = 0; i < rows; i++)
		all &= valid[i];
	return all;
}

/* The compiler vectorises these loops.  The last one mostly is for the translation only. */
void hist_slots(const struct row_batch *b, unsigned int counter, const uint16_t *restrict cycles,
		uint16_t *restrict slots)
{
	const uint32_t *valid = b->counter_valid;
	const size_t rows = b->cols.rows;
	size_t i;

	for (i = 0; i < rows; i++)
		slots[i] = cycles[i] < HIST_NEAR ? cycles[i] : HIST_FAR;
	if (all_have(valid, rows, counter))
		return;
	for (i = 0; i < rows; i++)
		slots[i] = valid[i] >> counter & 1 ? slots[i] : HIST_NONE;
}

void hist_add_near(struct hist *h, const struct hist_near *near)
{
	unsigned int cycles;

	for (cycles = 0; cycles < HIST_NEAR; cycles++)
		if (near->of[cycles])
			hist_add_many(h, (uint16_t)cycles, near->of[cycles]);
}

void hist_merge(struct hist *h, const struct hist *from)
{
	const struct hist_bin *bin = NULL;

	while ((bin = hist_next(from, bin)))
		hist_add_many(h, bin->cycles, bin->count);
}

double hist_mean(const struct hist *h)
{
	return (double)h->sum / (double)h->count;
}

static int bin_order(const void *a, const void *b)
{
	return (int)((const struct hist_bin *)a)->cycles -
	       (int)((const struct hist_bin *)b)->cycles;
}

unsigned int hist_percentile(const struct hist *h, double percent)
{
	return hist_rank(h, (uint64_t)ceil((double)h->count * percent / 100));
}

unsigned int hist_rank(const struct hist *h, uint64_t rank)
{
	const struct hist_bin *bin = NULL;
	struct hist_bin *sorted;
	unsigned int cycles;
	uint64_t below;
	size_t i, n = 0;

	sorted = xcalloc(h->bins.count, sizeof(*sorted));
	while ((bin = hist_next(h, bin)))
		sorted[n++] = *bin;
	qsort(sorted, n, sizeof(*sorted), bin_order);
	below = sorted[0].count;
	for (i = 0; i + 1 < n && below < rank; i++)
		below += sorted[i + 1].count;
	cycles = sorted[i].cycles;
	free(sorted);
	return cycles;
}

double hist_cubes(const struct hist *h)
{
	const struct hist_bin *bin = NULL;
	double sum = 0;

	while ((bin = hist_next(h, bin)))
		sum += (double)bin->count * bin->cycles * bin->cycles * bin->cycles;
	return sum;
}

double hist_squares(const struct hist *h)
{
	const struct hist_bin *bin = NULL;
	double sum = 0;

	while ((bin = hist_next(h, bin)))
		sum += (double)bin->count * bin->cycles * bin->cycles;
	return sum;
}

struct moments hist_moments(const struct hist *h)
{
	struct moments m = { .count = (double)h->count, .mean = hist_mean(h) };
	const struct hist_bin *bin = NULL;
	double second = 0, third = 0;

	while ((bin = hist_next(h, bin))) {
		double off = bin->cycles - m.mean;

		second += bin->count * off * off;
		third += bin->count * off * off * off;
	}
	if (h->count > 1)
		m.deviation = sqrt(second / (m.count - 1));
	if (second > 0)
		m.skewness = third / m.count / pow(second / m.count, 1.5);
	return m;
}

void hist_free(struct hist *h)
{
	hash_table_free(&h->bins);
	memset(h, 0, sizeof(*h));
}

uint64_t hist_exactly(const struct hist *h, unsigned int cycles)
{
	uint16_t key = (uint16_t)cycles;
	const struct hist_bin *bin = hash_table_find(&h->bins, &bin_table, &key);

	return bin ? bin->count : 0;
}
