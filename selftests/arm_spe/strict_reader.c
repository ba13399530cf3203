// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader in the kernel gets the samples of the PMU spe_sample (perf_event_create_kernel_counter()),
 * as DAMON would: the module spe_reader counts what its handler gets.
 */
#include "loader.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>

#define MODULE	"/job/spe_reader.ko"
#define READER	"/sys/module/spe_reader/parameters/"
#define SAMPLE	SPE_PMU_ROOT "/spe_sample_0/"

static int insert(uint32_t type, uint64_t config)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC), err = 0;
	char parameters[128];

	if (fd < 0)
		return -errno;
	snprintf(parameters, sizeof(parameters), "type=%u config=%llu period=1024", type,
		 (unsigned long long)config);
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = -errno;
	close(fd);
	return err;
}

FIXTURE(reader) {
	long type;
};

FIXTURE_VARIANT(reader) {
	uint64_t batch;
};

FIXTURE_VARIANT_ADD(reader, one_record) { .batch = 1 };
FIXTURE_VARIANT_ADD(reader, batches) { .batch = 64 };

FIXTURE_SETUP(reader)
{
	self->type = spe_read_number(SAMPLE "type");
	if (self->type < 0)
		SKIP(return, "this kernel has no PMU spe_sample");
}

FIXTURE_TEARDOWN(reader)
{
	spe_module_remove("spe_reader");
}

/* The handler gets as many samples as the driver counts, and the PMU is free afterwards. */
TEST_F(reader, gets_every_sample)
{
	long samples, lost;

	samples = spe_read_number(SAMPLE "counters/samples");
	lost = spe_read_number(SAMPLE "counters/samples_lost");
	ASSERT_EQ(0, insert(self->type, variant->batch << 56));
	/* perf pauses an event that has too many interrupts in a tick, until the next tick. */
	for (int i = 0; i < 100 && spe_read_number(SAMPLE "counters/samples") < samples + 900; i++)
		work_alu(1000000);
	ASSERT_EQ(0, spe_write_file(READER "on", "N"));
	samples = spe_read_number(SAMPLE "counters/samples") - samples;
	EXPECT_LE(900, samples);
	EXPECT_EQ(samples, spe_read_number(READER "samples"));
	EXPECT_EQ(lost, spe_read_number(SAMPLE "counters/samples_lost"));
	/* The kernel of the guest loads and stores, and each operation takes some cycles. */
	EXPECT_LE(1, spe_read_number(READER "addresses"));
	EXPECT_LE(samples, spe_read_number(READER "cycles"));
	ASSERT_EQ(0, spe_module_remove("spe_reader"));
	ASSERT_EQ(0, insert(self->type, variant->batch << 56));
}

TEST_HARNESS_MAIN
