/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every test program begins with: the harness, and a fixture that knows
 * the PMU and cleans a session up.
 */
#ifndef ARM_SPE_TEST_H
#define ARM_SPE_TEST_H

#include "kselftest_harness.h"

/* Against a case that hangs; on a busy host an honest one may take minutes. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	300

#include <sys/ioctl.h>

#include "pmu.h"
#include "record.h"
#include "session.h"
#include "work.h"
#include "worker.h"

/* The user id of an ordinary user */
#define NOBODY		65534

/* 4096 records of 64 bytes, whatever the size of a page is. */
#define AUX_BYTES	(256 * 1024)
#define AUX_PAGES	spe_pages(AUX_BYTES)

struct spe_test {
	struct spe_pmu pmu;
	union spe_attr attr;
	struct spe_session session;
	struct spe_records records;
	/* A hypervisor may take pages away while the unit writes: records may be lost. */
	bool may_lose;
};

#define SPE_FIXTURE_SETUP(name)						\
	FIXTURE_SETUP(name)						\
	{								\
		spe_test_begin(_metadata, &self->t);			\
	}								\
	FIXTURE_TEARDOWN(name)						\
	{								\
		spe_test_end(&self->t);					\
	}

#define SPE_FIXTURE(name)						\
	FIXTURE(name) {							\
		struct spe_test t;					\
	};								\
	SPE_FIXTURE_SETUP(name)

static inline void spe_test_begin(struct __test_metadata *_metadata,
				  struct spe_test *t)
{
	memset(t, 0, sizeof(*t));
	ASSERT_EQ(0, spe_pmu_find(&t->pmu))
		TH_LOG("no SPE PMU in " SPE_PMU_ROOT);
	spe_attr_init(&t->attr, &t->pmu);
	/* One CPU, so that a session is one piece unless a test wants more. */
	ASSERT_EQ(0, spe_pin(0));
}

static inline void spe_test_end(struct spe_test *t)
{
	spe_records_free(&t->records);
	spe_session_close(&t->session);
}

/* A session of the calling task on whatever CPU it runs. */
static inline void spe_open(struct __test_metadata *_metadata,
			    struct spe_test *t, unsigned int aux_pages)
{
	struct spe_shape shape = { .aux_pages = aux_pages };

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

static inline void spe_enable(struct __test_metadata *_metadata,
			      struct spe_test *t)
{
	ASSERT_EQ(0, spe_session_enable(&t->session));
}

/*
 * Ends the session and decodes all that it recorded.  Where the kernel was
 * sampled too the buffer may have been full, which is said: what a kernel
 * executes has no bound, it turns round while another CPU holds a lock.  What
 * the buffer holds is whole all the same, undamaged and without a hole.
 */
static inline void spe_finish_with_kernel(struct __test_metadata *_metadata,
					  struct spe_test *t)
{
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
	ASSERT_EQ(0, t->session.gaps);
	ASSERT_EQ(0, t->session.lost);
	if (!t->may_lose)
		ASSERT_EQ(0, t->session.flags & PERF_AUX_FLAG_PARTIAL);
	ASSERT_EQ(0, t->records.damaged);
}

/* The same, and nothing is lost. */
static inline void spe_finish(struct __test_metadata *_metadata,
			      struct spe_test *t)
{
	spe_finish_with_kernel(_metadata, t);
	ASSERT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
}

static inline void spe_set(struct __test_metadata *_metadata,
			   struct spe_test *t, const char *name,
			   uint64_t value)
{
	ASSERT_EQ(0, spe_attr_set(&t->attr, &t->pmu, name, value))
		TH_LOG("attribute %s", name);
}

/* Operations between two samples (D17.3.4.1): INTERVAL is the period / 256. */
static inline uint64_t spe_interval(const struct spe_test *t)
{
	return (t->attr.perf.sample_period & ~UINT64_C(0xff)) + 1;
}

/* The rounds of OPS operations that give about COUNT samples. */
static inline uint64_t spe_rounds(const struct spe_test *t, unsigned int ops,
				  uint64_t count)
{
	return count * spe_interval(t) / ops;
}

#endif
