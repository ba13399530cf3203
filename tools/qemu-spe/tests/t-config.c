// SPDX-License-Identifier: GPL-2.0-only
/*
 * The properties of the CPU select features.  The test checks that registers,
 * RES0 bits and records agree with PMSVer, PMSIDR_EL1 and PMBIDR_EL1, whatever
 * the layout of the records.  The test prints the registers, and tests/configs
 * compares them with the values that the properties require.  Runs at EL1.
 */

#include "test.h"

#define FE	1ul
#define FNE	(1ul << 3)
#define V1P1	2
#define V1P2	3

static uint64_t version, pmsidr, pmbidr;
static uint64_t align, max_size;

#define bits_of(name) ({						\
	uint64_t ones_, zeros_, before_ = read_reg(name);		\
	write_reg(name, ~0ul);						\
	ones_ = read_reg(name);						\
	write_reg(name, 0);						\
	zeros_ = read_reg(name);					\
	write_reg(name, before_);					\
	ones_ & ~zeros_;						\
})

static bool undefined(uint64_t esr)
{
	return ESR_EC(esr) == EC_UNKNOWN && esr;
}

static void register_bits(void)
{
	uint64_t events = bits_of(PMSEVFR_EL1);
	bool fne = pmsidr & 1 << 6, fds = pmsidr & 1 << 7;
	bool eft = pmsidr & 1 << 26;
	uint64_t esr;

	note("events", events);
	ok_eq(bits_of(PMSFCR_EL1), 0x70007 | fne << 3 | fds << 4 |
	      (eft ? 0x1f000000180000ul : 0), "PMSFCR_EL1 has what PMSIDR_EL1 says");
	ok_eq(bits_of(PMSLATFR_EL1),
	      (pmsidr >> 16 & 0xf) == 3 ? 0xffff : 0xfff,
	      "PMSLATFR_EL1 has as many bits as the counters");
	ok_eq(bits_of(PMSICR_EL1) >> 56, pmsidr & 1 << 5 ? 0xff : 0,
	      "PMSICR_EL1.ECOUNT exists with ERnd");
	ok_eq(bits_of(PMBLIMITR_EL1) & 0x26, version >= V1P2 ? 0x26 : 0,
	      "PMBLIMITR_EL1.{FM,PMFZ} exist from v1p2 on");
	trap_arm();
	read_reg(PMSNEVFR_EL1);
	esr = trap_disarm();
	ok(fne ? !esr : undefined(esr), "PMSNEVFR_EL1 exists with FnE");
	if (fne)
		ok_eq(bits_of(PMSNEVFR_EL1), events,
		      "PMSNEVFR_EL1 has the events of PMSEVFR_EL1");
	trap_arm();
	read_reg(PMSDSFR_EL1);
	esr = trap_disarm();
	ok(fds ? !esr : undefined(esr), "PMSDSFR_EL1 exists with FDS");
	ok_eq(events >> 11 & 1, version >= V1P1, "event 11 is of v1p1");
	ok_eq(events >> 6 & 1, fne, "event 6 is filtered on with FnE");
	ok(version >= 5 || !(events & 0xf80000),
	   "events 19 to 23 are of v1p4");
	ok(!(events & 0xffff00010003ul), "what no version has");
}

/*
 * One record, decoded by the rules of D18.1 alone.  Its packets are indexed by
 * their header.
 */
struct packets {
	uint64_t address[32], counter[32], context[4];
	uint32_t addresses, counters, contexts;
	uint64_t events, source, timestamp;
	bool has_events, has_source, has_timestamp, has_type, is_extended;
	uint8_t class, subclass;
	uint8_t events_bytes, source_bytes;
	uint64_t first, end;
	uint8_t order[32];
	unsigned int count;
};

static uint64_t take(const uint8_t **p, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)*(*p)++ << 8 * i;
	return value;
}

/* False if D18.2 does not define the packet. */
static bool sort(struct packets *k, uint8_t header, int high, uint64_t value)
{
	int index = (header & 7) | high << 3, bytes = 1 << (header >> 4 & 3);

	if ((header & 0xf8) == 0xb0) {
		k->address[index] = value;
		k->addresses |= 1u << index;
	} else if ((header & 0xf8) == 0x98) {
		k->counter[index] = value;
		k->counters |= 1u << index;
	} else if ((header & 0xfc) == 0x64) {
		k->context[header & 3] = value;
		k->contexts |= 1u << (header & 3);
	} else if ((header & 0xfc) == 0x48) {
		k->class = header & 3;
		k->subclass = value;
		k->has_type = true;
	} else if ((header & 0xcf) == 0x42) {
		k->events = value;
		k->events_bytes = bytes;
		k->has_events = true;
	} else if ((header & 0xcf) == 0x43) {
		k->source = value;
		k->source_bytes = bytes;
		k->has_source = true;
	} else if (header == 0x71) {
		k->timestamp = value;
		k->has_timestamp = true;
	} else {
		return false;
	}
	return true;
}

static bool unpack(uint64_t at, uint64_t limit, struct packets *k)
{
	const uint8_t *p = (const uint8_t *)at;

	memset(k, 0, sizeof(*k));
	while (!*p && (uint64_t)p < limit)
		p++;
	k->first = (uint64_t)p;
	while ((uint64_t)p < limit) {
		uint8_t header = *p++;
		int high = 0;

		if (header == 0x01 || (uint64_t)p >= limit)
			break;
		if ((header & 0xfc) == 0x20) {
			high = header & 3;
			header = *p++;
			k->is_extended = true;
		}
		if (header < 0x40 ||
		    !sort(k, header, high, take(&p, 1 << (header >> 4 & 3)))) {
			note("undefined packet header", header);
			return false;
		}
		k->order[k->count++ & 31] = header;
		if (header == 0x71)
			break;
	}
	k->end = (uint64_t)p;
	return k->end <= limit && k->has_type && k->has_events;
}

static struct packets k;
static uint64_t word[8] __attribute__((aligned(64))) = { 1, 2, 3, 4 };
static uint64_t sampled_pc;

/* Samples the instruction @text, which label 1 marks. */
#define sample(pmscr, text)						\
	asm volatile("adr x9, 1f\n\tmov x10, %[p]\n\t"			\
		     "str x9, [%[pc]]\n\t"				\
		     "msr " PMSICR_EL1 ", %[two]\n\t"			\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n1:\t" text "\n"				\
		     "9:\tmsr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb"			\
		     : : [two] "r"(2ul), [on] "r"((uint64_t)(pmscr)),	\
		       [p] "r"(word), [pc] "r"(&sampled_pc)		\
		     : "x0", "x1", "x2", "x3", "x9", "x10", "x30", "cc", "memory")

#define ALL_PACKETS \
	(PMSCR_E1SPE | PMSCR_CX | PMSCR_PA | PMSCR_TS | PMSCR_PCT(1))

static void setup(void)
{
	spe_setup(BUFFER, BUFFER + 8192);
	isb();
}

static bool sampled(void)
{
	uint64_t ptr = read_reg(PMBPTR_EL1);

	return ptr != BUFFER && unpack(BUFFER, ptr, &k) &&
	       PC(k.address[0]) == sampled_pc;
}

static void packets_of_a_load(void)
{
	uint64_t size;
	bool extended;

	setup();
	sample(ALL_PACKETS, "ldr x0, [%[p]]");
	ok(sampled() && k.class == 1, "a load is recorded");
	size = read_reg(PMBPTR_EL1) - BUFFER;
	note("record", k.end - k.first);
	note("written", size);
	note("before", k.first - BUFFER);
	note("first header", k.order[0]);
	note("events size", k.events_bytes);
	ok(size % align == 0 && size <= max_size,
	   "its size is a multiple of Align, at most MaxSize");
	ok(align != max_size || size == max_size,
	   "and MaxSize where the two are the same");
	ok(k.address[2] == (uint64_t)word && PC(k.address[3]) == (uint64_t)word,
	   "its addresses");
	ok(k.has_timestamp && (k.contexts & 1) && (k.counters & 7) == 7,
	   "its timestamp, context and counters");
	ok_eq(k.has_source, pmsidr >> 4 & 1, "a data source with LDS");
	extended = k.is_extended && (k.addresses | k.counters) >> 8 == 0;
	note("extended", extended);
	note("address packets", k.addresses);
	note("counter packets", k.counters);
}

/* @v: the expected subclass in v1, v1p1, v1p2, v1p3, v1p4 and v1p5. */
static void expect_subclass(const uint8_t v[6], const char *name)
{
	if (!sampled())
		ok(false, name);
	else
		ok_eq(k.subclass, v[version - 1], name);
}

static void subclasses(void)
{
	bool fpf = pmsidr & 1 << 27, crr = pmsidr & 1 << 25;
	uint8_t fp[6], call[6], vector[6];

	for (int i = 0; i < 6; i++) {
		fp[i] = fpf ? 2 : 0;
		vector[i] = fpf ? 6 : 0;
		call[i] = crr ? 8 : 0;
	}
	setup();
	sample(PMSCR_E1SPE, "fadd d0, d1, d2");
	expect_subclass(fp, "FADD");
	setup();
	sample(PMSCR_E1SPE, "fadd v0.2d, v1.2d, v2.2d");
	expect_subclass(vector, "FADD of vectors");
	setup();
	sample(PMSCR_E1SPE, "bl 9f");
	expect_subclass(call, "BL");
	setup();
	sample(PMSCR_E1SPE, "dc zva, %[p]");
	expect_subclass((uint8_t[]) { 1, 0x11, 0x11, 0x11, 0x11, 0x11 },
			"DC ZVA");
	setup();
	sample(PMSCR_E1SPE, ".inst 0xd9600140");	/* LDG X0, [X10] */
	expect_subclass((uint8_t[]) { 0, 0x10, 0x10, 0x14, 0x14, 0x14 },
			"LDG");
}

/*
 * SVE with 128-bit vectors.  Its events and subclasses exist from v1p1 on, and
 * PRED of loads from v1p2 on.
 */
static void vectors(void)
{
	if (!(read_reg("id_aa64pfr0_el1") >> 32 & 0xf))
		return;
	write_reg("cpacr_el1", 3ul << 20 | 3ul << 16);
	isb();
	write_reg("S3_0_C1_C2_0", 0);			/* ZCR_EL1 */
	isb();
	asm volatile(".inst 0x2518e3e0");		/* PTRUE P0.B */
	setup();
	sample(PMSCR_E1SPE, ".inst 0xa400a140");	/* LD1B, [X10] */
	expect_subclass((uint8_t[]) { 4, 0x28, 0x2c, 0x2c, 0x2c, 0x2c },
			"LD1B of SVE");
	setup();
	sample(PMSCR_E1SPE, ".inst 0x04800020");	/* ADD, P0/M */
	expect_subclass((uint8_t[]) { 0, 0x2c, 0x2c, 0x2c, 0x2c, 0x2c },
			"ADD of SVE");
	ok_eq(k.events >> 17 & 3, 0, "all of its predicate is true");
	asm volatile(".inst 0x2518e400");		/* PFALSE P0.B */
	setup();
	sample(PMSCR_E1SPE, ".inst 0x04800020");
	ok(sampled(), "ADD of SVE with an empty predicate");
	ok_eq(k.events >> 17 & 3, version >= V1P1 ? 3 : 0,
	      "events 17 and 18 are set from v1p1 on");
}

static void misalignment(void)
{
	setup();
	sample(PMSCR_E1SPE, "ldur x0, [%[p], #60]");
	ok(sampled(), "a load across a line is recorded");
	ok_eq(k.events >> 11 & 1, version >= V1P1,
	      "event 11 is set from v1p1 on");
	ok(!(k.events & ~0xffff0000ffffffff) &&
	   (version >= 5 || !(k.events & 0xf80000)), "and no event too new");
	ok(version < 5 || !(k.events & (pmsidr >> 32 & 1 ? 0xfc000000 : 0xff000000)),
	   "from v1p4 on E[31:26] are zero, and E[25:24] without SME");
}

/* Finds all records of a run, one directly after the other. */
static void run_of_records(void)
{
	uint64_t at = BUFFER, ptr;
	unsigned int n = 0, other_order = 0;
	uint8_t order[32];

	spe_setup(BUFFER, BUFFER + (1 << 20));
	write_reg(PMSIRR_EL1, 1 << 8);
	spe_start(ALL_PACKETS);
	for (volatile int i = 0; i < 3000; i++)
		;
	spe_stop();
	ptr = read_reg(PMBPTR_EL1);
	while (at < ptr && unpack(at, ptr, &k)) {
		/* The bytes up to the next aligned address are padding. */
		at = (k.end + align - 1) / align * align;
		if (n++ && order[0] != k.order[0])
			other_order++;
		order[0] = k.order[0];
	}
	while (at < ptr && !*(uint8_t *)at)
		at++;
	ok(at == ptr && n > 40, "a run of records, one after the other");
	ok_eq(read_reg(PMBSR_EL1), 0, "without a management event");
	note("orders", other_order);
}

/* Not inlined, so that the PC is always the same. */
static bool __attribute__((noinline)) split_load(uint64_t pmsfcr)
{
	setup();
	write_reg(PMSFCR_EL1, pmsfcr);
	isb();
	sample(PMSCR_E1SPE, "ldur x0, [%[p], #60]");
	write_reg(PMSFCR_EL1, 0);
	return sampled();
}

static void event_filters(void)
{
	uint64_t filters = bits_of(PMSEVFR_EL1), events;
	uint64_t imp_def = filters & 0xf000;
	bool found, agrees, inverse = true;

	agrees = split_load(0);
	events = k.events;
	for (int i = 0; i < 64; i++) {
		if (!(filters >> i & 1))
			continue;
		write_reg(PMSEVFR_EL1, 1ul << i);
		found = split_load(FE);
		agrees &= found == (events >> i & 1);
		if (!(pmsidr & 1 << 6))
			continue;
		write_reg(PMSNEVFR_EL1, 1ul << i);
		found = split_load(FNE);
		inverse &= found != (events >> i & 1);
	}
	ok(agrees, "each event's filter keeps just what has it");
	ok(inverse, "and each inverted one just what has it not");
	ok_eq(events & imp_def, (sampled_pc >> 2 & 0xf000) & imp_def,
	      "IMPLEMENTATION DEFINED events are bits of the PC");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	version = read_reg("id_aa64dfr0_el1") >> 32 & 0xf;
	pmsidr = read_reg(PMSIDR_EL1);
	pmbidr = read_reg(PMBIDR_EL1);
	align = 1ul << (pmbidr & 0xf);
	max_size = 1ul << (pmsidr >> 12 & 0xf);
	note("version", version);
	note("pmsidr", pmsidr);
	note("pmbidr", pmbidr);
	register_bits();
	packets_of_a_load();
	subclasses();
	vectors();
	misalignment();
	run_of_records();
	event_filters();
}
