// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_SPE_nVM (D17.7.2): the Profiling Buffer at physical addresses, which no
 * stage 1 table of the owning regime maps.  At EL2 the test also uses
 * intermediate physical addresses of EL1.
 */

#include "test.h"
#include "profile.h"

#define PMBMAR_EL1	"S3_0_C9_C10_5"
#define ID_AA64DFR2_EL1	"S3_0_C0_C5_2"
#define NVM		(1ul << 7)
#define ENVM		(1ul << 11)
#define ADDRMODE(r)	((r) >> 6 & 3)

static uint64_t unmap(void)
{
	uint64_t *entry = page_entry(PAGES), saved = *entry;

	*entry = 0;
	tlb_flush();
	return saved;
}

static void setup(uint64_t base, uint64_t limit, uint64_t nvm)
{
	write_reg(PMBSR_EL1, 0);
	write_reg(PMSICR_EL1, 0);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg(PMBPTR_EL1, base);
	write_reg(PMBLIMITR_EL1, limit | nvm | 1);
	isb();
}

static void registers(void)
{
	ok_eq(read_reg(ID_AA64DFR2_EL1) >> 20 & 15, 1,
	      "ID_AA64DFR2_EL1.SPE_nVM");
	ok_eq(ADDRMODE(read_reg(PMBIDR_EL1)), 1,
	      "PMBIDR_EL1.AddrMode: virtual and physical");
	write_reg(PMBMAR_EL1, ~0ul);
	ok_eq(read_reg(PMBMAR_EL1), 0x3ff, "PMBMAR_EL1 has Attr and SH");
	write_reg(PMBMAR_EL1, 0x3ff);
}

static void own_regime(void)
{
	uint64_t saved, end = PAGES + 4096;
	struct record r;

	spe_setup(PAGES, end);
	saved = unmap();
	setup(PAGES, end, 0);
	start();
	spin(100000);
	stop();
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 0x24ul << 26 | 7,
	      "nVM 0: not mapped, Translation fault");

	setup(PAGES, end, NVM);
	start();
	spin(100000);
	stop();
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 1, "nVM 1: the buffer fills");
	*page_entry(PAGES) = saved;
	tlb_flush();
	ok(spe_decode(PAGES, &r) && spe_decode(end - 64, &r),
	   "the records are at the physical address");

	setup(1ul << 53, (1ul << 53) + 4096, NVM);
	start();
	spin(1000);
	stop();
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 0x24ul << 26,
	      "beyond the physical addresses: Address size fault, level 0");
}

static unsigned int pa_max(void)
{
	static const uint8_t bits[] = { 32, 36, 40, 42, 44, 48, 52, 56 };

	return bits[read_reg("id_aa64mmfr0_el1") & 7];
}

/*
 * RQJNFT: OAMax is 55 with FEAT_D128, 51 with FEAT_LPA or FEAT_LPA2, otherwise
 * 47.
 */
static unsigned int oa_max(void)
{
	if (read_reg("S3_0_C0_C7_3") >> 32 & 15)
		return 55;
	return pa_max() == 52 ? 51 : 47;
}

/*
 * Sets @bit of the pointer and of the limit.  True if the SPU reports a fault.
 */
static bool faults_at(unsigned int bit)
{
	uint64_t high = 1ul << bit, end = PAGES + 4096;
	bool untouched;

	spe_setup(PAGES, end);
	setup(PAGES | high, end | high, NVM);
	start();
	spin(1000);
	stop();
	untouched = *(volatile uint8_t *)PAGES == 0xa5 && read_reg(PMBPTR_EL1) == (PAGES | high);
	if (untouched && read_reg(PMBSR_EL1) == (PMBSR_S | 0x24ul << 26))
		return true;
	note("bit", bit);
	note("PMBSR_EL1", read_reg(PMBSR_EL1));
	note("PMBPTR_EL1", read_reg(PMBPTR_EL1));
	return false;
}

/*
 * RQJNFT requires a stage 1 Address size fault if one of bits OAMax to PAMax of
 * the pointer is nonzero.  For the bits above OAMax, RXBFCM permits the same
 * fault, or that the SPU ignores them.  The model reports a fault for each of
 * them.
 */
static void beyond(void)
{
	bool faults = true;

	for (unsigned int bit = pa_max(); bit <= oa_max(); bit++)
		faults &= faults_at(bit);
	if (pa_max() <= oa_max())
		ok(faults, "RQJNFT: bits OAMax to PAMax: Address size fault, level 0");
	faults = true;
	for (unsigned int bit = oa_max() + 1; bit < 64; bit++)
		faults &= faults_at(bit);
	ok(faults, "RXBFCM: each bit above OAMax: Address size fault, level 0");
}

static void el1_part(void)
{
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
	asm volatile("mov w0, #20000\n1: subs w0, w0, #1\n\tb.ne 1b\n\t"
		     "msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\t"
		     "isb" : : : "x0", "cc");
}

static uint64_t seen_by_el1;

static void el1_reads(void)
{
	seen_by_el1 = read_reg(PMBIDR_EL1);
}

static void run_el1(void (*fn)(void))
{
	call_lower(fn, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
}

/*
 * EL1 owns the buffer.  If EL2 permits it, the SPU uses EL1's intermediate
 * physical addresses.
 */
static void el1_owns(void)
{
	uint64_t saved, end = PAGES + 4096, entry;

	mmu_el1_on();
	stage2_on();
	write_reg("mdcr_el2", MDCR_E2PB(3));
	spe_setup(PAGES, end);
	saved = unmap();

	write_reg(PMSCR_EL2, 0);
	run_el1(el1_reads);
	ok_eq(ADDRMODE(seen_by_el1), 0, "EnVM 0: EL1 sees virtual mode alone");
	setup(PAGES, end, NVM);
	run_el1(el1_part);
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 0x24ul << 26 | 7,
	      "EnVM 0: nVM is ignored");

	write_reg(PMSCR_EL2, ENVM);
	run_el1(el1_reads);
	ok_eq(ADDRMODE(seen_by_el1), 1, "EnVM 1: EL1 sees both modes");
	setup(PAGES, end, NVM);
	run_el1(el1_part);
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 1,
	      "EnVM 1: the buffer fills, at intermediate physical addresses");

	entry = *stage2_entry(PAGES);
	*stage2_entry(PAGES) = 0;
	tlb_flush();
	setup(PAGES, end, NVM);
	run_el1(el1_part);
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 0x25ul << 26 | 6,
	      "EnVM 1: stage 2 does not map them, Translation fault");
	*stage2_entry(PAGES) = entry;
	*page_entry(PAGES) = saved;
	tlb_flush();
}

void test_main(uint64_t el)
{
	at_el2 = el == 2;
	mmu_on();
	registers();
	own_regime();
	beyond();
	if (at_el2)
		el1_owns();
}
