// SPDX-License-Identifier: GPL-2.0-only
/* The interval between samples (D17.3), checked with work of known length. */
#include "test.h"

FIXTURE(period) {
	struct spe_test t;
};

FIXTURE_VARIANT(period) {
	uint64_t times;		/* multiples of the recommended interval */
	uint64_t more;		/* additional operations */
	bool jitter;
};

SPE_FIXTURE_SETUP(period)

#define PERIOD(label, factor, addition, random)				\
	FIXTURE_VARIANT_ADD(period, label) {				\
		.times = factor, .more = addition, .jitter = random,	\
	}
PERIOD(recommended, 1, 0, false);
PERIOD(twice_recommended, 2, 0, false);
PERIOD(sixteen_times_recommended, 16, 0, false);
/* INTERVAL counts units of 256 operations; the driver drops the rest. */
PERIOD(no_multiple_of_256, 2, 255, false);
PERIOD(recommended_with_jitter, 1, 0, true);
PERIOD(sixteen_times_recommended_with_jitter, 16, 0, true);

#define SAMPLES		400

TEST_F(period, is_honoured)
{
	struct spe_test *t = &self->t;
	uint64_t period = variant->times * t->attr.perf.sample_period +
			  variant->more;
	size_t expected = SAMPLES, tolerance = 3;

	t->attr.perf.sample_period = period;
	if (variant->jitter) {
		spe_set(_metadata, t, "jitter", 1);
		/*
		 * Without FEAT_SPE_ERnd jitter makes the mean interval 127 operations longer.
		 */
		if (!spe_pmu_cap(&t->pmu, "ernd"))
			expected = SAMPLES * (spe_interval(t)) /
				   (spe_interval(t) + 127);
		/*
		 * Jitter changes each interval by at most 255 operations, and its mean is zero.
		 */
		tolerance = 3 + SAMPLES * 30 / spe_interval(t);
	}
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	EXPECT_LE(expected - tolerance, t->records.count);
	EXPECT_GE(expected + tolerance, t->records.count);
}

SPE_FIXTURE(sampling);

/*
 * Without jitter the interval is odd, so samples meet the four operations of the loop in turn:
 * all are sampled equally often.
 */
TEST_F(sampling, prefers_no_operation)
{
	struct spe_test *t = &self->t;
	size_t at[WORK_ALU_OPS] = { 0 };

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		if (spe_pc_in(r, work_alu, work_alu_end) &&
		    (r->pc - (uintptr_t)work_alu) / 4 < WORK_ALU_OPS)
			at[(r->pc - (uintptr_t)work_alu) / 4]++;
	}
	for (int i = 0; i < WORK_ALU_OPS; i++) {
		EXPECT_LE(SAMPLES / WORK_ALU_OPS - 5, at[i]);
		EXPECT_GE(SAMPLES / WORK_ALU_OPS + 5, at[i]);
	}
}

/*
 * The driver saves the sample counter when the task is scheduled out, so no operation is lost
 * (D17.3.5).
 */
TEST_F(sampling, goes_on_where_it_stopped)
{
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, SAMPLES);

	spe_open(_metadata, t, AUX_PAGES);
	for (int i = 0; i < 40; i++) {
		spe_enable(_metadata, t);
		work_alu(rounds / 40);
		ASSERT_EQ(0, spe_session_disable(&t->session));
	}
	spe_finish(_metadata, t);
	/* The library code of 40 system calls was sampled too. */
	EXPECT_LE(SAMPLES - 3, t->records.count);
	EXPECT_GE(SAMPLES + 10, t->records.count);
}

/* INTERVAL must not be zero: the driver either refuses a shorter period or makes it longer. */
TEST_F(sampling, below_the_shortest_interval_is_refused_or_the_shortest)
{
	struct spe_test *t = &self->t;
	uint64_t shortest = t->attr.perf.sample_period;

	t->attr.perf.sample_period = 1;
	if (spe_session_open(&t->session, &t->attr, 0, -1,
			     (struct spe_shape){ .aux_pages = AUX_PAGES }))
		return;
	spe_enable(_metadata, t);
	t->attr.perf.sample_period = shortest;
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	EXPECT_LE(SAMPLES - 3, t->records.count);
	/* If the recommended interval is above 256, a driver may still use 256. */
	EXPECT_GE(SAMPLES * shortest / 256 + 3, t->records.count);
}

/*
 * A period that PMSIRR_EL1.INTERVAL cannot hold must not cause a flood of samples.  A driver
 * that writes the whole period to the sample counter takes one sample at most.
 */
TEST_F(sampling, beyond_the_longest_interval_does_not_flood)
{
	struct spe_test *t = &self->t;

	t->attr.perf.sample_period = INT64_MAX;
	spe_open(_metadata, t, 4);
	spe_enable(_metadata, t);
	work_alu(100000);
	spe_finish(_metadata, t);
	ASSERT_GE(1, t->records.count);
}

TEST_HARNESS_MAIN
