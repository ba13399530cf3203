// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes PMSICR_EL1 and PMSIRR_EL1 while profiling is enabled, after random
 * numbers of operations.  The test computes the samples and the final counter
 * as SPEToCollectSample() does, and compares.  No random number of the SPU has
 * an effect, because COUNT is large while RND is 1.
 */

#include "test.h"

#define CASES		3000
#define SLIDE		400
#define STRING_(x)	#x
#define STRING(x)	STRING_(x)
#define NOPS		"	.rept " STRING(SLIDE) "\n	nop\n	.endr\n"

struct writes {
	uint64_t pmsirr_first, pmsicr, pmsirr_second, unused;
};

void sequence(const struct writes *w, void *first, void *second, void *third);
extern char first_end[], second_end[], third_end[];
asm(".text\nsequence:\n"
    "	ldp	x4, x5, [x0]\n"
    "	ldr	x6, [x0, #16]\n"
    "	mov	x8, #2\n"
    "	msr	" PMSCR_EL1 ", x8\n"
    "	br	x1\n" NOPS
    "first_end:\n"
    "	msr	" PMSIRR_EL1 ", x4\n"
    "	br	x2\n" NOPS
    "second_end:\n"
    "	msr	" PMSICR_EL1 ", x5\n"
    "	msr	" PMSIRR_EL1 ", x6\n"
    "	br	x3\n" NOPS
    "third_end:\n"
    "	msr	" PMSCR_EL1 ", xzr\n"
    "	isb\n	hint #17\n	dsb sy\n	isb\n	ret\n");

static uint64_t seed = 0x1234567;
static uint64_t pmsicr, pmsirr;		/* the expected values */
static unsigned int samples, samples_in_all;
static bool ernd;

static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 20) % n;
}

static void operations(uint64_t n)
{
	uint32_t count = pmsicr;
	uint8_t ecount = pmsicr >> 56;

	while (n--) {
		bool loaded = count == 0;

		count = loaded ? pmsirr >> 8 << 8 : count - 1;
		if (!loaded && count == 0)
			samples++;
		else if (ernd && (pmsirr & 1) && ecount)
			samples += --ecount == 0;
	}
	pmsicr = count | (uint64_t)ecount << 56;
}

static uint64_t some_pmsicr(bool large)
{
	uint64_t count = large ? 100000 : below(4) ? below(700) : below(3);
	uint64_t ecount = below(3) ? below(256) : below(3);

	return count | (ernd ? ecount << 56 : 0);
}

static uint64_t some_pmsirr(bool rnd)
{
	/* INTERVAL 0 would select an UNKNOWN interval. */
	return rnd ? 4000 << 8 | 1 : (uint64_t)(1 + below(2)) << 8;
}

static bool one_case(void)
{
	bool rnd0 = ernd && below(2), rnd1 = rnd0 && below(2);
	bool rnd2 = ernd && below(2);
	uint32_t n0 = below(SLIDE + 1), n1 = below(SLIDE + 1),
		 n2 = below(SLIDE + 1);
	struct writes w = {
		some_pmsirr(rnd1), some_pmsicr(rnd1 || rnd2),
		some_pmsirr(rnd2), 0,
	};
	uint64_t got;

	spe_setup(BUFFER, BUFFER + 0x10000);
	pmsicr = some_pmsicr(rnd0);
	pmsirr = some_pmsirr(rnd0);
	write_reg(PMSICR_EL1, pmsicr);
	write_reg(PMSIRR_EL1, pmsirr);
	isb();
	samples = 0;
	sequence(&w, first_end - 4 * n0, second_end - 4 * n1,
		 third_end - 4 * n2);
	/* The branch and the write are operations too. */
	operations(n0 + 2);
	pmsirr = w.pmsirr_first;
	operations(n1 + 2);
	pmsicr = w.pmsicr;
	operations(1);
	pmsirr = w.pmsirr_second;
	operations(n2 + 2);
	samples_in_all += samples;
	got = read_reg(PMSICR_EL1);
	if (got == pmsicr && spe_records(BUFFER) == samples)
		return true;
	note("PMSICR_EL1", got);
	note("expected", pmsicr);
	note("samples", spe_records(BUFFER));
	note("expected", samples);
	return false;
}

void test_main(uint64_t el)
{
	unsigned int good = 0;

	(void)el;
	mmu_on();
	ernd = read_reg(PMSIDR_EL1) >> 5 & 1;
	while (good < CASES && one_case())
		good++;
	ok_eq(good, CASES, "the counters after writes at random moments");
	ok(samples_in_all > CASES, "with samples in most cases");
	test_exit();
}
