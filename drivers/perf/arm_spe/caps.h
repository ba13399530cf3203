/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ID registers to capabilities.  Pure: values in, a verdict out.
 */
#ifndef SPE_CAPS_H
#define SPE_CAPS_H

#include "types.h"

/* Features an attribute may need; one bit each in spe_caps.features. */
enum spe_feature {
	SPE_FEAT_FE,		/* filter by event */
	SPE_FEAT_FT,		/* filter by operation type */
	SPE_FEAT_FL,		/* filter by latency */
	SPE_FEAT_FNE,		/* filter by inverted event */
	SPE_FEAT_FDS,		/* filter by data source */
	SPE_FEAT_EFT,		/* type masks, SIMD and floating-point types */
	SPE_FEAT_ARCHINST,	/* operations are architecture instructions */
	SPE_FEAT_LDS,		/* loads carry a data source */
	SPE_FEAT_ERND,		/* random perturbation has its own counter */
	SPE_FEAT_DISCARD,	/* discard mode */
	SPE_FEAT_LAT16,		/* latency counters and MINLAT of 16 bits */
	SPE_FEAT_PBT,		/* previous branch target */
	SPE_FEAT_CRR,		/* call and return in the branch subclass */
	SPE_FEAT_FPF,		/* floating-point flag in the operation type */
	SPE_FEAT_NVM,		/* the buffer may be at physical addresses */
	SPE_FEAT_NVM_ONLY,	/* ... and at no others */
	SPE_FEAT_NR
};

#define SPE_FEAT(name)	(1U << SPE_FEAT_##name)

/*
 * What one PE's registers hold.  pmsevfr and pmsnevfr are what reads back
 * after all ones were written: unimplemented bits are RAZ/WI.  pmsidr,
 * pmsevfr and pmsnevfr are zero where they may not be read (no SPE, or owned
 * by a higher Exception level).
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
	u16 align;		/* of a first write pointer in bytes, 1..2048 */
	u64 max_buffer;		/* bytes from write pointer to limit, 0: any number */
	u64 events;		/* bits that PMSEVFR_EL1 implements, E[1] always */
	u64 inv_events;		/* bits that PMSNEVFR_EL1 implements */
};

enum spe_bind {
	SPE_BIND_OK,
	SPE_BIND_NO_SPE,	/* PMSVer is 0 */
	SPE_BIND_OWNED,		/* PMBIDR_EL1.P: a higher Exception level's */
	SPE_BIND_BAD_SIZE,	/* PMSIDR_EL1.MaxSize is reserved */
	SPE_BIND_BAD_ALIGN,	/* PMBIDR_EL1.Align is reserved */
	SPE_BIND_KPTI,	/* virtual addresses alone, which isolation unmaps */
	SPE_BIND_NO_NVM,	/* physical addresses are wanted and not to be had */
	SPE_BIND_NVM_ONLY,	/* virtual addresses are wanted and not to be had */
	SPE_BIND_NR
};

/*
 * spe_caps_decode() - what this PE's SPE can do
 *
 * Returns SPE_BIND_OK with *caps filled in, or why the driver may not use
 * this PE, with *caps all zero.
 */
enum spe_bind spe_caps_decode(const struct spe_idregs *regs, struct spe_caps *caps);

/* Which addresses buffers are to have. */
enum spe_addressing {
	SPE_ADDRESSING_AUTO,	/* virtual, where that works */
	SPE_ADDRESSING_VIRTUAL,
	SPE_ADDRESSING_PHYSICAL,
};

/*
 * spe_caps_addressing() - where buffers are
 *
 * Virtual addresses are for any number of scattered pages, and ask nothing of
 * firmware.  Under page-table isolation they are not mapped while user space
 * runs, and physical ones (FEAT_SPE_nVM) are the only ones that work.
 *
 * Returns SPE_BIND_OK with *physical set, or why there can be no buffer.
 */
enum spe_bind spe_caps_addressing(const struct spe_caps *caps, bool kpti,
				  enum spe_addressing wanted, bool *physical);

/* A reason and its remedy in words, for one line in the log. */
const char *spe_caps_reason(enum spe_bind why);

/* Whether one PMU may hold two PEs: every field that a session relies on. */
bool spe_caps_same(const struct spe_caps *a, const struct spe_caps *b);

/* The architecture's name of a version, "v1" to "v1p5"; later ones "v1p5+". */
const char *spe_caps_version(const struct spe_caps *caps);

#endif /* SPE_CAPS_H */
