// SPDX-License-Identifier: GPL-2.0-only
/*
 * Injects management events through SPEINJ_EL1, a register that only the model
 * has.  Each kind must occur at the record write that the test names, with the
 * syndrome, pointer and data loss that D17.8 requires.  Runs at EL1 and EL2.
 */

#include "test.h"
#include "profile.h"

#define SPEINJ		"s3_0_c15_c9_0"
#define RECORD(n)	((uint64_t)(n))
#define KIND(n)		((uint64_t)(n) << 12)
#define FSC(n)		((uint64_t)(n) << 16)
#define DL		(1ul << 22)
#define EA		(1ul << 23)
#define POINTER(n)	((uint64_t)(n) / 8 << 24)
#define MSS2(n)		((uint64_t)(n) << 32)

#define REFUSED		(1ul << 31)

enum { CLEAR, FULL, STAGE1, STAGE2, GPC, EXTERNAL, ASYNC, NOT_ALLOWED,
       TOO_LARGE, IMP_DEF, COLLISION };

struct event {
	const char *name;
	uint64_t inject;
	uint64_t pmbsr;
	uint64_t pointer;	/* beyond the two records before */
};

#define PMBSR(ec, rest, mss) (PMBSR_S | (uint64_t)(ec) << 26 | (rest) | (mss))
#define B_DL	PMBSR_DL
#define B_EA	(1ul << 18)
#define B_COLL	(1ul << 16)

static const struct event events[] = {
	{ "buffer full", KIND(FULL), PMBSR(0, 0, 1), 64 },
	{ "stage 1 translation fault", KIND(STAGE1) | FSC(0x06),
	  PMBSR(0x24, 0, 0x06), 0 },
	{ "stage 1 fault within the record", KIND(STAGE1) | FSC(0x07) |
	  POINTER(16), PMBSR(0x24, B_DL, 0x07), 16 },
	{ "stage 1 fault with the other choice for DL", KIND(STAGE1) |
	  FSC(0x07) | DL, PMBSR(0x24, B_DL, 0x07), 0 },
	{ "External abort on a walk, with the other choice for EA",
	  KIND(STAGE1) | FSC(0x17) | EA, PMBSR(0x24, B_EA, 0x17), 0 },
	{ "TLB conflict", KIND(STAGE1) | FSC(0x30), PMBSR(0x24, 0, 0x30), 0 },
	{ "unsupported atomic update", KIND(STAGE1) | FSC(0x31),
	  PMBSR(0x24, 0, 0x31), 0 },
	{ "GPF on the output address", KIND(STAGE1) | FSC(0x28),
	  PMBSR(0x24, 0, 0x28), 0 },
	{ "stage 2 permission fault, TopLevel and AssuredOnly",
	  KIND(STAGE2) | FSC(0x0f) | MSS2(0x180),
	  PMBSR(0x25, 0, 0x0f) | 0x180ul << 32, 0 },
	{ "GPC fault", KIND(GPC), PMBSR(0x1e, 0, 0), 0 },
	{ "synchronous External abort", KIND(EXTERNAL),
	  PMBSR(0x24, B_EA, 0x10), 0 },
	{ "synchronous External abort within the record", KIND(EXTERNAL) |
	  POINTER(8), PMBSR(0x24, B_EA | B_DL, 0x10), 8 },
	{ "asynchronous External abort", KIND(ASYNC),
	  PMBSR(0x24, B_EA | B_DL, 0x11), 64 },
	{ "access not allowed", KIND(NOT_ALLOWED), PMBSR(0, B_DL, 0), 0 },
	{ "buffer too large", KIND(TOO_LARGE), PMBSR(0, 0, 4), 0 },
	{ "IMPLEMENTATION DEFINED", KIND(IMP_DEF) | FSC(0x2a) |
	  MSS2(0xabcdef), PMBSR(0x1f, 0, 0x2a) | 0xabcdeful << 32, 0 },
};

static void setup(void)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg(SPEINJ, 0);
	isb();
}

static void each_kind(void)
{
	for (unsigned int i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const struct event *e = &events[i];
		uint64_t raised, pmbsr, pointer, now;

		setup();
		raised = read_reg(SPEINJ) >> 32;
		write_reg(SPEINJ, e->inject | RECORD(3));
		start();
		spin(10000);
		stop();
		pmbsr = read_reg(PMBSR_EL1);
		pointer = read_reg(PMBPTR_EL1);
		now = read_reg(SPEINJ);
		if (pmbsr != e->pmbsr || pointer != BUFFER + 128 + e->pointer ||
		    now != (raised + 1) << 32) {
			note("PMBSR_EL1", pmbsr);
			note("PMBPTR_EL1", pointer);
			note("SPEINJ_EL1", now);
			ok(false, e->name);
			continue;
		}
		ok(true, e->name);
	}
}

/* A first event is there, then an External abort arrives (RBPFPN). */
static void second_event(void)
{
	setup();
	write_reg(SPEINJ, KIND(STAGE1) | FSC(0x07) | RECORD(1));
	start();
	spin(5000);
	stop();
	write_reg(SPEINJ, KIND(ASYNC));
	ok_eq(read_reg(PMBSR_EL1), PMBSR(0x24, B_EA | B_DL, 0x07),
	      "an abort after the event adds EA and DL alone");
	write_reg(SPEINJ, KIND(NOT_ALLOWED));
	ok_eq(read_reg(PMBSR_EL1), PMBSR(0x24, B_EA | B_DL, 0x07),
	      "any other second event adds nothing");
}

static void collision(void)
{
	setup();
	write_reg(SPEINJ, KIND(COLLISION) | RECORD(2));
	start();
	spin(2000);
	stop();
	ok_eq(read_reg(PMBSR_EL1), B_COLL, "a collision sets COLL alone");
	ok(spe_records(BUFFER) > 2, "and profiling goes on");
	write_reg(PMBSR_EL1, 0);
}

static void refuses(uint64_t value, const char *what)
{
	uint64_t before = read_reg(SPEINJ) & ~REFUSED;

	write_reg(SPEINJ, value);
	ok_eq(read_reg(SPEINJ), before | REFUSED, what);
}

static void queue(void)
{
	setup();
	for (int i = 0; i < 32; i++)
		write_reg(SPEINJ, KIND(FULL) | RECORD(100));
	ok_eq(read_reg(SPEINJ) & 0xfff, 32, "32 events can be queued");
	refuses(KIND(FULL) | RECORD(1), "and no more");
	write_reg(SPEINJ, 0);
	ok_eq(read_reg(SPEINJ) & 0x80000ffful, 0, "0 empties the queue");
	refuses(KIND(COLLISION + 1) | RECORD(1), "no such kind");
	refuses(KIND(STAGE1) | FSC(0x11) | RECORD(1), "no such status code");
	refuses(KIND(FULL) | DL | RECORD(1), "buffer full without data loss");
	refuses(KIND(STAGE1) | FSC(7) | MSS2(1) | RECORD(1), "RES0 bits of MSS2");
	write_reg(PMBSR_EL1, 0);
	write_reg(SPEINJ, KIND(NOT_ALLOWED));
	ok_eq(read_reg(PMBSR_EL1), PMBSR(0, B_DL, 0), "record 0: at once");
}

void test_main(uint64_t el)
{
	at_el2 = el == 2;
	mmu_on();
	each_kind();
	second_event();
	collision();
	queue();
}
