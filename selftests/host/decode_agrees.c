// SPDX-License-Identifier: GPL-2.0-only
/* The driver's decoder finds in random and damaged bytes what libarmspe's packets say. */
#include <armspe.h>

#include "decode.h"
#include "test.h"

#define MOST	512

static u32 chance_state;

static u32 chance(u32 below)
{
	chance_state = chance_state * 1664525 + 1013904223;
	return (u32)((u64)(chance_state >> 4) * below >> 28);
}

static void packet(u8 *bytes, u32 *size, u8 extended, u8 header)
{
	u32 payload = 1u << (header >> 4 & 3);

	if (extended)
		bytes[(*size)++] = extended;
	bytes[(*size)++] = header;
	for (u32 i = 0; i < payload; i++)
		bytes[(*size)++] = chance(8) ? chance(256) : 0xff * chance(2);
}

/* The packets of D18.2 in any order, at most one of a kind, and some of kinds that D18.2 lacks. */
static u32 record(u8 *bytes)
{
	static const u8 headers[] = {
		0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0x64, 0x65, 0x98, 0x99, 0x9a, 0x9c, 0x48, 0x42, 0x43,
	};
	bool used[ARRAY_SIZE(headers)] = { false };
	u32 size = 0, packets = 1 + chance(10);

	while (packets--) {
		u32 i = chance(ARRAY_SIZE(headers));
		u8 header = headers[i];

		if (used[i])
			continue;
		used[i] = true;
		if (header == 0x48)
			header += chance(3);
		else if (header == 0x42)
			header += 0x10 * chance(4);
		else if (header == 0x43)
			header += 0x10 * chance(2);
		packet(bytes, &size, 0, header);
		if (!chance(12))
			packet(bytes, &size, 0x20 + chance(4), chance(2) ? 0xb0 + chance(8) : 0x98 + chance(8));
		if (!chance(16))
			packet(bytes, &size, chance(2) ? 0x24 + chance(0x1c) : 0, 0xc0 + chance(0x40));
		if (!chance(24))
			bytes[size++] = 0;
	}
	if (chance(2))
		packet(bytes, &size, 0, 0x71);
	else
		bytes[size++] = 0x01;
	return size;
}

/* What the packets say.  Of two of a kind, which no unit writes, the last one counts. */
struct said {
	struct spe_record fields;
	u32 size;
};

static void say(struct spe_record *r, const struct armspe_packet *p)
{
	switch (p->type) {
	case ARMSPE_TIMESTAMP:
		r->timestamp = p->payload;
		r->has |= SPE_HAS(TIMESTAMP);
		break;
	case ARMSPE_EVENTS:
		r->events = p->payload;
		break;
	case ARMSPE_DATA_SOURCE:
		if (p->reserved)
			break;
		r->source = p->payload;
		r->has |= SPE_HAS(SOURCE);
		break;
	case ARMSPE_OP_TYPE:
		r->op_class = p->index;
		r->op = p->payload;
		break;
	case ARMSPE_ADDRESS:
		if (p->index == SPE_ADDR_PC) {
			r->pc = armspe_addr_virtual(p->payload);
			r->level = armspe_addr_el(p->payload);
			r->has |= SPE_HAS(PC);
		} else if (p->index == SPE_ADDR_DATA_VA) {
			r->va = armspe_addr_virtual(p->payload);
			r->has |= SPE_HAS(VA);
		} else if (p->index == SPE_ADDR_DATA_PA) {
			r->pa = armspe_addr_physical(p->payload);
			r->has |= SPE_HAS(PA);
		}
		break;
	case ARMSPE_COUNTER:
		if (p->index == SPE_COUNTER_TOTAL)
			r->total = p->payload;
		else if (p->index == SPE_COUNTER_ISSUE)
			r->issue = p->payload;
		else if (p->index == SPE_COUNTER_XLAT)
			r->translation = p->payload;
		break;
	}
}

static struct said listen(const u8 *bytes, u32 size, u32 max)
{
	struct said said = { .size = 0 };
	struct armspe_packet p;
	u32 at = 0;

	while (at < size) {
		enum armspe_status status = armspe_packet_decode(bytes + at, size - at, &p);

		/* Two first bytes of an extended header: D18.1.1 gives them no payload. */
		if (status == ARMSPE_DAMAGED) {
			at += 2;
			continue;
		}
		if (status != ARMSPE_OK)
			return said;
		at += armspe_packet_bytes(&p);
		if (at > max)
			return said;
		say(&said.fields, &p);
		if (p.type == ARMSPE_TIMESTAMP || p.type == ARMSPE_END_OF_RECORD) {
			said.size = at;
			return said;
		}
	}
	return said;
}

static bool same(const struct spe_record *a, const struct spe_record *b)
{
	return a->pc == b->pc && a->va == b->va && a->pa == b->pa && a->timestamp == b->timestamp &&
	       a->events == b->events && a->total == b->total && a->issue == b->issue &&
	       a->translation == b->translation && a->source == b->source && a->level == b->level &&
	       a->op_class == b->op_class && a->op == b->op && a->has == b->has;
}

/* Returns the record's size, or 0. */
static u32 compare(const u8 *bytes, u32 size, u32 max)
{
	u8 *copy = malloc(size);	/* ASan finds a read behind it */
	struct said said = listen(bytes, size, max);
	struct spe_record r;
	u32 got;

	memcpy(copy, bytes, size);
	got = spe_decode(copy, size, max, &r);
	free(copy);
	CHECK(got == said.size, "state %u: %u bytes, not %u of %u", chance_state, got, said.size, size);
	CHECK(!got || same(&r, &said.fields), "state %u: other fields", chance_state);
	return got;
}

TEST(whole_records_agree)
{
	u32 whole = 0;
	u8 bytes[MOST];

	chance_state = 1;
	for (u32 round = 0; round < 200000; round++) {
		u32 size = record(bytes);

		CHECK(compare(bytes, size, MOST) == size, "state %u: no record", chance_state);
		whole += compare(bytes, size, 64) > 0;
	}
	CHECK(whole > 50000 && whole < 199000, "%u records of at most 64 bytes", whole);
}

TEST(cut_records_agree)
{
	u8 bytes[MOST];

	chance_state = 2;
	for (u32 round = 0; round < 50000; round++) {
		u32 size = record(bytes);

		CHECK(!compare(bytes, 1 + chance(size - 1), MOST) || size == 1, "state %u: a record",
		      chance_state);
	}
}

TEST(damaged_records_agree)
{
	u32 records = 0;
	u8 bytes[2 * MOST];

	chance_state = 3;
	for (u32 round = 0; round < 200000; round++) {
		u32 size = record(bytes), changes = 1 + chance(4);

		size += record(bytes + size);
		while (changes--)
			bytes[chance(size)] ^= chance(2) ? 1u << chance(8) : chance(256);
		records += compare(bytes, size, 64 << chance(3)) > 0;
	}
	CHECK(records > 100000, "%u records", records);
}

TEST(random_bytes_agree)
{
	u32 records = 0;
	u8 bytes[256];

	chance_state = 4;
	for (u32 round = 0; round < 200000; round++) {
		u32 size = 1 + chance(sizeof(bytes));

		for (u32 i = 0; i < size; i++)
			bytes[i] = chance(4) ? chance(256) : 0x01 + 0x1f * chance(3);
		records += compare(bytes, size, 2048) > 0;
	}
	CHECK(records > 10000, "%u records", records);
}

/* libarmspe's records, not only its packets: what it takes for sound has the same fields. */
TEST(sound_records_of_libarmspe_agree)
{
	size_t room = armspe_decoder_size();
	void *memory = aligned_alloc(ARMSPE_DECODER_ALIGN, room);
	struct armspe_decoder *decoder = armspe_decoder_init(memory, room);
	u8 bytes[MOST];
	u32 sound = 0;

	chance_state = 5;
	for (u32 round = 0; round < 50000; round++) {
		u32 size = record(bytes);
		struct armspe_record want;
		struct spe_record r;

		armspe_decoder_feed(decoder, bytes, size, 0);
		if (armspe_record_next(decoder, &want) != ARMSPE_OK || want.offset ||
		    want.bytes != size)
			continue;
		sound++;
		CHECK(spe_decode(bytes, size, MOST, &r) == size, "state %u", chance_state);
		CHECK(!(r.has & SPE_HAS(PC)) == !(want.addr_valid & 1u << SPE_ADDR_PC) &&
		      (!(r.has & SPE_HAS(PC)) ||
		       r.pc == armspe_addr_virtual(want.addr[SPE_ADDR_PC])), "state %u: PC",
		      chance_state);
		CHECK(r.total == (want.counter_valid & 1u << SPE_COUNTER_TOTAL ?
				  want.counter[SPE_COUNTER_TOTAL] : 0), "state %u: total", chance_state);
		CHECK(r.events == (want.valid & ARMSPE_HAS_EVENTS ? want.events : 0),
		      "state %u: events", chance_state);
		CHECK(!(r.has & SPE_HAS(TIMESTAMP)) == !(want.valid & ARMSPE_HAS_TIMESTAMP),
		      "state %u: timestamp", chance_state);
	}
	free(memory);
	CHECK(sound > 40000, "%u sound records", sound);
}
