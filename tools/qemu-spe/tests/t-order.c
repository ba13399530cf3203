// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes of the Profiling Buffer's registers that a PE might ignore (R24557 of
 * the known issues in the Arm ARM).  With the property spe-ignore-writes the
 * model ignores them, and -append ends in 0x1.  The last line says how many
 * writes the model must have reported.  Runs at EL1.
 */

#include "test.h"

#define LIMIT	(BUFFER + 0x10000)
#define ELSE	(BUFFER + 0x1000)
#define FM_DISCARD (2ul << 1)

static bool on;
static unsigned int ignored, unordered, illegal;

/* A direct write that the model ignores, or carries out without the property. */
#define may_ignore(reg, value, name) ({					\
	uint64_t old_ = read_reg(reg);					\
	write_reg(reg, value);						\
	ignored++;							\
	ok_eq(read_reg(reg), on ? old_ : (uint64_t)(value), name);	\
})

/* A direct write that takes effect at any rate */
#define must_write(reg, value, name) ({					\
	write_reg(reg, value);						\
	ok_eq(read_reg(reg), value, name);				\
})

static void disable(void)
{
	write_reg(PMBLIMITR_EL1, 0);
	isb();
}

/* The buffer is disabled, and then enabled with @pmbsr, in the right order. */
static void enable(uint64_t pointer, uint64_t pmbsr, uint64_t limit)
{
	disable();
	write_reg(PMBPTR_EL1, pointer);
	write_reg(PMBSR_EL1, pmbsr);
	isb();
	write_reg(PMBLIMITR_EL1, limit);
	isb();
}

static void live(void)
{
	enable(BUFFER, 0, LIMIT | 1);
}

static void while_live(void)
{
	live();
	may_ignore(PMBPTR_EL1, ELSE, "live: PMBPTR_EL1");
	live();
	may_ignore(PMBSR_EL1, PMBSR_S, "live: PMBSR_EL1");
	live();
	may_ignore(PMBLIMITR_EL1, (LIMIT + 0x1000) | 1,
		   "live: PMBLIMITR_EL1 with E");
	live();
	may_ignore(PMBLIMITR_EL1, LIMIT | FM_DISCARD | 1,
		   "live: PMBLIMITR_EL1 with E and Discard mode");
	live();
	must_write(PMBLIMITR_EL1, LIMIT, "live: PMBLIMITR_EL1 without E");
	isb();
	must_write(PMBPTR_EL1, ELSE, "disabled, ISB: PMBPTR_EL1");
	must_write(PMBSR_EL1, PMBSR_S, "disabled, ISB: PMBSR_EL1");
	must_write(PMBLIMITR_EL1, 0, "disabled, ISB: PMBLIMITR_EL1");
	live();
	must_write(PMSCR_EL1, PMSCR_TS | PMSCR_PCT(1), "live: PMSCR_EL1");
	must_write(PMSICR_EL1, 99, "live: PMSICR_EL1");
}

static void not_synchronized(void)
{
	live();
	write_reg(PMBLIMITR_EL1, 0);
	may_ignore(PMBSR_EL1, PMBSR_S, "E cleared, no ISB: PMBSR_EL1");
	live();
	write_reg(PMBLIMITR_EL1, 0);
	may_ignore(PMBPTR_EL1, ELSE, "E cleared, no ISB: PMBPTR_EL1");
	asm volatile("dsb sy");
	may_ignore(PMBPTR_EL1, ELSE, "E cleared, DSB: PMBPTR_EL1");
	must_write(PMBLIMITR_EL1, LIMIT, "E cleared, no ISB: PMBLIMITR_EL1");
	expect_trap(asm volatile("svc #0"));
	must_write(PMBPTR_EL1, ELSE, "E cleared, exception: PMBPTR_EL1");
	live();
	write_reg(PMBLIMITR_EL1, 0);
	asm volatile("isb #15");
	must_write(PMBPTR_EL1, ELSE, "E cleared, ISB #15: PMBPTR_EL1");
}

static void not_live(void)
{
	enable(BUFFER, 0, LIMIT | FM_DISCARD | 1);
	must_write(PMBPTR_EL1, ELSE, "Discard mode: PMBPTR_EL1");
	must_write(PMBSR_EL1, PMBSR_S, "Discard mode: PMBSR_EL1");
	must_write(PMBSR_EL1, 0, "Discard mode: PMBSR_EL1 again");
	must_write(PMBLIMITR_EL1, (LIMIT + 0x1000) | FM_DISCARD | 1,
		   "Discard mode: PMBLIMITR_EL1");
	enable(BUFFER, PMBSR_S, LIMIT | 1);
	must_write(PMBPTR_EL1, ELSE, "stopped: PMBPTR_EL1");
	must_write(PMBLIMITR_EL1, (LIMIT + 0x1000) | 1,
		   "stopped: PMBLIMITR_EL1");
	must_write(PMBSR_EL1, PMBSR_S | 1, "stopped: PMBSR_EL1 with S");
	isb();
	must_write(PMBSR_EL1, 0, "stopped, ISB: PMBSR_EL1 without S");
	may_ignore(PMBPTR_EL1, BUFFER, "stopped no longer: PMBPTR_EL1");
}

/* These writes take effect, and are reported. */
static void wrong_order(void)
{
	disable();
	write_reg(PMBPTR_EL1, ELSE);
	must_write(PMBLIMITR_EL1, LIMIT | 1, "PMBPTR_EL1, no ISB, E set");
	unordered++;
	disable();
	write_reg(PMBSR_EL1, 0);
	must_write(PMBLIMITR_EL1, LIMIT | 1, "PMBSR_EL1, no ISB, E set");
	unordered++;
	enable(BUFFER, PMBSR_S, LIMIT | 1);
	write_reg(PMBPTR_EL1, ELSE);
	must_write(PMBSR_EL1, 0, "stopped: PMBPTR_EL1, no ISB, S cleared");
	unordered++;
	enable(BUFFER, PMBSR_S, LIMIT | 1);
	write_reg(PMBLIMITR_EL1, 0);
	must_write(PMBSR_EL1, 0, "stopped: E cleared, no ISB, S cleared");
	unordered++;
	enable(BUFFER, PMBSR_S, LIMIT | 1);
	disable();
	must_write(PMBSR_EL1, 0, "stopped: E cleared, ISB, S cleared");
}

/* PMSIDR_EL1.MaxSize is 64 bytes. */
static void pointers(void)
{
	enable(LIMIT - 64, 0, LIMIT | 1);
	ok(true, "pointer at the last record");
	enable(LIMIT, 0, LIMIT | 1);
	ok_eq(read_reg(PMBPTR_EL1), LIMIT, "pointer at the limit");
	illegal++;
	enable(LIMIT - 63, 0, LIMIT | 1);
	ok_eq(read_reg(PMBLIMITR_EL1), LIMIT | 1, "pointer too near the limit");
	illegal++;
	enable(BUFFER | 1ul << 56, 0, LIMIT | 1);
	ok(true, "pointer with another top byte");
	illegal++;
	enable(LIMIT, 0, LIMIT | FM_DISCARD | 1);
	ok(true, "pointer at the limit in Discard mode");
	enable(LIMIT, PMBSR_S, LIMIT | 1);
	write_reg(PMBSR_EL1, 0);
	ok(true, "pointer at the limit, S cleared");
	illegal++;
	disable();
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	on = machine_argument() == 1;
	/* All of it resets to UNKNOWN values, except E. */
	write_reg(PMSCR_EL1, 0);
	isb();
	while_live();
	not_synchronized();
	not_live();
	wrong_order();
	pointers();
	note("ignored", on ? ignored : 0);
	note("unordered", on ? unordered : 0);
	note("illegal", on ? illegal : 0);
}
