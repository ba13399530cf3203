// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Profiling exception of the host while a virtual machine runs.  The host's kernel masks the
 * exception for itself (KE is 0).
 *
 * A host kernel at EL2 takes the exception out of the virtual machine.  Without KVM's patch the
 * CPU would leave the machine at once on every entry, and the machine would never execute
 * anything.
 *
 * A host kernel at EL1 shares PMSCR_EL1 with the machine.  The machine's EL1 would take the
 * exception from the machine's EL0: nothing masks it there (Table D17-8, row 6), and neither
 * PMBLIMITR_EL1.E nor MDCR_EL2.E2PB is considered (CheckForSPEException(), J1.1).  The machine
 * has no exception vectors, so it would fail.
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
	int from;	/* one byte for each finished run */
};

FIXTURE_VARIANT(machine) {
	bool user;
};

FIXTURE_VARIANT_ADD(machine, at_el1) { .user = false };
FIXTURE_VARIANT_ADD(machine, at_el0) { .user = true };

/* Runs a machine on CPU 1 until it is killed.  Writes 'n' if this kernel has no KVM. */
static void host(int to, bool user)
{
	struct spe_machine m;
	int err = spe_pin(1) ?: spe_machine_open(&m);

	if (err == -ENOENT)
		err = write(to, "n", 1) - 1;
	if (!err && user)
		err = spe_machine_drop(&m);
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
	/*
	 * The rig sets ARM_SPE_GAVE_EL2_UP for a kernel at EL1 that was started at EL2 and so
	 * can run KVM.
	 */
	if (atoi(level) != 2 && !getenv("ARM_SPE_GAVE_EL2_UP"))
		SKIP(return, "a kernel that was started at EL1 runs no virtual machine");
	ASSERT_EQ(0, pipe(ends));
	self->child = fork();
	ASSERT_LE(0, self->child);
	if (!self->child)
		host(ends[1], variant->user);
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
 * Waits for the end of two runs.  The first may have ended before the exception came; the
 * second began after it.
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

static long taken(void)
{
	return spe_read_number(FILES "user") + spe_read_number(FILES "kernel");
}

TEST_F(machine, goes_on_when_the_host_has_an_exception_pending)
{
	long before = taken();

	for (int i = 0; i < RAISED; i++) {
		ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
		ASSERT_TRUE(goes_on(self->from));
	}
	EXPECT_LE(before + RAISED, taken());
}

TEST_HARNESS_MAIN
