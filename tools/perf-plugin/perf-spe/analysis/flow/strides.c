// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "util/util.h"

#define STRIDES_MOST	4096
/*
 * The common divisor of so many random multiples is the stride itself in 92% of all cases: the
 * inverse of Riemann's zeta function of 4.
 */
#define TOGETHER	4

void strides_add(struct strides *s, int64_t step)
{
	if (s->count == STRIDES_MOST)
		return;
	s->steps = array_grow(s->steps, s->count, &s->room, sizeof(*s->steps));
	s->steps[s->count++] = step;
}

void strides_free(struct strides *s)
{
	free(s->steps);
}

static uint64_t size_of(int64_t step)
{
	return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

static int number_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The number that is in the array most often; of several, the largest */
static uint64_t most_frequent(uint64_t *numbers, size_t count)
{
	size_t i, begin = 0, most = 0;
	uint64_t found = 0;

	qsort(numbers, count, sizeof(*numbers), number_order);
	for (i = 0; i < count; i++) {
		if (numbers[i] != numbers[begin])
			begin = i;
		if (i - begin + 1 >= most) {
			most = i - begin + 1;
			found = numbers[i];
		}
	}
	return found;
}

/* What most groups of @sizes have as common divisor; 0: there is no group */
static uint64_t usual_divisor(const uint64_t *sizes, size_t count)
{
	uint64_t *divisors = xcalloc(count / TOGETHER + 1, sizeof(*divisors)), usual;
	size_t groups = 0, i, j;

	for (i = 0; i + TOGETHER <= count; i += TOGETHER, groups++)
		for (j = i; j < i + TOGETHER; j++)
			divisors[groups] = common_divisor(divisors[groups], sizes[j]);
	usual = most_frequent(divisors, groups);
	free(divisors);
	return usual;
}

/* The sizes of the steps in the direction that most of them have */
static size_t main_steps(const struct strides *s, uint64_t *sizes, bool *down)
{
	size_t up = 0, negative = 0, count = 0, i;

	for (i = 0; i < s->count; i++) {
		up += s->steps[i] > 0;
		negative += s->steps[i] < 0;
	}
	*down = negative > up;
	for (i = 0; i < s->count; i++)
		if (s->steps[i] && (s->steps[i] < 0) == *down)
			sizes[count++] = size_of(s->steps[i]);
	return count;
}

bool strides_find(const struct strides *s, struct stride *to)
{
	uint64_t *sizes = xcalloc(s->count + 1, sizeof(*sizes)), divisor = 0;
	size_t count, multiples = 0, i;
	double sum = 0;
	bool down, found;

	count = main_steps(s, sizes, &down);
	found = s->count >= STRIDES_LEAST && 4 * count >= 3 * s->count;
	if (found) {
		divisor = usual_divisor(sizes, count);
		for (i = 0; i < count; i++) {
			multiples += !(sizes[i] % divisor);
			sum += (double)sizes[i];
		}
		found = 10 * multiples >= 9 * count;
	}
	free(sizes);
	if (!found)
		return false;
	to->bytes = down ? -(int64_t)divisor : (int64_t)divisor;
	to->regular = (double)multiples / (double)s->count;
	to->mean = sum / (double)count;
	return true;
}
