/*
 * Statistical Profiling Extension sample records, format version 0 (D18).
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_RECORD_H
#define TARGET_ARM_SPE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events packet, D18.2.6 */
enum {
    SPE_EVENT_EXCEPTION = 1 << 0,
    SPE_EVENT_RETIRED = 1 << 1,
    SPE_EVENT_L1D_ACCESS = 1 << 2,
    SPE_EVENT_L1D_REFILL = 1 << 3,
    SPE_EVENT_TLB_ACCESS = 1 << 4,
    SPE_EVENT_TLB_WALK = 1 << 5,
    SPE_EVENT_NOT_TAKEN = 1 << 6,
    SPE_EVENT_MISPREDICTED = 1 << 7,
    SPE_EVENT_LLC_ACCESS = 1 << 8,
    SPE_EVENT_LLC_MISS = 1 << 9,
    SPE_EVENT_MISALIGNED = 1 << 11,
    SPE_EVENT_PARTIAL_PREDICATE = 1 << 17,
    SPE_EVENT_EMPTY_PREDICATE = 1 << 18,
    SPE_EVENT_L2D_ACCESS = 1 << 19,
    SPE_EVENT_L2D_MISS = 1 << 20,
    SPE_EVENT_MODIFIED = 1 << 21,
};

/* The events that the model can set. */
#define SPE_EVENTS \
    (SPE_EVENT_EXCEPTION | SPE_EVENT_RETIRED | \
     SPE_EVENT_L1D_ACCESS | SPE_EVENT_L1D_REFILL | \
     SPE_EVENT_TLB_ACCESS | SPE_EVENT_TLB_WALK | \
     SPE_EVENT_NOT_TAKEN | SPE_EVENT_MISPREDICTED | \
     SPE_EVENT_LLC_ACCESS | SPE_EVENT_LLC_MISS | SPE_EVENT_MISALIGNED | \
     SPE_EVENT_PARTIAL_PREDICATE | SPE_EVENT_EMPTY_PREDICATE | \
     SPE_EVENT_L2D_ACCESS | SPE_EVENT_L2D_MISS | SPE_EVENT_MODIFIED)

/* Which packets a record has besides PC, type, events and total latency. */
enum {
    SPE_HAS_TARGET = 1 << 0,
    SPE_HAS_VADDR = 1 << 1,
    SPE_HAS_PADDR = 1 << 2,
    SPE_HAS_CONTEXT1 = 1 << 3,
    SPE_HAS_CONTEXT2 = 1 << 4,
    SPE_HAS_TRANSLATION = 1 << 5,
    SPE_HAS_SOURCE = 1 << 6,
    SPE_HAS_TIMESTAMP = 1 << 7,
};

typedef struct SPERecord {
    uint32_t has;           /* SPE_HAS_* */
    uint32_t events;        /* SPE_EVENT_* */
    uint8_t op_class;
    uint8_t subclass;
    uint8_t source;
    uint64_t pc;            /* addresses as in the packet, with byte 7 */
    uint64_t target;
    uint64_t vaddr;
    uint64_t paddr;
    uint32_t context1;
    uint32_t context2;
    uint32_t total;         /* cycles */
    uint32_t issue;
    uint32_t translation;
    uint64_t timestamp;
} SPERecord;

/*
 * PC 9, contexts 10, type 2, events 5, counters 9, data addresses 18, source
 * 2, timestamp 9; a branch has its target in place of the data's packets.
 */
#define SPE_RECORD_MAX 64

/* Byte 7 of an instruction address packet, Figure D18-4. */
uint64_t spe_instruction_address(uint64_t va, int el, bool ns);

/*
 * Writes the packets of @rec to @out, at most SPE_RECORD_MAX bytes.
 * @counter_max: the value at which counters saturate.
 * Returns the length.
 */
size_t spe_record_pack(const SPERecord *rec, uint32_t counter_max,
                       uint8_t *out);

#endif
