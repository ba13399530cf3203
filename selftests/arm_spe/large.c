// SPDX-License-Identifier: GPL-2.0-only
/*
 * The largest AUX buffer that perf allows with pages of 4 KiB, 2 GiB, and more traffic than 32
 * bits can count.  Needs a guest with enough memory and with records of 2 KiB (the model's
 * spe-align=2048), which take the fewest operations to fill the buffer.
 */
#include "test.h"

#include <sys/utsname.h>

#define LARGE_PAGES	(1U << 19)
#define RECORD		2048
#define WATERMARK	(32U << 20)
/* Twice the size of the buffer, and more than 2^32. */
#define TRAFFIC		((UINT64_C(4) << 30) + (UINT64_C(100) << 20))
/* Samples between two reads of the ring. */
#define SAMPLES		(WATERMARK / RECORD * 2)

SPE_FIXTURE(large);

/*
 * A session of the CPU, because a session of a task publishes an AUX record at each task
 * switch.
 */
static void open_large(struct __test_metadata *_metadata, struct spe_test *t, bool overwrite)
{
	struct spe_shape shape = { .aux_pages = LARGE_PAGES, .overwrite = overwrite };

	t->attr.perf.sample_period = 256;
	t->attr.perf.aux_watermark = WATERMARK;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape)) {
		TH_LOG("cannot map a buffer of 2 GiB; does this guest have enough memory?");
	}
}

/*
 * Reads the new bytes: all whole, without a gap or a loss.  Returns the number of records from
 * the loop.  The session is disabled meanwhile, because sampling the reader would produce more
 * records than it reads.
 */
static size_t read_some(struct __test_metadata *_metadata, struct spe_test *t)
{
	size_t found;

	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	ASSERT_EQ(0, t->session.gaps);
	ASSERT_EQ(0, t->session.lost);
	ASSERT_EQ(0, t->session.flags);
	spe_session_records(&t->session, &t->records);
	ASSERT_EQ(0, t->records.damaged);
	found = spe_count_pc(&t->records, work_alu, work_alu_end);
	spe_records_free(&t->records);
	spe_session_forget(&t->session);
	return found;
}

TEST_F_TIMEOUT(large, buffer_carries_more_than_32_bits_count, 1800)
{
	struct spe_test *t = &self->t;
	uint64_t rounds, samples = 0, found = 0;

	open_large(_metadata, t, false);
	rounds = spe_rounds(t, WORK_ALU_OPS, SAMPLES);
	while (spe_session_head(&t->session) < TRAFFIC) {
		spe_enable(_metadata, t);
		work_alu(rounds);
		samples += rounds * WORK_ALU_OPS / spe_interval(t);
		found += read_some(_metadata, t);
	}
	EXPECT_EQ(spe_session_head(&t->session), t->session.next);
	/* Each interrupt (every 16 MiB or more) and each read loses a few samples. */
	EXPECT_LE(samples * 99 / 100, found);
	EXPECT_GE(samples + samples / 100, found);
}

/* The snapshot holds the newest 2 GiB, and one AUX record announces them. */
TEST_F_TIMEOUT(large, snapshot_goes_round, 1800)
{
	struct spe_test *t = &self->t;
	uint64_t rounds, head;

	open_large(_metadata, t, true);
	spe_enable(_metadata, t);
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 1000));
	rounds = spe_rounds(t, WORK_ALU_OPS, t->session.aux_size / RECORD * 11 / 10);
	work_alu(rounds);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	EXPECT_EQ(1, spe_session_drain(&t->session));
	EXPECT_EQ(PERF_AUX_FLAG_OVERWRITE, t->session.flags);
	head = spe_session_head(&t->session);
	EXPECT_LT(t->session.aux_size, head);
	EXPECT_EQ(t->session.aux_size, t->session.chunk[0].size);
}

/* perf keeps its page list in one physically contiguous allocation of at most 4 MiB. */
TEST_F(large, buffer_of_4_gib_is_refused_by_perf)
{
	struct spe_shape shape = { .aux_pages = 2 * LARGE_PAGES };
	struct spe_test *t = &self->t;
	struct utsname kernel;

	ASSERT_EQ(0, uname(&kernel));
	/* Linux 5.10 and 6.1 try the allocation and warn; the guest panics on a warning. */
	if (!strncmp(kernel.release, "5.10.", 5) || !strncmp(kernel.release, "6.1.", 4))
		SKIP(return, "this kernel warns of such a size");
	EXPECT_EQ(-ENOMEM, spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

TEST_HARNESS_MAIN
