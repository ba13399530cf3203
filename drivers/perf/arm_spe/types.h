/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The integer types and error numbers of the pure files (caps, attr, limit,
 * syndrome), which compile in the kernel and, unchanged, in a host's test.
 */
#ifndef SPE_TYPES_H
#define SPE_TYPES_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/types.h>
#else
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#include <arm_spe/regs.h>

#endif /* SPE_TYPES_H */
