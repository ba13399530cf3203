// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mean sample interval over at least 10,000 samples, in the four forms of
 * D17.3.4: with and without RND, with and without FEAT_SPE_ERnd.  PMSIDR_EL1
 * says whether the latter is implemented.  Also the start values of the
 * counters (D17.3.3).  Runs at EL1.
 */

#include "test.h"

#define RND	1ul
#define ERND	(1ul << 5)

static bool ernd;

/* Two operations for each loop, and the write that disables profiling. */
void loop(uint64_t pmscr, uint64_t loops);
asm(".text\nloop:\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "1:\tsubs x1, x1, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void setup(uint64_t interval, uint64_t rnd)
{
	spe_setup(BUFFER, BUFFER + (1 << 20));
	write_reg(PMSIRR_EL1, interval << 8 | rnd);
	isb();
}

/* The number of samples in @operations, which is odd. */
static uint64_t samples(uint64_t interval, uint64_t rnd, uint64_t operations)
{
	setup(interval, rnd);
	loop(PMSCR_E1SPE, operations / 2);
	return spe_records(BUFFER);
}

static void exact(void)
{
	ok_eq(samples(1, 0, 257 * 10501), 10501,
	      "RND 0, INTERVAL 1: one in 257, exactly");
	ok_eq(read_reg(PMSICR_EL1), 0, "RND 0, INTERVAL 1: nothing is left");
	ok_eq(samples(3, 0, 769 * 10001), 10001,
	      "RND 0, INTERVAL 3: one in 769, exactly");
	ok_eq(samples(3, 0, 769 * 10001 - 2), 10000,
	      "RND 0, INTERVAL 3: two operations less, one sample less");
}

/* The formulas are those of the Notes in D17.3.4.2 and D17.3.4.3. */
static void mean(uint64_t interval, const char *name)
{
	uint64_t wanted = interval * 256 + (ernd ? 1 : 128);
	uint64_t operations = (wanted * 12000) | 1;
	uint64_t n = samples(interval, RND, operations);

	note("samples", n);
	note("mean interval, in hundredths", operations * 100 / n);
	ok(n >= 10000 && operations * 100 > n * wanted * 99 &&
	   operations * 100 < n * wanted * 101, name);
}

static void start_values(void)
{
	unsigned int distinct = 0;
	uint64_t low = 0, previous = 0x100;
	bool in_range = true;

	write_reg(PMSICR_EL1, ~0ul);
	ok_eq(read_reg(PMSICR_EL1), ernd ? 0xff000000fffffffful : 0xfffffffful,
	      ernd ? "PMSICR_EL1.ECOUNT exists" : "PMSICR_EL1.ECOUNT is RES0");
	/*
	 * Of three operations, the first loads the counter and the other two
	 * count.
	 */
	for (int i = 0; i < 64; i++) {
		setup(5, RND);
		loop(PMSCR_E1SPE, 1);
		low = read_reg(PMSICR_EL1) + 2 - 5 * 256;
		in_range &= low < (ernd ? 1 : 256);
		distinct += low != previous;
		previous = low;
	}
	ok(in_range, ernd ? "ERnd: COUNT starts at INTERVAL x 256" :
	   "no ERnd: COUNT starts at INTERVAL x 256 and a random byte");
	ok(ernd ? distinct == 1 : distinct > 50,
	   ernd ? "ERnd: always" : "no ERnd: another one each time");
	setup(5, RND);
	write_reg(PMSICR_EL1, 1000);
	loop(PMSCR_E1SPE, 1);
	ok_eq(read_reg(PMSICR_EL1), 997, "a value that is not zero counts on");
	for (volatile int i = 0; i < 100; i++)
		;
	ok_eq(read_reg(PMSICR_EL1), 997, "and holds while disabled");
}

/*
 * "If this field is zero, then an UNKNOWN sampling interval is used"
 * (D24.7.15): the SPU must sample operations nevertheless.  The model chooses a
 * new interval of 256 to 65536 each time.
 */
static void unknown_interval(void)
{
	uint64_t n = samples(0, 0, 16000001), at, last = 0;
	unsigned int distinct = 0;

	note("samples of 16 million operations", n);
	ok(n >= 16000001 / 65537, "INTERVAL 0: operations are sampled");
	ok(n <= 16000001 / 257, "INTERVAL 0: not more often than with 1");
	for (int i = 0; i < 32; i++) {
		setup(0, 0);
		loop(PMSCR_E1SPE, 1);
		at = read_reg(PMSICR_EL1);
		distinct += at != last;
		last = at;
	}
	ok(distinct > 24, "INTERVAL 0: the interval is another one each time");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	ernd = read_reg(PMSIDR_EL1) & ERND;
	exact();
	mean(1, "RND 1, INTERVAL 1: the mean is right within 1%");
	mean(3, "RND 1, INTERVAL 3: the mean is right within 1%");
	start_values();
	unknown_interval();
}
