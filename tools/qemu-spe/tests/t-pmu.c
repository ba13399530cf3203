// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU events of SPE (D14.2).  The PMU counts them while the test profiles a
 * loop of known length.  Runs at EL1; the run named "collisions" has
 * spe-collision-window=600.
 */

#include "test.h"
#include "profile.h"

#define SAMPLE_POP		0x4000
#define SAMPLE_FEED		0x4001
#define SAMPLE_FILTRATE		0x4002
#define SAMPLE_COLLISION	0x4003
#define SAMPLE_BUFFER_FULL	0x8123

#define NOT_EL1			(1ul << 31)

#define PMSFCR_FT		(1ul << 1)
#define PMSFCR_LD		(1ul << 17)

static uint64_t word;

/* Five operations for each round, and one that disables profiling. */
void loop(uint64_t rounds, uint64_t *word);
asm(".text\nloop:\n\t"
    "mov x3, #2\n\t"
    "msr " PMSCR_EL1 ", x3\n"
    "1:\tldr x4, [x1]\n\t"
    "add x4, x4, #1\n\t"
    "str x4, [x1]\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

#define ROUNDS		100000ul
#define OPERATIONS	(ROUNDS * 5 + 1)

static void count_from_zero(uint64_t flags)
{
	write_reg("pmcntenclr_el0", 0xffffffff);
	write_reg("pmevtyper0_el0", SAMPLE_POP | flags);
	write_reg("pmevtyper1_el0", SAMPLE_FEED | flags);
	write_reg("pmevtyper2_el0", SAMPLE_FILTRATE | flags);
	write_reg("pmevtyper3_el0", SAMPLE_COLLISION | flags);
	write_reg("pmevtyper4_el0", SAMPLE_BUFFER_FULL | flags);
	write_reg("pmcr_el0", 3);		/* PMCR_EL0.{E,P} */
	write_reg("pmcntenset_el0", 0x1f);
	isb();
}

static void setup(uint64_t size)
{
	spe_setup(BUFFER, BUFFER + size);
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

static void without_window(void)
{
	uint64_t feed = OPERATIONS / 257, records;

	setup(1 << 20);
	count_from_zero(0);
	loop(ROUNDS, &word);
	ok_eq(read_reg("pmevcntr0_el0"), OPERATIONS,
	      "SAMPLE_POP: each operation that was profiled");
	ok_eq(read_reg("pmevcntr1_el0"), feed, "SAMPLE_FEED: each sample");
	ok_eq(read_reg("pmevcntr2_el0"), feed,
	      "SAMPLE_FILTRATE: as many without filters");
	ok_eq(read_reg("pmevcntr3_el0"), 0, "SAMPLE_COLLISION: none");
	ok_eq(read_reg("pmevcntr4_el0"), 0, "SAMPLE_BUFFER_FULL: none");

	setup(1 << 20);
	write_reg(PMSFCR_EL1, PMSFCR_FT | PMSFCR_LD);
	count_from_zero(0);
	loop(ROUNDS, &word);
	records = spe_records(BUFFER);
	ok_eq(read_reg("pmevcntr1_el0"), feed, "filtered: SAMPLE_FEED has all");
	ok_eq(read_reg("pmevcntr2_el0"), records,
	      "filtered: SAMPLE_FILTRATE has those that are written");
	ok(records >= feed / 5 && records <= feed / 5 + 1,
	   "filtered: one operation in five is a load");

	setup(1 << 20);
	write_reg(PMBLIMITR_EL1, (BUFFER + (1 << 20)) | 2ul << 1 | 1);
	count_from_zero(0);
	loop(ROUNDS, &word);
	ok_eq(read_reg("pmevcntr2_el0"), feed,
	      "discard mode: SAMPLE_FILTRATE counts all the same");

	setup(4096);
	count_from_zero(0);
	loop(ROUNDS, &word);
	ok_eq(read_reg("pmevcntr4_el0"), 1, "SAMPLE_BUFFER_FULL: when it fills");
	ok_eq(read_reg("pmevcntr1_el0"), 64, "and nothing is sampled after it");
	ok_eq(read_reg("pmevcntr0_el0"), 64 * 257, "nor belongs to the population");
}

static void filtered_by_level(void)
{
	setup(1 << 20);
	count_from_zero(NOT_EL1);
	loop(ROUNDS, &word);
	ok_eq(read_reg("pmevcntr0_el0") | read_reg("pmevcntr1_el0"), 0,
	      "nothing is counted at a level that PMEVTYPER excludes");
}

static void stopped_counters(void)
{
	setup(1 << 20);
	count_from_zero(0);
	loop(1000, &word);
	write_reg("pmcntenclr_el0", 1);
	loop(1000, &word);
	ok_eq(read_reg("pmevcntr0_el0"), 5001, "a counter that is disabled holds");
	ok_eq(read_reg("pmevcntr1_el0"), 10002 / 257, "the others go on");
}

/*
 * A load, a store, a floating-point operation, a SIMD operation and two others.
 */
void mixed_loop(uint64_t rounds, uint64_t *word);
asm(".text\nmixed_loop:\n\t"
    ".arch_extension fp\n\t.arch_extension simd\n\t"
    "mov x3, #2\n\t"
    "msr " PMSCR_EL1 ", x3\n\t"
    "1:\tldr x4, [x1]\n\t"
    "str x4, [x1]\n\t"
    "fadd d0, d1, d2\n\t"
    "add v3.4s, v4.4s, v5.4s\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

struct feed {
	uint64_t br, ld, st, fp, simd, op, event, lat, ds;
};

/* Counts in the records what the controls below select. */
static struct feed from_records(void)
{
	struct feed n = { 0 };
	uint64_t end = read_reg(PMBPTR_EL1);
	struct record r;

	for (uint64_t p = BUFFER; p < end && spe_decode(p, &r); p += 64) {
		bool load = r.class == 1 && !(r.subclass & 1);

		n.br += r.class == 2;
		n.ld += load;
		n.st += r.class == 1 && (r.subclass & 1);
		/* With FEAT_SPE_FPF, class Other has the bits FP and ASE. */
		n.fp += r.class == 0 && (r.subclass & 2);
		n.simd += r.class == 0 && (r.subclass & 4);
		n.op += load;
		n.event += r.events >> 2 & 1;
		n.lat += r.total >= 5;
		n.ds += load && r.source_valid && r.source == 0;
	}
	return n;
}

static void count_feed(uint64_t events, uint64_t more)
{
	setup(1 << 20);
	write_reg("pmcntenclr_el0", 0xffffffff);
	for (int i = 0; i < 4; i++) {
		uint64_t event = events >> 16 * i & 0xffff;

		switch (i) {
		case 0:
			write_reg("pmevtyper0_el0", event);
			break;
		case 1:
			write_reg("pmevtyper1_el0", event);
			break;
		case 2:
			write_reg("pmevtyper2_el0", event);
			break;
		default:
			write_reg("pmevtyper3_el0", event);
			break;
		}
	}
	write_reg("pmevtyper4_el0", more);
	write_reg("pmcr_el0", 3);
	write_reg("pmcntenset_el0", 0x1f);
	/*
	 * Sets the controls, but does not enable the filters, which the events
	 * ignore.
	 */
	write_reg(PMSFCR_EL1, PMSFCR_LD);
	write_reg(PMSEVFR_EL1, 1 << 2);
	write_reg(PMSLATFR_EL1, 5);
	write_reg(PMSDSFR_EL1, 1);
	isb();
	mixed_loop(ROUNDS, &word);
}

static void feeds(void)
{
	struct feed n;

	count_feed(0x812c812b812a8122ul, 0x812d);
	n = from_records();
	ok(n.ds && n.br && n.ld && n.st && n.op && n.lat && n.event,
	   "the loop has samples of each kind");
	ok_eq(read_reg("pmevcntr0_el0"), n.ds, "SAMPLE_FEED_DS");
	ok_eq(read_reg("pmevcntr1_el0"), n.br, "SAMPLE_FEED_BR");
	ok_eq(read_reg("pmevcntr2_el0"), n.ld, "SAMPLE_FEED_LD");
	ok_eq(read_reg("pmevcntr3_el0"), n.st, "SAMPLE_FEED_ST");
	ok_eq(read_reg("pmevcntr4_el0"), n.op, "SAMPLE_FEED_OP");

	count_feed(0x83498348812f812eul, SAMPLE_FEED);
	n = from_records();
	ok(n.fp && n.simd, "and of these kinds");
	ok_eq(read_reg("pmevcntr0_el0"), n.event, "SAMPLE_FEED_EVENT");
	ok_eq(read_reg("pmevcntr1_el0"), n.lat, "SAMPLE_FEED_LAT");
	ok_eq(read_reg("pmevcntr2_el0"), n.fp, "SAMPLE_FEED_FP");
	ok_eq(read_reg("pmevcntr3_el0"), n.simd, "SAMPLE_FEED_SIMD");
	ok_eq(read_reg("pmevcntr4_el0"), spe_records(BUFFER),
	      "and SAMPLE_FEED counts all");
}

/* Operations 257, 1028, ... are sampled; two of three samples collide. */
static void with_window(void)
{
	uint64_t chosen = OPERATIONS / 257;

	setup(1 << 20);
	count_from_zero(0);
	loop(ROUNDS, &word);
	ok_eq(read_reg("pmevcntr1_el0"), (chosen + 2) / 3,
	      "SAMPLE_FEED: those that are sampled");
	ok_eq(read_reg("pmevcntr3_el0"), chosen - (chosen + 2) / 3,
	      "SAMPLE_COLLISION: those that are not");
}

/* True if a sample is still in flight when profiling has been disabled. */
static bool has_window(void)
{
	bool held;

	setup(4096);
	write_reg(PMSICR_EL1, 3);
	isb();
	start();
	spin(20);
	write_reg(PMSCR_EL1, 0);
	isb();
	held = read_reg(PMBPTR_EL1) == BUFFER;
	stop();
	return held;
}

void test_main(uint64_t el)
{
	uint64_t ceid = read_reg("pmceid0_el0");

	(void)el;
	mmu_on();
	ok_eq(ceid >> 32 & 0xf, 0xf, "PMCEID0_EL0 names 0x4000 to 0x4003");
	if (has_window()) {
		with_window();
		return;
	}
	without_window();
	filtered_by_level();
	stopped_counters();
	feeds();
}
