// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_NV2: accesses to system registers at EL1 that the PE transforms into
 * memory accesses (D17.6.4.2).  Runs at EL2.
 */

#include "test.h"

#define VNCR_PAGE	(PAGES + 0x30000)
#define UART		0x09000000ul
#define NESTED		(1ul << 42 | 1ul << 43 | 1ul << 45)	/* NV, NV1, NV2 */

static struct record r;

static void reads(void)
{
	asm volatile(".rept 600\n\tmrs x10, " PMSIRR_EL1 "\n\t.endr" : : : "x10");
}

static void writes(void)
{
	asm volatile(".rept 600\n\tmsr " PMSIRR_EL1 ", xzr\n\t.endr");
}

static void reads_pmbsr(void)
{
	asm volatile(".rept 600\n\tmrs x10, " PMBSR_EL1 "\n\t.endr" : : : "x10");
}

static void writes_pmbsr(void)
{
	asm volatile(".rept 600\n\tmsr " PMBSR_EL1 ", xzr\n\t.endr");
}

static bool sampled(void (*fn)(void), uint64_t e2pb)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg("mdcr_el2", MDCR_E2PB(e2pb));
	write_reg(PMSCR_EL2, PMSCR_PA);
	write_reg("S3_4_C2_C2_0", VNCR_PAGE);
	write_reg("hcr_el2", HCR_RW | NESTED);
	isb();
	write_reg(PMSCR_EL1, PMSCR_E1SPE | PMSCR_PA);
	call_lower(fn, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	write_reg("hcr_el2", HCR_RW);
	isb();
	write_reg(PMSCR_EL1, 0);
	return spe_records(BUFFER) == 2 && spe_decode(BUFFER, &r);
}

/*
 * D17.6.4.2: EL2 is not profiled, so the virtual address, which is EL2's, is
 * not recorded.  D17.6.4: without it, there is no physical address packet
 * either, and the translation latency is absent or zero.
 */
static bool no_address(void)
{
	return !r.va_valid && !r.pa_valid &&
	       (!r.translation_valid || r.translation == 0);
}

/*
 * With FEAT_SPE_EXC, the transformation depends on more controls than for other
 * registers.
 */
static void pmbsr(void)
{
	ok(sampled(reads_pmbsr, 3) && r.class == 1 && r.subclass == 0x30 &&
	   no_address(), "MRS PMBSR_EL1");
	ok(sampled(writes_pmbsr, 3) && r.class == 1 && r.subclass == 0x31 &&
	   no_address(), "MSR PMBSR_EL1");
}

/*
 * Other instructions follow, so that MRS is not the last of a translated block.
 */
static void at_device(void)
{
	asm volatile("nop\n\tmrs x10, " PMBSR_EL1 "\n\tnop\n\tnop" : : : "x10");
}

static void device(void)
{
	write_reg("S3_4_C2_C2_0", UART);
	write_reg("hcr_el2", HCR_RW | NESTED);
	isb();
	call_lower(at_device, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	write_reg("hcr_el2", HCR_RW);
	isb();
	ok(true, "MRS PMBSR_EL1 with VNCR_EL2 at a device does not end the machine");
}

void test_main(uint64_t el)
{
	if (el != 2) {
		ok(false, "this test runs at EL2");
		return;
	}
	mmu_on();
	ok(sampled(reads, 3), "MRS is sampled");
	ok(r.class == 1 && r.subclass == 0x30, "MRS is a load of its own kind");
	ok(!r.va_valid, "MRS: no virtual address, as EL2 is not profiled");
	ok(!r.pa_valid, "MRS: no physical address without a virtual one");
	ok(no_address(), "MRS: no translation latency");
	ok((r.events & 1ul << 2) && r.source_valid,
	   "MRS: events and data source of a load");
	ok(sampled(writes, 3), "MSR is sampled");
	ok(r.class == 1 && r.subclass == 0x31 && !r.source_valid,
	   "MSR is a store of its own kind");
	ok(no_address(), "MSR: no address, no translation latency");
	pmbsr();
	device();
}
