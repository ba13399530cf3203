// SPDX-License-Identifier: GPL-2.0-only
/*
 * Store-Exclusive instructions that pass and that fail (D17.6.4).  One that
 * fails performs no access: the events of the access are zero, and there is no
 * translation latency, because nothing is translated.  The record has the
 * virtual address (SPESetDataVirtualAddress() in J1.1.1.120).  The
 * implementation chooses whether it has the physical address too, and the model
 * does not record it.  Runs at EL1.
 */

#include "sample.h"

#define CLREX		"clrex\n\t"
#define FIRST(load)	load "\n\t"
#define STATUS		"\n\tstr w0, [x2]"

/* E[2] to E[5], E[8] to E[11], E[19] to E[23] */
#define E_ACCESS	0xf80f3cul
#define E_REFILL	(1ul << 3)

static uint8_t lines[64][64] __attribute__((aligned(4096)));
static unsigned int used;
static uint32_t status;

/* Returns a line that nothing has accessed yet. */
static void *fresh(void)
{
	return lines[used++];
}

static bool no_access(void *line)
{
	return at((uint64_t)line) && !r.pa_valid && !r.translation_valid &&
	       !r.source_valid && events(E_ACCESS | E_RETIRED, E_RETIRED);
}

static bool an_access(void *line)
{
	return at((uint64_t)line) && r.pa_valid && PC(r.pa) == (uint64_t)line &&
	       r.translation_valid && events(E_L1D | E_TLB, E_L1D | E_TLB);
}

/*
 * Executes @text after CLREX, so that it fails.  The record and the caches must
 * show no access to the line.
 */
#define fails(text, kind, name) do {					\
	void *line_ = fresh();						\
	status = 2;							\
	ok(sample_after(1, CLREX, text STATUS, line_, &status, 0) &&	\
	   status == 1 && is(LDST, kind) && no_access(line_),		\
	   name " that fails has a virtual address, and no access");	\
	ok(sample("ldr x0, [x1]", line_, 0, 0) &&			\
	   events(E_REFILL, E_REFILL),					\
	   name " that fails does not fetch the line");			\
} while (0)

#define passes(load, text, kind, name) do {				\
	void *line_ = fresh();						\
	status = 2;							\
	ok(sample_after(1, FIRST(load), text STATUS, line_, &status, 0) && \
	   status == 0 && is(LDST, kind) && an_access(line_),		\
	   name " that passes is an access");				\
} while (0)

static void latency(void)
{
	uint32_t failed, passed;
	void *line = fresh(), *other = fresh();
	bool good;

	good = sample_after(1, CLREX, "stxr w0, x4, [x1]", line, 0, 0);
	failed = r.total - r.issue;
	good &= sample_after(1, FIRST("ldxr x4, [x1]"), "stxr w0, x4, [x1]",
			     other, 0, 0);
	passed = r.total - r.issue;
	note("cycles of a failing STXR", failed);
	note("cycles of a passing STXR", passed);
	ok(good && failed < passed,
	   "STXR that fails takes less than one that passes");
}

/*
 * A store writes to the line while the monitor holds it.  The record must agree
 * with the status.
 */
static void changed(void)
{
	uint64_t *line = fresh();
	bool good = sample_after(2, "ldxr x4, [x1]\n\tstr x3, [x1]\n\t",
				 "stxr w0, x4, [x1]" STATUS, line, &status, 7);

	note("status", status);
	ok(good && (status ? no_access(line) : an_access(line)),
	   "STXR after a store to its address: as the status says");
}

/* The instruction discards the status. */
static void no_status(void)
{
	void *line = fresh();

	ok(sample_after(1, CLREX, ".inst 0xc81f7c24", line, 0, 0) &&
	   no_access(line), "STXR with WZR as the status, that fails");
	line = fresh();
	ok(sample_after(1, FIRST("ldxr x4, [x1]"), ".inst 0xc81f7c24", line, 0,
			0) && an_access(line),
	   "STXR with WZR as the status, that passes");
}

/*
 * With spe-hierarchy=full the model sees every access.  A store that fails must
 * not count as an access, even if it is not sampled.
 */
static void not_sampled(void)
{
	void *line = fresh();

	ok(sample_after(2, CLREX "stxr w0, x4, [x1]\n\t", "ldr x0, [x1]", line,
			0, 0) && events(E_REFILL, E_REFILL),
	   "STXR that fails and is not sampled does not fetch the line");
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	mmu_on();
	control = PMSCR_E1SPE | PMSCR_PA;
	fails("stxr w0, x4, [x1]", EXT | EXCL | ST, "STXR");
	fails("stlxr w0, x4, [x1]", EXT | EXCL | AR | ST, "STLXR");
	fails("stxp w0, x4, x5, [x1]", EXT | EXCL | ST, "STXP");
	fails("stlxrb w0, w4, [x1]", EXT | EXCL | AR | ST, "STLXRB");
	passes("ldxr x4, [x1]", "stxr w0, x4, [x1]", EXT | EXCL | ST, "STXR");
	passes("ldxp x4, x5, [x1]", "stlxp w0, x4, x5, [x1]",
	       EXT | EXCL | AR | ST, "STLXP");
	latency();
	changed();
	no_status();
	not_sampled();
	test_exit();
}
