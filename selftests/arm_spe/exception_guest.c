// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host's Profiling exception while a virtual machine runs.  It is masked in
 * the host's kernel (KE clear), so without KVM's help the machine would be left
 * for it at once, each time, and never execute anything.
 */
#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	300

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "machine.h"
#include "pmu.h"
#include "worker.h"

#define FILES		"/sys/module/spe_exception/parameters/"
#define ROUNDS		100000
#define RAISED		50

FIXTURE(machine) {
	pid_t child;
	int from;	/* a byte for each run */
};

/* Runs a machine on CPU 1 for ever; 'n' where this kernel is no host. */
static void host(int to)
{
	struct spe_machine m;
	int err = spe_pin(1) ?: spe_machine_open(&m);

	if (err == -ENOENT)
		err = write(to, "n", 1) - 1;
	while (!err)
		err = spe_machine_run(&m, ROUNDS) ?: (int)write(to, "y", 1) - 1;
	_exit(1);
}

FIXTURE_SETUP(machine)
{
	const char *level = getenv("ARM_SPE_KERNEL_EL");
	int ends[2];
	char first;

	ASSERT_EQ(0, spe_pin(0));
	self->child = 0;
	ASSERT_NE(NULL, level);
	if (atoi(level) != 2)
		SKIP(return, "only a kernel at EL2 takes its exception from guests");
	ASSERT_EQ(0, pipe(ends));
	self->child = fork();
	ASSERT_LE(0, self->child);
	if (!self->child)
		host(ends[1]);
	close(ends[1]);
	self->from = ends[0];
	ASSERT_EQ(1, read(self->from, &first, 1));
	ASSERT_EQ('y', first);
}

FIXTURE_TEARDOWN(machine)
{
	if (self->child > 0) {
		kill(self->child, SIGKILL);
		waitpid(self->child, NULL, 0);
	}
	EXPECT_EQ(0, spe_write_file(FILES "quiet", "1"));
	EXPECT_EQ(0, spe_read_number(FILES "wrong"));
}

/*
 * The end of the first run after now, which may have come just before the
 * program was interrupted, and of the second, which came after that.
 */
static bool goes_on(int from)
{
	char bytes[4096];
	int ready = 0;

	while (!ioctl(from, FIONREAD, &ready) && ready)
		if (read(from, bytes, sizeof(bytes)) <= 0)
			return false;
	return read(from, bytes, 1) == 1 && read(from, bytes, 1) == 1;
}

TEST_F(machine, goes_on_when_it_is_left_for_an_exception)
{
	long before = spe_read_number(FILES "user");

	for (int i = 0; i < RAISED; i++) {
		ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
		ASSERT_TRUE(goes_on(self->from));
	}
	EXPECT_LE(before + RAISED, spe_read_number(FILES "user"));
}

TEST_HARNESS_MAIN
