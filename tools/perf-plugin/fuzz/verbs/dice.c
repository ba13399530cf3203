// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"
#include "../../tests/unit/test.h"

struct dice dice_of(uint64_t number)
{
	/* Neighbours shall have nothing in common. */
	struct test_random r = { number * 0xd1342543de82ef95 + 1 };

	return (struct dice){ .state = test_random(&r) };
}

static uint64_t roll(struct dice *d)
{
	struct test_random r = { d->state };
	uint64_t value = test_random(&r);

	d->state = r.state;
	return value;
}

uint64_t draw(struct dice *d, uint64_t below)
{
	return below < 2 ? 0 : roll(d) % below;
}

bool one_in(struct dice *d, uint64_t times)
{
	return !draw(d, times);
}

uint64_t draw_odd(struct dice *d)
{
	static const uint64_t odd[] = {
		0, 1, 2, 3, 7, 8, 16, 20, 40, 0x7f, 0x80, 0xff, 0x100, 0xfff, 0x1000, 0x7fff, 0x8000, 0xffff,
		0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
		0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffff8, 0xfffffffffffffe00,
	};

	switch (draw(d, 4)) {
	case 0:
		return roll(d);
	case 1:
		return (UINT64_C(1) << draw(d, 64)) + draw(d, 3) - 1;
	default:
		return odd[draw(d, sizeof(odd) / sizeof(odd[0]))];
	}
}
