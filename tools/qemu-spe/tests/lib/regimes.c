// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identity maps for each translation regime, so that code finds its
 * instructions and data at every level, with the MMU on or off.  They map
 * devices, one GiB of RAM and, within it, PAGES with single pages.  Stage 2
 * also maps NO_GPT, which a test may map at stage 1.
 */

#include "levels.h"

#define VALID		1ul
#define TABLE		3ul
#define PAGE		3ul
#define DEVICE		(1ul << 2)
#define AP_EL0_RO	(3ul << 6)
#define INNER_SHAREABLE	(3ul << 8)
#define AF		(1ul << 10)
#define S2_NORMAL	(0xful << 2)
#define S2_DEVICE	(1ul << 2)
#define S2_RW		(3ul << 6)
#define EL0_CODE	0x44000000ul

#define MAIR		0x00fful
/* 39-bit addresses, 4 KiB granule, cacheable walks, 40-bit output */
#define TCR_COMMON	(25ul | 1ul << 8 | 1ul << 10 | 3ul << 12)
/* EL2&0: the same format for TTBR0 and TTBR1 */
#define TCR_EL1_FORMAT	(TCR_COMMON | 1ul << 23 | 2ul << 32)
#define TCR_EL20_FORMAT	(TCR_COMMON | TCR_COMMON << 16 | 2ul << 30 | 2ul << 32)
#define TCR_EL2_FORMAT	(TCR_COMMON | 1ul << 31 | 1ul << 23 | 2ul << 16)
/* The same format for stage 2, whose walks start at level 1 */
#define VTCR		(25ul | 1ul << 6 | 1ul << 8 | 1ul << 10 | 3ul << 12 | \
			 2ul << 16 | 1ul << 31)
#define SCTLR_MCI	(1ul | 1ul << 2 | 1ul << 12)

static struct {
	uint64_t level1[512], level2[512], level3[512];
} maps[3] __attribute__((aligned(4096)));

/*
 * Restores what tests change: the first pages, and the entry that points to
 * their table.
 */
static void rebuild(enum regime regime)
{
	uint64_t normal = PAGE | INNER_SHAREABLE | AF |
			  (regime == REGIME_STAGE2 ? S2_NORMAL | S2_RW : 0);

	for (uint64_t i = 0; i < 16; i++)
		maps[regime].level3[i] = (PAGES + (i << 12)) | normal;
	*regime_table(regime) = (uint64_t)maps[regime].level3 | TABLE;
}

static void build(enum regime regime)
{
	bool stage2 = regime == REGIME_STAGE2;
	uint64_t normal = INNER_SHAREABLE | AF |
			  (stage2 ? S2_NORMAL | S2_RW : 0);
	uint64_t device = AF | (stage2 ? S2_DEVICE | S2_RW : DEVICE);

	if (maps[regime].level1[0]) {
		rebuild(regime);
		return;
	}
	maps[regime].level1[0] = VALID | device;
	maps[regime].level1[1] = (uint64_t)maps[regime].level2 | TABLE;
	if (stage2)
		maps[regime].level1[3] = NO_GPT | VALID | normal;
	for (uint64_t i = 0; i < 512; i++) {
		uint64_t pa = RAM_BASE + (i << 21);

		maps[regime].level2[i] = pa | VALID | normal;
		if (pa == EL0_CODE && !stage2)
			maps[regime].level2[i] |= AP_EL0_RO;
		maps[regime].level3[i] = (PAGES + (i << 12)) | PAGE | normal;
	}
	rebuild(regime);
}

void regimes_build(void)
{
	build(REGIME_EL1);
	build(REGIME_EL2);
	build(REGIME_STAGE2);
}

uint64_t *regime_page(enum regime regime, uint64_t va)
{
	return &maps[regime].level3[(va - PAGES) >> 12];
}

uint64_t *regime_table(enum regime regime)
{
	return &maps[regime].level2[(PAGES - RAM_BASE) >> 21];
}

void regimes_flush(void)
{
	asm volatile("dsb sy" : : : "memory");
	if (have_el3)
		asm volatile("tlbi alle3");
	if (have_el2)
		asm volatile("tlbi alle2; tlbi alle1");
	else
		asm volatile("tlbi vmalle1");
	asm volatile("dsb sy; isb" : : : "memory");
}

static void regime_el2_on(bool on, bool e2h)
{
	write_reg("mair_el2", MAIR);
	write_reg("tcr_el2", e2h ? TCR_EL20_FORMAT : TCR_EL2_FORMAT);
	write_reg("ttbr0_el2", maps[REGIME_EL2].level1);
	if (e2h)			/* TTBR1_EL2 */
		write_reg("S3_4_C2_C0_1", maps[REGIME_EL2].level1);
	write_reg("vtcr_el2", VTCR);
	write_reg("vttbr_el2", maps[REGIME_STAGE2].level1);
	if (have_sel2) {
		/* VSTCR_EL2 and VSTTBR_EL2: Secure walks of Secure addresses */
		write_reg("S3_4_C2_C6_2", 25ul | 1ul << 6 | 1ul << 31);
		write_reg("S3_4_C2_C6_0", maps[REGIME_STAGE2].level1);
	}
	write_reg("sctlr_el2", 0x30c50830ul | (on ? SCTLR_MCI : 0));
}

/* The caller sets HCR_EL2.{E2H,VM}. */
void regimes_on(bool el1, bool el2, bool e2h)
{
	write_reg("mair_el1", MAIR);
	write_reg("tcr_el1", TCR_EL1_FORMAT);
	write_reg("ttbr0_el1", maps[REGIME_EL1].level1);
	write_reg("sctlr_el1", 0x30d00800ul | (el1 ? SCTLR_MCI : 0));
	if (have_el2)
		regime_el2_on(el2, e2h);
	isb();
	regimes_flush();
}
