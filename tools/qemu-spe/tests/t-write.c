// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to the Profiling Buffer: records that cross pages, and each fault of
 * Table D17-11 that translation tables can cause.  Runs at EL1 with various
 * alignments and External abort behaviours.  t-flags.c checks PMBIDR_EL1.F.
 */

#include "test.h"
#include "profile.h"

#define LIMIT		(PAGES + 0x10000)
#define VALID_AF	(1ul << 10)
#define READ_ONLY	(2ul << 6)
#define DBM		(1ul << 51)
#define EL0_TOO		(1ul << 6)
#define OUTPUT		0x0000fffffffff000ul
#define NOWHERE		0x7000000000ul	/* neither memory nor a device */
#define PMBSR_EA	(1ul << 18)

static unsigned int max_size, align;

static void setup(uint64_t base, uint64_t limit)
{
	spe_setup(base, LIMIT);
	write_reg(PMBLIMITR_EL1, limit | 1);
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

static void profile(unsigned int loops)
{
	start();
	spin(loops);
	stop();
}

/*
 * The length of the record at @at.  Returns 0 if no complete record ends before
 * @end.
 */
static unsigned int record_length(uint64_t at, uint64_t end)
{
	const uint8_t *start = (const uint8_t *)at, *p = start;

	while ((uint64_t)p < end) {
		uint8_t header = *p;

		if (header == 0x01)
			return p + 1 - start;
		if (header < 0x40 || header == 0xa5)
			return 0;
		p += 1 + (1 << (header >> 4 & 3));
		if (header == 0x71)
			return (uint64_t)p <= end ? p - start : 0;
	}
	return 0;
}

/* The end of the last record of those that begin at @at. */
static uint64_t records_end(uint64_t at, uint64_t end)
{
	unsigned int length;

	while ((length = record_length(at, end)))
		at += (length + align - 1) / align * align;
	return at;
}

static void fills(void)
{
	uint64_t limit = PAGES + 4096, pointer;
	bool clean = true;

	setup(PAGES, limit);
	profile(200000);
	pointer = read_reg(PMBPTR_EL1);
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 1, "the buffer fills");
	ok(pointer <= limit && pointer > limit - max_size,
	   "when there is no room for a record of the maximum size");
	ok_eq(records_end(PAGES, pointer), pointer,
	      "the pointer is the end of the last record");
	for (uint64_t p = pointer; p < limit + 4096; p++)
		clean &= *(volatile uint8_t *)p == 0xa5;
	ok(clean, "nothing is written at or past it");
	ok_eq(pointer % align, 0, "it is aligned as PMBIDR_EL1 says");
}

/*
 * RMYXZK: expects a fault on the second page, with DL if the first page ends with part
 * of a record.
 */
static void expect_fault(uint64_t pmbsr, uint64_t pointer, uint64_t syndrome,
			 const char *what)
{
	uint64_t second = PAGES + 4096;
	bool partial = records_end(PAGES, second) != second;

	if (partial)
		syndrome |= PMBSR_DL;
	if (pmbsr != (syndrome | PMBSR_S) || pointer != second) {
		note("PMBSR_EL1", pmbsr);
		note("PMBPTR_EL1", pointer);
		note("partial", partial);
		ok(false, what);
		return;
	}
	ok(true, what);
}

static void with_second(uint64_t entry, uint64_t syndrome, const char *what)
{
	uint64_t *second = page_entry(PAGES + 4096), saved = *second;

	setup(PAGES, LIMIT);
	*second = entry;
	tlb_flush();
	profile(200000);
	expect_fault(read_reg(PMBSR_EL1), read_reg(PMBPTR_EL1), syndrome, what);
	*second = saved;
	tlb_flush();
}

#define STAGE1(fsc) (0x24ul << 26 | (fsc))

static void faults(void)
{
	uint64_t entry = *page_entry(PAGES + 4096);

	with_second(0, STAGE1(0x07), "Translation fault, level 3");
	with_second((entry & ~OUTPUT) | 1ul << 45, STAGE1(0x03),
		    "Address size fault, level 3");
	with_second(entry & ~VALID_AF, STAGE1(0x0b), "Access flag fault");
	with_second(entry | READ_ONLY, STAGE1(0x0f), "Permission fault");
	with_second(entry | READ_ONLY | DBM, STAGE1(0x0f),
		    "Permission fault although DBM is set, without HD");
}

/* The pointer is beyond the second page, and no event but a full buffer came. */
static bool written(void)
{
	uint64_t pmbsr = read_reg(PMBSR_EL1);

	return (!pmbsr || pmbsr == (PMBSR_S | 1)) &&
	       read_reg(PMBPTR_EL1) > PAGES + 2 * 4096;
}

/* D17.8.3: the writes are privileged, PSTATE.PAN 0 for them, and unwatched. */
static void no_faults(void)
{
	uint64_t *second = page_entry(PAGES + 4096), saved = *second;

	setup(PAGES, LIMIT);
	*second = saved | EL0_TOO;
	tlb_flush();
	asm volatile(".inst 0xd500419f");		/* MSR PAN, #1 */
	profile(200000);
	asm volatile(".inst 0xd500409f");		/* MSR PAN, #0 */
	ok(written(), "PAN is ignored: records go to a page of EL0");
	*second = saved;
	tlb_flush();

	setup(PAGES, LIMIT);
	write_reg("oslar_el1", 0);
	write_reg("dbgwvr0_el1", PAGES);
	/* MASK: 4 KiB; BAS, LSC stores, PAC any, E */
	write_reg("dbgwcr0_el1", 12ul << 24 | 0xff << 5 | 2 << 3 | 3 << 1 | 1);
	write_reg("mdscr_el1", read_reg("mdscr_el1") | 1ul << 15 | 1ul << 13);
	asm volatile("msr daifclr, #8\n\tisb");
	profile(200000);
	asm volatile("msr daifset, #8\n\tisb");
	write_reg("dbgwcr0_el1", 0);
	write_reg("mdscr_el1", read_reg("mdscr_el1") & ~(1ul << 15 | 1ul << 13));
	isb();
	ok(written(), "records go to a page with a watchpoint");
}

/* Moves the table that maps PAGES to an address where no memory answers. */
static void abort_on_walk(void)
{
	/*
	 * TTBR0_EL1 leads to the entry of the GiB, and that to the one of the 2
	 * MiB.
	 */
	uint64_t *level1 = (uint64_t *)(read_reg("ttbr0_el1") & OUTPUT);
	uint64_t *level2 = (uint64_t *)(level1[PAGES >> 30] & OUTPUT);
	uint64_t *entry = &level2[PAGES >> 21 & 511], saved = *entry;

	setup(PAGES, LIMIT);
	*entry = (saved & ~OUTPUT) | NOWHERE;
	tlb_flush();
	profile(1000);
	*entry = saved;
	tlb_flush();
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | STAGE1(0x17),
	      "External abort on the walk, level 3: an MMU fault");
	ok_eq(read_reg(PMBPTR_EL1), PAGES, "at the pointer");
}

/*
 * RJFYNW, RBPFPN: an External abort on the write itself.  The result depends on PMBIDR_EL1.EA
 * and on the property that tests/run set.
 */
static void abort_on_write(void)
{
	uint64_t *second = page_entry(PAGES + 4096), saved = *second;
	uint64_t pmbsr, pointer;

	setup(PAGES, LIMIT);
	*second = (saved & ~OUTPUT) | NOWHERE;
	tlb_flush();
	profile(40000);
	pmbsr = read_reg(PMBSR_EL1);
	pointer = read_reg(PMBPTR_EL1);
	*second = saved;
	tlb_flush();
	if ((read_reg(PMBIDR_EL1) >> 8 & 15) == 1) {
		ok_eq(pmbsr, pointer >= LIMIT - max_size ? PMBSR_S | 1 : 0,
		      "EA 1: an External abort on the write is ignored");
		ok(pointer > PAGES + 2 * 4096, "EA 1: the pointer moves on");
	} else if (PMBSR_MSS(pmbsr) == 0x11) {
		ok_eq(pmbsr, PMBSR_S | PMBSR_EA | PMBSR_DL | STAGE1(0x11),
		      "asynchronous External abort: EA and DL");
		ok(pointer >= PAGES + 4096 + align &&
		   pointer <= PAGES + 4096 + max_size,
		   "asynchronous: the pointer is after the record");
	} else {
		expect_fault(pmbsr, pointer, PMBSR_EA | STAGE1(0x10),
			     "synchronous External abort: EA");
	}
}

/*
 * Records replace code that has run.  The padding behind the first one is 0, which is UDF; the code
 * behind that stays.
 */
static void replaces_code(void)
{
	uint32_t *code = (uint32_t *)(PAGES + align - 4);
	void (*call)(void) = (void (*)(void))code;
	uint64_t esr;

	if (align < 64)
		return;
	setup(PAGES, LIMIT);
	code[0] = code[1] = 0xd65f03c0;		/* RET */
	asm volatile("dsb sy; ic iallu; dsb sy; isb" : : : "memory");
	call();
	profile(150);
	ok_eq(read_reg(PMBPTR_EL1), PAGES + align, "one record is written");
	asm volatile("dsb sy; ic iallu; dsb sy; isb" : : : "memory");
	trap_skips = true;
	esr = expect_trap(call());
	trap_skips = false;
	ok_eq(esr, 1ul << 25, "a record replaces code that has run");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	max_size = 1u << (read_reg(PMSIDR_EL1) >> 12 & 15);
	align = 1u << (read_reg(PMBIDR_EL1) & 15);
	note("align", align);
	note("max_size", max_size);
	fills();
	faults();
	no_faults();
	abort_on_walk();
	abort_on_write();
	replaces_code();
}
