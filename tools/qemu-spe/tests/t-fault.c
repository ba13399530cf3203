// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults on writes to the Profiling Buffer (D17.8.3): at stage 1 for EL1 and
 * EL2, and at stage 2 if EL2 is implemented and EL1 owns the buffer.
 */

#include "test.h"
#include "profile.h"

#define LIMIT (PAGES + 0x10000)

static void setup(uint64_t base)
{
	spe_setup(PAGES, LIMIT - 4096);
	write_reg(PMBPTR_EL1, base);
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

static void expect(uint64_t pointer, uint64_t ec, uint64_t fsc,
		   const char *what)
{
	uint64_t pmbsr = read_reg(PMBSR_EL1);

	if (!(pmbsr & PMBSR_S) || PMBSR_EC(pmbsr) != ec ||
	    PMBSR_MSS(pmbsr) != fsc || (pmbsr & PMBSR_DL) ||
	    read_reg(PMBPTR_EL1) != pointer) {
		note("PMBSR_EL1", pmbsr);
		note("PMBPTR_EL1", read_reg(PMBPTR_EL1));
		ok(false, what);
		return;
	}
	ok(true, what);
}

/* Records fill the first page.  The second page faults, and profiling stops. */
static void second_page(uint64_t entry, uint64_t fsc, const char *what)
{
	uint64_t *second = page_entry(PAGES + 4096), saved = *second;

	setup(PAGES);
	*second = entry == 1 ? 0 : (saved & ~(1ul << 10)) | entry;
	tlb_flush();
	start();
	spin(100000);
	stop();
	expect(PAGES + 4096, 0x24, fsc, what);

	/*
	 * D17.7.4: after the page is repaired, profiling continues at the same
	 * pointer.
	 */
	*second = saved;
	tlb_flush();
	write_reg(PMBSR_EL1, 0);
	isb();
	start();
	spin(5000);
	stop();
	ok(read_reg(PMBPTR_EL1) > PAGES + 4096 &&
	   !(read_reg(PMBSR_EL1) & PMBSR_S), "goes on once the page is there");
}

static void stage1(void)
{
	second_page(1, 0x07, "unmapped page: Translation fault, level 3");
	second_page(1ul << 10 | 2ul << 6, 0x0f,
		    "read-only page: Permission fault, level 3");
	second_page(0, 0x0b, "Access flag 0: Access flag fault, level 3");
}

static void translation_level2(void)
{
	setup(PAGES);
	/*
	 * Nothing is mapped after the second GiB, so the fault is at level 1.
	 */
	write_reg(PMBPTR_EL1, 0x100000000ul);
	write_reg(PMBLIMITR_EL1, 0x100010000ul | 1);
	isb();
	start();
	spin(1000);
	stop();
	expect(0x100000000ul, 0x24, 0x05,
	       "unmapped GiB: Translation fault, level 1");
}

/*
 * RDTGVZ: the record at the last position would fill the buffer, but its write
 * faults, which has priority.
 */
static void fault_before_full(void)
{
	uint64_t *last = page_entry(LIMIT - 4096), saved = *last;

	setup(LIMIT - 64);
	*last = 0;
	tlb_flush();
	start();
	spin(1000);
	stop();
	expect(LIMIT - 64, 0x24, 0x07,
	       "the last record: a fault has priority over buffer full");
	*last = saved;
	tlb_flush();
	write_reg(PMBSR_EL1, 0);
	isb();
	start();
	spin(1000);
	stop();
	ok(PMBSR_EC(read_reg(PMBSR_EL1)) == 0 &&
	   PMBSR_MSS(read_reg(PMBSR_EL1)) == 1, "then the buffer is filled");
}

/*
 * EL1 owns the buffer (E2PB 11).  Stage 2 is on, and later does not map the
 * buffer.
 */
static void el1_part(void)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
	asm volatile("mov w0, #10000\n1: subs w0, w0, #1\n\tb.ne 1b\n\t"
		     "msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\t"
		     "isb" : : : "x0", "cc");
}

static void el1_small(void)
{
	write_reg(PMBSR_EL1, 0);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
	asm volatile("mov w0, #10000\n1: subs w0, w0, #1\n\tb.ne 1b\n\t"
		     "msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\t"
		     "isb" : : : "x0", "cc");
}

static void stage2(void)
{
	uint64_t saved;

	write_reg("mdcr_el2", MDCR_E2PB(3));
	mmu_el1_on();
	stage2_on();
	call_lower(el1_part, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	ok(PMBSR_MSS(read_reg(PMBSR_EL1)) == 1 &&
	   read_reg(PMBPTR_EL1) == BUFFER + 4096,
	   "EL1 owns: its buffer fills under stage 2");

	saved = *stage2_entry(BUFFER);
	*stage2_entry(BUFFER) = 0;
	tlb_flush();
	write_reg(PMBPTR_EL1, BUFFER);
	write_reg(PMBLIMITR_EL1, (BUFFER + 4096) | 1);
	call_lower(el1_small, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	expect(BUFFER, 0x25, 0x06, "no stage 2 mapping: Translation fault, level 2");

	*stage2_entry(BUFFER) = saved & ~(2ul << 6);
	tlb_flush();
	call_lower(el1_small, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	expect(BUFFER, 0x25, 0x0e, "stage 2 read-only: Permission fault, level 2");
	*stage2_entry(BUFFER) = saved;
}

void test_main(uint64_t el)
{
	at_el2 = el == 2;
	mmu_on();
	stage1();
	translation_level2();
	fault_before_full();
	if (at_el2)
		stage2();
}
