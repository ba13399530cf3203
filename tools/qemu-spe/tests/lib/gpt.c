// SPDX-License-Identifier: GPL-2.0-only
/*
 * A granule protection table for 4 GiB with granules of 4 KiB.  Every physical
 * address space may access every granule, except those that a test changes with
 * gpt_set().  The fourth GiB has no table.
 */

#include "levels.h"

#define GPCCR_EL3	"S3_6_C2_C1_6"
#define GPTBR_EL3	"S3_6_C2_C1_4"
/* 32-bit addresses, shareable and cacheable walks, 4 KiB granules */
#define GPCCR_FORMAT	(1ul << 8 | 1ul << 10 | 3ul << 12)
#define GPCCR_GPC	(1ul << 16)
#define ALL_ACCESS	0xful
#define BLOCK		(1ul | ALL_ACCESS << 4)
#define TABLE		3ul

/* These addresses are in RAM that nothing else uses, aligned to 128 KiB. */
static uint64_t *const level0 = (uint64_t *)0x4a000000ul;
static uint64_t *const level1 = (uint64_t *)0x4a020000ul;

static bool built;
static uint64_t *changed;		/* the one entry that gpt_set() has changed */

static void build(void)
{
	level0[0] = BLOCK;
	level0[1] = (uint64_t)level1 | TABLE;
	level0[2] = BLOCK;
	level0[3] = 0;
	for (int i = 0; i < 16384; i++)
		level1[i] = ~0ul;
	built = true;
}

static void gpt_reset(void)
{
	if (changed)
		*changed = ~0ul;
	changed = NULL;
}

void gpt_on(void)
{
	if (!built)
		build();
	gpt_reset();
	write_reg(GPTBR_EL3, (uint64_t)level0 >> 12);
	write_reg(GPCCR_EL3, GPCCR_FORMAT | GPCCR_GPC);
	gpt_flush();
}

void gpt_off(void)
{
	write_reg(GPCCR_EL3, GPCCR_FORMAT);
	gpt_flush();
}

void gpt_set(uint64_t pa, unsigned int gpi)
{
	uint64_t granule = (pa - RAM_BASE) >> 12;
	uint64_t *entry = &level1[granule >> 4];
	unsigned int shift = 4 * (granule & 15);

	if (changed && changed != entry)
		*changed = ~0ul;
	changed = entry;
	*entry = (*entry & ~(ALL_ACCESS << shift)) | (uint64_t)gpi << shift;
	gpt_flush();
}

void gpt_flush(void)
{
	/* TLBI PAALL */
	asm volatile("dsb sy; isb; sys #6, c8, c7, #4; dsb sy; isb"
		     : : : "memory");
	regimes_flush();
}
