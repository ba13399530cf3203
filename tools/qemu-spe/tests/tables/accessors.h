/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accessibility of each register, as its page in D24.7 defines it.  For
 * every Exception level, a string lists the checks in the manual's order.  Each
 * check names where the access goes if the check applies.  If none applies, the
 * access reaches the register.  At EL0 all of these registers are UNDEFINED,
 * and so are writes to read-only registers.
 *
 *   FGT     the register's bit of HDFGRTR_EL2 or HDFGWTR_EL2, with EL2
 *           enabled, and SCR_EL3.FGTEn if EL3 is implemented
 *   FGT2    the register's bit of HDFGRTR2_EL2 or HDFGWTR2_EL2 is 0, or EL3
 *           is implemented and SCR_EL3.FGTEn2 is 0; with FEAT_FGT2 and EL2
 *           enabled
 *   FGTEN2  SCR_EL3.FGTEn2 is 0
 *   TPMS    MDCR_EL2.TPMS is 1 and EL2 enabled
 *   E2PB    MDCR_EL2.E2PB is x0 and EL2 enabled
 *   NSPB    CheckMDCR_EL3_NSPBTrap()
 *   ENPMSN, ENPMS3, ENPMS4    the bit of MDCR_EL3 is 0
 *   PMSEE   MDCR_EL3.PMSEE is 00
 *   EE      the Effective value of PMSCR_EL2.EE is not 00 and ELIsInHost(EL2)
 *   HOST    ELIsInHost(EL2)
 *   GUEST   not ELIsInHost(EL2)
 *   NV      EffectiveHCR_EL2_NVx() has NV set
 *   NV111, NV101, NV1X1    it has these values of the bits NV2, NV1 and NV
 *   NVSR    NV1X1, and one of: the Effective value of PMSCR_EL2.EE is 00;
 *           PMSCR_EL1.EE is 00; NV111
 *   X       always
 *
 * MEM as a destination is the register's place in memory, from VNCR_EL2.
 *
 * The last two registers are those of FEAT_FGT2 (D24.2.66, D24.2.68), which
 * trap accesses to the SPU.  The checks of EL3SDDUndef() are left out, because
 * they concern Debug state.
 */

#ifndef SPE_ACCESSORS_H
#define SPE_ACCESSORS_H

#include <stdint.h>

#define PMS_EL1		"FGT>EL2 TPMS>EL2 NSPB>EL3"
#define PMB_EL1		"FGT>EL2 E2PB>EL2 NSPB>EL3"

struct accessor {
	const char *name, *encoding;	/* MRS and MSR use @encoding */
	const char *feature;		/* the register is UNDEFINED without it */
	int fgt;			/* bit number; bits 62 and up trap while 0 */
	const char *el1, *el2, *el3;
	uint64_t a, b;			/* two values to write; none if read-only */
	unsigned int memory;		/* offset from VNCR_EL2; 0 if none */
};

#define ACCESSORS(_)							\
_(PMSCR_EL1,	"S3_0_C9_C9_0", "", 26,					\
	PMS_EL1 " NV111>MEM", "NSPB>EL3 HOST>PMSCR_EL2", "",		\
	1ul << 3, 1ul << 4, 0x828)					\
_(PMSNEVFR_EL1,	"S3_0_C9_C9_1", "FnE", 62,				\
	PMS_EL1 " ENPMSN>EL3 NV1X1>MEM", "NSPB>EL3 ENPMSN>EL3", "",	\
	1ul << 3, 1ul << 5, 0x850)					\
_(PMSICR_EL1,	"S3_0_C9_C9_2", "", 29,					\
	PMS_EL1 " NV1X1>MEM", "NSPB>EL3", "", 0x100, 0x200, 0x838)	\
_(PMSIRR_EL1,	"S3_0_C9_C9_3", "", 31,					\
	PMS_EL1 " NV1X1>MEM", "NSPB>EL3", "", 0x100, 0x200, 0x840)	\
_(PMSFCR_EL1,	"S3_0_C9_C9_4", "", 28,					\
	PMS_EL1, "NSPB>EL3", "", 1, 2, 0)				\
_(PMSEVFR_EL1,	"S3_0_C9_C9_5", "", 27,					\
	PMS_EL1 " NV1X1>MEM", "NSPB>EL3", "", 1ul << 3, 1ul << 5, 0x830) \
_(PMSLATFR_EL1,	"S3_0_C9_C9_6", "", 32,					\
	PMS_EL1 " NV1X1>MEM", "NSPB>EL3", "", 0x10, 0x20, 0x848)	\
_(PMSIDR_EL1,	"S3_0_C9_C9_7", "", 30,					\
	PMS_EL1, "NSPB>EL3", "", 0, 0, 0)				\
_(PMBLIMITR_EL1, "S3_0_C9_C10_0", "", 23,				\
	PMB_EL1 " NV1X1>MEM", "NSPB>EL3", "", 0x48001000, 0x48002000, 0x800) \
_(PMBPTR_EL1,	"S3_0_C9_C10_1", "", 24,				\
	PMB_EL1 " NV1X1>MEM", "NSPB>EL3", "", 0x48001000, 0x48002000, 0x810) \
_(PMBSR_EL1,	"S3_0_C9_C10_3", "", 25,				\
	PMB_EL1 " NVSR>MEM", "NSPB>EL3 EE>PMBSR_EL2", "", 0x11, 0x12, 0x820) \
_(PMSDSFR_EL1,	"S3_0_C9_C10_4", "FDS", -1,				\
	"FGT2>EL2 TPMS>EL2 ENPMS3>EL3 NSPB>EL3 NV1X1>MEM",		\
	"NSPB>EL3 ENPMS3>EL3", "", 1, 2, 0x858)				\
_(PMBMAR_EL1,	"S3_0_C9_C10_5", "nVM", -1,				\
	"FGT2>EL2 E2PB>EL2 ENPMS4>EL3 NSPB>EL3", "NSPB>EL3 ENPMS4>EL3",	\
	"", 0xff, 0x44, 0)						\
_(PMBIDR_EL1,	"S3_0_C9_C10_7", "", 63,				\
	"FGT>EL2", "", "", 0, 0, 0)					\
_(PMSCR_EL2,	"S3_4_C9_C9_0", "", -1,					\
	"NV>EL2 X>UNDEF", "NSPB>EL3", "", 1ul << 3, 1ul << 4, 0)	\
_(PMBSR_EL2,	"S3_4_C9_C10_3", "EXC", -1,				\
	"NV>EL2 X>UNDEF", "NSPB>EL3 PMSEE>EL3", "", 0x11, 0x12, 0)	\
_(PMSCR_EL12,	"S3_5_C9_C9_0", "", -1,					\
	"NV101>MEM NV>EL2 X>UNDEF", "GUEST>UNDEF NSPB>EL3 X>PMSCR_EL1",	\
	"GUEST>UNDEF X>PMSCR_EL1", 1ul << 3, 1ul << 4, 0x828)		\
_(PMBSR_EL12,	"S3_5_C9_C10_3", "EXC", -1,				\
	"NV101>MEM NV>EL2 X>UNDEF", "GUEST>UNDEF NSPB>EL3 X>PMBSR_EL1",	\
	"GUEST>UNDEF X>PMBSR_EL1", 0x11, 0x12, 0x820)			\
_(PMBSR_EL3,	"S3_6_C9_C10_3", "EXC", -1,				\
	"X>UNDEF", "X>UNDEF", "", 0x11, 0x12, 0)			\
_(HDFGRTR2_EL2,	"S3_4_C3_C1_0", "FGT2", -1,				\
	"NV1X1>MEM NV>EL2 X>UNDEF", "FGTEN2>EL3", "",			\
	1ul << 24, 1ul << 19, 0x1a0)					\
_(HDFGWTR2_EL2,	"S3_4_C3_C1_1", "FGT2", -1,				\
	"NV1X1>MEM NV>EL2 X>UNDEF", "FGTEN2>EL3", "",			\
	1ul << 24, 1ul << 19, 0x1b0)

#endif
