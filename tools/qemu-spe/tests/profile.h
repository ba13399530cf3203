/* SPDX-License-Identifier: GPL-2.0-only */
/* Enables and disables profiling at the level that a test runs at. */
#ifndef SPE_TEST_PROFILE_H
#define SPE_TEST_PROFILE_H

static bool at_el2;

static void start(void)
{
	if (at_el2)
		write_reg(PMSCR_EL2, PMSCR_E1SPE);
	else
		write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
}

static void stop(void)
{
	if (at_el2)
		write_reg(PMSCR_EL2, 0);
	else
		write_reg(PMSCR_EL1, 0);
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
}

static void spin(unsigned int loops)
{
	asm volatile("1: subs %w0, %w0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
}

#endif
