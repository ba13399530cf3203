// SPDX-License-Identifier: GPL-2.0-only
/* ID registers, reset values and RES0 bits (D24.7).  Runs at EL1 and EL2. */

#include "test.h"

static void id_registers(void)
{
	uint64_t dfr0 = read_reg("id_aa64dfr0_el1");
	uint64_t pmsidr = read_reg(PMSIDR_EL1);
	uint64_t pmbidr = read_reg(PMBIDR_EL1);

	ok_eq(dfr0 >> 32 & 0xf, 5, "ID_AA64DFR0_EL1.PMSVer is FEAT_SPEv1p4");
	ok_eq(pmsidr & 0xf, 0xf, "PMSIDR_EL1.{FE,FT,FL,ArchInst} are 1");
	ok_eq(pmsidr >> 4 & 0xf, 0xf, "PMSIDR_EL1.{LDS,ERnd,FnE,FDS} are 1");
	ok_eq(pmsidr >> 8 & 0xf, 0, "PMSIDR_EL1.Interval gives no minimum");
	ok_eq(pmsidr >> 12 & 0xf, 6, "PMSIDR_EL1.MaxSize is 64 bytes");
	ok_eq(pmsidr >> 16 & 0xf, 2, "PMSIDR_EL1.CountSize is 12 bits");
	ok_eq(pmsidr >> 20, 7 << 5, "PMSIDR_EL1: CRR, EFT and FPF, no more");
	ok_eq(pmbidr & 0xf, 6, "PMBIDR_EL1.Align is 64 bytes");
	ok_eq(pmbidr >> 4 & 1, 0, "PMBIDR_EL1.P is 0 for the owner");
	ok_eq(pmbidr >> 5 & 1, 1, "PMBIDR_EL1.F: flags are managed");
	ok_eq(pmbidr >> 6, 1 << 2, "PMBIDR_EL1: EA ignored, no nVM");
}

static void reset_values(void)
{
	ok_eq(read_reg(PMBLIMITR_EL1) & 1, 0, "PMBLIMITR_EL1.E resets to 0");
	ok_eq(read_reg(PMBSR_EL1) & PMBSR_S, 0, "PMBSR_EL1.S is 0 after reset");
}

#define res0(name, mask, what) ({					\
	uint64_t before_ = read_reg(name);				\
	write_reg(name, ~0ul);						\
	ok_eq(read_reg(name), mask, what " has no other bits");		\
	write_reg(name, 0);						\
	ok_eq(read_reg(name), 0, what " can be cleared");		\
	write_reg(name, before_);					\
})

/* E[2] to E[11] and E[17] to E[23] */
#define EVENTS 0xfe0ffcul

static void res0_bits(bool el2)
{
	if (el2)
		res0(PMSCR_EL1, 0xfbul, "PMSCR_EL1");
	res0(PMSNEVFR_EL1, EVENTS, "PMSNEVFR_EL1");
	res0(PMSICR_EL1, 0xff000000fffffffful, "PMSICR_EL1");
	res0(PMSIRR_EL1, 0xffffff01ul, "PMSIRR_EL1");
	res0(PMSFCR_EL1, 0x1f0000001f001ful, "PMSFCR_EL1");
	res0(PMSEVFR_EL1, EVENTS, "PMSEVFR_EL1");
	res0(PMSLATFR_EL1, 0xffful, "PMSLATFR_EL1");
	res0(PMSDSFR_EL1, ~0ul, "PMSDSFR_EL1");
	res0(PMBPTR_EL1, ~0ul, "PMBPTR_EL1");
	res0(PMBSR_EL1, 0x00fffffffc0ffffful, "PMBSR_EL1");
	res0(PMBLIMITR_EL1, 0xfffffffffffff027ul, "PMBLIMITR_EL1");
}

/* A2.2: "When FEAT_SPE_FDS and FEAT_AA64EL2 are implemented, FEAT_FGT2 is." */
static void needed_by_el2(void)
{
	uint64_t mmfr0 = read_reg("id_aa64mmfr0_el1");

	ok((mmfr0 >> 56 & 15) >= 2, "ID_AA64MMFR0_EL1.FGT: FDS with EL2 has FEAT_FGT2");
	if ((mmfr0 >> 56 & 15) < 2)
		return;
	/*
	 * Without FEAT_SPE_nVM, nPMSDSFR_EL1 is the only bit of HDFGRTR2_EL2.
	 */
	ok_eq(read_reg("S3_4_C3_C1_0"), 0, "HDFGRTR2_EL2 resets to 0");
	ok_eq(read_reg("S3_4_C3_C1_1"), 0, "HDFGWTR2_EL2 resets to 0");
	res0("S3_4_C3_C1_0", 1ul << 19, "HDFGRTR2_EL2");
	res0("S3_4_C3_C1_1", 1ul << 19, "HDFGWTR2_EL2");
	res0("S3_4_C3_C1_2", 0, "HFGRTR2_EL2");
	res0("S3_4_C3_C1_3", 0, "HFGWTR2_EL2");
	res0("S3_4_C3_C1_7", 0, "HFGITR2_EL2");
}

/* Without EL2, PCT reads as 01 and ignores writes. */
static void pct_without_el2(void)
{
	write_reg(PMSCR_EL1, 0);
	ok_eq(read_reg(PMSCR_EL1), 0x40, "PMSCR_EL1.PCT is 01 without EL2");
	write_reg(PMSCR_EL1, ~0ul);
	ok_eq(read_reg(PMSCR_EL1), 0x7b, "PMSCR_EL1.PCT ignores writes then");
	write_reg(PMSCR_EL1, 0);
}

void test_main(uint64_t el)
{
	reset_values();
	id_registers();
	res0_bits(el == 2);
	if (el == 2) {
		res0(PMSCR_EL2, 0xfbul, "PMSCR_EL2");
		needed_by_el2();
	} else {
		pct_without_el2();
	}
}
