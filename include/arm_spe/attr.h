/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The event attributes of an arm_spe PMU: which bits of which
 * perf_event_attr word each one occupies.  This is a user ABI shared with
 * the driver in Linux's tree (names and positions in the PMU's sysfs folder
 * format/); a line may be added, never changed.
 */
#ifndef ARM_SPE_ATTR_H
#define ARM_SPE_ATTR_H

/* Word 0 is config, 1 is config1 and so on; bits lo to hi, 0 to 63. */
#define ARM_SPE_ATTR(word, lo, hi)	((word) << 16 | (lo) << 8 | (hi))
#define ARM_SPE_ATTR_WORD(attr)		((attr) >> 16 & 0xff)
#define ARM_SPE_ATTR_LO(attr)		((attr) >> 8 & 0xff)
#define ARM_SPE_ATTR_HI(attr)		((attr) & 0xff)

#define ARM_SPE_ATTR_WORDS		5

enum arm_spe_attr {
	ARM_SPE_ATTR_TS_ENABLE			= ARM_SPE_ATTR(0, 0, 0),
	ARM_SPE_ATTR_PA_ENABLE			= ARM_SPE_ATTR(0, 1, 1),
	ARM_SPE_ATTR_PCT_ENABLE			= ARM_SPE_ATTR(0, 2, 2),
	ARM_SPE_ATTR_JITTER			= ARM_SPE_ATTR(0, 16, 16),
	/* The guests of KVM beside the host; exclude_host: without it */
	ARM_SPE_ATTR_GUEST			= ARM_SPE_ATTR(0, 17, 17),
	ARM_SPE_ATTR_BRANCH_FILTER		= ARM_SPE_ATTR(0, 32, 32),
	ARM_SPE_ATTR_LOAD_FILTER		= ARM_SPE_ATTR(0, 33, 33),
	ARM_SPE_ATTR_STORE_FILTER		= ARM_SPE_ATTR(0, 34, 34),
	ARM_SPE_ATTR_DISCARD			= ARM_SPE_ATTR(0, 35, 35),
	ARM_SPE_ATTR_BRANCH_FILTER_MASK		= ARM_SPE_ATTR(0, 36, 36),
	ARM_SPE_ATTR_LOAD_FILTER_MASK		= ARM_SPE_ATTR(0, 37, 37),
	ARM_SPE_ATTR_STORE_FILTER_MASK		= ARM_SPE_ATTR(0, 38, 38),
	ARM_SPE_ATTR_SIMD_FILTER		= ARM_SPE_ATTR(0, 39, 39),
	ARM_SPE_ATTR_SIMD_FILTER_MASK		= ARM_SPE_ATTR(0, 40, 40),
	ARM_SPE_ATTR_FLOAT_FILTER		= ARM_SPE_ATTR(0, 41, 41),
	ARM_SPE_ATTR_FLOAT_FILTER_MASK		= ARM_SPE_ATTR(0, 42, 42),
	/* Only of spe_sample_N: records for each interrupt, 1 to 64; 0 stands for 1 */
	ARM_SPE_ATTR_BATCH			= ARM_SPE_ATTR(0, 56, 62),
	ARM_SPE_ATTR_EVENT_FILTER		= ARM_SPE_ATTR(1, 0, 63),
	ARM_SPE_ATTR_MIN_LATENCY		= ARM_SPE_ATTR(2, 0, 11),
	/* min_latency where PMSIDR_EL1.CountSize announces 16 bits */
	ARM_SPE_ATTR_MIN_LATENCY_WIDE		= ARM_SPE_ATTR(2, 0, 15),
	ARM_SPE_ATTR_INV_EVENT_FILTER		= ARM_SPE_ATTR(3, 0, 63),
	ARM_SPE_ATTR_INV_DATA_SRC_FILTER	= ARM_SPE_ATTR(4, 0, 63),
};

#endif /* ARM_SPE_ATTR_H */
