// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sample interval (D17.3): which operation the SPU samples, and what the
 * counter holds before, during and after.  Runs at EL1.
 */

#include "test.h"

#define RND 1ul

static struct record r;

/* 1,400 operations between two labels. */
extern char row[], row_end[];
void run_row(uint64_t pmscr);
asm(".text\n"
    "run_row:\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "row:\n\t"
    ".rept 1400\n\tnop\n\t.endr\n"
    "row_end:\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void setup(uint64_t interval, uint64_t rnd)
{
	spe_setup(BUFFER, BUFFER + (1 << 20));
	write_reg(PMSIRR_EL1, interval << 8 | rnd);
	isb();
}

static bool sampled_at(unsigned int index, uint64_t pc)
{
	if (!spe_decode(BUFFER + 64 * index, &r))
		return false;
	if (PC(r.pc) != pc) {
		note("sampled", (PC(r.pc) - (uint64_t)row) / 4);
		note("expected", (pc - (uint64_t)row) / 4);
	}
	return PC(r.pc) == pc;
}

/*
 * The first operation loads the counter.  INTERVAL x 256 more operations count
 * it down to zero, so operations 257, 514, ... are sampled.
 */
static void exact(void)
{
	setup(1, 0);
	run_row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 5, "INTERVAL 1: five samples in 1401");
	for (int i = 0; i < 5; i++)
		ok(sampled_at(i, (uint64_t)row + 4 * (257 * (i + 1) - 1)),
		   "INTERVAL 1: the 257th operation");
	/*
	 * 1400 operations and the MSR that ends profiling: 5 x 257 + 116.  The
	 * first of the 116 loads the counter.
	 */
	ok_eq(read_reg(PMSICR_EL1), 256 - 115, "PMSICR_EL1 holds the rest");

	setup(3, 0);
	run_row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 1, "INTERVAL 3: one sample in 1401");
	ok(sampled_at(0, (uint64_t)row + 4 * 768), "INTERVAL 3: the 769th");
}

static void start_value(void)
{
	setup(100, 0);
	write_reg(PMSICR_EL1, 10);
	run_row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 1, "PMSICR_EL1 10: one sample");
	ok(sampled_at(0, (uint64_t)row + 4 * 9), "PMSICR_EL1 10: the 10th");
	ok_eq(read_reg(PMSICR_EL1), 25600 - (1391 - 1),
	      "then the interval is loaded and counted down");

	setup(100, 0);
	write_reg(PMSICR_EL1, 1402);
	run_row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 0, "PMSICR_EL1 1402: none yet");
	ok_eq(read_reg(PMSICR_EL1), 1, "one is left");
	write_reg(PMSICR_EL1, 1401);
	run_row(PMSCR_E1SPE);
	ok(spe_records(BUFFER) == 1 && sampled_at(0, (uint64_t)row_end),
	   "PMSICR_EL1 1401: the write that ends profiling");
	ok_eq(read_reg(PMSICR_EL1), 0, "zero is left");
	run_row(PMSCR_E1SPE);
	ok_eq(read_reg(PMSICR_EL1), 25600 - 1400,
	      "zero is loaded when profiling is enabled again");
}

static void holds_while_disabled(void)
{
	uint64_t first, second;

	setup(100, 0);
	write_reg(PMSICR_EL1, 5000);
	first = read_reg(PMSICR_EL1);
	for (volatile int i = 0; i < 1000; i++)
		;
	second = read_reg(PMSICR_EL1);
	ok(first == 5000 && second == 5000, "the counter holds while disabled");
	run_row(PMSCR_E1SPE);
	ok_eq(read_reg(PMSICR_EL1), 5000 - 1401, "and goes on from there");
	run_row(PMSCR_E1SPE);
	ok_eq(read_reg(PMSICR_EL1), 5000 - 2 * 1401, "from one run to the next");
	write_reg(PMSICR_EL1, 0xffffffff);
	run_row(PMSCR_E1SPE);
	ok_eq(read_reg(PMSICR_EL1), 0xffffffff - 1401, "all 32 bits count");
}

/*
 * Branches, loads, stores and exceptions, at which the emulator leaves a
 * translated block before its end.
 */
uint64_t run_mixed(uint64_t pmscr, uint64_t loops, void *memory);
asm(".text\n"
    "run_mixed:\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "1:\tldr x3, [x2]\n\t"
    "add x3, x3, #1\n\t"
    "str x3, [x2]\n\t"
    "tbz x1, #0, 2f\n\t"
    "eor x4, x3, x1\n"
    "2:\tsubs x1, x1, #1\n\t"
    "b.ne 1b\n\t"
    "mrs x5, " PMSICR_EL1 "\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "mov x0, x5\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void branches_and_memory(void)
{
	static uint64_t word;

	setup(0xfff, 0);
	write_reg(PMSICR_EL1, 100000);
	/* Even iterations have six operations, odd ones have seven. */
	ok_eq(run_mixed(PMSCR_E1SPE, 1000, &word), 100000 - 6501,
	      "a loop of 6,500 operations, and the read itself");
	ok_eq(read_reg(PMSICR_EL1), 100000 - 6502, "and the write that ends it");
}

/*
 * A device access in the middle of a translated block makes the emulator start
 * the access twice.
 */
uint64_t run_device(uint64_t pmscr, uint64_t loops, uint64_t device);
asm(".text\n"
    "run_device:\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "1:\tadd x4, x4, #1\n\t"
    "ldr w3, [x2]\n\t"
    "add x4, x4, x3\n\t"
    "ldr w3, [x2, #4]\n\t"
    "subs x1, x1, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void devices(void)
{
	setup(0xfff, 0);
	write_reg(PMSICR_EL1, 100000);
	run_device(PMSCR_E1SPE, 1000, 0x08000000);
	ok_eq(read_reg(PMSICR_EL1), 100000 - 6001,
	      "a device access counts once");
}

static uint64_t aborts;

static void count_abort(uint64_t esr, uint64_t elr)
{
	(void)esr;
	(void)elr;
	aborts++;
}


/*
 * Only EL0 is profiled, so the handler at EL1 does not count.  An operation
 * that aborts counts each time the PE executes it.
 */
void el0_aborts(void);
asm(".section .el0, \"ax\"\n"
    "el0_aborts:\n\t"
    "mov x0, #100\n\t"
    "mov x1, #0x4000000000\n"
    "1:\tadd x3, x3, #1\n\t"
    "str x3, [x1]\n\t"
    "add x3, x3, #1\n\t"
    "add x3, x3, #1\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\tret\n\t.text");

static void exceptions(void)
{
	setup(0xfff, 0);
	write_reg(PMSICR_EL1, 100000);
	aborts = 0;
	trap_hook = count_abort;
	trap_arm();
	write_reg(PMSCR_EL1, PMSCR_E0SPE);
	call_lower(el0_aborts, SPSR_EL0, (uint64_t)stack_top, lower_svc);
	write_reg(PMSCR_EL1, 0);
	trap_disarm();
	trap_hook = NULL;
	ok_eq(aborts, 100, "100 stores abort");
	/* two operations of set-up, six for each round, RET and SVC */
	ok_eq(read_reg(PMSICR_EL1), 100000 - (2 + 600 + 2),
	      "operations that abort count once, none is lost");
}

/*
 * Each round has four operations.  One is an SVC, whose handler is not
 * profiled.  257 and 4 have no common divisor, so every fourth sample is an
 * SVC.
 */
void el0_svcs(void);
asm(".section .el0, \"ax\"\n"
    "el0_svcs:\n\t"
    "mov x0, #2570\n"
    "1:\tadd x3, x3, #1\n\t"
    "svc #2\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\tret\n\t.text");

static void sampled_exceptions(uint64_t at_el1)
{
	unsigned int n, exceptions = 0;

	setup(1, 0);
	trap_arm();
	write_reg(PMSCR_EL1, PMSCR_E0SPE | at_el1);
	call_lower(el0_svcs, SPSR_EL0, (uint64_t)stack_top, lower_svc);
	write_reg(PMSCR_EL1, 0);
	trap_disarm();
	n = spe_records(BUFFER);
	for (unsigned int i = 0; i < n; i++) {
		if (!spe_decode(BUFFER + 64 * i, &r))
			break;
		exceptions += r.events & 1;
	}
	if (at_el1) {
		ok(n > 40 && exceptions > 0, "EL1 too: it goes on after an SVC");
		return;
	}
	/*
	 * 10,280 operations of the rounds, one of set-up, RET and the last SVC
	 */
	ok_eq(n, 40, "40 samples in 10,283 operations with SVCs");
	ok_eq(exceptions, 10, "a fourth of them of the SVC");
	/* 40 x 257 + 3 operations, one of which loads the counter */
	ok_eq(read_reg(PMSICR_EL1), 256 - 2, "the counter is exact");
}

/*
 * With ERnd, the mean is INTERVAL x 256 + 1, and ECOUNT holds the random
 * offset.
 */
static void random(void)
{
	unsigned int n, distinct = 0;
	uint64_t previous = 0, total = 0;

	setup(1, RND);
	for (int i = 0; i < 300; i++)
		run_row(PMSCR_E1SPE);
	n = spe_records(BUFFER);
	/* 300 x 1401 / 257 = 1635.  The last sample may be pending. */
	if (n < 1634 || n > 1635)
		note("samples", n);
	ok(n >= 1634 && n <= 1635, "RND: the mean interval is 257");
	for (unsigned int i = 0; i < n; i++) {
		if (!spe_decode(BUFFER + 64 * i, &r))
			break;
		distinct += PC(r.pc) != previous;
		previous = PC(r.pc);
		total += PC(r.pc) >= (uint64_t)row && PC(r.pc) <= (uint64_t)row_end;
	}
	ok(distinct > n * 9 / 10, "RND: samples are spread");
	ok_eq(total, n, "RND: every sample lies in the row");

	setup(1, RND);
	write_reg(PMSICR_EL1, 7ul << 56 | 500);
	run_row(PMSCR_E1SPE);
	ok(sampled_at(0, (uint64_t)row + 4 * 6), "ECOUNT 7: the 7th operation");

	setup(1, RND);
	write_reg(PMSICR_EL1, 9ul << 56 | 9);
	run_row(PMSCR_E1SPE);
	ok(spe_decode(BUFFER, &r) && PC(r.pc) > (uint64_t)row + 4 * 8,
	   "COUNT at zero replaces what ECOUNT held");
}

/*
 * Without RND, ECOUNT keeps its value and selects no operation
 * (SPEToCollectSample()).
 */
static void stale_offset(void)
{
	setup(0xfff, 0);
	write_reg(PMSICR_EL1, 5ul << 56 | 2000);
	run_row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 0, "RND 0: ECOUNT selects nothing");
	ok_eq(read_reg(PMSICR_EL1), 5ul << 56 | (2000 - 1401),
	      "RND 0: ECOUNT holds");
	setup(0xfff, 0);
	write_reg(PMSICR_EL1, 200ul << 56 | 10);
	run_row(PMSCR_E1SPE);
	ok(spe_records(BUFFER) == 1 && sampled_at(0, (uint64_t)row + 4 * 9),
	   "RND 0: COUNT selects whatever ECOUNT holds");
	ok_eq(read_reg(PMSICR_EL1) >> 56, 200, "RND 0: and it still holds");
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	mmu_on();
	exact();
	start_value();
	holds_while_disabled();
	branches_and_memory();
	devices();
	exceptions();
	sampled_exceptions(0);
	sampled_exceptions(PMSCR_E1SPE);
	random();
	stale_offset();
}
