// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "analysis/stats/stats.h"
#include "util/util.h"

/* Both tails of the standard normal distribution */
static double tails(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

double significance_shares(double a, double all_a, double b, double all_b)
{
	double part = (a + b) / (all_a + all_b);
	double variance = part * (1 - part) * (1 / all_a + 1 / all_b);

	return variance > 0 ? tails((a / all_a - b / all_b) / sqrt(variance)) : 1;
}

double significance_normal(double a, double variance_a, double b, double variance_b)
{
	double variance = variance_a + variance_b;

	if (variance > 0)
		return tails((a - b) / sqrt(variance));
	return a == b ? 1 : 0;
}

static int order(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return x < y ? -1 : x > y;
}

/* S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979) */
void significance_holm(double *p, size_t count)
{
	double **sorted = xcalloc(count ? count : 1, sizeof(*sorted));
	double least = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sorted[i] = &p[i];
	qsort(sorted, count, sizeof(*sorted), order);
	for (i = 0; i < count; i++) {
		least = fmax(least, fmin(*sorted[i] * (double)(count - i), 1));
		*sorted[i] = least;
	}
	free(sorted);
}
