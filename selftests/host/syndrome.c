// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each value of PMBSR_EL1 means and what the driver does, for every event,
 * version and status bit.
 */
#include "syndrome.h"
#include "test.h"

#define COLL	(1ULL << 16)
#define S	(1ULL << 17)
#define EA	(1ULL << 18)
#define DL	(1ULL << 19)

#define V1P4	5
#define V1P5	6

static struct spe_verdict judge(u64 pmbsr, unsigned int version)
{
	struct spe_caps caps = { .pmsver = version };

	return spe_syndrome_decode(pmbsr, &caps);
}

static u64 syndrome(u64 ec, u64 status, u64 bits)
{
	return ec << 26 | status | bits;
}

static bool in(u64 value, u64 first, u64 last)
{
	return value >= first && value <= last;
}

/* The values of FSC that D24.7.5 defines. */
static bool is_fault(u64 fsc)
{
	return in(fsc, 0x00, 0x17) || in(fsc, 0x1b, 0x1f) || in(fsc, 0x21, 0x2c) ||
	       in(fsc, 0x30, 0x31);
}

/* Translation, Access flag and Permission faults, which a change of the tables can remove. */
static bool is_of_tables(u64 fsc)
{
	return in(fsc, 0x04, 0x0f) || in(fsc, 0x2a, 0x2b);
}

static enum spe_event_kind kind_of(u64 ec, u64 status)
{
	switch (ec) {
	case 0:
		return status == 0 ? SPE_EVENT_NOT_ALLOWED : status == 1 ? SPE_EVENT_FULL :
		       status == 4 ? SPE_EVENT_TOO_LARGE : SPE_EVENT_OTHER;
	case 0x1e:
		return SPE_EVENT_GPC;
	case 0x1f:
		return SPE_EVENT_IMPDEF;
	case 0x24:
	case 0x25:
		if (in(status, 0x10, 0x17) || in(status, 0x1b, 0x1f))
			return SPE_EVENT_EXTERNAL;
		if (in(status, 0x22, 0x28))
			return SPE_EVENT_GPF;
		return ec == 0x24 ? SPE_EVENT_STAGE1 : SPE_EVENT_STAGE2;
	default:
		return SPE_EVENT_UNKNOWN;
	}
}

/*
 * RHLXGD: profiling may continue at the saved pointer if EA and DL are 0, and at another pointer
 * if EA is 0.
 */
static enum spe_action action_of(u64 ec, u64 status, u64 bits)
{
	bool full = ec == 0 && status == 1;
	bool mendable = ec == 0x25 && is_of_tables(status);

	if (!(bits & S))
		return SPE_IGNORE;
	if (!(full || mendable) || bits & EA)
		return SPE_STOP;
	return bits & DL ? SPE_REPOSITION : SPE_RESUME;
}

static void check_verdict(u64 ec, u64 status, u64 bits, unsigned int version)
{
	u64 pmbsr = syndrome(ec, status, bits);
	unsigned long long shown = pmbsr;
	struct spe_verdict v = judge(pmbsr, version);
	bool fault = bits & S && (ec == 0x1e || ec == 0x24 || ec == 0x25);
	bool late = fault && version >= V1P5;

	CHECK(v.kind == (bits & S ? kind_of(ec, status) : SPE_EVENT_NONE), "%#llx: kind %d",
	      shown, v.kind);
	CHECK(v.action == action_of(ec, status, bits), "%#llx: action %d", shown, v.action);
	/*
	 * If profiling continues after an event other than a full buffer, the cause may persist.
	 */
	CHECK(v.retryable == ((v.action == SPE_RESUME || v.action == SPE_REPOSITION) &&
			     v.kind != SPE_EVENT_FULL), "%#llx", shown);
	CHECK(v.name && v.name[0] && v.fault, "%#llx: no name", shown);
	CHECK(!!v.fault[0] == (bits & S && (ec == 0x24 || ec == 0x25)), "%#llx: %s", shown, v.fault);
	CHECK(!!(v.loss & SPE_LOSS_COLLISION) == !!(bits & COLL), "%#llx", shown);
	/* The driver must report every loss of records and every damaged one. */
	CHECK(!!(v.loss & SPE_LOSS_PARTIAL) == (bits & (DL | EA) || late || v.retryable), "%#llx",
	      shown);
	CHECK(!!(v.loss & SPE_LOSS_TRUNCATED) == (v.action == SPE_STOP), "%#llx", shown);
}

TEST(every_event_class_status_bit_and_version)
{
	for (unsigned int version = 1; version < 16; version++)
		for (u64 ec = 0; ec < 64; ec++)
			for (u64 status = 0; status < 64; status++)
				for (u64 bits = 0; bits < 16; bits++)
					check_verdict(ec, status, bits << 16, version);
}

TEST(other_bits_do_not_matter)
{
	static const unsigned int others[] = { 6, 15, 20, 25, 32, 38, 40, 55, 56, 63 };
	struct spe_verdict want = judge(syndrome(0x24, 7, S), V1P4);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct spe_verdict v = judge(syndrome(0x24, 7, S) | 1ULL << others[i], V1P4);

		CHECK(v.kind == want.kind && v.action == want.action && v.loss == want.loss &&
		      v.detail == want.detail, "bit %u", others[i]);
	}
}

static void check_kind(u64 ec, u64 status, enum spe_event_kind kind, const char *fault)
{
	struct spe_verdict v = judge(syndrome(ec, status, S), V1P4);

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

/* The names of all faults in D24.7.5, with their levels. */
static const struct {
	unsigned int fsc;
	const char *name;
} fault_names[] = {
	{ 0x00, "address size fault, level 0" },
	{ 0x01, "address size fault, level 1" },
	{ 0x02, "address size fault, level 2" },
	{ 0x03, "address size fault, level 3" },
	{ 0x04, "translation fault, level 0" },
	{ 0x05, "translation fault, level 1" },
	{ 0x06, "translation fault, level 2" },
	{ 0x07, "translation fault, level 3" },
	{ 0x08, "access flag fault, level 0" },
	{ 0x09, "access flag fault, level 1" },
	{ 0x0a, "access flag fault, level 2" },
	{ 0x0b, "access flag fault, level 3" },
	{ 0x0c, "permission fault, level 0" },
	{ 0x0d, "permission fault, level 1" },
	{ 0x0e, "permission fault, level 2" },
	{ 0x0f, "permission fault, level 3" },
	{ 0x10, "synchronous External abort" },
	{ 0x11, "asynchronous External abort" },
	{ 0x12, "synchronous External abort on a translation table walk, level -2" },
	{ 0x13, "synchronous External abort on a translation table walk, level -1" },
	{ 0x14, "synchronous External abort on a translation table walk, level 0" },
	{ 0x15, "synchronous External abort on a translation table walk, level 1" },
	{ 0x16, "synchronous External abort on a translation table walk, level 2" },
	{ 0x17, "synchronous External abort on a translation table walk, level 3" },
	{ 0x1b, "parity or ECC error on a translation table walk, level -1" },
	{ 0x1c, "parity or ECC error on a translation table walk, level 0" },
	{ 0x1d, "parity or ECC error on a translation table walk, level 1" },
	{ 0x1e, "parity or ECC error on a translation table walk, level 2" },
	{ 0x1f, "parity or ECC error on a translation table walk, level 3" },
	{ 0x21, "alignment fault" },
	{ 0x22, "granule protection fault on a translation table walk, level -2" },
	{ 0x23, "granule protection fault on a translation table walk, level -1" },
	{ 0x24, "granule protection fault on a translation table walk, level 0" },
	{ 0x25, "granule protection fault on a translation table walk, level 1" },
	{ 0x26, "granule protection fault on a translation table walk, level 2" },
	{ 0x27, "granule protection fault on a translation table walk, level 3" },
	{ 0x28, "granule protection fault" },
	{ 0x29, "address size fault, level -1" },
	{ 0x2a, "translation fault, level -2" },
	{ 0x2b, "translation fault, level -1" },
	{ 0x2c, "address size fault, level -2" },
	{ 0x30, "TLB conflict abort" },
	{ 0x31, "unsupported atomic hardware update fault" },
};

/* Stage 1 and stage 2 have the same names. */
TEST(faults_by_name_and_level)
{
	const unsigned int names = sizeof(fault_names) / sizeof(fault_names[0]);
	unsigned int fsc, row = 0;

	for (fsc = 0; fsc < 64; fsc++) {
		const char *want = "reserved fault status";

		if (row < names && fault_names[row].fsc == fsc)
			want = fault_names[row++].name;
		CHECK(is_fault(fsc) == (want[0] != 'r'), "%#x", fsc);
		check_kind(0x24, fsc, kind_of(0x24, fsc), want);
		check_kind(0x25, fsc, kind_of(0x25, fsc), want);
	}
	CHECK(row == names, "%u", row);
}

/* MSS2 describes only Permission faults; two of its bits exist only at stage 2. */
TEST(details_of_permission_faults)
{
	for (u64 ec = 0; ec < 64; ec++)
		for (u64 fsc = 0; fsc < 64; fsc++)
			for (u64 mss2 = 0; mss2 < 16; mss2++) {
				u64 pmbsr = syndrome(ec, fsc, S) | mss2 << 37;
				struct spe_verdict v = judge(pmbsr, V1P4);
				unsigned int want = 0;

				if ((ec == 0x24 || ec == 0x25) && in(fsc, 0x0c, 0x0f))
					want = mss2 & (ec == 0x25 ? 15 : 3);
				CHECK(v.detail == want, "%#llx: %#x", (unsigned long long)pmbsr,
				      v.detail);
				/*
				 * A write cannot remove these attributes of the memory.  A
				 * hypervisor may grant the other permissions of stage 2 (RHLXGD).
				 */
				if (want & (SPE_DETAIL_ASSURED_ONLY | SPE_DETAIL_TOP_LEVEL))
					CHECK(v.action == SPE_STOP && !v.retryable, "%#llx",
					      (unsigned long long)pmbsr);
				else if (ec == 0x25 && in(fsc, 0x0c, 0x0f))
					CHECK(v.action == SPE_RESUME && v.retryable, "%#llx",
					      (unsigned long long)pmbsr);
			}
}

/* A session may end with COLL and DL set, but without an event. */
TEST(loss_without_an_event)
{
	struct spe_verdict v = judge(COLL | DL, V1P4);

	CHECK(v.action == SPE_IGNORE, "%d", v.action);
	CHECK(v.loss == (SPE_LOSS_COLLISION | SPE_LOSS_PARTIAL), "%#x", v.loss);
}

TEST(every_kind_has_a_counter_name_of_its_own)
{
	for (int kind = 0; kind < SPE_EVENT_NR; kind++) {
		const char *name = spe_syndrome_kind_name(kind);

		CHECK(name[0] && !strchr(name, ' '), "%d", kind);
		for (int other = 0; other < kind; other++)
			CHECK(strcmp(name, spe_syndrome_kind_name(other)), "%d, %d", kind, other);
	}
	CHECK(!strcmp(spe_syndrome_kind_name(SPE_EVENT_NR), "?"), "out of range");
}
