/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The integer types and error numbers of the pure files (caps, attr, limit,
 * rate, syndrome), which compile in the kernel and, unchanged, in a host's test.
 */
#ifndef SPE_TYPES_H
#define SPE_TYPES_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>
#else
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#include <arm_spe/regs.h>

/* A field of a register; the lowest set bit of its mask is its weight. */
static inline u64 spe_get(u64 mask, u64 reg)
{
	return (reg & mask) / (mask & -mask);
}

static inline u64 spe_put(u64 mask, u64 value)
{
	return (value * (mask & -mask)) & mask;
}

#endif /* SPE_TYPES_H */
