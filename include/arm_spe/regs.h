/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * System registers of the Statistical Profiling Extension: encodings and
 * fields, as facts.  Source: Arm Architecture Reference Manual (DDI 0487),
 * D24.7 (registers) and D17 (behaviour).  Bits not named here are RES0.
 */
#ifndef ARM_SPE_REGS_H
#define ARM_SPE_REGS_H

/* The encoding that MRS and MSR take, op0 at bit 19 down to op2 at bit 5. */
#define ARM_SPE_SYSREG(op0, op1, crn, crm, op2) \
	(((op0) << 19) | ((op1) << 16) | ((crn) << 12) | ((crm) << 8) | ((op2) << 5))

#define ARM_SPE_BIT(n)		(1ULL << (n))
#define ARM_SPE_MASK(hi, lo)	((~0ULL >> (63 - (hi))) & (~0ULL << (lo)))

/* Sampling control */
#define ARM_SPE_PMSCR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 0)
#define ARM_SPE_PMSNEVFR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 1)	/* FEAT_SPE_FnE */
#define ARM_SPE_PMSICR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 2)
#define ARM_SPE_PMSIRR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 3)
#define ARM_SPE_PMSFCR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 4)
#define ARM_SPE_PMSEVFR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 5)
#define ARM_SPE_PMSLATFR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 6)
#define ARM_SPE_PMSIDR_EL1	ARM_SPE_SYSREG(3, 0, 9, 9, 7)
#define ARM_SPE_PMSCR_EL2	ARM_SPE_SYSREG(3, 4, 9, 9, 0)
#define ARM_SPE_PMSCR_EL12	ARM_SPE_SYSREG(3, 5, 9, 9, 0)

/* Profiling Buffer */
#define ARM_SPE_PMBLIMITR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 0)
#define ARM_SPE_PMBPTR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 1)
#define ARM_SPE_PMBSR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 3)
#define ARM_SPE_PMSDSFR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 4)	/* FEAT_SPE_FDS */
#define ARM_SPE_PMBMAR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 5)	/* FEAT_SPE_nVM */
#define ARM_SPE_PMBIDR_EL1	ARM_SPE_SYSREG(3, 0, 9, 10, 7)

/* ID_AA64DFR0_EL1: 0 none, 1 SPE, 2 v1p1, 3 v1p2, 4 v1p3, 5 v1p4, 6 v1p5 */
#define ARM_SPE_DFR0_PMSVER		ARM_SPE_MASK(35, 32)
#define ARM_SPE_PMSVER_V1P2		3
#define ARM_SPE_PMSVER_V1P5		6

/* ID_AA64DFR2_EL1, and where PSTATE.PM is saved in SPSR_ELx */
#define ARM_SPE_ID_AA64DFR2_EL1		ARM_SPE_SYSREG(3, 0, 0, 5, 2)
#define ARM_SPE_DFR2_SPE_EXC		ARM_SPE_MASK(19, 16)
#define ARM_SPE_PSTATE_PM		ARM_SPE_BIT(32)

/* PMSCR_EL1; bits 0 and 1 are E0HSPE and E2SPE in PMSCR_EL2 */
#define ARM_SPE_PMSCR_E0SPE		ARM_SPE_BIT(0)
#define ARM_SPE_PMSCR_E1SPE		ARM_SPE_BIT(1)
#define ARM_SPE_PMSCR_CX		ARM_SPE_BIT(3)
#define ARM_SPE_PMSCR_PA		ARM_SPE_BIT(4)
#define ARM_SPE_PMSCR_TS		ARM_SPE_BIT(5)
#define ARM_SPE_PMSCR_PCT		ARM_SPE_MASK(7, 6)	/* 0 virtual, 1 physical */
#define ARM_SPE_PMSCR_EE		ARM_SPE_MASK(9, 8)	/* 0b11: enabled */
#define ARM_SPE_PMSCR_KE		ARM_SPE_BIT(10)
#define ARM_SPE_PMSCR_ENVM		ARM_SPE_BIT(11)

/* PMSICR_EL1 */
#define ARM_SPE_PMSICR_COUNT		ARM_SPE_MASK(31, 0)

/* PMSIRR_EL1: INTERVAL counts 256 operations; zero may not be written */
#define ARM_SPE_PMSIRR_RND		ARM_SPE_BIT(0)
#define ARM_SPE_PMSIRR_INTERVAL		ARM_SPE_MASK(31, 8)

/* PMSFCR_EL1: enables, type controls, type masks (FEAT_SPE_EFT) */
#define ARM_SPE_PMSFCR_FE		ARM_SPE_BIT(0)
#define ARM_SPE_PMSFCR_FT		ARM_SPE_BIT(1)
#define ARM_SPE_PMSFCR_FL		ARM_SPE_BIT(2)
#define ARM_SPE_PMSFCR_FNE		ARM_SPE_BIT(3)
#define ARM_SPE_PMSFCR_FDS		ARM_SPE_BIT(4)
#define ARM_SPE_PMSFCR_B		ARM_SPE_BIT(16)
#define ARM_SPE_PMSFCR_LD		ARM_SPE_BIT(17)
#define ARM_SPE_PMSFCR_ST		ARM_SPE_BIT(18)
#define ARM_SPE_PMSFCR_FP		ARM_SPE_BIT(19)
#define ARM_SPE_PMSFCR_SIMD		ARM_SPE_BIT(20)
#define ARM_SPE_PMSFCR_BM		ARM_SPE_BIT(48)
#define ARM_SPE_PMSFCR_LDM		ARM_SPE_BIT(49)
#define ARM_SPE_PMSFCR_STM		ARM_SPE_BIT(50)
#define ARM_SPE_PMSFCR_FPM		ARM_SPE_BIT(51)
#define ARM_SPE_PMSFCR_SIMDM		ARM_SPE_BIT(52)

/* PMSEVFR_EL1 and PMSNEVFR_EL1: bit n is E[n] of the Events packet */
#define ARM_SPE_PMSEVFR_RETIRED		ARM_SPE_BIT(1)

#define ARM_SPE_PMSLATFR_MINLAT		ARM_SPE_MASK(15, 0)

/* PMSIDR_EL1 */
#define ARM_SPE_PMSIDR_FE		ARM_SPE_BIT(0)
#define ARM_SPE_PMSIDR_FT		ARM_SPE_BIT(1)
#define ARM_SPE_PMSIDR_FL		ARM_SPE_BIT(2)
#define ARM_SPE_PMSIDR_ARCHINST		ARM_SPE_BIT(3)
#define ARM_SPE_PMSIDR_LDS		ARM_SPE_BIT(4)
#define ARM_SPE_PMSIDR_ERND		ARM_SPE_BIT(5)
#define ARM_SPE_PMSIDR_FNE		ARM_SPE_BIT(6)
#define ARM_SPE_PMSIDR_FDS		ARM_SPE_BIT(7)
#define ARM_SPE_PMSIDR_INTERVAL		ARM_SPE_MASK(11, 8)
#define ARM_SPE_PMSIDR_MAXSIZE		ARM_SPE_MASK(15, 12)	/* log2 bytes, 4 to 11 */
#define ARM_SPE_PMSIDR_COUNTSIZE	ARM_SPE_MASK(19, 16)	/* 2: 12 bits, 3: 16 bits */
#define ARM_SPE_PMSIDR_FORMAT		ARM_SPE_MASK(23, 20)
#define ARM_SPE_PMSIDR_PBT		ARM_SPE_BIT(24)
#define ARM_SPE_PMSIDR_CRR		ARM_SPE_BIT(25)
#define ARM_SPE_PMSIDR_EFT		ARM_SPE_BIT(26)
#define ARM_SPE_PMSIDR_FPF		ARM_SPE_BIT(27)
#define ARM_SPE_PMSIDR_ALTCLK		ARM_SPE_MASK(31, 28)
#define ARM_SPE_PMSIDR_SME		ARM_SPE_BIT(32)

/* PMBLIMITR_EL1; LIMIT is an address in units of 4 KiB */
#define ARM_SPE_PMBLIMITR_E		ARM_SPE_BIT(0)
#define ARM_SPE_PMBLIMITR_FM		ARM_SPE_MASK(2, 1)
#define ARM_SPE_PMBLIMITR_FM_DISCARD	ARM_SPE_BIT(2)	/* FM is 0b10 */
#define ARM_SPE_PMBLIMITR_PMFZ		ARM_SPE_BIT(5)
#define ARM_SPE_PMBLIMITR_NVM		ARM_SPE_BIT(7)
#define ARM_SPE_PMBLIMITR_LIMIT		ARM_SPE_MASK(63, 12)

/* PMBSR_ELx, one layout; BSC and FSC are the low bits of MSS */
#define ARM_SPE_PMBSR_MSS		ARM_SPE_MASK(15, 0)
#define ARM_SPE_PMBSR_BSC		ARM_SPE_MASK(5, 0)
#define ARM_SPE_PMBSR_FSC		ARM_SPE_MASK(5, 0)
#define ARM_SPE_PMBSR_COLL		ARM_SPE_BIT(16)
#define ARM_SPE_PMBSR_S			ARM_SPE_BIT(17)
#define ARM_SPE_PMBSR_EA		ARM_SPE_BIT(18)
#define ARM_SPE_PMBSR_DL		ARM_SPE_BIT(19)
#define ARM_SPE_PMBSR_EC		ARM_SPE_MASK(31, 26)
#define ARM_SPE_PMBSR_MSS2		ARM_SPE_MASK(55, 32)
/* MSS2 of aborts: bits 5 to 8 of it */
#define ARM_SPE_PMBSR_DIRTY_BIT		ARM_SPE_BIT(37)
#define ARM_SPE_PMBSR_OVERLAY		ARM_SPE_BIT(38)
#define ARM_SPE_PMBSR_ASSURED_ONLY	ARM_SPE_BIT(39)
#define ARM_SPE_PMBSR_TOP_LEVEL		ARM_SPE_BIT(40)
#define ARM_SPE_FSC_PERMISSION		0x0c	/* level 0; 1 to 3 follow */
#define ARM_SPE_EC_OTHER		0x00
#define ARM_SPE_EC_GPC			0x1e
#define ARM_SPE_EC_IMPDEF		0x1f
#define ARM_SPE_EC_STAGE1		0x24
#define ARM_SPE_EC_STAGE2		0x25
#define ARM_SPE_BSC_NOT_ALLOWED		0x00
#define ARM_SPE_BSC_FULL		0x01
#define ARM_SPE_BSC_TOO_LARGE		0x04

/* PMBMAR_EL1: memory attributes as in MAIR_ELx, and Shareability */
#define ARM_SPE_PMBMAR_ATTR		ARM_SPE_MASK(7, 0)
#define ARM_SPE_PMBMAR_SH		ARM_SPE_MASK(9, 8)
#define ARM_SPE_PMBMAR_SH_INNER		3
#define ARM_SPE_PMBMAR_ATTR_WB		0xff	/* Inner and Outer Write-Back, both Allocate */

/* PMBIDR_EL1; with P set no other field may be used */
#define ARM_SPE_PMBIDR_ALIGN		ARM_SPE_MASK(3, 0)	/* log2 bytes, at most 11 */
#define ARM_SPE_PMBIDR_P		ARM_SPE_BIT(4)
#define ARM_SPE_PMBIDR_F		ARM_SPE_BIT(5)
#define ARM_SPE_PMBIDR_ADDRMODE		ARM_SPE_MASK(7, 6)
#define ARM_SPE_ADDRMODE_PHYSICAL	1	/* bit: beside virtual addresses */
#define ARM_SPE_ADDRMODE_PHYSICAL_ONLY	3
#define ARM_SPE_PMBIDR_EA		ARM_SPE_MASK(11, 8)
/* Zero in hardware; a hypervisor's limit: mantissa 8:0, exponent 13:9 */
#define ARM_SPE_PMBIDR_MAXBUFF_M	ARM_SPE_MASK(40, 32)
#define ARM_SPE_PMBIDR_MAXBUFF_E	ARM_SPE_MASK(45, 41)

#endif /* ARM_SPE_REGS_H */
