/*
 * Statistical Profiling Extension sample records, format version 0 (D18).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef SPE_HOST_TEST
#include "qemu/osdep.h"
#endif
#include "record.h"

/* Headers, Table D18-1, of the packets that the model writes. */
enum {
    HEADER_END = 0x01,
    HEADER_SOURCE = 0x43,           /* 8-bit payload */
    HEADER_TYPE = 0x48,
    HEADER_EVENTS = 0x62,           /* 32-bit payload */
    HEADER_CONTEXT = 0x64,
    HEADER_TIMESTAMP = 0x71,
    HEADER_COUNTER = 0x98,
    HEADER_ADDRESS = 0xb0,
};

enum { ADDRESS_PC, ADDRESS_TARGET, ADDRESS_VA, ADDRESS_PA };
enum { COUNTER_TOTAL, COUNTER_ISSUE, COUNTER_TRANSLATION };

uint64_t spe_instruction_address(uint64_t va, int el, bool ns)
{
    return (va & 0x00ffffffffffffffULL) | (uint64_t)el << 61 |
           (uint64_t)ns << 63;
}

static uint8_t *put(uint8_t *p, int header, uint64_t payload, int bytes)
{
    *p++ = header;
    while (bytes--) {
        *p++ = payload;
        payload >>= 8;
    }
    return p;
}

static uint8_t *put_counter(uint8_t *p, int index, uint32_t value,
                            uint32_t max)
{
    return put(p, HEADER_COUNTER | index, value < max ? value : max, 2);
}

size_t spe_record_pack(const SPERecord *rec, uint32_t counter_max,
                       uint8_t *out)
{
    uint8_t *p = out;

    p = put(p, HEADER_ADDRESS | ADDRESS_PC, rec->pc, 8);
    if (rec->has & SPE_HAS_CONTEXT1) {
        p = put(p, HEADER_CONTEXT | 0, rec->context1, 4);
    }
    if (rec->has & SPE_HAS_CONTEXT2) {
        p = put(p, HEADER_CONTEXT | 1, rec->context2, 4);
    }
    p = put(p, HEADER_TYPE | rec->op_class, rec->subclass, 1);
    p = put(p, HEADER_EVENTS, rec->events, 4);
    p = put_counter(p, COUNTER_ISSUE, rec->issue, counter_max);
    p = put_counter(p, COUNTER_TOTAL, rec->total, counter_max);
    if (rec->has & SPE_HAS_TARGET) {
        p = put(p, HEADER_ADDRESS | ADDRESS_TARGET, rec->target, 8);
    }
    if (rec->has & SPE_HAS_VADDR) {
        p = put(p, HEADER_ADDRESS | ADDRESS_VA, rec->vaddr, 8);
    }
    if (rec->has & SPE_HAS_TRANSLATION) {
        p = put_counter(p, COUNTER_TRANSLATION, rec->translation,
                        counter_max);
    }
    if (rec->has & SPE_HAS_PADDR) {
        p = put(p, HEADER_ADDRESS | ADDRESS_PA, rec->paddr, 8);
    }
    if (rec->has & SPE_HAS_SOURCE) {
        p = put(p, HEADER_SOURCE, rec->source, 1);
    }
    if (rec->has & SPE_HAS_TIMESTAMP) {
        p = put(p, HEADER_TIMESTAMP, rec->timestamp, 8);
    } else {
        *p++ = HEADER_END;
    }
    return p - out;
}
