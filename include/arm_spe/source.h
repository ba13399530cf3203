/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The codes of Data Source packets, core by core: lists only, no code.
 *
 * SOURCE is IMPLEMENTATION DEFINED (D18.2.4), so its meaning depends on the core, which
 * MIDR_EL1 identifies.  The codes are those of the cores' manuals, and Linux 7.3 has the
 * same.  The known cores define them for loads only.
 */
#ifndef ARM_SPE_SOURCE_H
#define ARM_SPE_SOURCE_H

/* MIDR_EL1.Implementer and PartNum, which identify the core */
#define ARM_SPE_MIDR_CORE_MASK			0xff00fff0u
#define ARM_SPE_MIDR_CORE(implementer, part)	((implementer) << 24 | (part) << 4)

/* What held the data */
enum arm_spe_level {
	ARM_SPE_LEVEL_L1,
	ARM_SPE_LEVEL_L2,
	ARM_SPE_LEVEL_L3,		/* or the system cache */
	ARM_SPE_LEVEL_ANY_CACHE,	/* a cache; the code does not tell which */
	ARM_SPE_LEVEL_DRAM,
	ARM_SPE_LEVEL_DEVICE,
};

#define ARM_SPE_SOURCE_PEER	0x1	/* the cache of another core */
#define ARM_SPE_SOURCE_MODIFIED	0x2	/* that core had modified the line */
#define ARM_SPE_SOURCE_REMOTE	0x4	/* on another socket */

/*
 * Lists of codes: X(code, name, level, flags).  Define P, M and R as the flags PEER, MODIFIED
 * and REMOTE where a list is used.
 */

/* Arm's cores, and others with the same codes */
#define ARM_SPE_SOURCES_COMMON(X)				\
	X(0x0, "l1d", L1, 0)					\
	X(0x8, "l2", L2, 0)					\
	X(0x9, "peer-core", L2, P)				\
	X(0xa, "local-cluster", L3, P)				\
	X(0xb, "system-cache", L3, 0)				\
	X(0xc, "peer-cluster", L3, P)				\
	X(0xd, "remote", ANY_CACHE, P | R)			\
	X(0xe, "dram", DRAM, 0)

#define ARM_SPE_SOURCES_AMPEREONE(X)				\
	X(0x0, "chip-cache-or-device", L2, P)			\
	X(0x3, "system-cache", L3, 0)				\
	X(0x5, "remote-chip-cache", ANY_CACHE, P | R)		\
	X(0x7, "dram", DRAM, 0)					\
	X(0x8, "l1d", L1, 0)					\
	X(0x9, "l2", L2, 0)

#define ARM_SPE_SOURCES_HISILICON(X)				\
	X(0, "peer-core", L2, P)				\
	X(1, "peer-core-modified", L2, P | M)			\
	X(2, "l3", L3, 0)					\
	X(3, "l3-modified", L3, M)				\
	X(4, "peer-cluster", L3, P)				\
	X(5, "peer-cluster-modified", L3, P | M)		\
	X(6, "remote", ANY_CACHE, P | R)			\
	X(7, "remote-modified", ANY_CACHE, P | R | M)		\
	X(8, "dram", DRAM, 0)					\
	X(9, "remote-dram", DRAM, R)				\
	X(13, "device", DEVICE, 0)				\
	X(16, "l2", L2, 0)					\
	X(17, "l2-modified", L2, M)				\
	X(18, "l1d", L1, 0)

/* Cores whose codes are known: X(implementer, part, name, list of codes) */
#define ARM_SPE_SOURCE_CORES(X)					\
	X(0x41, 0xd0c, "Neoverse N1", common)			\
	X(0x41, 0xd40, "Neoverse V1", common)			\
	X(0x41, 0xd44, "Cortex-X1", common)			\
	X(0x41, 0xd49, "Neoverse N2", common)			\
	X(0x41, 0xd4b, "Cortex-A78C", common)			\
	X(0x41, 0xd4c, "Cortex-X1C", common)			\
	X(0x41, 0xd4d, "Cortex-A715", common)			\
	X(0x41, 0xd4e, "Cortex-X3", common)			\
	X(0x41, 0xd4f, "Neoverse V2", common)			\
	X(0x41, 0xd81, "Cortex-A720", common)			\
	X(0x41, 0xd82, "Cortex-X4", common)			\
	X(0x41, 0xd84, "Neoverse V3", common)			\
	X(0x41, 0xd85, "Cortex-X925", common)			\
	X(0x41, 0xd87, "Cortex-A725", common)			\
	X(0x41, 0xd89, "Cortex-A720AE", common)			\
	X(0x4e, 0x010, "Olympus", common)			\
	/* Neoverse N2 r0p0 by another name, as Linux's cputype.h says */ \
	X(0x6d, 0xd49, "Azure Cobalt 100", common)		\
	X(0xc0, 0xac4, "AmpereOne", ampereone)			\
	X(0x48, 0xd06, "HIP12", hisilicon)

#endif /* ARM_SPE_SOURCE_H */
