/*
 * Statistical Profiling Extension sample records, format version 0 (D18).
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_RECORD_RECORD_H
#define TARGET_ARM_SPE_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events packet, D18.2.6; the bits not named are IMPLEMENTATION DEFINED. */
#define SPE_EVENT(n) (1ULL << (n))
#define SPE_EVENT_EXCEPTION SPE_EVENT(0)
#define SPE_EVENT_RETIRED SPE_EVENT(1)
#define SPE_EVENT_L1D_ACCESS SPE_EVENT(2)
#define SPE_EVENT_L1D_REFILL SPE_EVENT(3)
#define SPE_EVENT_TLB_ACCESS SPE_EVENT(4)
#define SPE_EVENT_TLB_WALK SPE_EVENT(5)
#define SPE_EVENT_NOT_TAKEN SPE_EVENT(6)
#define SPE_EVENT_MISPREDICTED SPE_EVENT(7)
#define SPE_EVENT_LLC_ACCESS SPE_EVENT(8)
#define SPE_EVENT_LLC_MISS SPE_EVENT(9)
#define SPE_EVENT_REMOTE SPE_EVENT(10)
#define SPE_EVENT_MISALIGNED SPE_EVENT(11)
#define SPE_EVENT_PARTIAL_PREDICATE SPE_EVENT(17)
#define SPE_EVENT_EMPTY_PREDICATE SPE_EVENT(18)
#define SPE_EVENT_L2D_ACCESS SPE_EVENT(19)
#define SPE_EVENT_L2D_MISS SPE_EVENT(20)
#define SPE_EVENT_MODIFIED SPE_EVENT(21)
#define SPE_EVENT_RECENT SPE_EVENT(22)
#define SPE_EVENT_SNOOPED SPE_EVENT(23)
#define SPE_EVENT_STREAMING SPE_EVENT(24)
#define SPE_EVENT_SMCU SPE_EVENT(25)

/* The events that the model can set. */
#define SPE_EVENTS \
    (SPE_EVENT_EXCEPTION | SPE_EVENT_RETIRED | \
     SPE_EVENT_L1D_ACCESS | SPE_EVENT_L1D_REFILL | \
     SPE_EVENT_TLB_ACCESS | SPE_EVENT_TLB_WALK | \
     SPE_EVENT_NOT_TAKEN | SPE_EVENT_MISPREDICTED | \
     SPE_EVENT_LLC_ACCESS | SPE_EVENT_LLC_MISS | SPE_EVENT_REMOTE | \
     SPE_EVENT_MISALIGNED | \
     SPE_EVENT_PARTIAL_PREDICATE | SPE_EVENT_EMPTY_PREDICATE | \
     SPE_EVENT_L2D_ACCESS | SPE_EVENT_L2D_MISS | SPE_EVENT_MODIFIED | \
     SPE_EVENT_RECENT | SPE_EVENT_SNOOPED)

/* The packets that not every record has */
enum {
    SPE_HAS_TARGET = 1 << 0,
    SPE_HAS_VADDR = 1 << 1,
    SPE_HAS_PADDR = 1 << 2,
    SPE_HAS_CONTEXT1 = 1 << 3,
    SPE_HAS_CONTEXT2 = 1 << 4,
    SPE_HAS_TRANSLATION = 1 << 5,
    SPE_HAS_SOURCE = 1 << 6,
    SPE_HAS_TIMESTAMP = 1 << 7,
    SPE_HAS_PREVIOUS = 1 << 8,          /* FEAT_SPE_PBT */
    SPE_HAS_ALT_ISSUE = 1 << 9,         /* PMSIDR_EL1.ALTCLK */
    SPE_HAS_IMP_ADDRESS = 1 << 10,
    SPE_HAS_IMP_COUNTER = 1 << 11,
};

typedef struct SPERecord {
    uint32_t has;           /* SPE_HAS_* */
    uint64_t events;        /* SPE_EVENT_* */
    uint8_t op_class;
    uint8_t subclass;
    uint16_t source;
    uint64_t pc;            /* addresses as in the packet, with byte 7 */
    uint64_t target;
    uint64_t vaddr;
    uint64_t paddr;         /* NS, CH, NSE and PAT in byte 7 */
    uint64_t previous;      /* previous branch target */
    uint64_t imp_address;
    uint32_t context1;
    uint32_t context2;
    uint32_t total;         /* cycles */
    uint32_t issue;
    uint32_t translation;
    uint32_t alt_issue;     /* issue latency in the other clock domain */
    uint32_t imp_counter;
    uint64_t timestamp;
} SPERecord;

/* The order of the packets of a record, without the last one */
enum SPEOrder {
    SPE_ORDER_CANONICAL,
    SPE_ORDER_REVERSED,
    SPE_ORDER_SHUFFLED,     /* another order for each record */
};

/* Where padding is added, to make the size a multiple of the alignment */
enum SPEPadding {
    SPE_PAD_AFTER,
    SPE_PAD_BEFORE,
    SPE_PAD_MAX,            /* after the record, up to the maximum size */
};

/* The choices that D18 leaves to the implementation */
typedef struct SPEFormat {
    uint32_t counter_max;   /* the value at which counters saturate */
    uint8_t events_size;    /* bytes of the Events payload: 1, 2, 4, 8 */
    uint8_t source_size;    /* bytes of the Data Source payload: 1, 2 */
    bool extended;          /* 16-bit headers even where 8 bits suffice */
    uint8_t order;          /* enum SPEOrder */
    uint8_t padding;        /* enum SPEPadding */
    uint16_t align;         /* bytes, PMBIDR_EL1.Align */
    uint16_t max_size;      /* bytes, PMSIDR_EL1.MaxSize */
    uint64_t shuffle;       /* state of a generator; not zero */
} SPEFormat;

/* The greatest length of each packet, with an extended header */
enum {
    SPE_MAX_ADDRESS = 10,
    SPE_MAX_COUNTER = 4,
    SPE_MAX_CONTEXT = 5,
    SPE_MAX_TYPE = 2,
    SPE_MAX_EVENTS = 9,
    SPE_MAX_SOURCE = 3,
    SPE_MAX_TIMESTAMP = 9,
};

/* The length of a record with all packets */
#define SPE_RECORD_MAX \
    (6 * SPE_MAX_ADDRESS + 5 * SPE_MAX_COUNTER + 2 * SPE_MAX_CONTEXT + \
     SPE_MAX_TYPE + SPE_MAX_EVENTS + SPE_MAX_SOURCE + SPE_MAX_TIMESTAMP)

/* The largest value of PMSIDR_EL1.MaxSize, in bytes */
#define SPE_MAX_SIZE 2048

/* Byte 7 of an instruction address packet, Figure D18-4. */
uint64_t spe_instruction_address(uint64_t va, int el, bool ns);

/*
 * Writes the packets of @rec to @out, which has room for SPE_RECORD_MAX bytes,
 * and returns their length.  The bytes behind them may change.
 */
size_t spe_record_pack(const SPERecord *rec, SPEFormat *format, uint8_t *out);

/*
 * Adds padding before or after the @length bytes of a record.  @bytes has room
 * for the maximum size.  Returns the number of bytes with padding and sets
 * @before to the number of padding bytes before the record.
 */
size_t spe_record_pad(const SPEFormat *format, uint8_t *bytes, size_t length,
                      size_t *before);

/*
 * The length of a record that has the packets in @has and those that every
 * record has.
 */
size_t spe_record_length(uint32_t has, const SPEFormat *format);

#endif
