// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "analysis/stats/stats.h"

/*
 * Between two peaks the samples must be fewer than half of those that the lower peak would have
 * there, by so many standard deviations.
 */
#define DIP_PART	0.5
#define DIP_SIGMAS	3.0

/* A range of cycles: latencies spread over decades, so bins grow with them. */
struct shape_bin {
	unsigned int low, high;		/* both included */
	double width, count;		/* width: of its logarithm */
};

#define BINS_MAX 32

/* 0, 1, 2, 3, 4-5, 6-7, 8-11, 12-15 ...: two for each power of two, or with @halves false one */
static unsigned int bin_of(unsigned int cycles, bool halves)
{
	unsigned int bits = 0;

	if (cycles < 2)
		return cycles;
	while (cycles >> (bits + 1))
		bits++;
	return halves ? 2 * bits + (cycles >> (bits - 1) & 1) : bits + 1;
}

/* The least cycles of bin number @i */
static unsigned int bin_low(size_t i, bool halves)
{
	const size_t bits = halves ? i / 2 : i - 1;

	if (i < 2)
		return (unsigned int)i;
	return (1u << bits) + (halves && i % 2 ? 1u << (bits - 1) : 0);
}

static size_t fill(const struct hist *h, bool halves, struct shape_bin *bin)
{
	const struct hist_bin *from = NULL;
	size_t i, nr = 0;

	for (i = 0; i < BINS_MAX; i++) {
		bin[i] = (struct shape_bin){
			.low = bin_low(i, halves), .high = bin_low(i + 1, halves) - 1,
		};
		bin[i].width = log2(((double)bin[i].high + 1) / fmax(bin[i].low, 0.5));
	}
	while ((from = hist_next(h, from))) {
		i = bin_of(from->cycles, halves);
		bin[i].count += (double)from->count;
		nr = i + 1 > nr ? i + 1 : nr;
	}
	return nr;
}

static double density(const struct shape_bin *b)
{
	return b->count / b->width;
}

/* The emptiest bin between two */
static size_t valley(const struct shape_bin *bin, size_t from, size_t to)
{
	size_t i, least = from;

	for (i = from; i <= to; i++)
		if (density(&bin[i]) < density(&bin[least]))
			least = i;
	return least;
}

/* How many standard deviations the valley between two peaks is too low; 0 if it is not low. */
static double dip(const struct shape_bin *bin, size_t a, size_t b)
{
	const struct shape_bin *low = &bin[valley(bin, a, b)];
	const struct shape_bin *peak = density(&bin[a]) < density(&bin[b]) ? &bin[a] : &bin[b];
	double expected = density(peak) * low->width;

	if (low->count >= DIP_PART * expected)
		return 0;
	return (expected - low->count) / sqrt(expected * (1 + low->width / peak->width));
}

/* Local maxima, then without the lower one of two peaks that no valley parts; returns how many */
static size_t find_peaks(const struct shape_bin *bin, size_t nr, size_t *peak)
{
	size_t i, worst, count = 0;

	for (i = 0; i < nr; i++)
		if (bin[i].count > 0 && (!i || density(&bin[i]) > density(&bin[i - 1])) &&
		    (i + 1 == nr || density(&bin[i]) >= density(&bin[i + 1])))
			peak[count++] = i;
	while (count > 1) {
		for (i = worst = 0; i + 1 < count; i++)
			if (dip(bin, peak[i], peak[i + 1]) < dip(bin, peak[worst], peak[worst + 1]))
				worst = i;
		if (dip(bin, peak[worst], peak[worst + 1]) >= DIP_SIGMAS)
			break;
		if (density(&bin[peak[worst]]) >= density(&bin[peak[worst + 1]]))
			worst++;
		memmove(&peak[worst], &peak[worst + 1], (count - worst - 1) * sizeof(*peak));
		count--;
	}
	return count;
}

static void add_peaks(struct shape *s, const struct shape_bin *bin, size_t nr, const size_t *peak,
		      size_t count)
{
	size_t i, k, from = 0, to;

	s->nr_peaks = count < SHAPE_PEAKS ? count : SHAPE_PEAKS;
	for (i = 0; i < s->nr_peaks; i++, from = to) {
		struct shape_peak *p = &s->peaks[i];

		to = i + 1 < s->nr_peaks ? valley(bin, peak[i], peak[i + 1]) + 1 : nr;
		*p = (struct shape_peak){
			.low = bin[peak[i]].low, .high = bin[peak[i]].high, .from = bin[from].low,
		};
		for (k = from; k < to; k++)
			p->count += (uint64_t)bin[k].count;
	}
}

/* The samples that take many times as long as the last peak */
static void add_tail(struct shape *s, const struct hist *h)
{
	const struct hist_bin *bin = NULL;
	const unsigned int from = SHAPE_TAIL * s->peaks[s->nr_peaks - 1].high;

	if (h->count < SHAPE_TAIL_SAMPLES || hist_percentile(h, 99) < from)
		return;
	s->tail_from = from;
	while ((bin = hist_next(h, bin))) {
		if (bin->cycles < from)
			continue;
		s->tail_count += bin->count;
		s->tail_cycles += bin->count * bin->cycles;
	}
}

void shape_judge(struct shape *s, const struct hist *h)
{
	struct shape_bin fine[BINS_MAX], wide[BINS_MAX];
	size_t fine_peak[BINS_MAX], wide_peak[BINS_MAX];
	size_t nr_fine, nr_wide, in_fine, in_wide;

	memset(s, 0, sizeof(*s));
	s->count = h->count;
	if (h->count < SHAPE_SAMPLES)
		return;
	nr_fine = fill(h, true, fine);
	nr_wide = fill(h, false, wide);
	in_fine = find_peaks(fine, nr_fine, fine_peak);
	in_wide = find_peaks(wide, nr_wide, wide_peak);
	/* Narrow bins part near peaks; a broad peak of few samples needs wide ones. */
	if (in_wide > in_fine)
		add_peaks(s, wide, nr_wide, wide_peak, in_wide);
	else
		add_peaks(s, fine, nr_fine, fine_peak, in_fine);
	/* An empty valley of the same width parts a peak of so many samples from a higher one. */
	s->least = 2 * DIP_SIGMAS * DIP_SIGMAS / (double)h->count;
	add_tail(s, h);
}
