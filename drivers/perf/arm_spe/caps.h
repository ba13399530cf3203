/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decodes ID registers to capabilities.  Pure: no function accesses a register.
 */
#ifndef SPE_CAPS_H
#define SPE_CAPS_H

#include "types.h"

/* Features that the driver uses; each is one bit in spe_caps.features. */
enum spe_feature {
	SPE_FEAT_FE,		/* filter by event */
	SPE_FEAT_FT,		/* filter by operation type */
	SPE_FEAT_FL,		/* filter by latency */
	SPE_FEAT_FNE,		/* filter by inverted event */
	SPE_FEAT_FDS,		/* filter by data source */
	SPE_FEAT_EFT,		/* type masks, SIMD and floating-point types */
	SPE_FEAT_ARCHINST,	/* the unit samples architecture instructions */
	SPE_FEAT_LDS,		/* records of loads have a data source */
	SPE_FEAT_ERND,		/* jitter uses a counter of its own */
	SPE_FEAT_DISCARD,	/* discard mode */
	SPE_FEAT_LAT16,		/* latency counters and MINLAT of 16 bits */
	SPE_FEAT_PBT,		/* previous branch target */
	SPE_FEAT_CRR,		/* the branch subclass tells calls and returns */
	SPE_FEAT_FPF,		/* the operation type has a floating-point flag */
	SPE_FEAT_NVM,		/* the buffer may have physical addresses */
	SPE_FEAT_NVM_ONLY,	/* the buffer must have physical addresses */
	SPE_FEAT_SAMPLE,	/* not of the unit: events of this PMU are samples, not AUX data */
	SPE_FEAT_GUEST,		/* not of the unit: guests of KVM may be sampled */
	SPE_FEAT_NR
};

#define SPE_FEAT(name)	(1U << SPE_FEAT_##name)

/*
 * Register values of one PE.  The driver writes all ones to PMSEVFR_EL1 and
 * PMSNEVFR_EL1 and reads them back, because unimplemented bits are RAZ/WI.  pmsidr,
 * pmsevfr and pmsnevfr are zero if the driver may not read the registers (no SPE, or
 * a higher Exception level owns the buffer).
 */
struct spe_idregs {
	u64 dfr0;
	u64 pmbidr;
	u64 pmsidr;
	u64 pmsevfr;
	u64 pmsnevfr;
};

struct spe_caps {
	u32 features;		/* SPE_FEAT() bits */
	u8 pmsver;		/* ID_AA64DFR0_EL1.PMSVer, at least 1 */
	u8 count_bits;		/* width of the counter packets: 12 or 16 */
	u16 min_interval;	/* recommended operations between samples, 256..4096 */
	u16 record_size;	/* largest record in bytes, 16..2048 */
	u16 align;		/* alignment of a new write pointer in bytes, 1..2048 */
	u64 max_buffer;		/* maximum bytes from write pointer to limit, 0: none */
	u64 events;		/* bits that PMSEVFR_EL1 implements; E[1] is always set */
	u64 ignored_events;	/* E[1], if the unit ignores that bit of PMSEVFR_EL1; else 0 */
	u64 inv_events;		/* bits that PMSNEVFR_EL1 implements */
};

enum spe_bind {
	SPE_BIND_OK,
	SPE_BIND_NO_SPE,	/* PMSVer is 0 */
	SPE_BIND_OWNED,		/* PMBIDR_EL1.P: a higher Exception level owns the buffer */
	SPE_BIND_BAD_SIZE,	/* PMSIDR_EL1.MaxSize is reserved */
	SPE_BIND_BAD_ALIGN,	/* PMBIDR_EL1.Align is reserved */
	SPE_BIND_BAD_FORMAT,	/* PMSIDR_EL1.Format: records of an unknown layout */
	SPE_BIND_KPTI,		/* KPTI unmaps virtual buffers, and physical ones are unused */
	SPE_BIND_NO_NVM,	/* physical buffers are required but not available */
	SPE_BIND_NVM_ONLY,	/* virtual buffers are required but not available */
	SPE_BIND_NR
};

/*
 * spe_caps_decode() - decode the capabilities of a PE
 *
 * Returns SPE_BIND_OK with *caps filled in.  Otherwise returns the reason why the
 * driver cannot use this PE, with *caps all zero.
 */
enum spe_bind spe_caps_decode(const struct spe_idregs *regs, struct spe_caps *caps);

/* The module parameter "addressing". */
enum spe_addressing {
	SPE_ADDRESSING_AUTO,	/* virtual, or physical under KPTI */
	SPE_ADDRESSING_VIRTUAL,
	SPE_ADDRESSING_PHYSICAL,
};

/*
 * spe_caps_addressing() - choose virtual or physical buffers
 * @kpti: the kernel unmaps itself while user space runs (page-table isolation)
 *
 * Virtual buffers may consist of scattered pages and need no support by firmware.
 * Under KPTI they are not mapped while user space runs: then only physical buffers
 * (FEAT_SPE_nVM) work.
 *
 * Returns SPE_BIND_OK with *physical set, or the reason why no buffer can work.
 */
enum spe_bind spe_caps_addressing(const struct spe_caps *caps, bool kpti,
				  enum spe_addressing wanted, bool *physical);

/* Returns a reason and its remedy as text for the log. */
const char *spe_caps_reason(enum spe_bind why);

/* Whether two PEs may belong to one PMU: all fields that a session uses are equal. */
bool spe_caps_same(const struct spe_caps *a, const struct spe_caps *b);

/* Returns the version's name in the manual, "v1" to "v1p5", or "v1p5+" for later ones. */
const char *spe_caps_version(const struct spe_caps *caps);

#endif /* SPE_CAPS_H */
