// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guest repeatedly fills and empties its queue of injected events, while
 * tests/run adds events through the monitor.  Runs at EL1.
 */

#include "test.h"

#define SPEINJ		"s3_0_c15_c9_0"
#define CLEAR		1ul
#define LATER		(0xffful | 1 << 12)	/* buffer full, record 4095 */
#define QUEUE		32
#define QUEUED(r)	((r) & 0xfff)

static void spin(unsigned int loops)
{
	asm volatile("1: subs %w0, %w0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
}

void test_main(uint64_t el)
{
	bool fits = true;

	(void)el;
	for (int round = 0; round < 6000; round++) {
		for (int i = 0; i < QUEUE; i++)
			write_reg(SPEINJ, LATER);
		fits &= QUEUED(read_reg(SPEINJ)) == QUEUE;
		spin(20000);
		write_reg(SPEINJ, CLEAR);
		spin(20000);
	}
	ok(fits, "the queue holds 32 events, whoever fills it");
}
