// SPDX-License-Identifier: GPL-2.0-only
/*
 * A healthy program, for recordings that mislead: the flaw is in how the check records it.
 */
#include "flaws.h"

HOT_FUNCTION uint64_t HOT(void)
{
	struct noise noise = { 0 };

	for (long i = 0; i < ROUNDS; i++)
		make_noise(&noise, (uint64_t)i);
	return noise.words[0];
}

int main(void)
{
	printf("%llu %d\n", (unsigned long long)HOT(), IS_FLAWED);
	return 0;
}
