/* SPDX-License-Identifier: GPL-2.0-only */
/* Sample records (D18) in the form that the tests use. */
#ifndef ARM_SPE_TEST_RECORD_H
#define ARM_SPE_TEST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arm_spe/packet.h>

/* spe_record.has: which packets the record holds. */
enum {
	SPE_HAS_PC = 1 << 0,
	SPE_HAS_TARGET = 1 << 1,
	SPE_HAS_VA = 1 << 2,
	SPE_HAS_PA = 1 << 3,
	SPE_HAS_CONTEXT1 = 1 << 4,
	SPE_HAS_CONTEXT2 = 1 << 5,
	SPE_HAS_OPERATION = 1 << 6,
	SPE_HAS_EVENTS = 1 << 7,
	SPE_HAS_TOTAL = 1 << 8,
	SPE_HAS_ISSUE = 1 << 9,
	SPE_HAS_TRANSLATION = 1 << 10,
	SPE_HAS_SOURCE = 1 << 11,
	SPE_HAS_TIMESTAMP = 1 << 12,
};

struct spe_record {
	uint32_t has;
	uint8_t class, subclass;
	uint8_t pc_el, target_el;
	uint16_t total, issue, translation;	/* cycles */
	uint16_t source;
	uint32_t context1, context2;
	uint64_t pc, target, va, pa;		/* addresses alone, bits 55:0 */
	uint64_t events;
	uint64_t timestamp;
};

struct spe_records {
	struct spe_record *record;
	size_t count, room;
	size_t padding;		/* bytes between records */
	size_t damaged;		/* bytes that are no packet, or part of a record only */
};

/*
 * Decodes BYTES and appends the records.  A record that is cut off at the end counts as
 * damaged.
 */
void spe_records_add(struct spe_records *records, const uint8_t *bytes,
		     size_t size);
void spe_records_free(struct spe_records *records);

/* Whether the class and the bits of the payload under MASK have these values. */
static inline bool spe_is(const struct spe_record *record, uint8_t class,
			  uint8_t mask, uint8_t value)
{
	return record->has & SPE_HAS_OPERATION && record->class == class &&
	       (record->subclass & mask) == value;
}

static inline bool spe_event(const struct spe_record *record, unsigned int n)
{
	return record->events >> n & 1;
}

/* Classes as the type filter distinguishes them (D17.5). */
static inline bool spe_is_branch(const struct spe_record *record)
{
	return spe_is(record, SPE_OP_CLASS_BRANCH, 0, 0);
}

static inline bool spe_is_load(const struct spe_record *record)
{
	return spe_is(record, SPE_OP_CLASS_LDST, SPE_OP_LDST, 0);
}

/* An atomic that returns a value counts as both load and store. */
static inline bool spe_is_store(const struct spe_record *record)
{
	return spe_is(record, SPE_OP_CLASS_LDST, SPE_OP_LDST, SPE_OP_LDST) ||
	       spe_is(record, SPE_OP_CLASS_LDST,
		      SPE_OP_LDST_EXTENDED_MASK | SPE_OP_AT,
		      SPE_OP_LDST_EXTENDED | SPE_OP_AT);
}

/* Whether the PC is in [START, END). */
static inline bool spe_pc_in(const struct spe_record *record,
			     const void *start, const void *end)
{
	return record->has & SPE_HAS_PC && record->pc >= (uintptr_t)start &&
	       record->pc < (uintptr_t)end;
}

/* Counts the records with the PC in [START, END). */
size_t spe_count_pc(const struct spe_records *records, const void *start,
		    const void *end);

#endif
