// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "syndrome.h"
#include "test.h"

#define COLL	(1ULL << 16)
#define S	(1ULL << 17)
#define EA	(1ULL << 18)
#define DL	(1ULL << 19)

static u64 syndrome(u64 ec, u64 status, u64 bits)
{
	return ec << 26 | status | bits;
}

static void check_verdict(u64 ec, u64 status, u64 bits)
{
	u64 pmbsr = syndrome(ec, status, bits);
	struct spe_verdict v = spe_syndrome_judge(pmbsr);
	bool full = ec == 0 && status == 1;

	CHECK(v.kind < SPE_EVENT_NR, "%#llx: kind %d", (unsigned long long)pmbsr, v.kind);
	CHECK(v.name && v.name[0] && v.fault, "%#llx: no name", (unsigned long long)pmbsr);
	CHECK(!!(v.loss & SPE_LOSS_COLLISION) == !!(bits & COLL), "%#llx", (unsigned long long)pmbsr);
	/* Lost or damaged records are never passed over in silence. */
	CHECK(!!(v.loss & SPE_LOSS_PARTIAL) == !!(bits & (DL | EA)), "%#llx", (unsigned long long)pmbsr);
	CHECK(!!(v.loss & SPE_LOSS_TRUNCATED) == (v.action == SPE_STOP), "%#llx", (unsigned long long)pmbsr);
	if (!(bits & S)) {
		CHECK(v.action == SPE_IGNORE && v.kind == SPE_EVENT_NONE, "%#llx", (unsigned long long)pmbsr);
		return;
	}
	CHECK(v.kind != SPE_EVENT_NONE && v.action != SPE_IGNORE, "%#llx", (unsigned long long)pmbsr);
	/* RHLXGD: the saved pointer may be used only with EA and DL clear. */
	CHECK((v.action == SPE_RESUME) == (full && !(bits & (EA | DL))), "%#llx", (unsigned long long)pmbsr);
	CHECK((v.action == SPE_RESUME_ELSEWHERE) == (full && (bits & (EA | DL)) == DL),
	      "%#llx", (unsigned long long)pmbsr);
}

TEST(every_event_class_status_and_bit)
{
	for (u64 ec = 0; ec < 64; ec++)
		for (u64 status = 0; status < 64; status++)
			for (u64 bits = 0; bits < 16; bits++)
				check_verdict(ec, status, bits << 16);
}

TEST(other_bits_do_not_matter)
{
	static const unsigned int others[] = { 6, 15, 20, 25, 32, 38, 40, 55, 56, 63 };
	struct spe_verdict want = spe_syndrome_judge(syndrome(0x24, 7, S));

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct spe_verdict v = spe_syndrome_judge(syndrome(0x24, 7, S) | 1ULL << others[i]);

		CHECK(v.kind == want.kind && v.action == want.action && v.loss == want.loss,
		      "bit %u", others[i]);
	}
}

static void check_kind(u64 ec, u64 status, enum spe_event_kind kind, const char *fault)
{
	struct spe_verdict v = spe_syndrome_judge(syndrome(ec, status, S));

	CHECK(v.kind == kind, "ec %#x status %#x: %d", (int)ec, (int)status, v.kind);
	CHECK(!strcmp(v.fault, fault), "ec %#x status %#x: '%s'", (int)ec, (int)status, v.fault);
}

TEST(buffer_events)
{
	check_kind(0, 0, SPE_EVENT_NOT_ALLOWED, "");
	check_kind(0, 1, SPE_EVENT_FULL, "");
	check_kind(0, 4, SPE_EVENT_TOO_LARGE, "");
	check_kind(0, 2, SPE_EVENT_OTHER, "");
	check_kind(0, 63, SPE_EVENT_OTHER, "");
}

TEST(granule_protection_and_implementation_defined)
{
	check_kind(0x1e, 0, SPE_EVENT_GPC, "");
	check_kind(0x1f, 0, SPE_EVENT_IMPDEF, "");
}

TEST(unknown_event_classes)
{
	for (u64 ec = 1; ec < 64; ec++)
		if (ec != 0x1e && ec != 0x1f && ec != 0x24 && ec != 0x25)
			check_kind(ec, 1, SPE_EVENT_UNKNOWN, "");
}

TEST(faults_by_name)
{
	check_kind(0x24, 0x00, SPE_EVENT_STAGE1, "address size fault");
	check_kind(0x24, 0x07, SPE_EVENT_STAGE1, "translation fault");
	check_kind(0x24, 0x0b, SPE_EVENT_STAGE1, "access flag fault");
	check_kind(0x24, 0x0f, SPE_EVENT_STAGE1, "permission fault");
	check_kind(0x24, 0x10, SPE_EVENT_STAGE1, "synchronous External abort");
	check_kind(0x24, 0x11, SPE_EVENT_STAGE1, "asynchronous External abort");
	check_kind(0x25, 0x15, SPE_EVENT_STAGE2, "External abort on a translation table walk");
	check_kind(0x25, 0x21, SPE_EVENT_STAGE2, "alignment fault");
	check_kind(0x25, 0x28, SPE_EVENT_STAGE2, "granule protection fault");
	check_kind(0x25, 0x30, SPE_EVENT_STAGE2, "TLB conflict");
	check_kind(0x25, 0x31, SPE_EVENT_STAGE2, "unsupported atomic hardware update");
	check_kind(0x25, 0x1b, SPE_EVENT_STAGE2, "parity or ECC error on a translation table walk");
	check_kind(0x24, 0x3f, SPE_EVENT_STAGE1, "unknown fault");
}

/* COLL and DL may be found when a session ends without any event. */
TEST(loss_without_an_event)
{
	struct spe_verdict v = spe_syndrome_judge(COLL | DL);

	CHECK(v.action == SPE_IGNORE, "%d", v.action);
	CHECK(v.loss == (SPE_LOSS_COLLISION | SPE_LOSS_PARTIAL), "%#x", v.loss);
}

TEST(every_kind_has_a_counter_name)
{
	for (int kind = 0; kind < SPE_EVENT_NR; kind++)
		CHECK(spe_syndrome_kind_name(kind)[0] && !strchr(spe_syndrome_kind_name(kind), ' '),
		      "%d", kind);
	CHECK(!strcmp(spe_syndrome_kind_name(SPE_EVENT_NR), "?"), "out of range");
}
