// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armspe.h"

static struct spe_record *add_one(struct spe_records *records)
{
	if (records->count == records->room) {
		records->room = records->room ? 2 * records->room : 1024;
		records->record = realloc(records->record,
					  records->room *
					  sizeof(*records->record));
		if (!records->record)
			_exit(2);
	}
	return &records->record[records->count++];
}

static void take_addresses(struct spe_record *to,
			   const struct armspe_record *from)
{
	const uint64_t *addr = from->addr;

	if (from->addr_valid & 1u << SPE_ADDR_PC) {
		to->has |= SPE_HAS_PC;
		to->pc = armspe_addr_virtual(addr[SPE_ADDR_PC]);
		to->pc_el = armspe_addr_el(addr[SPE_ADDR_PC]);
	}
	if (from->addr_valid & 1u << SPE_ADDR_TARGET) {
		to->has |= SPE_HAS_TARGET;
		to->target = armspe_addr_virtual(addr[SPE_ADDR_TARGET]);
		to->target_el = armspe_addr_el(addr[SPE_ADDR_TARGET]);
	}
	if (from->addr_valid & 1u << SPE_ADDR_DATA_VA) {
		to->has |= SPE_HAS_VA;
		to->va = armspe_addr_virtual(addr[SPE_ADDR_DATA_VA]);
	}
	if (from->addr_valid & 1u << SPE_ADDR_DATA_PA) {
		to->has |= SPE_HAS_PA;
		to->pa = armspe_addr_physical(addr[SPE_ADDR_DATA_PA]);
	}
}

static void take_counters(struct spe_record *to,
			  const struct armspe_record *from)
{
	if (from->counter_valid & 1u << SPE_COUNTER_TOTAL) {
		to->has |= SPE_HAS_TOTAL;
		to->total = from->counter[SPE_COUNTER_TOTAL];
	}
	if (from->counter_valid & 1u << SPE_COUNTER_ISSUE) {
		to->has |= SPE_HAS_ISSUE;
		to->issue = from->counter[SPE_COUNTER_ISSUE];
	}
	if (from->counter_valid & 1u << SPE_COUNTER_XLAT) {
		to->has |= SPE_HAS_TRANSLATION;
		to->translation = from->counter[SPE_COUNTER_XLAT];
	}
}

static void take_rest(struct spe_record *to, const struct armspe_record *from)
{
	if (from->valid & ARMSPE_HAS_OP) {
		to->has |= SPE_HAS_OPERATION;
		to->class = from->op_class;
		to->subclass = from->op_payload;
	}
	if (from->valid & ARMSPE_HAS_EVENTS) {
		to->has |= SPE_HAS_EVENTS;
		to->events = from->events;
	}
	if (from->valid & ARMSPE_HAS_SOURCE) {
		to->has |= SPE_HAS_SOURCE;
		to->source = from->source;
	}
	if (from->valid & ARMSPE_HAS_TIMESTAMP) {
		to->has |= SPE_HAS_TIMESTAMP;
		to->timestamp = from->timestamp;
	}
	if (from->context_valid & 1u << SPE_CONTEXT_EL1) {
		to->has |= SPE_HAS_CONTEXT1;
		to->context1 = from->context[SPE_CONTEXT_EL1];
	}
	if (from->context_valid & 1u << SPE_CONTEXT_EL2) {
		to->has |= SPE_HAS_CONTEXT2;
		to->context2 = from->context[SPE_CONTEXT_EL2];
	}
}

void spe_records_add(struct spe_records *records, const uint8_t *bytes,
		     size_t size)
{
	size_t decoder_size = armspe_decoder_size();
	void *memory = aligned_alloc(ARMSPE_DECODER_ALIGN, decoder_size);
	struct armspe_decoder *decoder = armspe_decoder_init(memory, decoder_size);
	const struct armspe_totals *totals;
	struct armspe_record from;
	enum armspe_status status;

	if (!decoder)
		_exit(2);
	armspe_decoder_feed(decoder, bytes, size, 0);
	while ((status = armspe_record_next(decoder, &from)) != ARMSPE_END) {
		struct spe_record *to;

		if (status == ARMSPE_CUT) {
			records->damaged += armspe_decoder_left(decoder);
			break;
		}
		if (status != ARMSPE_OK)
			continue;
		to = add_one(records);
		memset(to, 0, sizeof(*to));
		take_addresses(to, &from);
		take_counters(to, &from);
		take_rest(to, &from);
	}
	totals = armspe_decoder_totals(decoder);
	records->padding += totals->padding;
	records->damaged += totals->damaged;
	free(memory);
}

void spe_records_free(struct spe_records *records)
{
	free(records->record);
	memset(records, 0, sizeof(*records));
}

size_t spe_count_pc(const struct spe_records *records, const void *start,
		    const void *end)
{
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++)
		count += spe_pc_in(&records->record[i], start, end);
	return count;
}
