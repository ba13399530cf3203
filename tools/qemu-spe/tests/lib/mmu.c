// SPDX-License-Identifier: GPL-2.0-only
/*
 * An identity map.  The first GiB is device memory, the second is RAM.  The 2
 * MiB at PAGES are mapped with single pages, so that tests can make one of them
 * fault.
 */

#include "test.h"

#define VALID		1ul
#define TABLE		3ul
#define PAGE		3ul
#define NORMAL		(0ul << 2)
#define DEVICE		(1ul << 2)
#define AP_EL0_RO	(3ul << 6)
#define INNER_SHAREABLE	(3ul << 8)
#define AF		(1ul << 10)
#define S2_NORMAL	(0xful << 2)
#define S2_RW		(3ul << 6)

#define EL0_CODE	0x44000000ul

static uint64_t level1[512] __attribute__((aligned(4096)));
static uint64_t level2[512] __attribute__((aligned(4096)));
static uint64_t level3[512] __attribute__((aligned(4096)));
static uint64_t s2_level1[512] __attribute__((aligned(4096)));
static uint64_t s2_level2[512] __attribute__((aligned(4096)));

static void build(void)
{
	uint64_t normal = NORMAL | INNER_SHAREABLE | AF;

	level1[0] = VALID | DEVICE | AF;
	level1[1] = (uint64_t)level2 | TABLE;
	for (uint64_t i = 0; i < 512; i++) {
		uint64_t pa = RAM_BASE + (i << 21);

		level2[i] = pa | VALID | normal;
		if (pa == EL0_CODE)
			level2[i] |= AP_EL0_RO;
		level3[i] = (PAGES + (i << 12)) | PAGE | normal;
	}
	level2[(PAGES - RAM_BASE) >> 21] = (uint64_t)level3 | TABLE;
}

#define MAIR		0x00fful
/* 39-bit addresses, 4 KiB granule, cacheable walks */
#define TCR_COMMON	(25ul | 1ul << 8 | 1ul << 10 | 3ul << 12)
#define TCR_EL1_FORMAT	(TCR_COMMON | 1ul << 23 | 2ul << 32)
#define TCR_EL2_FORMAT	(TCR_COMMON | 1ul << 31 | 1ul << 23 | 2ul << 16)
#define SCTLR_RES1	0x30d00800ul
#define SCTLR_MCI	(1ul | 1ul << 2 | 1ul << 12)

static bool vhe(void)
{
	return current_el() == 2 && (read_reg("hcr_el2") & HCR_E2H);
}

/* With E2H 1, names that end in _EL1 access EL2's registers in EL1's format. */
static void on_el1_names(void)
{
	write_reg("mair_el1", MAIR);
	write_reg("tcr_el1", TCR_EL1_FORMAT);
	write_reg("ttbr0_el1", level1);
	asm volatile("dsb sy; isb" : : : "memory");
	write_reg("sctlr_el1", SCTLR_RES1 | SCTLR_MCI);
	isb();
	tlb_flush();
}

void mmu_on(void)
{
	build();
	if (current_el() == 1 || vhe()) {
		on_el1_names();
		return;
	}
	write_reg("mair_el2", MAIR);
	write_reg("tcr_el2", TCR_EL2_FORMAT);
	write_reg("ttbr0_el2", level1);
	asm volatile("dsb sy; isb" : : : "memory");
	write_reg("sctlr_el2", 0x30c50830ul | SCTLR_MCI);
	isb();
	tlb_flush();
}

void mmu_join(void)
{
	on_el1_names();
}

void mmu_el1_on(void)
{
	build();
	on_el1_names();
}

uint64_t *page_entry(uint64_t va)
{
	return &level3[(va - PAGES) >> 12];
}

void tlb_flush(void)
{
	if (current_el() == 2)
		asm volatile("dsb sy; tlbi alle2; tlbi alle1; dsb sy; isb"
			     : : : "memory");
	else
		asm volatile("dsb sy; tlbi vmalle1; dsb sy; isb" : : : "memory");
}

uint64_t *stage2_entry(uint64_t ipa)
{
	return &s2_level2[(ipa - RAM_BASE) >> 21];
}

/* Walks of stage 2 start at level 1, with 39-bit intermediate addresses. */
void stage2_on(void)
{
	s2_level1[0] = VALID | AF | S2_RW;
	s2_level1[1] = (uint64_t)s2_level2 | TABLE;
	for (uint64_t i = 0; i < 512; i++)
		s2_level2[i] = (RAM_BASE + (i << 21)) | VALID | S2_NORMAL |
			       S2_RW | INNER_SHAREABLE | AF;
	write_reg("vtcr_el2", 25ul | 1ul << 6 | 1ul << 8 | 1ul << 10 |
			      3ul << 12 | 2ul << 16 | 1ul << 31);
	write_reg("vttbr_el2", s2_level1);
	write_reg("hcr_el2", read_reg("hcr_el2") | HCR_VM);
	tlb_flush();
}
