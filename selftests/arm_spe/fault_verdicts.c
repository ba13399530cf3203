// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every row of the driver's table of events, in a running kernel.  The test checks the flags,
 * the counters, the trace line, the line in the kernel's log, whether the session ends, and
 * that the next session works.  For our driver only, in a guest with the model's injection
 * register.
 *
 * Only this session runs on the CPU, and the unit writes one record every 256 operations and
 * one.  So the 20th record write is the same in every run.
 */
#include "inject.h"
#include "test.h"
#include "watch.h"

#define AT	20	/* the record write at which the event comes */
#define SAMPLES	200
#define LOSSES	(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION)

FIXTURE(verdict) {
	struct spe_test t;
	int log;
};

FIXTURE_VARIANT(verdict) {
	uint64_t inject;	/* value for SPEINJ_EL1, or ... */
	uint64_t pmbsr;		/* ... value for PMBSR_EL1, after AT samples */
	const char *kind, *action, *fault, *detail;
	uint64_t flags;
	bool fault_of_mmu;	/* also PARTIAL if this SPE version loses samples */
	unsigned int whole;	/* records before the event; 0: the session continues */
	bool cut;		/* followed by part of a record, which becomes padding */
};

FIXTURE_SETUP(verdict)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(CLEAR, 0)));
	self->log = spe_log_open();
	ASSERT_LE(0, self->log);
}

FIXTURE_TEARDOWN(verdict)
{
	spe_inject(0, SPE_INJECT(CLEAR, 0));
	close(self->log);
	spe_test_end(&self->t);
}

#define STOPS	.action = "stop", .flags = PERF_AUX_FLAG_TRUNCATED
#define STOPS_PARTIAL \
	.action = "stop", .flags = PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL

FIXTURE_VARIANT_ADD(verdict, buffer_full) {
	.inject = SPE_INJECT(FULL, AT), .kind = "full", .action = "resume",
};
FIXTURE_VARIANT_ADD(verdict, buffer_full_with_data_loss) {
	.pmbsr = SPE_PMBSR(0, 1) | SPE_PMBSR_DL, .kind = "full",
	.action = "reposition", .flags = PERF_AUX_FLAG_PARTIAL,
};
FIXTURE_VARIANT_ADD(verdict, buffer_full_with_an_external_abort) {
	.pmbsr = SPE_PMBSR(0, 1) | SPE_PMBSR_EA, .kind = "full", STOPS_PARTIAL, .whole = AT,
};
FIXTURE_VARIANT_ADD(verdict, access_not_allowed) {
	.inject = SPE_INJECT(NOT_ALLOWED, AT), .kind = "not_allowed", STOPS_PARTIAL,
	.whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, buffer_too_large) {
	.inject = SPE_INJECT(TOO_LARGE, AT), .kind = "too_large", STOPS, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, buffer_too_large_with_data_loss) {
	.inject = SPE_INJECT(TOO_LARGE, AT) | SPE_INJECT_DL, .kind = "too_large", STOPS_PARTIAL,
	.whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, reserved_buffer_status) {
	.pmbsr = SPE_PMBSR(0, 2), .kind = "other", STOPS, .whole = AT,
};
FIXTURE_VARIANT_ADD(verdict, reserved_event_class) {
	.pmbsr = SPE_PMBSR(5, 0), .kind = "unknown", STOPS, .whole = AT,
};
FIXTURE_VARIANT_ADD(verdict, implementation_defined) {
	.inject = SPE_INJECT(IMP_DEF, AT) | SPE_INJECT_FSC(0x15) | SPE_INJECT_MSS2(0xabc),
	.kind = "impdef", STOPS, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, granule_protection_check) {
	.inject = SPE_INJECT(GPC, AT), .kind = "gpc", STOPS, .fault_of_mmu = true,
	.whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, granule_protection_fault) {
	.inject = SPE_INJECT(STAGE1, AT) | SPE_INJECT_FSC(0x28), .kind = "gpf", STOPS,
	.fault = "granule protection fault", .fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, external_abort) {
	.inject = SPE_INJECT(EXTERNAL, AT), .kind = "external", STOPS_PARTIAL,
	.fault = "synchronous External abort", .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, external_abort_asynchronous) {
	.inject = SPE_INJECT(EXTERNAL_ASYNC, AT), .kind = "external", STOPS_PARTIAL,
	.fault = "asynchronous External abort", .whole = AT,
};
FIXTURE_VARIANT_ADD(verdict, external_abort_on_a_walk) {
	.inject = SPE_INJECT(STAGE1, AT) | SPE_INJECT_FSC(0x16), .kind = "external", STOPS,
	.fault = "synchronous External abort on a translation table walk, level 2",
	.fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, stage_1_translation) {
	.inject = SPE_INJECT(STAGE1, AT) | SPE_INJECT_FSC(0x07), .kind = "stage1", STOPS,
	.fault = "translation fault, level 3", .fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, stage_1_permission_by_dirty_state) {
	.inject = SPE_INJECT(STAGE1, AT) | SPE_INJECT_FSC(0x0e) | SPE_INJECT_MSS2(0x20),
	.kind = "stage1", STOPS, .fault = "permission fault, level 2", .detail = "dirty_bit",
	.fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, stage_1_in_the_middle_of_a_record) {
	.inject = SPE_INJECT(STAGE1, AT) | SPE_INJECT_FSC(0x09) | SPE_INJECT_POINTER(8),
	.kind = "stage1", STOPS_PARTIAL, .fault = "access flag fault, level 1",
	.whole = AT - 1, .cut = true,
};
FIXTURE_VARIANT_ADD(verdict, stage_2_translation) {
	.inject = SPE_INJECT(STAGE2, AT) | SPE_INJECT_FSC(0x06), .kind = "stage2",
	.action = "resume", .fault = "translation fault, level 2",
	.flags = PERF_AUX_FLAG_PARTIAL,
};
FIXTURE_VARIANT_ADD(verdict, stage_2_permission_by_overlay) {
	.inject = SPE_INJECT(STAGE2, AT) | SPE_INJECT_FSC(0x0f) | SPE_INJECT_MSS2(0x40),
	.kind = "stage2", .action = "resume", .fault = "permission fault, level 3",
	.detail = "overlay", .flags = PERF_AUX_FLAG_PARTIAL,
};
FIXTURE_VARIANT_ADD(verdict, stage_2_in_the_middle_of_a_record) {
	.inject = SPE_INJECT(STAGE2, AT) | SPE_INJECT_FSC(0x0b) | SPE_INJECT_POINTER(8),
	.kind = "stage2", .action = "reposition", .fault = "access flag fault, level 3",
	.flags = PERF_AUX_FLAG_PARTIAL, .cut = true,
};
FIXTURE_VARIANT_ADD(verdict, stage_2_assured_only) {
	.inject = SPE_INJECT(STAGE2, AT) | SPE_INJECT_FSC(0x0d) | SPE_INJECT_MSS2(0x180),
	.kind = "stage2", STOPS, .fault = "permission fault, level 1",
	.detail = "assured_only|top_level", .fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, stage_2_address_size) {
	.inject = SPE_INJECT(STAGE2, AT) | SPE_INJECT_FSC(0x02), .kind = "stage2", STOPS,
	.fault = "address size fault, level 2", .fault_of_mmu = true, .whole = AT - 1,
};
FIXTURE_VARIANT_ADD(verdict, collision) {
	.inject = SPE_INJECT(COLLISION, AT), .kind = "none", .action = "ignore",
	.flags = PERF_AUX_FLAG_COLLISION,
};

static void work(const struct spe_test *t, unsigned int samples)
{
	work_alu(spe_rounds(t, WORK_ALU_OPS, samples));
}

static void provoke(struct __test_metadata *_metadata, struct spe_test *t, uint64_t inject,
		    uint64_t pmbsr)
{
	if (inject)
		ASSERT_EQ(0, spe_inject(0, inject));
	spe_enable(_metadata, t);
	if (pmbsr) {
		work(t, AT);
		ASSERT_EQ(0, spe_inject_syndrome(0, pmbsr));
	}
	work(t, SAMPLES);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
}

/* The next session of the same event, in the same buffer, works normally. */
static void go_on(struct __test_metadata *_metadata, struct spe_test *t)
{
	spe_session_forget(&t->session);
	spe_enable(_metadata, t);
	work(t, 50);
	spe_finish(_metadata, t);
	EXPECT_EQ(0, t->session.flags & LOSSES);
	EXPECT_LE(48, t->records.count);
}

struct counts {
	long event, truncated, partial, collisions, halted, repositioned, padding;
};

static struct counts count(const struct spe_test *t, const char *kind)
{
	char event[64];

	snprintf(event, sizeof(event), "event_%s", kind);
	return (struct counts) {
		.event = spe_counter(&t->pmu, event, 0),
		.truncated = spe_counter(&t->pmu, "truncated", -1),
		.partial = spe_counter(&t->pmu, "partial", -1),
		.collisions = spe_counter(&t->pmu, "collisions", -1),
		.halted = spe_counter(&t->pmu, "halted", -1),
		.repositioned = spe_counter(&t->pmu, "repositioned", -1),
		.padding = spe_counter(&t->pmu, "padding", -1),
	};
}

/* From SPEv1p5 on each MMU fault may lose samples (D17.8). */
static bool late_faults(void)
{
	const char *version = getenv("ARM_SPE_VERSION");

	return version && !strcmp(version, "v1p5");
}

/*
 * Whether the log has the line that names the fault.  The driver limits the rate of its lines,
 * so the test waits and provokes the event again.
 */
static bool line_of(struct __test_metadata *_metadata, int log, struct spe_test *t,
		    const char *fault, uint64_t inject, uint64_t pmbsr)
{
	char line[256] = "arm_spe_pmu: CPU 0: sampling stopped: ";

	if (fault)
		snprintf(line, sizeof(line), ": %s (PMBSR_EL1 0x", fault);
	for (int tries = 0; tries < 4; tries++) {
		if (spe_log_has(log, line))
			return true;
		sleep(3);
		provoke(_metadata, t, inject, pmbsr);
	}
	return false;
}

TEST_F(verdict, is_carried_out_and_told)
{
	struct spe_test *t = &self->t;
	struct counts before = count(t, variant->kind), after;
	uint64_t flags = variant->flags;
	char line[256];

	if (variant->fault_of_mmu && late_faults())
		flags |= PERF_AUX_FLAG_PARTIAL;
	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_trace_begin());
	provoke(_metadata, t, variant->inject, variant->pmbsr);

	EXPECT_EQ(flags, t->session.flags & LOSSES);
	if (variant->whole) {
		EXPECT_LE(variant->whole, t->records.count);
		/* The code that writes PMBSR_EL1 is user code and is sampled too. */
		EXPECT_GE(variant->whole + (variant->pmbsr ? 20 : 0), t->records.count);
	} else {
		EXPECT_LE(SAMPLES - 3, t->records.count);
	}
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_EQ(0, t->session.gaps);

	after = count(t, variant->kind);
	/* A collision does not stop the unit, so the driver counts no event. */
	if (strcmp(variant->kind, "none")) {
		EXPECT_EQ(before.event + 1, after.event);
	}
	EXPECT_EQ(before.truncated + !!(flags & PERF_AUX_FLAG_TRUNCATED), after.truncated);
	EXPECT_EQ(before.partial + !!(flags & PERF_AUX_FLAG_PARTIAL), after.partial);
	EXPECT_EQ(before.collisions + !!(flags & PERF_AUX_FLAG_COLLISION), after.collisions);
	EXPECT_EQ(before.halted + !strcmp(variant->action, "stop"), after.halted);
	EXPECT_EQ(before.repositioned + !strcmp(variant->action, "reposition"),
		  after.repositioned);
	EXPECT_LE(before.padding + variant->cut, after.padding);

	snprintf(line, sizeof(line), "kind=%s action=%s loss=", variant->kind, variant->action);
	EXPECT_EQ(1, spe_trace_count("arm_spe_event", line)) TH_LOG("%s", line);
	snprintf(line, sizeof(line), "detail=%s fault=%s\n", variant->detail ?: "",
		 variant->fault ?: "");
	EXPECT_EQ(1, spe_trace_count("arm_spe_event", line)) TH_LOG("%s", line);
	if (strcmp(variant->action, "stop")) {
		EXPECT_FALSE(spe_log_has(self->log, "sampling stopped"));
	} else {
		EXPECT_TRUE(line_of(_metadata, self->log, t, variant->fault, variant->inject,
				    variant->pmbsr));
	}
	go_on(_metadata, t);
}

TEST_HARNESS_MAIN
