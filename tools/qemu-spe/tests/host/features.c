// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the versions and optional features of SPE allow in a record, from
 * D18.2.6, D18.2.7 and D24.7.11.
 */

#include <stdio.h>
#include <string.h>

#include "config/features.h"
#include "host.h"

static SPEConfig version(int v)
{
	return (SPEConfig) {
		.version = v, .lds = true, .sve = true, .events = ~0ull,
		.fne = v >= SPE_V1P2, .crr = v >= SPE_V1P4,
		.fpf = v >= SPE_V1P4,
	};
}

static bool is(uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		printf("# got %#llx, want %#llx\n", (unsigned long long)got,
		       (unsigned long long)wanted);
	return got == wanted;
}

static uint64_t known(SPEConfig c)
{
	spe_settle_events(&c);
	return c.known_events;
}

static void events(void)
{
	static const struct {
		const char *name;
		int version;
		uint64_t exist, filters;
	} rows[] = {
		/*
		 * filters: events 3, 5 and 7 in all versions; 2, 4 and 8 to 10
		 * from v1p4 on
		 */
		{ "v1", SPE_V1, 0xffff0000ff00f7ff, 0xffff0000ff00f0a8 },
		{ "v1p1", SPE_V1P1, 0xffff0000ff06ffff, 0xffff0000ff06f8a8 },
		{ "v1p2", SPE_V1P2, 0xffff0000ff06ffff, 0xffff0000ff06f8e8 },
		{ "v1p3", SPE_V1P3, 0xffff0000ff06ffff, 0xffff0000ff06f8e8 },
		{ "v1p4", SPE_V1P4, 0xffff000000feffff, 0xffff000000fefffc },
		{ "v1p5", SPE_V1P5, 0xffff000000feffff, 0xffff000000fefffc },
	};
	SPEConfig c;
	char name[80];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c = version(rows[i].version);
		snprintf(name, sizeof(name), "%s: events", rows[i].name);
		ok(is(known(c), rows[i].exist), name);
		snprintf(name, sizeof(name), "%s: filters", rows[i].name);
		ok(is(spe_events_filterable(&c), rows[i].filters), name);
	}
	for (int v = SPE_V1; v <= SPE_V1P5; v++) {
		uint64_t upper = v < SPE_V1P4 ? 0xffff0000ff000000 : 0xffff000000000000;

		c = version(v);
		spe_settle_events(&c);
		snprintf(name, sizeof(name), "v1p%d: IMPLEMENTATION DEFINED events", v - SPE_V1);
		ok(is(c.imp_events, upper | 0xf000), name);
		c.sve = false;
		snprintf(name, sizeof(name), "v1p%d: events without SVE", v - SPE_V1);
		ok(is(known(c), rows[v - SPE_V1].exist & ~0x60000ull), name);
	}
	c = version(SPE_V1P3);
	c.sme = true;
	ok(is(known(c), 0xffff0000ff06ffff), "v1p3 with SME: events");
	spe_settle_events(&c);
	ok(is(c.imp_events, 0xffff0000fc00f000), "v1p3 with SME: events 24 and 25 are defined");
	c.events = 0;
	ok(is(known(c), 0x10608ff), "v1p3 with SME: no optional events");
	c = version(SPE_V1);
	c.sme = true;
	ok(is(known(c), 0xffff0000ff00f7ff), "v1 with SME: events");
	c.events = 0;
	ok(is(known(c), 0x10000ff), "v1 with SME: no optional events");
	c = version(SPE_V1P4);
	c.sme = true;
	c.fne = false;
	ok(is(spe_events_filterable(&c), 0xffff000003feffbc),
	   "v1p4 with SME: without FnE, filters for all but event 6");
	c = version(SPE_V1);
	c.optional_filters = true;
	ok(is(spe_events_filterable(&c), 0xffff0000ff00f7bc),
	   "v1: with optional filters, all but event 6");
	c.events = 0;
	ok(is(known(c), 0xff), "v1: no optional events");
	c = version(SPE_V1P4);
	c.events = 0;
	c.sve = false;
	ok(is(known(c), 0x8ff), "v1p4: no optional events, no SVE");
	c.sme = c.sve = true;
	ok(is(known(c), 0x10608ff), "v1p4: SME has event 24");
	ok(is(spe_events_optional(&c), 0xffff000002f8f700),
	   "v1p4: which events are optional, with SME");
	c = version(SPE_V1P2);
	ok(is(spe_events_optional(&c), 0xffff0000ff00f700),
	   "v1p2: which events are optional");
}

static bool becomes(SPEConfig c, int op_class, int subclass, int wanted)
{
	SPERecord rec = { .op_class = op_class, .subclass = subclass };

	spe_settle_events(&c);
	spe_apply_features(&c, &rec);
	return is(rec.subclass, wanted) && rec.op_class == op_class;
}

static void subclasses(void)
{
	static const struct {
		int op_class, subclass;
		int v1, v1p1, v1p2, v1p3, v1p4;
		const char *name;
	} rows[] = {
		{ 0, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, "COND" },
		{ 0, 0x03, 0x01, 0x01, 0x01, 0x01, 0x03, "COND and FP" },
		{ 0, 0x06, 0x00, 0x00, 0x00, 0x00, 0x06, "ASE and FP" },
		{ 0, 0x2e, 0x00, 0x2e, 0x2e, 0x2e, 0x2e, "SVE, PRED, FP" },
		{ 0, 0xbe, 0x00, 0x00, 0x00, 0x00, 0x02, "SME, FP, no SME" },
		{ 1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, "GP load" },
		{ 1, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, "GP store" },
		{ 1, 0x05, 0x05, 0x05, 0x05, 0x05, 0x05, "SIMD&FP store" },
		{ 1, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, "AR, EXCL, AT" },
		{ 1, 0x10, 0x00, 0x10, 0x10, 0x10, 0x10, "unspecified load" },
		{ 1, 0x14, 0x00, 0x10, 0x10, 0x14, 0x14, "tag load" },
		{ 1, 0x15, 0x01, 0x11, 0x11, 0x15, 0x15, "tag store" },
		{ 1, 0x20, 0x00, 0x10, 0x10, 0x20, 0x20, "copy, its load" },
		{ 1, 0x21, 0x01, 0x11, 0x11, 0x21, 0x21, "copy, its store" },
		{ 1, 0x25, 0x01, 0x11, 0x11, 0x25, 0x25, "memory set" },
		{ 1, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, "NV2 load" },
		{ 1, 0xac, 0x04, 0xa8, 0xac, 0xac, 0xac, "SVE gather" },
		{ 1, 0x2d, 0x05, 0x2d, 0x2d, 0x2d, 0x2d, "SVE store" },
		{ 2, 0x0b, 0x03, 0x03, 0x03, 0x03, 0x0b, "call" },
	};
	char name[80];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const int *wanted = &rows[i].v1;
		bool all = true;

		for (int v = SPE_V1; v <= SPE_V1P4; v++)
			all &= becomes(version(v), rows[i].op_class,
				       rows[i].subclass, wanted[v - SPE_V1]);
		snprintf(name, sizeof(name), "%s in each version",
			 rows[i].name);
		ok(all, name);
	}
}

static void packets(void)
{
	SPERecord rec = {
		.has = ~0u, .events = ~0ull, .pc = 0x4008, .total = 9, .issue = 2,
	};
	SPEConfig c = version(SPE_V1P4);
	SPEFormat format = {
		.counter_max = 0xfff, .events_size = 4, .source_size = 1,
	};

	c.lds = false;
	spe_settle_events(&c);
	spe_apply_features(&c, &rec);
	ok(is(rec.has, (uint32_t)~(SPE_HAS_SOURCE | SPE_HAS_PREVIOUS |
				   SPE_HAS_ALT_ISSUE)),
	   "no LDS, PBT, ALTCLK: no such packets");
	/* Bits 14 and 3 of the PC are set: events 12, 60 and 49. */
	ok(is(rec.events, 0x1002000000fe1fff),
	   "IMPLEMENTATION DEFINED events are bits of the PC");
	c = version(SPE_V1P4);
	c.imp_packets = true;
	rec.has = 0;
	spe_apply_features(&c, &rec);
	ok(rec.has == (SPE_HAS_IMP_ADDRESS | SPE_HAS_IMP_COUNTER) &&
	   rec.imp_address == 0x4008 && rec.imp_counter == 7,
	   "IMPLEMENTATION DEFINED packets");
	c = version(SPE_V1P4);
	ok(spe_largest_record(&c, &format) == 64, "the largest record: 64");
	c.pbt = true;
	ok(spe_largest_record(&c, &format) == 73, "with PBT: 73");
	format.extended = true;
	ok(spe_largest_record(&c, &format) == 73 + 4 + 3,
	   "with PBT and extended headers: 80");
	c.lds = c.pbt = false;
	ok(spe_largest_record(&c, &format) == 62 + 3 + 3,
	   "with extended headers, without data source: 68");
	c.altclk = true;
	ok(spe_largest_record(&c, &format) == 62 + 3 + 3 + 4,
	   "with extended headers and ALTCLK, without data source: 72");
	c.altclk = false;
	c.imp_packets = true;
	ok(spe_largest_record(&c, &format) == 62 + 3 + 3 + 10 + 4,
	   "the same with IMPLEMENTATION DEFINED packets instead: 82");
}

void features(void)
{
	events();
	subclasses();
	packets();
}
