/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The event attributes of an arm_spe PMU: which bits of which
 * perf_event_attr word each one occupies.  This is a user ABI shared with
 * the driver in Linux's tree (names and positions in the PMU's sysfs folder
 * format/); a row may be added, never moved.
 *
 * ARM_SPE_ATTRS(row) calls row(name, word, low bit, high bit) with
 * word 0 for config, 1 for config1 and so on.
 */
#ifndef ARM_SPE_ATTR_H
#define ARM_SPE_ATTR_H

#define ARM_SPE_ATTR_WORDS	5

#define ARM_SPE_ATTRS(row)			\
	row(ts_enable, 0, 0, 0)			\
	row(pa_enable, 0, 1, 1)			\
	row(pct_enable, 0, 2, 2)		\
	row(jitter, 0, 16, 16)			\
	row(branch_filter, 0, 32, 32)		\
	row(load_filter, 0, 33, 33)		\
	row(store_filter, 0, 34, 34)		\
	row(discard, 0, 35, 35)			\
	row(branch_filter_mask, 0, 36, 36)	\
	row(load_filter_mask, 0, 37, 37)	\
	row(store_filter_mask, 0, 38, 38)	\
	row(simd_filter, 0, 39, 39)		\
	row(simd_filter_mask, 0, 40, 40)	\
	row(float_filter, 0, 41, 41)		\
	row(float_filter_mask, 0, 42, 42)	\
	row(event_filter, 1, 0, 63)		\
	row(min_latency, 2, 0, 11)		\
	row(inv_event_filter, 3, 0, 63)		\
	row(inv_data_src_filter, 4, 0, 63)

#endif /* ARM_SPE_ATTR_H */
