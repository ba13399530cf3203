/*
 * Statistical Profiling Extension sample records, format version 0 (D18).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef SPE_HOST_TEST
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#else
#include <stdint.h>
#include <string.h>

/* As QEMU's */
static void stq_le_p(void *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        ((uint8_t *)to)[i] = value >> 8 * i;
    }
}
#endif
#include "record.h"

/* Headers, Tables D18-1 and D18-2. */
enum {
    HEADER_END = 0x01,
    HEADER_EXTENDED = 0x20,     /* byte 0; INDEX[4:3] in its low bits */
    HEADER_EVENTS = 0x42,
    HEADER_SOURCE = 0x43,
    HEADER_TYPE = 0x48,
    HEADER_CONTEXT = 0x44,
    HEADER_TIMESTAMP = 0x41,
    HEADER_COUNTER = 0x88,
    HEADER_ADDRESS = 0x80,
};

/* INDEX of Address packets, D18.2.1 */
enum {
    ADDRESS_PC = 0,
    ADDRESS_TARGET = 1,
    ADDRESS_VA = 2,
    ADDRESS_PA = 3,
    ADDRESS_PREVIOUS = 4,
    ADDRESS_IMP = 16,           /* 0b1xxxx; needs the Extended format */
};

/* INDEX of Counter packets, D18.2.3 */
enum {
    COUNTER_TOTAL = 0,
    COUNTER_ISSUE = 1,
    COUNTER_TRANSLATION = 2,
    COUNTER_ALT_ISSUE = 4,
    COUNTER_IMP = 16,
};

/* The most packets that a record can have. */
#define PACKETS 17

/* A record that is being packed */
typedef struct Packer {
    const SPERecord *rec;
    const SPEFormat *format;
    uint8_t *first;
    uint8_t *p;
    int packets;
    uint8_t start[PACKETS + 1];     /* offsets; the last is the end */
} Packer;

uint64_t spe_instruction_address(uint64_t va, int el, bool ns)
{
    return (va & 0x00ffffffffffffffULL) | (uint64_t)el << 61 |
           (uint64_t)ns << 63;
}

static int log2_size(int bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

/* D18.1.1: bits [5:4] of the last header byte encode the payload size. */
static void put(Packer *k, int header, uint64_t payload, int bytes)
{
    k->start[k->packets++] = k->p - k->first;
    *k->p++ = header | log2_size(bytes) << 4;
    /* One store is fast; what follows @bytes is replaced, or not used. */
    stq_le_p(k->p, payload);
    k->p += bytes;
    k->start[k->packets] = k->p - k->first;
}

/* An Address or Counter packet; only these have an Extended format. */
static void put_indexed(Packer *k, int header, int index, uint64_t payload,
                        int bytes)
{
    if (k->format->extended || index > 7) {
        uint8_t *start = k->p;

        *k->p++ = HEADER_EXTENDED | index >> 3;
        put(k, header | (index & 7), payload, bytes);
        k->start[k->packets - 1] = start - k->first;
    } else {
        put(k, header | index, payload, bytes);
    }
}

static void put_address(Packer *k, int index, uint64_t address)
{
    put_indexed(k, HEADER_ADDRESS, index, address, 8);
}

static void put_counter(Packer *k, int index, uint32_t value)
{
    uint32_t max = k->format->counter_max;

    put_indexed(k, HEADER_COUNTER, index, value < max ? value : max, 2);
}

/* All packets but the last, in canonical order. */
static void put_packets(Packer *k)
{
    const SPERecord *rec = k->rec;
    uint32_t has = rec->has;

    put_address(k, ADDRESS_PC, rec->pc);
    if (has & SPE_HAS_CONTEXT1) {
        put(k, HEADER_CONTEXT | 0, rec->context1, 4);
    }
    if (has & SPE_HAS_CONTEXT2) {
        put(k, HEADER_CONTEXT | 1, rec->context2, 4);
    }
    put(k, HEADER_TYPE | rec->op_class, rec->subclass, 1);
    put(k, HEADER_EVENTS, rec->events, k->format->events_size);
    put_counter(k, COUNTER_ISSUE, rec->issue);
    put_counter(k, COUNTER_TOTAL, rec->total);
    if (has & SPE_HAS_TARGET) {
        put_address(k, ADDRESS_TARGET, rec->target);
    }
    if (has & SPE_HAS_VADDR) {
        put_address(k, ADDRESS_VA, rec->vaddr);
    }
    if (has & SPE_HAS_TRANSLATION) {
        put_counter(k, COUNTER_TRANSLATION, rec->translation);
    }
    if (has & SPE_HAS_PADDR) {
        put_address(k, ADDRESS_PA, rec->paddr);
    }
    if (has & SPE_HAS_SOURCE) {
        put(k, HEADER_SOURCE, rec->source, k->format->source_size);
    }
    if (has & SPE_HAS_PREVIOUS) {
        put_address(k, ADDRESS_PREVIOUS, rec->previous);
    }
    if (has & SPE_HAS_ALT_ISSUE) {
        put_counter(k, COUNTER_ALT_ISSUE, rec->alt_issue);
    }
    if (has & SPE_HAS_IMP_ADDRESS) {
        put_address(k, ADDRESS_IMP, rec->imp_address);
    }
    if (has & SPE_HAS_IMP_COUNTER) {
        put_counter(k, COUNTER_IMP, rec->imp_counter);
    }
}

/* A random number below @n, not from the generator of the interval. */
static int below(uint64_t *state, int n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 32) % n;
}

/* D18.1.2 allows any order with End or Timestamp as the last packet. */
static void reorder(Packer *k, uint8_t order, uint64_t *shuffle)
{
    uint8_t before[SPE_RECORD_MAX];
    uint8_t *first = k->first;
    int place[PACKETS];

    for (int i = 0; i < k->packets; i++) {
        int j = order == SPE_ORDER_SHUFFLED ? below(shuffle, i + 1) : 0;

        /* inside-out shuffle; position 0 for each packet reverses the order */
        if (order == SPE_ORDER_REVERSED) {
            memmove(place + 1, place, i * sizeof(place[0]));
        } else {
            place[i] = place[j];
        }
        place[j] = i;
    }
    memcpy(before, first, k->p - first);
    for (int i = 0, at = 0; i < k->packets; i++) {
        int offset = k->start[place[i]];
        int length = k->start[place[i] + 1] - offset;

        memcpy(first + at, before + offset, length);
        at += length;
    }
}

size_t spe_record_pack(const SPERecord *rec, SPEFormat *format, uint8_t *out)
{
    Packer k = { .rec = rec, .format = format, .first = out, .p = out };

    put_packets(&k);
    if (format->order != SPE_ORDER_CANONICAL) {
        reorder(&k, format->order, &format->shuffle);
    }
    if (rec->has & SPE_HAS_TIMESTAMP) {
        put(&k, HEADER_TIMESTAMP, rec->timestamp, 8);
    } else {
        *k.p++ = HEADER_END;
    }
    return k.p - out;
}

size_t spe_record_pad(const SPEFormat *format, uint8_t *bytes, size_t length,
                      size_t *before)
{
    size_t align = format->padding == SPE_PAD_MAX ? format->max_size
                                                  : format->align;
    size_t total = (length + align - 1) / align * align;

    if (format->padding == SPE_PAD_BEFORE) {
        *before = total - length;
        memmove(bytes + *before, bytes, length);
        memset(bytes, 0, *before);
    } else {
        *before = 0;
        memset(bytes + length, 0, total - length);
    }
    return total;
}

size_t spe_record_length(uint32_t has, const SPEFormat *format)
{
    SPEFormat copy = *format;
    SPERecord rec = { .has = has };
    uint8_t out[SPE_RECORD_MAX];

    return spe_record_pack(&rec, &copy, out);
}
