// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random numbers for tests, the same ones on every run: splitmix64.
 */
#include "test.h"

uint64_t test_random(struct test_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

unsigned int test_random_below(struct test_random *r, unsigned int below)
{
	return (unsigned int)(test_random(r) % below);
}
