// SPDX-License-Identifier: GPL-2.0-only
/* Timestamps, contexts, addresses and latencies in records (D17.6). */
#include "test.h"

#include <fcntl.h>

static uint64_t read_counter(void)
{
	uint64_t value;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (value) :: "memory");
	return value;
}

FIXTURE(timestamp) {
	struct spe_test t;
};

FIXTURE_VARIANT(timestamp) {
	bool physical;
};

SPE_FIXTURE_SETUP(timestamp)

FIXTURE_VARIANT_ADD(timestamp, virtual) { .physical = false };
FIXTURE_VARIANT_ADD(timestamp, physical) { .physical = true };

/* The guests have no counter offset, so the virtual and the physical counter are equal. */
TEST_F(timestamp, is_in_every_record_in_order_and_within_the_run)
{
	struct spe_test *t = &self->t;
	uint64_t first, last;

	spe_set(_metadata, t, "ts_enable", 1);
	spe_set(_metadata, t, "pct_enable", variant->physical);
	spe_open(_metadata, t, AUX_PAGES);
	first = read_counter();
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 300));
	spe_finish(_metadata, t);
	last = read_counter();
	ASSERT_LE(290, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_TRUE(r->has & SPE_HAS_TIMESTAMP);
		ASSERT_LE(first, r->timestamp);
		first = r->timestamp;
	}
	ASSERT_LE(first, last);
}

SPE_FIXTURE(content);

TEST_F(content, has_no_timestamp_unless_asked_for)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 50));
	spe_finish(_metadata, t);
	ASSERT_LE(45, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_FALSE(t->records.record[i].has & SPE_HAS_TIMESTAMP);
	}
}

/* The packets that D17.6 requires in each record. */
TEST_F(content, is_complete)
{
	const uint32_t always = SPE_HAS_PC | SPE_HAS_OPERATION |
				SPE_HAS_EVENTS | SPE_HAS_TOTAL | SPE_HAS_ISSUE;
	static uint64_t memory[8] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 400), memory);
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		/* The record of a system call may lack most packets (D17.6.10). */
		if (spe_event(r, SPE_EVENT_EXCEPTION))
			continue;
		ASSERT_EQ(always, r->has & always);
		ASSERT_LE(r->issue, r->total);
		ASSERT_EQ(r->class == SPE_OP_CLASS_LDST,
			  !!(r->has & SPE_HAS_VA));
	}
}

/*
 * With CONFIG_PID_IN_CONTEXTIDR (Debian sets it) the kernel writes the task's thread id to
 * CONTEXTIDR_EL1, or to CONTEXTIDR_EL2 if the kernel runs at EL2 with E2H.
 */
TEST_F(content, names_the_task)
{
	const char *configured = getenv("ARM_SPE_CONTEXTIDR");
	struct spe_test *t = &self->t;

	if (!configured)
		SKIP(return, "ARM_SPE_CONTEXTIDR is not set to y or n");
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	ASSERT_LE(95, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];
		uint32_t contexts = SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2;

		contexts &= r->has;
		if (*configured != 'y') {
			ASSERT_EQ(0, contexts);
			continue;
		}
		ASSERT_NE(0, contexts);
		ASSERT_EQ((uint32_t)gettid(), contexts & SPE_HAS_CONTEXT2 ?
			  r->context2 : r->context1);
	}
}

/* The physical address, from /proc/self/pagemap. */
static uint64_t physical_of(const void *at)
{
	uint64_t page_size = spe_page_size(), entry = 0;
	uint64_t address = (uintptr_t)at;
	int fd = open("/proc/self/pagemap", O_RDONLY);

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry),
		  (off_t)(address / page_size * sizeof(entry))) !=
	    sizeof(entry))
		entry = 0;
	close(fd);
	/* Bit 63: present; bits 54:0: page frame number. */
	if (!(entry >> 63))
		return 0;
	return (entry & (UINT64_MAX >> 9)) * page_size + address % page_size;
}

TEST_F(content, has_the_right_physical_address)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;
	uint64_t physical;
	size_t found = 0;

	ASSERT_EQ(0, mlock(memory, sizeof(memory)));
	memory[0] = 1;
	physical = physical_of(memory);
	ASSERT_NE(0, physical);
	spe_set(_metadata, t, "pa_enable", 1);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 400), memory);
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		if (!(r->has & SPE_HAS_VA) || r->va - (uintptr_t)memory >= 64)
			continue;
		ASSERT_TRUE(r->has & SPE_HAS_PA);
		ASSERT_EQ(physical + (r->va - (uintptr_t)memory), r->pa);
		found++;
	}
	ASSERT_LE(100, found);
}

TEST_F(content, has_no_physical_address_unless_asked_for)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 100), memory);
	spe_finish(_metadata, t);
	ASSERT_LE(90, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_FALSE(t->records.record[i].has & SPE_HAS_PA);
	}
}

/* The data addresses must cover the whole array and stay inside it. */
TEST_F(content, has_data_addresses_inside_the_array)
{
	enum { BYTES = 1 << 18, STRIDE = 264 };
	struct spe_test *t = &self->t;
	char *area = aligned_alloc(64, BYTES);
	uint64_t low = UINT64_MAX, high = 0;
	size_t found = 0;

	ASSERT_NE(NULL, area);
	memset(area, 0, BYTES);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_walk(spe_rounds(t, WORK_WALK_OPS, 800), area, BYTES, STRIDE);
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];
		uint64_t offset = r->va - (uintptr_t)area;

		if (!spe_pc_in(r, work_walk, work_walk_end) ||
		    r->class != SPE_OP_CLASS_LDST)
			continue;
		ASSERT_GT((uint64_t)BYTES, offset);
		ASSERT_EQ(0, offset % STRIDE);
		ASSERT_EQ((uintptr_t)(spe_is_load(r) ? work_walk_load :
				      work_walk_store), r->pc);
		low = offset < low ? offset : low;
		high = offset > high ? offset : high;
		found++;
	}
	ASSERT_LE(190, found);
	/* 200 samples spread over the array reach both of its ends. */
	ASSERT_GT(BYTES / 8, low);
	ASSERT_LT(BYTES - BYTES / 8, high);
	free(area);
}

/*
 * One operation in four is a system call.  If the sample counter is zero when the CPU returns
 * to EL0, the unit reloads it (D17.3.3).  With a fixed interval the counter might therefore
 * reach zero in every system call, and no sample would be taken.  Jitter avoids that.
 */
TEST_F(content, shows_an_exception)
{
	struct spe_test *t = &self->t;
	size_t exceptions = 0;

	spe_set(_metadata, t, "jitter", 1);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_svc(spe_rounds(t, WORK_SVC_OPS, 200));
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		if (!spe_event(r, SPE_EVENT_EXCEPTION))
			continue;
		exceptions++;
		/* "The target address … is not collected" (D17.6). */
		ASSERT_FALSE(r->has & SPE_HAS_TARGET);
	}
	ASSERT_LE(20, exceptions);
	ASSERT_GE(80, exceptions);
	ASSERT_LE(100, t->records.count);
}

TEST_HARNESS_MAIN
