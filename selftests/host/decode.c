// SPDX-License-Identifier: GPL-2.0-only
/* The fields of a sample: what a record tells, perf's data source, and whose call chain it is. */
#ifndef __KERNEL__
#include <linux/perf_event.h>
#endif

#include "decode.h"
#include "test.h"

/* PMSIDR_EL1.MaxSize of most units */
#define LARGEST	64

/*
 * Records
 */

/* Bytes of packets are written down from the figures of D18.2, not by the names of packet.h. */
struct bytes {
	u8 data[128];
	u32 size;
};

static void put(struct bytes *b, const u8 *bytes, u32 size)
{
	memcpy(b->data + b->size, bytes, size);
	b->size += size;
}

#define PUT(b, ...) do {						\
	static const u8 bytes[] = { __VA_ARGS__ };			\
									\
	put(b, bytes, sizeof(bytes));					\
} while (0)

/* ASan and KASAN find a read behind the last byte. */
static u32 decode(const struct bytes *b, u32 size, u32 max, struct spe_record *r)
{
	u8 *copy = malloc(size ? size : 1);
	u32 used;

	memcpy(copy, b->data, size);
	used = spe_decode(copy, size, max, r);
	free(copy);
	return used;
}

static struct spe_record decoded(const struct bytes *b)
{
	struct spe_record r;
	u32 used = decode(b, b->size, sizeof(b->data), &r);

	CHECK(used == b->size, "%u of %u bytes", used, b->size);
	return r;
}

/* A load of EL0 with each packet that a sample has a place for. */
static struct bytes whole(void)
{
	struct bytes b = { .size = 0 };

	PUT(&b, 0xb0, 0x78, 0x56, 0x34, 0x12, 0xaa, 0xaa, 0x00, 0x80);	/* PC, NS */
	PUT(&b, 0x65, 0x44, 0x33, 0x22, 0x11);				/* CONTEXTIDR_EL2 */
	PUT(&b, 0x98, 0x23, 0x01);					/* 0x123 in all */
	PUT(&b, 0x99, 0x45, 0x00);					/* 0x45 to issue */
	PUT(&b, 0x9a, 0x06, 0x00);					/* translation 6 */
	PUT(&b, 0xb2, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x5a);	/* VA, tag 0x5a */
	PUT(&b, 0xb3, 0x11, 0x12, 0x13, 0x14, 0x15, 0x00, 0x00, 0x80);	/* PA, NS */
	PUT(&b, 0x52, 0x16, 0x01);					/* events 0x116 */
	PUT(&b, 0x49, 0x00);						/* load */
	PUT(&b, 0x43, 0x0e);						/* data source */
	PUT(&b, 0x71, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01);	/* timestamp */
	return b;
}

TEST(each_packet_gives_its_field)
{
	struct bytes b = whole();
	struct spe_record r = decoded(&b);

	CHECK(r.pc == 0xaaaa12345678 && !r.level, "%#llx", r.pc);
	CHECK(r.va == 0x7060504030201, "%#llx", r.va);
	CHECK(r.pa == 0x1514131211, "%#llx", r.pa);
	CHECK(r.timestamp == 0x123456789abcdef, "%#llx", r.timestamp);
	CHECK(r.events == 0x116, "%#llx", r.events);
	CHECK(r.total == 0x123 && r.issue == 0x45 && r.translation == 6, "%u %u %u", r.total,
	      r.issue, r.translation);
	CHECK(r.op_class == 1 && !r.op && r.source == 0xe, "%u %u %u", r.op_class, r.op, r.source);
	CHECK(r.has == (SPE_HAS(PC) | SPE_HAS(VA) | SPE_HAS(PA) | SPE_HAS(TIMESTAMP) |
			SPE_HAS(SOURCE)), "%#x", r.has);
}

/* Nothing of the record that was decoded before may remain. */
TEST(a_record_without_a_packet_has_no_such_field)
{
	struct bytes b = whole();
	struct spe_record r = decoded(&b);

	b.size = 0;
	PUT(&b, 0x4a, 0x01, 0x42, 0x02, 0x01);
	CHECK(decode(&b, b.size, LARGEST, &r) == b.size, "refused");
	CHECK(!r.has && !r.pc && !r.va && !r.pa && !r.timestamp && !r.source, "%#x", r.has);
	CHECK(!r.total && !r.issue && !r.translation && !r.level, "counters");
	CHECK(r.op_class == 2 && r.op == 1 && r.events == 2, "what it has");
}

/* Bit 55 is repeated above (D18.2.1); the Exception level is in bits 6:5 of the last byte. */
TEST(an_address_of_the_kernel_is_whole)
{
	static const u8 tops[] = { 0x80, 0xa0, 0xc0, 0x20, 0x40 };
	static const u8 levels[] = { 0, 1, 2, 1, 2 };

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		struct bytes b = { .size = 0 };
		struct spe_record r;

		PUT(&b, 0xb0, 0x10, 0x00, 0x00, 0x80, 0x00, 0x80, 0xff);
		put(&b, &tops[i], 1);
		PUT(&b, 0xb2, 0x08, 0x00, 0x00, 0x00, 0x00, 0x80, 0xff, 0x00);
		PUT(&b, 0x01);
		r = decoded(&b);
		CHECK(r.pc == 0xffff800080000010, "%#llx", r.pc);
		CHECK(r.va == 0xffff800000000008, "%#llx", r.va);
		CHECK(r.level == levels[i], "byte %#x: level %u", tops[i], r.level);
	}
}

/* D18.2.6: the packet has 1, 2, 4 or 8 bytes, and the bits that it lacks are 0. */
TEST(events_of_each_size)
{
	struct bytes b = { .size = 0 };
	struct spe_record r;

	PUT(&b, 0x42, 0xfe, 0x01);
	r = decoded(&b);
	CHECK(r.events == 0xfe, "%#llx", r.events);
	b.size = 0;
	PUT(&b, 0x62, 0x01, 0x02, 0x03, 0x84, 0x01);
	r = decoded(&b);
	CHECK(r.events == 0x84030201, "%#llx", r.events);
	b.size = 0;
	PUT(&b, 0x72, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88, 0x01);
	r = decoded(&b);
	CHECK(r.events == 0x8807060504030201, "%#llx", r.events);
}

TEST(data_source_of_each_size)
{
	struct bytes b = { .size = 0 };
	struct spe_record r;

	PUT(&b, 0x53, 0x34, 0x12, 0x01);
	r = decoded(&b);
	CHECK(r.source == 0x1234 && r.has == SPE_HAS(SOURCE), "%#x", r.source);
	/* Sizes of 4 and 8 bytes are reserved (D18.2.4). */
	b.size = 0;
	PUT(&b, 0x63, 0x34, 0x12, 0x00, 0x00, 0x01);
	r = decoded(&b);
	CHECK(!r.source && !r.has, "%#x", r.source);
}

/* Packets without a place: a branch's targets, contexts, other counters, unknown headers. */
TEST(other_packets_are_skipped_by_their_size)
{
	struct bytes b = { .size = 0 };
	struct spe_record r;

	PUT(&b, 0xb1, 1, 1, 1, 1, 1, 1, 1, 1, 0xb4, 1, 1, 1, 1, 1, 1, 1, 1);
	PUT(&b, 0x64, 1, 1, 1, 1, 0x9c, 1, 1, 0x9f, 1, 1, 0x00, 0x00, 0x4c, 1, 0xff, 1, 1, 1, 1, 1,
	    1, 1, 1, 0x02, 0x1f);
	PUT(&b, 0x23, 0xb2, 1, 1, 1, 1, 1, 1, 1, 1, 0x21, 0x98, 1, 1, 0x3f, 0x41, 1);
	PUT(&b, 0x9a, 0x07, 0x00, 0x01);
	r = decoded(&b);
	CHECK(r.translation == 7, "%u", r.translation);
	r.translation = 0;
	CHECK(!r.has && !r.pc && !r.va && !r.total && !r.issue && !r.events && !r.op_class && !r.op,
	      "a field from a packet of another kind");
}

TEST(a_cut_record_is_none)
{
	struct bytes b = whole();
	struct spe_record r;

	for (u32 size = 0; size < b.size; size++)
		CHECK(!decode(&b, size, LARGEST, &r), "%u bytes", size);
	/* An extended header of one byte alone: the second byte would tell the size. */
	b.size = 0;
	PUT(&b, 0x20);
	CHECK(!decode(&b, 1, LARGEST, &r), "half of a header");
}

TEST(a_record_longer_than_the_largest_is_none)
{
	struct bytes b = whole();
	struct spe_record r;

	CHECK(decode(&b, b.size, b.size, &r) == b.size, "of the largest size");
	CHECK(!decode(&b, b.size, b.size - 1, &r), "a byte too long");
	memset(&b, 0, sizeof(b));
	b.size = LARGEST;
	b.data[LARGEST] = 0x01;
	CHECK(!decode(&b, LARGEST + 1, LARGEST, &r), "an end that is a byte too late");
	CHECK(decode(&b, LARGEST + 1, LARGEST + 1, &r) == LARGEST + 1, "an end in time");
}

TEST(bytes_behind_a_record_do_not_matter)
{
	struct bytes b = { .size = 0 };
	struct spe_record r;

	PUT(&b, 0x98, 0x05, 0x00, 0x01, 0x98, 0x06, 0x00, 0x01);
	CHECK(decode(&b, b.size, LARGEST, &r) == 4 && r.total == 5, "%u", r.total);
}

/*
 * perf's data source
 */

#define LOAD		0x00
#define STORE		0x01
#define ATOMIC		0x06	/* a load by an atomic, D18.2.7 */
#define EXCLUSIVE	0x0a
#define LOAD_ACQUIRE		0x12
#define SVE_LOAD	0x08

/* Event bits of D18.2.6 */
#define L1		(1 << 2)
#define L1_MISS		(1 << 3)
#define TLB		(1 << 4)
#define WALK		(1 << 5)
#define LLC		(1 << 8)
#define LLC_MISS	(1 << 9)
#define REMOTE		(1 << 10)
#define L2		(1 << 19)
#define L2_MISS		(1 << 20)
#define MODIFIED	(1 << 21)
#define FETCHED		(1 << 22)
#define SNOOPED		(1 << 23)

#define N1		0x413fd0c1
#define AMPERE		0xc00fac40
#define HIP12		0x480fd060
#define UNKNOWN_CORE	0x410fd073

#define NONE		-1	/* no Data Source packet */

#define HIT(level)	(PERF_MEM_LVL_##level | PERF_MEM_LVL_HIT)
#define MISS(level)	(PERF_MEM_LVL_##level | PERF_MEM_LVL_MISS)

/*
 * What perf calls each access.  "snoop" is that of a unit which records whether data was snooped,
 * "blind" that of one which does not.
 */
static const struct access {
	u8 op;
	u32 events;
	u32 midr;
	int source;
	u16 level;
	u8 number, snoop, blind, snoopx;
	bool remote;
} accesses[] = {
#define ANY	PERF_MEM_SNOOP_NONE, PERF_MEM_SNOOP_NA, 0
	/* Events: a load is what gave the data, a store as far as it went. */
	{ LOAD, 0, 0, NONE, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA, ANY, false },
	{ LOAD, L1, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1 | L1_MISS, 0, NONE, MISS(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1_MISS, 0, NONE, MISS(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1 | L1_MISS | L2, 0, NONE, HIT(L2), PERF_MEM_LVLNUM_L2, ANY, false },
	{ LOAD, L1 | L1_MISS | L2 | L2_MISS, 0, NONE, MISS(L2), PERF_MEM_LVLNUM_L2, ANY, false },
	{ LOAD, L1 | L1_MISS | L2 | L2_MISS | LLC, 0, NONE, HIT(L3), PERF_MEM_LVLNUM_L3, ANY, false },
	{ LOAD, L1 | L1_MISS | LLC, 0, NONE, HIT(L3), PERF_MEM_LVLNUM_L3, ANY, false },
	{ LOAD, L1 | L1_MISS | L2 | L2_MISS | LLC | LLC_MISS, 0, NONE, MISS(L3),
	  PERF_MEM_LVLNUM_L3, ANY, false },
	{ LOAD, L1 | LLC | LLC_MISS, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1 | L1_MISS | FETCHED, 0, NONE, HIT(LFB), PERF_MEM_LVLNUM_LFB, ANY, false },
	{ LOAD, L1 | L1_MISS | FETCHED | L2, 0, NONE, HIT(LFB), PERF_MEM_LVLNUM_LFB, ANY, false },
	{ LOAD, L1 | FETCHED, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1 | REMOTE, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, true },
	{ LOAD, L1 | SNOOPED, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, PERF_MEM_SNOOP_HIT,
	  PERF_MEM_SNOOP_HIT, 0, false },
	{ LOAD, L1 | SNOOPED | MODIFIED, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1,
	  PERF_MEM_SNOOP_HITM, PERF_MEM_SNOOP_HITM, 0, false },
	{ LOAD, L1 | MODIFIED, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ STORE, 0, 0, NONE, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA, ANY, false },
	{ STORE, L1, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ STORE, L1 | L1_MISS, 0, NONE, MISS(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ STORE, L1 | L2, 0, NONE, HIT(L2), PERF_MEM_LVLNUM_L2, ANY, false },
	{ STORE, L1 | L1_MISS | L2 | L2_MISS, 0, NONE, MISS(L2), PERF_MEM_LVLNUM_L2, ANY, false },
	{ STORE, L1 | LLC, 0, NONE, HIT(L3), PERF_MEM_LVLNUM_L3, ANY, false },
	{ STORE, LLC_MISS, 0, NONE, MISS(L3), PERF_MEM_LVLNUM_L3, ANY, false },
	{ STORE, L1 | L1_MISS | FETCHED, 0, NONE, MISS(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ SVE_LOAD, L1, 0, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },

	/* Codes of the cores: they win over the events. */
	{ LOAD, L1, N1, 0x0, HIT(L1), PERF_MEM_LVLNUM_L1, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, L1, N1, 0x8, HIT(L2), PERF_MEM_LVLNUM_L2, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, L1, N1, 0x9, HIT(L2), PERF_MEM_LVLNUM_L2, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NA, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, SNOOPED, N1, 0x9, HIT(L2), PERF_MEM_LVLNUM_L2, PERF_MEM_SNOOP_HIT,
	  PERF_MEM_SNOOP_HIT, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, 0, N1, 0xa, HIT(L3), PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NA, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, 0, N1, 0xb, HIT(L3), PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_HIT,
	  PERF_MEM_SNOOP_HIT, 0, false },
	{ LOAD, 0, N1, 0xc, HIT(L3), PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NA, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, 0, N1, 0xd, PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NA, PERF_MEM_SNOOPX_PEER, true },
	{ LOAD, L1, N1, 0xe, HIT(LOC_RAM), PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, 0, AMPERE, 0x7, HIT(LOC_RAM), PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, 0, HIP12, 0, HIT(L2), PERF_MEM_LVLNUM_L2, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NA, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, 0, HIP12, 1, HIT(L2), PERF_MEM_LVLNUM_L2, PERF_MEM_SNOOP_HITM,
	  PERF_MEM_SNOOP_HITM, PERF_MEM_SNOOPX_PEER, false },
	{ LOAD, 0, HIP12, 3, HIT(L3), PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_HITM,
	  PERF_MEM_SNOOP_HITM, 0, false },
	{ LOAD, 0, HIP12, 8, HIT(LOC_RAM), PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, 0, HIP12, 13, HIT(IO), PERF_MEM_LVLNUM_IO, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	{ LOAD, 0, HIP12, 18, HIT(L1), PERF_MEM_LVLNUM_L1, PERF_MEM_SNOOP_NONE,
	  PERF_MEM_SNOOP_NONE, 0, false },
	/* A code or a core that is not known: only the events tell. */
	{ LOAD, L1, N1, 0xf, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1, N1, 0x100, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1, UNKNOWN_CORE, 0xe, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
	{ LOAD, L1, N1, NONE, HIT(L1), PERF_MEM_LVLNUM_L1, ANY, false },
#undef ANY
};

static struct spe_record record_of(const struct access *a)
{
	struct spe_record r = { .op_class = 1, .op = a->op, .events = a->events };

	if (a->source != NONE) {
		r.has = SPE_HAS(SOURCE);
		r.source = a->source;
	}
	return r;
}

TEST(each_access_has_perfs_words)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(accesses); i++) {
		const struct access *a = &accesses[i / 2];
		struct spe_record r = record_of(a);
		union perf_mem_data_src want = { 0 }, got;
		u64 known = i % 2 ? ~0ULL : ~(u64)SNOOPED;

		want.mem_op = a->op == STORE ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
		want.mem_lvl = a->level;
		want.mem_lvl_num = a->number;
		want.mem_snoop = i % 2 ? a->snoop : a->blind;
		want.mem_snoopx = a->snoopx;
		want.mem_remote = a->remote;
		got.val = spe_decode_data_src(&r, a->midr, known);
		CHECK(got.val == want.val, "row %d, events %#llx: %#llx, not %#llx", (int)(i / 2),
		      known, (unsigned long long)got.val, (unsigned long long)want.val);
	}
}

/* A walk implies an access (D18.2.6); without either the TLB is not described. */
TEST(translations_have_perfs_words)
{
	static const struct {
		u32 events;
		u8 tlb;
	} rows[] = {
		{ 0, 0 },
		{ TLB, PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT },
		{ TLB | WALK, PERF_MEM_TLB_WK | PERF_MEM_TLB_MISS },
		{ WALK, PERF_MEM_TLB_WK | PERF_MEM_TLB_MISS },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		struct spe_record r = { .op_class = 1, .op = i % 2, .events = rows[i / 2].events };
		union perf_mem_data_src got = { .val = spe_decode_data_src(&r, 0, ~0ULL) };

		CHECK(got.mem_dtlb == rows[i / 2].tlb, "events %#llx: %#x", r.events, got.mem_dtlb);
	}
}

/* D18.2.7: AT and EXCL are fields of the extended subclass alone. */
TEST(atomics_and_exclusives_lock)
{
	static const struct {
		u8 op;
		bool lock;
	} rows[] = {
		{ LOAD, false }, { STORE, false }, { ATOMIC, true }, { EXCLUSIVE, true },
		{ EXCLUSIVE | STORE, true }, { LOAD_ACQUIRE, false }, { LOAD_ACQUIRE | STORE, false }, { LOAD_ACQUIRE | ATOMIC, true },
		{ 0x04, false }, { SVE_LOAD, false }, { SVE_LOAD | 0x04, false }, { 0x14, false },
		{ 0x30, false }, { 0x26, false }, { 0x86, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct spe_record r = { .op_class = 1, .op = rows[i].op };
		union perf_mem_data_src got = { .val = spe_decode_data_src(&r, 0, ~0ULL) };

		CHECK(got.mem_lock == (rows[i].lock ? PERF_MEM_LOCK_LOCKED : 0), "op %#x: %#x",
		      rows[i].op, got.mem_lock);
	}
}

TEST(an_operation_without_an_access_has_no_data_source)
{
	for (unsigned int class = 0; class < 4; class++) {
		struct spe_record r = { .op_class = class, .events = L1 | TLB | SNOOPED,
					.has = SPE_HAS(SOURCE), .source = 8 };
		u64 got = spe_decode_data_src(&r, N1, ~0ULL);

		CHECK(class == 1 ? got : !got, "class %u: %#llx", class, got);
	}
}

/*
 * Whether one instruction follows another.  The words were assembled by GNU as.
 */

#define NOP		0xd503201fu
#define ADD		0x91000400u	/* add x0, x0, #1 */
#define LDR		0xf9400020u	/* ldr x0, [x1] */
#define B(words)	(0x14000000u | ((u32)(words) & 0x3ffffff))
#define BL_2		0x94000002u	/* bl .+8 */
#define B_EQ(words)	(0x54000000u | ((u32)(words) & 0x7ffff) << 5)
#define BC_EQ(words)	(0x54000010u | ((u32)(words) & 0x7ffff) << 5)
#define CBZ_X(words)	(0xb4000000u | ((u32)(words) & 0x7ffff) << 5)
#define CBNZ_W(words)	(0x35000000u | ((u32)(words) & 0x7ffff) << 5)
#define TBZ_W(words)	(0x36000000u | ((u32)(words) & 0x3fff) << 5)
#define TBNZ_X(words)	(0xb7000000u | ((u32)(words) & 0x3fff) << 5)

#define TEXT	0xffff800080010000ULL

static u32 text[256];
static u32 text_words;
static u32 fetches;

static bool fetch(u64 address, u32 *instruction)
{
	fetches++;
	if (address < TEXT || address >= TEXT + 4ULL * text_words)
		return false;
	*instruction = text[(address - TEXT) / 4];
	return true;
}

#define PROGRAM(...) do {						\
	static const u32 words[] = { __VA_ARGS__ };			\
									\
	memcpy(text, words, sizeof(words));				\
	text_words = ARRAY_SIZE(words);					\
} while (0)

static bool reaches(u32 from, u32 to)
{
	fetches = 0;
	return spe_decode_reaches(TEXT + 4 * from, TEXT + 4 * to, fetch);
}

TEST(a_straight_line_is_followed)
{
	PROGRAM(NOP, ADD, LDR, NOP, ADD);
	for (u32 to = 1; to <= 5; to++)
		CHECK(reaches(0, to), "to word %u", to);
	CHECK(!reaches(2, 2), "to itself");
	CHECK(!reaches(3, 1), "backwards");
	CHECK(!spe_decode_reaches(TEXT, TEXT + 6, fetch), "into an instruction");
}

TEST(a_loop_is_followed)
{
	PROGRAM(NOP, ADD, B_EQ(-1), NOP, B(-4), NOP);
	CHECK(reaches(2, 1) && reaches(2, 2) && reaches(1, 0) && reaches(4, 4), "round the loop");
	CHECK(!reaches(0, 5), "behind a branch that is always taken");
	CHECK(!reaches(4, 5), "behind the branch itself");
}

TEST(each_direct_branch_is_followed)
{
	static const u32 both[] = { B_EQ(3), BC_EQ(3), CBZ_X(3), CBNZ_W(3), TBZ_W(3), TBNZ_X(3) };
	static const u32 back[] = { B_EQ(-3), BC_EQ(-3), CBZ_X(-3), CBNZ_W(-3), TBZ_W(-3), TBNZ_X(-3) };

	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		/* 1 and 4 end each other way. */
		PROGRAM(B(4), B(3), NOP, NOP, B(4), NOP, NOP);
		text[0] = both[i];
		CHECK(reaches(0, 3), "%#x: taken", both[i]);
		CHECK(reaches(0, 1), "%#x: not taken", both[i]);
		CHECK(!reaches(0, 2), "%#x: neither", both[i]);
		text[4] = back[i];
		CHECK(reaches(4, 1) && reaches(4, 5), "%#x: backwards", back[i]);
		CHECK(!reaches(4, 2), "%#x: backwards, neither", back[i]);
	}
	PROGRAM(B(3), NOP, NOP, NOP, B(-2));
	CHECK(reaches(0, 3) && !reaches(0, 1), "forwards");
	CHECK(reaches(4, 2) && !reaches(4, 5), "backwards");
}

/* The farthest targets: the sign of each field, and none of its bits lost. */
TEST(far_targets_are_right)
{
	static const struct {
		u32 word;
		s64 words;
	} rows[] = {
		{ 0x15ffffff, 0x1ffffff }, { 0x16000000, -0x2000000 },
		{ 0x547fffe0, 0x3ffff }, { 0x54800000, -0x40000 },
		{ 0xb47fffe0, 0x3ffff }, { 0xb5800000, -0x40000 },
		{ 0x3603ffe0, 0x1fff }, { 0xb7040000, -0x2000 },
		/* Neighbors of the field: the condition, the register, the bit number */
		{ 0x5400000d, 0 }, { 0xb400001f, 0 }, { 0xb7f8001f, 0 },
	};

	text_words = 1;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 target = TEXT + (u64)(rows[i].words * 4);

		text[0] = rows[i].word;
		CHECK(spe_decode_reaches(TEXT, target, fetch), "%#x", rows[i].word);
		CHECK(!spe_decode_reaches(TEXT, target + 8, fetch), "%#x: behind", rows[i].word);
		CHECK(!spe_decode_reaches(TEXT, target - 4, fetch), "%#x: before", rows[i].word);
	}
}

/* Calls, returns, indirect branches and exceptions */
TEST(a_way_out_of_the_function_ends)
{
	static const u32 ends[] = {
		BL_2, 0xd63f0000 /* blr x0 */, 0xd61f0000 /* br x0 */, 0xd65f03c0 /* ret */,
		0xd65f0bff /* retaa */, 0xd65f0fff /* retab */, 0xd71f0801 /* braa x0, x1 */,
		0xd73f0801 /* blraa x0, x1 */, 0xd61f081f /* braaz x0 */, 0xd69f03e0 /* eret */,
		0xd4000001 /* svc #0 */, 0xd4000002 /* hvc #0 */, 0xd4000003 /* smc #0 */,
		0xd4200000 /* brk #0 */, 0xd4400000 /* hlt #0 */, 0x97fffffe /* bl .-8 */,
	};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		PROGRAM(NOP, NOP, NOP, NOP, NOP);
		text[2] = ends[i];
		CHECK(reaches(0, 2), "%#x itself", ends[i]);
		CHECK(!reaches(0, 3) && !reaches(2, 3), "%#x: behind", ends[i]);
		CHECK(!reaches(0, 4) && !reaches(2, 4) && !reaches(2, 0), "%#x: a target", ends[i]);
		/* Round it there is another way. */
		text[0] = B_EQ(3);
		CHECK(reaches(0, 3), "%#x: round it", ends[i]);
	}
}

/* Words that differ from a branch in one bit are none. */
TEST(other_words_go_on)
{
	static const u32 words[] = {
		0xd503201f /* nop */, 0xd503207f /* wfi */, 0xd5033fdf /* isb */,
		0xd53bd040 /* mrs x0, tpidr_el0 */, 0x90000000 /* adrp */, 0x10000000 /* adr */,
		0x12000000 /* and */, 0x18000040 /* ldr w0, .+8 */, 0x38400400 /* ldrb */,
		0xb8400400 /* ldr */, 0x39400000 /* ldrb */, 0xc8dffc20 /* ldar */, 0xf8e00020 /* ldaddal */,
		0x1e602800 /* fadd */, 0x04200000 /* sve add */, 0xa9be7bfd /* stp */,
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		PROGRAM(NOP, NOP, NOP);
		text[0] = words[i];
		CHECK(reaches(0, 1) && reaches(0, 2) && reaches(0, 3), "%#x", words[i]);
	}
}

TEST(memory_that_cannot_be_read_ends_a_way)
{
	PROGRAM(B_EQ(200), NOP, NOP);
	CHECK(reaches(0, 3) && reaches(0, 200), "the last word, and the target");
	CHECK(!reaches(0, 4) && !reaches(0, 201), "behind them");
	CHECK(!reaches(200, 201), "the first word");
	text_words = 0;
	CHECK(!reaches(0, 1) && fetches == 1, "%u fetches", fetches);
}

/* Each instruction branches to a place that no other one reaches. */
static bool fetch_far(u64 address, u32 *instruction)
{
	(void)address;
	*instruction = B_EQ(1000 + 200 * fetches++);
	return true;
}

/* The cost has a bound: SPE_DECODE_STEPS instructions, and each once. */
TEST(the_search_has_a_bound)
{
	text_words = ARRAY_SIZE(text);
	for (u32 i = 0; i < text_words; i++)
		text[i] = NOP;
	CHECK(reaches(0, 64) && fetches == 64, "%u fetches", fetches);
	CHECK(!reaches(0, 65) && fetches == 64, "%u fetches", fetches);
	/* Each step finds two more places. */
	fetches = 0;
	CHECK(!spe_decode_reaches(TEXT, 0, fetch_far) && fetches == 64, "%u fetches", fetches);
	PROGRAM(B_EQ(2), B(-1), B(-2));
	CHECK(!reaches(0, 3) && fetches == 3, "%u fetches of a loop", fetches);
}
