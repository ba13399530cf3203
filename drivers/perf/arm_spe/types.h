/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Integer types, error numbers and perf's structures for the pure files (caps, attr, limit,
 * rate, syndrome, budget, window, decode).  The same source compiles for the kernel and for
 * the tests on the host.
 */
#ifndef SPE_TYPES_H
#define SPE_TYPES_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <uapi/linux/perf_event.h>
#else
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/perf_event.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

/* Values of union perf_mem_data_src that Linux has since 5.19 and 6.1 */
#ifndef PERF_MEM_SNOOPX_PEER
#define PERF_MEM_SNOOPX_PEER	0x02
#endif
#ifndef PERF_MEM_LVLNUM_IO
#define PERF_MEM_LVLNUM_IO	0x0a
#endif

#include <arm_spe/regs.h>

/* Read and write a register's field.  The mask's lowest bit is the field's bit 0. */
static inline u64 spe_get(u64 mask, u64 reg)
{
	return (reg & mask) / (mask & -mask);
}

static inline u64 spe_put(u64 mask, u64 value)
{
	return (value * (mask & -mask)) & mask;
}

#endif /* SPE_TYPES_H */
