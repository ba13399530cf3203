// SPDX-License-Identifier: GPL-2.0-only
/*
 * The SPE Profiling exception without the driver: each row of Tables D17-8 and D17-9 that a
 * kernel can set up itself, and how the kernel handles the exception.  The module spe_exception
 * writes the registers and counts; this program states what must happen.
 *
 * No kernel can reach PMSEE 0b00, Table D17-10 (PMBSR_EL3) and the columns for EL3.  A kernel
 * at EL1 cannot reach what EL2 controls: Table D17-9, and any PMSCR_EL2.EE except the value
 * that the hypervisor has set (ARM_SPE_EL2_EE, 1 by default).  A kernel at EL2 cannot reach the
 * rows with TGE 0, which need a running virtual machine.
 */
#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	300

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/klog.h>

#include "a32.h"
#include "pmu.h"
#include "worker.h"

#define FILES		"/sys/module/spe_exception/parameters/"
#define COMPLAINT	"unexpected SPE Profiling exception, now disabled"
#define EE		0x300

struct seen {
	int irq, pending;
	unsigned int kernel, user, user32;
};

enum outcome {
	NONE,		/* disabled: never taken */
	MASKED,		/* stays pending (B and C in the tables) */
	TAKEN,
};

/* A row of a table.  A control that may have several values is a set of bits, 1 << VALUE. */
struct row {
	int level;		/* the kernel's Exception level */
	unsigned int sr;
	unsigned int ee2, ee1, ke, pm;
	int irq;
	enum outcome user, kernel;
};

#define ANY_BIT		3
#define ANY_EE		15
#define EE_0X		3
#define EE_1X		12
#define EE_NOT_00	14
#define IS(value)	(1 << (value))

/* One attempt.  Here each control is one value. */
struct cell {
	unsigned int sr, ee2, ee1, ke, pm;
	bool kernel;
};

static int kernel_level(void)
{
	const char *text = getenv("ARM_SPE_KERNEL_EL");

	return text ? atoi(text) : 0;
}

/* For a kernel at EL1: the PMSCR_EL2.EE that the hypervisor has set. */
static unsigned int given_ee2(void)
{
	const char *text = getenv("ARM_SPE_EL2_EE");

	return text ? atoi(text) : 1;
}

static int read_seen(struct seen *s)
{
	FILE *file = fopen(FILES "result", "r");
	int n;

	if (!file)
		return -errno;
	n = fscanf(file, "irq=%d pending=%d kernel=%u user=%u user32=%u", &s->irq,
		   &s->pending, &s->kernel, &s->user, &s->user32);
	fclose(file);
	return n == 5 ? 0 : -EINVAL;
}

static struct seen drive(struct __test_metadata *_metadata, const struct cell *c)
{
	char text[64];
	struct seen s = { };

	snprintf(text, sizeof(text), "%u %u %u %u %u %d", c->sr, c->ee2, c->ee1, c->ke,
		 c->pm, c->kernel);
	ASSERT_EQ(0, spe_write_file(FILES "drive", text));
	ASSERT_EQ(0, read_seen(&s));
	return s;
}

/*
 * An interrupt may come between the write of S and the return to EL0.  While the kernel handles
 * it PSTATE.PM is clear, so an exception that only PM masked is correctly taken in the kernel.
 * Such an attempt proves nothing about EL0, and the test repeats it.
 */
static void expect_cell(struct __test_metadata *_metadata, const struct cell *c, int irq,
			enum outcome outcome, bool pm_alone)
{
	struct seen s = { };

	for (int i = 0; i < 1000; i++) {
		s = drive(_metadata, c);
		if (!(pm_alone && s.kernel && s.pending))
			break;
	}
	EXPECT_EQ(irq, s.irq);
	if (c->kernel && outcome == TAKEN) {
		EXPECT_EQ(1, s.kernel);
		EXPECT_EQ(0, s.pending);
		return;
	}
	EXPECT_EQ(1, s.pending);
	EXPECT_EQ(0, s.kernel);
	/* What the kernel has masked comes when the CPU returns to EL0. */
	EXPECT_EQ(outcome == NONE ? 0 : 1, s.user);
	EXPECT_EQ(0, s.user32);
}

static void expect_row(struct __test_metadata *_metadata, const struct row *r,
		       const struct cell *cell)
{
	struct cell c = *cell;
	bool pm_alone = r->user == TAKEN && c.ke && (c.pm || r->kernel == TAKEN);

	c.kernel = true;
	expect_cell(_metadata, &c, r->irq, r->kernel, pm_alone);
	c.kernel = false;
	expect_cell(_metadata, &c, r->irq, r->user, pm_alone);
}

FIXTURE(table) {
};

FIXTURE_VARIANT(table) {
	struct row row;
};

#define ROW(name, ...)							\
	FIXTURE_VARIANT_ADD(table, name) { .row = { __VA_ARGS__ } }

/* level, PMBSR_ELx, EL2.EE, EL1.EE, KE, PM, PMBIRQ, EL0, the kernel's level */
ROW(d17_8_row_3, 1, 1, IS(0), ANY_EE, ANY_BIT, ANY_BIT, 1, NONE, NONE);
ROW(d17_8_row_5, 1, 1, IS(1), EE_0X, ANY_BIT, ANY_BIT, 1, NONE, NONE);
ROW(d17_8_row_6, 1, 1, IS(1), EE_1X, IS(0), ANY_BIT, 0, TAKEN, MASKED);
ROW(d17_8_row_7, 1, 1, IS(1), EE_1X, IS(1), IS(0), 0, TAKEN, TAKEN);
ROW(d17_8_row_8, 1, 1, IS(1), EE_1X, IS(1), IS(1), 0, TAKEN, MASKED);
ROW(d17_8_row_4, 2, 1, IS(0), ANY_EE, ANY_BIT, ANY_BIT, 1, NONE, NONE);
ROW(d17_8_row_9, 2, 1, EE_NOT_00, EE_0X, ANY_BIT, ANY_BIT, 1, NONE, NONE);
ROW(d17_8_row_10, 2, 1, EE_NOT_00, EE_1X, ANY_BIT, ANY_BIT, 0, TAKEN, MASKED);
ROW(d17_9_row_4, 2, 2, EE_0X, ANY_EE, ANY_BIT, ANY_BIT, 0, NONE, NONE);
ROW(d17_9_row_6, 2, 2, IS(2), ANY_EE, ANY_BIT, ANY_BIT, 0, TAKEN, MASKED);
ROW(d17_9_row_8, 2, 2, IS(3), ANY_EE, IS(0), ANY_BIT, 0, TAKEN, MASKED);
ROW(d17_9_row_11, 2, 2, IS(3), ANY_EE, IS(1), IS(0), 0, TAKEN, TAKEN);
ROW(d17_9_row_12, 2, 2, IS(3), ANY_EE, IS(1), IS(1), 0, TAKEN, MASKED);

FIXTURE_SETUP(table)
{
	ASSERT_LT(0, kernel_level());
	ASSERT_EQ(0, spe_pin(0));
}

FIXTURE_TEARDOWN(table)
{
	EXPECT_EQ(0, spe_write_file(FILES "quiet", "1"));
	EXPECT_EQ(0, spe_read_number(FILES "wrong"));
}

/* The Nth combination of all values of the controls; false if the row excludes it. */
static bool nth_cell(const struct row *r, unsigned int n, struct cell *c)
{
	*c = (struct cell) {
		.sr = r->sr, .ee2 = n & 3, .ee1 = n >> 2 & 3,
		.ke = n >> 4 & 1, .pm = n >> 5 & 1,
	};
	return r->ee2 >> c->ee2 & 1 && r->ee1 >> c->ee1 & 1 && r->ke >> c->ke & 1 &&
	       r->pm >> c->pm & 1;
}

TEST_F(table, is_what_happens)
{
	const struct row *r = &variant->row;
	struct cell c;

	if (r->level != kernel_level())
		SKIP(return, "a row for a kernel at EL%d", r->level);
	if (r->level == 1 && !(r->ee2 & IS(given_ee2())))
		SKIP(return, "a row for another PMSCR_EL2.EE than %u", given_ee2());
	for (unsigned int n = 0; n < 64; n++) {
		if (!nth_cell(r, n, &c))
			continue;
		expect_row(_metadata, r, &c);
		ASSERT_TRUE(_metadata->exit_code == KSFT_PASS)
			TH_LOG("EL2.EE %u EL1.EE %u KE %u PM %u", c.ee2, c.ee1, c.ke, c.pm);
	}
}

FIXTURE(exception) {
	struct cell user, kernel;	/* where each takes the exception */
	pid_t child;
};

FIXTURE_SETUP(exception)
{
	unsigned int sr = kernel_level();

	ASSERT_LT(0, kernel_level());
	if (!given_ee2())
		SKIP(return, "a hypervisor has disabled the exception");
	ASSERT_EQ(0, spe_pin(0));
	self->user = (struct cell){ .sr = sr, .ee2 = sr == 2 ? 3 : 1, .ee1 = 3 };
	self->kernel = self->user;
	self->kernel.ke = 1;
	self->kernel.kernel = true;
	self->child = 0;
}

FIXTURE_TEARDOWN(exception)
{
	spe_write_file(FILES "storm", "0");
	if (self->child > 0)
		spe_a32_stop(self->child);
	EXPECT_EQ(0, spe_write_file(FILES "handler", "1"));
	EXPECT_EQ(0, spe_write_file(FILES "quiet", "1"));
	EXPECT_EQ(0, spe_read_number(FILES "wrong"));
}

/* How often the kernel's log holds the complaint. */
static int complaints(void)
{
	static char log[1 << 20];
	int size = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);
	int n = 0;

	if (size < 0)
		return -1;
	log[size] = '\0';
	for (const char *at = log; (at = strstr(at, COMPLAINT)); at++)
		n++;
	return n;
}

TEST_F(exception, that_nobody_handles_is_disabled_and_the_task_goes_on)
{
	const struct cell *cells[] = { &self->user, &self->kernel };
	int before = complaints();

	ASSERT_LE(0, before);
	ASSERT_EQ(0, spe_write_file(FILES "handler", "0"));
	for (int i = 0; i < 2; i++) {
		struct seen s = drive(_metadata, cells[i]);

		EXPECT_EQ(0, s.kernel + s.user + s.user32);
		EXPECT_EQ(0, spe_read_number(FILES "pmscr") & EE);
		EXPECT_EQ(before + i + 1, complaints());
	}
}

/* Drops what the 32-bit task has written so far and waits for its next byte. */
static ssize_t next_byte(int from)
{
	char bytes[4096];
	int ready = 0;

	while (!ioctl(from, FIONREAD, &ready) && ready)
		if (read(from, bytes, sizeof(bytes)) <= 0)
			return -1;
	return read(from, bytes, 1);
}

TEST_F(exception, is_taken_from_a_32_bit_task_that_goes_on)
{
	int from = -1;

	self->child = spe_a32_start(1, 100000, &from);
	ASSERT_LT(0, self->child);
	while (spe_read_number(FILES "user32") < 10) {
		ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
		ASSERT_EQ(1, next_byte(from));
	}
	ASSERT_EQ(1, next_byte(from));
	close(from);
}

/*
 * If the kernel calls the handler while it is not registered, the handler counts the call in
 * "wrong".
 */
TEST_F(exception, meets_no_handler_that_has_been_unregistered)
{
	long before = spe_read_number(FILES "user");

	self->child = fork();
	ASSERT_LE(0, self->child);
	if (!self->child) {
		spe_pin(1);
		for (;;)
			;
	}
	ASSERT_EQ(0, spe_write_file(FILES "storm", "1"));
	for (int i = 0; i < 200 || spe_read_number(FILES "user") < before + 10; i++) {
		ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
		ASSERT_EQ(0, spe_write_file(FILES "handler", "0"));
		ASSERT_EQ(0, spe_write_file(FILES "handler", "1"));
	}
}

TEST_HARNESS_MAIN
