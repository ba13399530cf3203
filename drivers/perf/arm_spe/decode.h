/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decodes a record to what a sample of perf has a place for, and tells whether the interrupted
 * function is that of the record.  Pure.
 */
#ifndef SPE_DECODE_H
#define SPE_DECODE_H

#include "types.h"

/* Packets that a record has; each is one bit in spe_record.has. */
enum spe_has {
	SPE_HAS_PC,
	SPE_HAS_VA,
	SPE_HAS_PA,
	SPE_HAS_TIMESTAMP,
	SPE_HAS_SOURCE,
};

#define SPE_HAS(name)	(1U << SPE_HAS_##name)

/* A record.  Fields without a packet are 0. */
struct spe_record {
	u64 pc;		/* address of the operation, sign-extended from bit 55 */
	u64 va;		/* data virtual address without tag, sign-extended from bit 55 */
	u64 pa;		/* data physical address */
	u64 timestamp;	/* ticks of the counter that PMSCR_EL1.PCT selects */
	u64 events;	/* Events packet, bit numbers of D18.2.6 */
	u16 total;	/* cycles from dispatch to complete */
	u16 issue;	/* cycles from dispatch to issue */
	u16 translation;	/* cycles of the translation of a data address */
	u16 source;	/* Data Source packet, IMPLEMENTATION DEFINED */
	u8 level;	/* Exception level of the operation, 0 to 2 */
	u8 op_class;	/* SPE_OP_CLASS_* */
	u8 op;		/* SUBCLASS of the Operation Type packet */
	u8 has;		/* SPE_HAS() bits */
};

/*
 * spe_decode() - decode one record
 * @bytes: where the record starts
 * @size: bytes up to the write pointer
 * @max: size of the largest record in bytes (PMSIDR_EL1.MaxSize)
 *
 * Skips packets that it does not know by their size (D18.1.3).  Returns the record's
 * size in bytes, or 0 if it is cut or longer than @max.
 */
u32 spe_decode(const u8 *bytes, u32 size, u32 max, struct spe_record *record);

/*
 * spe_decode_data_src() - perf's description of a memory access
 * @midr: MIDR_EL1 of the CPU, for the codes of its Data Source packets
 * @events: events that the unit can record
 *
 * Returns the value of union perf_mem_data_src; 0 for an operation that accesses no memory.
 * Linux 7.3's perf gives a record of AUX data the same, but for two things: it tells no lock,
 * and for HIP12 it calls another cluster or socket a "remote cache" of one or two hops.
 */
u64 spe_decode_data_src(const struct spe_record *record, u32 midr, u64 events);

/*
 * spe_decode_reaches() - whether one instruction can follow another in the same function
 * @fetch: reads the instruction at an address; returns false if it cannot
 *
 * Follows the instructions from @from to @to through direct branches, at most
 * SPE_DECODE_STEPS of them.  A way ends at a call, a return, an indirect branch, or an
 * exception.
 */
#define SPE_DECODE_STEPS	64
bool spe_decode_reaches(u64 from, u64 to, bool (*fetch)(u64 address, u32 *instruction));

#endif /* SPE_DECODE_H */
