// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters (D17.5): every record that comes must match the filter, and matching records must
 * come.
 */
#include "test.h"

/* Larger than the model's first-level cache and TLB. */
#define WALK_BYTES	(1024 * spe_page_size())
/*
 * The walk has 1008 steps with pages of each size.  With a number of steps near the sampling
 * period, 1024, most samples would hit the few lines that the samples before them brought in.
 */
#define WALK_STRIDE	(spe_page_size() / 64 * 65)

FIXTURE(type) {
	struct spe_test t;
};

FIXTURE_VARIANT(type) {
	bool branch, load, store;
};

SPE_FIXTURE_SETUP(type)

FIXTURE_VARIANT_ADD(type, branch) { .branch = true };
FIXTURE_VARIANT_ADD(type, load) { .load = true };
FIXTURE_VARIANT_ADD(type, store) { .store = true };
FIXTURE_VARIANT_ADD(type, branch_or_load) { .branch = true, .load = true };
FIXTURE_VARIANT_ADD(type, load_or_store) { .load = true, .store = true };
FIXTURE_VARIANT_ADD(type, all_three) {
	.branch = true, .load = true, .store = true,
};

TEST_F(type, alone_passes)
{
	struct spe_test *t = &self->t;
	size_t branches = 0, loads = 0, stores = 0, outside = 0, others = 0;
	static uint64_t memory[8] __attribute__((aligned(64)));

	spe_set(_metadata, t, "branch_filter", variant->branch);
	spe_set(_metadata, t, "load_filter", variant->load);
	spe_set(_metadata, t, "store_filter", variant->store);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 800), memory);
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		branches += spe_is_branch(r);
		loads += spe_is_load(r);
		stores += spe_is_store(r);
		others += spe_is(r, SPE_OP_CLASS_OTHER, 0, 0);
		outside += !((variant->branch && spe_is_branch(r)) ||
			     (variant->load && spe_is_load(r)) ||
			     (variant->store && spe_is_store(r)));
	}
	EXPECT_EQ(0, outside);
	EXPECT_EQ(0, others);
	/* Of eight operations three are branches, two are loads and two are stores. */
	if (variant->branch)
		EXPECT_LE(250, branches);
	if (variant->load)
		EXPECT_LE(170, loads);
	if (variant->store)
		EXPECT_LE(170, stores);
}

FIXTURE(event) {
	struct spe_test t;
};

FIXTURE_VARIANT(event) {
	unsigned int bit;
};

SPE_FIXTURE_SETUP(event)

/*
 * Not "retired": a PE that never samples speculative operations need not implement that filter,
 * and then every record passes.
 */
FIXTURE_VARIANT_ADD(event, l1d_refill) { .bit = SPE_EVENT_L1D_REFILL };
FIXTURE_VARIANT_ADD(event, tlb_walk) { .bit = SPE_EVENT_TLB_WALK };

/* Alternates a walk that misses the cache and the TLB with a loop that hits. */
static void work_of_both_kinds(struct __test_metadata *_metadata,
			       struct spe_test *t)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	void *area = malloc(WALK_BYTES);

	ASSERT_NE(NULL, area);
	memset(area, 0, WALK_BYTES);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	for (int i = 0; i < 4; i++) {
		work_walk(spe_rounds(t, WORK_WALK_OPS, 200), area, WALK_BYTES,
			  WALK_STRIDE);
		work_mixed(spe_rounds(t, WORK_MIXED_OPS, 200), memory);
	}
	spe_finish(_metadata, t);
	free(area);
}

static size_t count_event(const struct spe_records *records, unsigned int bit)
{
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++)
		count += spe_event(&records->record[i], bit);
	return count;
}

TEST_F(event, passes_its_filter_alone)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "event_filter", UINT64_C(1) << variant->bit);
	work_of_both_kinds(_metadata, t);
	ASSERT_LE(20, t->records.count);
	ASSERT_EQ(t->records.count, count_event(&t->records, variant->bit));
}

/* Cross-check: without the filter there are records with the event and without it. */
TEST_F(event, is_in_some_records_without_filter)
{
	struct spe_test *t = &self->t;
	size_t count;

	work_of_both_kinds(_metadata, t);
	count = count_event(&t->records, variant->bit);
	ASSERT_LE(20, count);
	ASSERT_LE(20, t->records.count - count);
}

FIXTURE(inverted) {
	struct spe_test t;
};

FIXTURE_VARIANT(inverted) {
	uint64_t events;
};

SPE_FIXTURE_SETUP(inverted)

FIXTURE_VARIANT_ADD(inverted, l1d_refill) {
	.events = UINT64_C(1) << SPE_EVENT_L1D_REFILL,
};
FIXTURE_VARIANT_ADD(inverted, tlb_walk) {
	.events = UINT64_C(1) << SPE_EVENT_TLB_WALK,
};
FIXTURE_VARIANT_ADD(inverted, both) {
	.events = UINT64_C(1) << SPE_EVENT_L1D_REFILL |
		  UINT64_C(1) << SPE_EVENT_TLB_WALK,
};

/* A record with any of these events must not come. */
TEST_F(inverted, event_keeps_a_record_out)
{
	struct spe_test *t = &self->t;
	int ret = spe_attr_set(&t->attr, &t->pmu, "inv_event_filter",
			       variant->events);

	if (ret == -ENOENT)
		SKIP(return, "this driver and kernel have no inv_event_filter");
	ASSERT_EQ(0, ret);
	work_of_both_kinds(_metadata, t);
	ASSERT_LE(20, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_EQ(0, t->records.record[i].events & variant->events);
	}
}

SPE_FIXTURE(source);

/* The data sources of the records, as a mask.  A record without a source is no load. */
static uint64_t sources_of(const struct spe_records *records)
{
	uint64_t sources = 0;

	for (size_t i = 0; i < records->count; i++) {
		if (records->record[i].has & SPE_HAS_SOURCE)
			sources |= UINT64_C(1) << (records->record[i].source & 63);
	}
	return sources;
}

/* Filters out each data source in turn: its records must not come, the others must. */
TEST_F(source, is_left_out_alone)
{
	struct spe_test *t = &self->t;
	uint64_t sources;

	if (spe_attr_set(&t->attr, &t->pmu, "inv_data_src_filter", 0) == -ENOENT)
		SKIP(return, "this PMU, driver or kernel has no inv_data_src_filter");
	work_of_both_kinds(_metadata, t);
	sources = sources_of(&t->records);
	/* With one source only the filter could not be tested. */
	ASSERT_LE(2, __builtin_popcountll(sources));
	for (unsigned int source = 0; source < 64; source++) {
		uint64_t out = UINT64_C(1) << source;
		size_t others = 0;

		if (!(sources & out))
			continue;
		spe_session_close(&t->session);
		spe_records_free(&t->records);
		spe_set(_metadata, t, "inv_data_src_filter", out);
		work_of_both_kinds(_metadata, t);
		EXPECT_EQ(0, sources_of(&t->records) & out);
		EXPECT_NE(0, sources_of(&t->records));
		/* The filter must let records pass that are not loads. */
		for (size_t i = 0; i < t->records.count; i++)
			others += !(t->records.record[i].has & SPE_HAS_SOURCE);
		EXPECT_LT(0, others);
	}
}

SPE_FIXTURE(filters);

/* A record must have all events that the filter names. */
TEST_F(filters, need_every_event_named)
{
	struct spe_test *t = &self->t;
	uint64_t both = UINT64_C(1) << SPE_EVENT_L1D_REFILL |
			UINT64_C(1) << SPE_EVENT_TLB_WALK;

	spe_set(_metadata, t, "event_filter", both);
	work_of_both_kinds(_metadata, t);
	ASSERT_LE(1, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_EQ(both, t->records.record[i].events & both);
	}
}

TEST_F(filters, of_type_and_event_both_apply)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "store_filter", 1);
	spe_set(_metadata, t, "event_filter", 1 << SPE_EVENT_TLB_WALK);
	work_of_both_kinds(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_TRUE(spe_is_store(&t->records.record[i]));
		ASSERT_TRUE(spe_event(&t->records.record[i],
				      SPE_EVENT_TLB_WALK));
	}
}

/* The limit lies between the lowest and the highest latency seen without the filter. */
TEST_F(filters, of_latency_keep_the_slow_operations)
{
	struct spe_test *t = &self->t;
	unsigned int low = UINT16_MAX, high = 0, limit;
	size_t slow = 0;

	work_of_both_kinds(_metadata, t);
	ASSERT_LE(1000, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		unsigned int total = t->records.record[i].total;

		ASSERT_TRUE(t->records.record[i].has & SPE_HAS_TOTAL);
		low = total < low ? total : low;
		high = total > high ? total : high;
	}
	/* Without different latencies the filter could not be tested. */
	ASSERT_LT(low + 1, high);
	limit = low + 1 + (high - low) / 2;
	spe_session_close(&t->session);

	spe_set(_metadata, t, "min_latency", limit);
	work_of_both_kinds(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++)
		slow += t->records.record[i].total >= limit;
	ASSERT_LE(1, slow);
	ASSERT_EQ(slow, t->records.count);
}

TEST_HARNESS_MAIN
