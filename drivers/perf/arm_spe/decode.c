// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decodes a record to what a sample of perf has a place for.
 */
#include <arm_spe/source.h>

#include "decode.h"
#include "parse.h"

static u64 spe_decode_payload(const u8 *bytes, u32 size)
{
	u64 value = 0;

	while (size--)
		value = value << 8 | bytes[size];
	return value;
}

/* Bit 55 selects the table of translation, so bits 63:56 of a canonical address repeat it. */
static u64 spe_decode_canonical(u64 payload)
{
	u64 address = payload & SPE_ADDR_MASK;

	return address & 1ULL << (SPE_ADDR_BITS - 1) ? address | ~SPE_ADDR_MASK : address;
}

static void spe_decode_address(struct spe_record *r, u32 index, u64 payload)
{
	switch (index) {
	case SPE_ADDR_PC:
		r->pc = spe_decode_canonical(payload);
		r->level = (payload >> SPE_ADDR_TOP_SHIFT & SPE_ADDR_EL_MASK) >> SPE_ADDR_EL_SHIFT;
		r->has |= SPE_HAS(PC);
		break;
	case SPE_ADDR_DATA_VA:
		r->va = spe_decode_canonical(payload);
		r->has |= SPE_HAS(VA);
		break;
	case SPE_ADDR_DATA_PA:
		r->pa = payload & SPE_ADDR_MASK;
		r->has |= SPE_HAS(PA);
		break;
	}
}

static void spe_decode_counter(struct spe_record *r, u32 index, u64 payload)
{
	switch (index) {
	case SPE_COUNTER_TOTAL:
		r->total = payload;
		break;
	case SPE_COUNTER_ISSUE:
		r->issue = payload;
		break;
	case SPE_COUNTER_XLAT:
		r->translation = payload;
		break;
	}
}

/* The header without the payload's size, which the encodings of addresses and counters fix. */
static void spe_decode_packet(struct spe_record *r, u8 header, u64 payload, u32 size)
{
	if (header == SPE_HDR_TIMESTAMP) {
		r->timestamp = payload;
		r->has |= SPE_HAS(TIMESTAMP);
	} else if ((header & SPE_HDR_ADDRESS_MASK) == SPE_HDR_ADDRESS) {
		spe_decode_address(r, header & SPE_HDR_INDEX_MASK, payload);
	} else if ((header & SPE_HDR_COUNTER_MASK) == SPE_HDR_COUNTER) {
		spe_decode_counter(r, header & SPE_HDR_INDEX_MASK, payload);
	} else if ((header & SPE_HDR_EVENTS_MASK) == SPE_HDR_EVENTS) {
		r->events = payload;
	} else if ((header & SPE_HDR_DATA_SOURCE_MASK) == SPE_HDR_DATA_SOURCE && size <= 2) {
		r->source = payload;
		r->has |= SPE_HAS(SOURCE);
	} else if ((header & SPE_HDR_OP_TYPE_MASK) == SPE_HDR_OP_TYPE) {
		r->op_class = header & SPE_HDR_OP_TYPE_CLASS_MASK;
		r->op = payload;
	}
}

u32 spe_decode(const u8 *bytes, u32 size, u32 max, struct spe_record *record)
{
	u32 at = 0;

	*record = (struct spe_record) { 0 };
	while (at < size) {
		u32 packet = spe_parse_size(bytes[at], at + 1 < size ? bytes[at + 1] : 0);
		const u8 *header = bytes + at;
		bool ends = spe_parse_ends(*header);

		if (packet > size - at || at + packet > max)
			return 0;
		at += packet;
		/* The long form of an address or a counter, with INDEX[4:3] 0 (Table D18-2) */
		if (*header == SPE_HDR_EXT && packet > 1 &&
		    ((header[1] & SPE_HDR_ADDRESS_MASK) == SPE_HDR_ADDRESS ||
		     (header[1] & SPE_HDR_COUNTER_MASK) == SPE_HDR_COUNTER)) {
			header++;
			packet--;
		}
		if (*header & SPE_HDR_HAS_PAYLOAD)
			spe_decode_packet(record, *header,
					  spe_decode_payload(header + 1, packet - 1), packet - 1);
		if (ends)
			return at;
	}
	return 0;
}

/* How perf describes what held the data */
struct spe_place {
	u16 level;		/* PERF_MEM_LVL_* */
	u8 number;		/* PERF_MEM_LVLNUM_* */
	u8 snoop;		/* PERF_MEM_SNOOP_* */
};

static const struct spe_place spe_places[] = {
	[ARM_SPE_LEVEL_L1] = { PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_L1,
			       PERF_MEM_SNOOP_NONE },
	[ARM_SPE_LEVEL_L2] = { PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_L2,
			       PERF_MEM_SNOOP_NONE },
	[ARM_SPE_LEVEL_L3] = { PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_L3,
			       PERF_MEM_SNOOP_HIT },
	/* perf has a level for any cache, and leaves it out here, as the code does not tell. */
	[ARM_SPE_LEVEL_ANY_CACHE] = { PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA, 0 },
	[ARM_SPE_LEVEL_DRAM] = { PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_RAM,
				 PERF_MEM_SNOOP_NONE },
	[ARM_SPE_LEVEL_DEVICE] = { PERF_MEM_LVL_IO | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_IO,
				   PERF_MEM_SNOOP_NONE },
};

struct spe_source {
	u8 code;
	u8 level;
	u8 flags;
};

#define P	ARM_SPE_SOURCE_PEER
#define M	ARM_SPE_SOURCE_MODIFIED
#define R	ARM_SPE_SOURCE_REMOTE
#define SPE_SOURCE(code, name, level, flags)	{ code, ARM_SPE_LEVEL_##level, flags },

static const struct spe_source spe_sources_common[] = {
	ARM_SPE_SOURCES_COMMON(SPE_SOURCE)
};

static const struct spe_source spe_sources_ampereone[] = {
	ARM_SPE_SOURCES_AMPEREONE(SPE_SOURCE)
};

static const struct spe_source spe_sources_hisilicon[] = {
	ARM_SPE_SOURCES_HISILICON(SPE_SOURCE)
};

#define SPE_SOURCE_CORE(implementer, part, name, codes)				\
	{ ARM_SPE_MIDR_CORE((u32)(implementer), part), spe_sources_##codes,	\
	  ARRAY_SIZE(spe_sources_##codes) },

static const struct {
	u32 midr;
	const struct spe_source *codes;
	u32 nr_codes;
} spe_cores[] = {
	ARM_SPE_SOURCE_CORES(SPE_SOURCE_CORE)
};

/* The index of the core in spe_cores, or their number if its codes are not known. */
static u32 spe_decode_core(u32 midr)
{
	u32 core = 0;

	while (core < ARRAY_SIZE(spe_cores) &&
	       (midr & ARM_SPE_MIDR_CORE_MASK) != spe_cores[core].midr)
		core++;
	return core;
}

static const struct spe_source *spe_decode_source(u32 core, u16 code)
{
	u32 i;

	for (i = 0; core < ARRAY_SIZE(spe_cores) && i < spe_cores[core].nr_codes; i++)
		if (spe_cores[core].codes[i].code == code)
			return &spe_cores[core].codes[i];
	return NULL;
}

static bool spe_decode_event(const struct spe_record *r, unsigned int bit)
{
	return r->events >> bit & 1;
}

/* The events of a level of caches, from the nearest to the farthest. */
static const struct {
	u8 access, miss;
	u8 level;
} spe_caches[] = {
	{ SPE_EVENT_L1D_ACCESS, SPE_EVENT_L1D_REFILL, ARM_SPE_LEVEL_L1 },
	{ SPE_EVENT_L2D_ACCESS, SPE_EVENT_L2D_MISS, ARM_SPE_LEVEL_L2 },
	{ SPE_EVENT_LLC_ACCESS, SPE_EVENT_LLC_MISS, ARM_SPE_LEVEL_L3 },
};

static void spe_decode_set_level(union perf_mem_data_src *src, u8 level, bool miss)
{
	src->mem_lvl = spe_places[level].level;
	if (miss)
		src->mem_lvl ^= PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS;
	src->mem_lvl_num = spe_places[level].number;
}

/* A load: the nearest cache with a hit, or else the farthest with a miss. */
static void spe_decode_load_level(union perf_mem_data_src *src, const struct spe_record *r)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(spe_caches); i++) {
		bool miss = spe_decode_event(r, spe_caches[i].miss);

		if (spe_decode_event(r, spe_caches[i].access) && !miss) {
			spe_decode_set_level(src, spe_caches[i].level, false);
			return;
		}
		/* The line was on its way: a line fill buffer, in perf's words. */
		if (!i && spe_decode_event(r, SPE_EVENT_RECENTLY_FETCHED)) {
			src->mem_lvl = PERF_MEM_LVL_LFB | PERF_MEM_LVL_HIT;
			src->mem_lvl_num = PERF_MEM_LVLNUM_LFB;
			return;
		}
		if (miss)
			spe_decode_set_level(src, spe_caches[i].level, true);
	}
}

/* A store: the farthest cache that it reached. */
static void spe_decode_store_level(union perf_mem_data_src *src, const struct spe_record *r)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(spe_caches); i++) {
		bool miss = spe_decode_event(r, spe_caches[i].miss);

		if (spe_decode_event(r, spe_caches[i].access) || miss)
			spe_decode_set_level(src, spe_caches[i].level, miss);
	}
}

static void spe_decode_set_source(union perf_mem_data_src *src, const struct spe_source *source)
{
	const struct spe_place *place = &spe_places[source->level];

	src->mem_lvl = place->level;
	src->mem_lvl_num = place->number;
	if (source->flags & R) {
		src->mem_remote = PERF_MEM_REMOTE_REMOTE;
		if (source->level == ARM_SPE_LEVEL_DRAM)
			src->mem_lvl = PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_HIT;
	}
	if (source->flags & P)
		src->mem_snoopx = PERF_MEM_SNOOPX_PEER;
	if (source->flags & M)
		src->mem_snoop = PERF_MEM_SNOOP_HITM;
	else if (!(source->flags & P))
		src->mem_snoop = place->snoop;
}

static void spe_decode_set_snoop(union perf_mem_data_src *src, const struct spe_record *r,
				 u64 events)
{
	if (spe_decode_event(r, SPE_EVENT_DATA_SNOOPED))
		src->mem_snoop = spe_decode_event(r, SPE_EVENT_DATA_MODIFIED) ?
				 PERF_MEM_SNOOP_HITM : PERF_MEM_SNOOP_HIT;
	else
		src->mem_snoop = events >> SPE_EVENT_DATA_SNOOPED & 1 ?
				 PERF_MEM_SNOOP_NONE : PERF_MEM_SNOOP_NA;
}

static bool spe_decode_locked(const struct spe_record *r)
{
	return (r->op & SPE_OP_LDST_EXTENDED_MASK) == SPE_OP_LDST_EXTENDED &&
	       r->op & (SPE_OP_AT | SPE_OP_EXCL);
}

u64 spe_decode_data_src(const struct spe_record *r, u32 midr, u64 events)
{
	union perf_mem_data_src src = { 0 };
	const struct spe_source *source = NULL;
	bool store = r->op & SPE_OP_LDST;
	u32 core = spe_decode_core(midr);

	if (r->op_class != SPE_OP_CLASS_LDST)
		return 0;
	src.mem_op = store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
	if (!store && r->has & SPE_HAS(SOURCE))
		source = spe_decode_source(core, r->source);
	if (source)
		spe_decode_set_source(&src, source);
	else if (store && core < ARRAY_SIZE(spe_cores))
		/* These cores record nothing of where a store went. */
		src.mem_snoop = PERF_MEM_SNOOP_NA;
	else if (store)
		spe_decode_store_level(&src, r);
	else
		spe_decode_load_level(&src, r);
	if (!src.mem_lvl) {
		src.mem_lvl = PERF_MEM_LVL_NA;
		src.mem_lvl_num = PERF_MEM_LVLNUM_NA;
	}
	if (!src.mem_snoop)
		spe_decode_set_snoop(&src, r, events);
	if (spe_decode_event(r, SPE_EVENT_REMOTE_ACCESS))
		src.mem_remote = PERF_MEM_REMOTE_REMOTE;
	if (spe_decode_locked(r))
		src.mem_lock = PERF_MEM_LOCK_LOCKED;
	if (spe_decode_event(r, SPE_EVENT_TLB_WALK))
		src.mem_dtlb = PERF_MEM_TLB_WK | PERF_MEM_TLB_MISS;
	else if (spe_decode_event(r, SPE_EVENT_TLB_ACCESS))
		src.mem_dtlb = PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT;
	return src.val;
}

/* An offset in instructions: a signed field of the instruction (C6.2). */
static s64 spe_decode_offset(u32 instruction, unsigned int low, unsigned int bits)
{
	u64 field = instruction >> low & ((1U << bits) - 1);
	u64 sign = 1ULL << (bits - 1);

	return (s64)((field ^ sign) - sign) * 4;
}

/*
 * The direct branches of A64 (C4.1.93).  Returns whether execution may continue behind the
 * instruction, with *target set if it may also continue there.
 */
static bool spe_decode_flow(u32 instruction, u64 pc, u64 *target, bool *branches)
{
	*branches = true;
	if ((instruction & 0xfc000000) == 0x14000000) {		/* B */
		*target = pc + spe_decode_offset(instruction, 0, 26);
		return false;
	}
	if ((instruction & 0xff000000) == 0x54000000 ||		/* B.cond, BC.cond */
	    (instruction & 0x7e000000) == 0x34000000) {		/* CBZ, CBNZ */
		*target = pc + spe_decode_offset(instruction, 5, 19);
		return true;
	}
	if ((instruction & 0x7e000000) == 0x36000000) {		/* TBZ, TBNZ */
		*target = pc + spe_decode_offset(instruction, 5, 14);
		return true;
	}
	if ((instruction & 0x7e000000) == 0x74000000) {		/* CB<cc> of FEAT_CMPBR */
		*target = pc + spe_decode_offset(instruction, 5, 9);
		return true;
	}
	*branches = false;
	/* BL; BR, BLR, RET, ERET and their variants; SVC, BRK and other exceptions */
	return (instruction & 0xfc000000) != 0x94000000 &&
	       (instruction & 0xfe000000) != 0xd6000000 &&
	       (instruction & 0xff000000) != 0xd4000000;
}

/* Places that the search has found; it has followed those before "next". */
struct spe_ways {
	u64 pc[2 * SPE_DECODE_STEPS + 1];
	u32 next, nr;
};

static void spe_decode_add_way(struct spe_ways *ways, u64 pc)
{
	u32 i;

	for (i = 0; i < ways->nr; i++)
		if (ways->pc[i] == pc)
			return;
	ways->pc[ways->nr++] = pc;
}

bool spe_decode_reaches(u64 from, u64 to, bool (*fetch)(u64 address, u32 *instruction))
{
	struct spe_ways ways = { .pc = { from }, .nr = 1 };
	u64 pc, target;
	u32 instruction;
	bool branches;

	while (ways.next < ways.nr && ways.next < SPE_DECODE_STEPS) {
		pc = ways.pc[ways.next++];
		if (!fetch(pc, &instruction))
			continue;
		if (spe_decode_flow(instruction, pc, &target, &branches)) {
			if (pc + 4 == to)
				return true;
			spe_decode_add_way(&ways, pc + 4);
		}
		if (branches) {
			if (target == to)
				return true;
			spe_decode_add_way(&ways, target);
		}
	}
	return false;
}
