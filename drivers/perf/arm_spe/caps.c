// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decodes ID registers to capabilities.
 */
#include "caps.h"

/* The bit of PMSIDR_EL1 for each feature. */
static const struct {
	u64 pmsidr;
	u32 feature;
} spe_pmsidr_rows[] = {
	{ ARM_SPE_PMSIDR_FE, SPE_FEAT(FE) },
	{ ARM_SPE_PMSIDR_FT, SPE_FEAT(FT) },
	{ ARM_SPE_PMSIDR_FL, SPE_FEAT(FL) },
	{ ARM_SPE_PMSIDR_FNE, SPE_FEAT(FNE) },
	{ ARM_SPE_PMSIDR_FDS, SPE_FEAT(FDS) },
	{ ARM_SPE_PMSIDR_EFT, SPE_FEAT(EFT) },
	{ ARM_SPE_PMSIDR_ARCHINST, SPE_FEAT(ARCHINST) },
	{ ARM_SPE_PMSIDR_LDS, SPE_FEAT(LDS) },
	{ ARM_SPE_PMSIDR_ERND, SPE_FEAT(ERND) },
	{ ARM_SPE_PMSIDR_PBT, SPE_FEAT(PBT) },
	{ ARM_SPE_PMSIDR_CRR, SPE_FEAT(CRR) },
	{ ARM_SPE_PMSIDR_FPF, SPE_FEAT(FPF) },
};

/*
 * PMSIDR_EL1.Interval (D24.7.14).  The manual reserves 1 and 9 to 15.  For
 * these the driver recommends the longest interval, which causes the fewest
 * collisions; Linux's own driver does the same.
 */
static const u16 spe_intervals[16] = {
	256, 4096, 512, 768, 1024, 1536, 2048, 3072,
	4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096,
};

static const char * const spe_reasons[SPE_BIND_NR] = {
	[SPE_BIND_OK] = "usable",
	[SPE_BIND_NO_SPE] =
		"this CPU has no SPE (ID_AA64DFR0_EL1.PMSVer is 0); if the hardware has it, enable it in firmware or the hypervisor",
	[SPE_BIND_OWNED] =
		"a higher Exception level owns the Profiling Buffer (PMBIDR_EL1.P); enable SPE for this kernel in firmware or the hypervisor",
	[SPE_BIND_BAD_SIZE] =
		"PMSIDR_EL1.MaxSize has a reserved value; use a newer version of this module",
	[SPE_BIND_BAD_ALIGN] =
		"PMBIDR_EL1.Align has a reserved value; use a newer version of this module",
	[SPE_BIND_BAD_FORMAT] =
		"PMSIDR_EL1.Format names a layout of records that this module does not know; use a newer version of this module",
	[SPE_BIND_KPTI] =
		"kernel page-table isolation unmaps the buffer at EL0, and physical addresses (FEAT_SPE_nVM) are not available or not allowed (addressing=virtual); boot with kpti=off",
	[SPE_BIND_NO_NVM] =
		"addressing=physical needs FEAT_SPE_nVM, but this CPU lacks it or the hypervisor disables it (PMBIDR_EL1.AddrMode); load without addressing=physical",
	[SPE_BIND_NVM_ONLY] =
		"the hypervisor allows only physical addresses (PMBIDR_EL1.AddrMode); load without addressing=virtual",
};

/* PMBIDR_EL1.MaxBuffSize: a floating-point number, in units of 4 KiB. */
static u64 spe_caps_max_buffer(u64 pmbidr)
{
	u64 mantissa = spe_get(ARM_SPE_PMBIDR_MAXBUFF_M, pmbidr);
	u64 exponent = spe_get(ARM_SPE_PMBIDR_MAXBUFF_E, pmbidr);

	if (!exponent)
		return mantissa << 12;
	return (mantissa | 0x200) << (exponent + 11);
}

static u32 spe_caps_features(const struct spe_idregs *regs)
{
	unsigned int address_modes = spe_get(ARM_SPE_PMBIDR_ADDRMODE, regs->pmbidr);
	u32 features = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spe_pmsidr_rows); i++)
		if (regs->pmsidr & spe_pmsidr_rows[i].pmsidr)
			features |= spe_pmsidr_rows[i].feature;
	/*
	 * AddrMode is 0 without FEAT_SPE_nVM.  It is also 0 while the Effective
	 * value of PMSCR_EL2.EnVM is 0; then the unit ignores PMBLIMITR_EL1.nVM
	 * (D24.7.1).
	 */
	if (address_modes & ARM_SPE_ADDRMODE_PHYSICAL)
		features |= SPE_FEAT(NVM);
	if (address_modes == ARM_SPE_ADDRMODE_PHYSICAL_ONLY)
		features |= SPE_FEAT(NVM_ONLY);
	if (spe_get(ARM_SPE_DFR0_PMSVER, regs->dfr0) >= ARM_SPE_PMSVER_V1P2)
		features |= SPE_FEAT(DISCARD);
	if (spe_get(ARM_SPE_PMSIDR_COUNTSIZE, regs->pmsidr) == 3)
		features |= SPE_FEAT(LAT16);
	return features;
}

enum spe_bind spe_caps_decode(const struct spe_idregs *regs, struct spe_caps *caps)
{
	unsigned int max_size = spe_get(ARM_SPE_PMSIDR_MAXSIZE, regs->pmsidr);
	unsigned int align = spe_get(ARM_SPE_PMBIDR_ALIGN, regs->pmbidr);
	unsigned int version = spe_get(ARM_SPE_DFR0_PMSVER, regs->dfr0);

	*caps = (struct spe_caps) { 0 };
	if (!version)
		return SPE_BIND_NO_SPE;
	/* Check P first: if P is set the other fields are not usable. */
	if (regs->pmbidr & ARM_SPE_PMBIDR_P)
		return SPE_BIND_OWNED;
	if (max_size < 4 || max_size > 11)
		return SPE_BIND_BAD_SIZE;
	if (align > 11)
		return SPE_BIND_BAD_ALIGN;
	if (regs->pmsidr & ARM_SPE_PMSIDR_FORMAT)
		return SPE_BIND_BAD_FORMAT;

	caps->features = spe_caps_features(regs);
	caps->count_bits = caps->features & SPE_FEAT(LAT16) ? 16 : 12;
	caps->pmsver = version;
	caps->min_interval = spe_intervals[spe_get(ARM_SPE_PMSIDR_INTERVAL, regs->pmsidr)];
	caps->record_size = 1U << max_size;
	caps->align = 1U << align;
	caps->max_buffer = spe_caps_max_buffer(regs->pmbidr);
	/*
	 * If the unit samples no speculative operations, it ignores E[1], which
	 * reads as UNKNOWN (D24.7, PMSEVFR_EL1).  Then every record is of a retired
	 * operation, so a filter for retired operations keeps all of them: allow it.
	 */
	if (caps->features & SPE_FEAT(FE)) {
		caps->events = regs->pmsevfr | ARM_SPE_PMSEVFR_RETIRED;
		caps->ignored_events = ARM_SPE_PMSEVFR_RETIRED & ~regs->pmsevfr;
	}
	if (caps->features & SPE_FEAT(FNE))
		caps->inv_events = regs->pmsnevfr;
	return SPE_BIND_OK;
}

enum spe_bind spe_caps_addressing(const struct spe_caps *caps, bool kpti,
				  enum spe_addressing wanted, bool *physical)
{
	bool available = caps->features & SPE_FEAT(NVM);
	bool required = caps->features & SPE_FEAT(NVM_ONLY);

	*physical = required || wanted == SPE_ADDRESSING_PHYSICAL ||
		    (wanted == SPE_ADDRESSING_AUTO && kpti && available);
	if (required && wanted == SPE_ADDRESSING_VIRTUAL)
		return SPE_BIND_NVM_ONLY;
	if (*physical)
		return available ? SPE_BIND_OK : SPE_BIND_NO_NVM;
	return kpti ? SPE_BIND_KPTI : SPE_BIND_OK;
}

const char *spe_caps_reason(enum spe_bind why)
{
	return (unsigned int)why < SPE_BIND_NR ? spe_reasons[why] : "unknown reason";
}

bool spe_caps_same(const struct spe_caps *a, const struct spe_caps *b)
{
	return a->features == b->features && a->pmsver == b->pmsver &&
	       a->count_bits == b->count_bits && a->min_interval == b->min_interval &&
	       a->record_size == b->record_size && a->align == b->align &&
	       a->max_buffer == b->max_buffer &&
	       a->events == b->events && a->inv_events == b->inv_events;
}

const char *spe_caps_version(const struct spe_caps *caps)
{
	static const char * const names[] = {
		"none", "v1", "v1p1", "v1p2", "v1p3", "v1p4", "v1p5",
	};

	if (caps->pmsver < ARRAY_SIZE(names))
		return names[caps->pmsver];
	return "v1p5+";
}
