// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the registers of FEAT_SPEv1p5 hold after a Warm reset (D24.7, "The reset
 * behavior of this field is"; C5.2.13; D24.3 for MDCR_ELx).  With
 * spe-unknown-seed, fields that reset to an UNKNOWN value hold noise.  All
 * other bits hold what the manual requires.  The test repeatedly powers PE 1
 * off and on with PSCI, and each bit of such a field must occur as 0 and as 1.
 *
 * -append 0x1 says that there is no spe-unknown-seed; UNKNOWN values must then
 * be 0.  At EL3 there is no PSCI, so the test checks PE 0 only, after the reset
 * of the machine.
 */

#include "levels.h"

#define CYCLES		64
#define INTID		21
#define GICR_SGI	0x080b0000ul	/* of PE 0; 128 KiB further for each other PE */

#define PMSICR_BITS	0xff000000fffffffful	/* ECOUNT, COUNT */
#define PMSIRR_BITS	0xffffff01ul		/* INTERVAL, RND */
#define PMSFCR_BITS	0x001f0000001f001ful
#define PMBLIMITR_BITS	0xfffffffffffff0a6ul	/* LIMIT, nVM, PMFZ, FM; E is 0 */
#define PMBSR_BITS	0x00fffffffc0ffffful	/* MSS2, EC, DL, EA, S, COLL, MSS */
#define PMBMAR_BITS	0x3fful			/* SH, Attr */
#define PMSCR_BITS	0x43bul			/* KE, TS, PA, CX, E1SPE, E0SPE */
#define PMSCR_ENVM	(1ul << 11)
#define MDCR2_BITS	(MDCR_TPMS | MDCR_E2PB(3))
#define MDCR3_BITS	(MDCR3_ENPMS4 | MDCR3_ENPMS3 | MDCR3_ENPMSN | MDCR3_NSPB(3))

enum {
	R_PMSCR_EL1, R_PMSICR, R_PMSIRR, R_PMSFCR, R_PMSEVFR, R_PMSNEVFR,
	R_PMSLATFR, R_PMSDSFR, R_PMBLIMITR, R_PMBPTR, R_PMBSR_EL1, R_PMBMAR, R_PM,
	R_PMSCR_EL2, R_PMBSR_EL2, R_MDCR_EL2, R_PMBSR_EL3, R_MDCR_EL3, R_PENDING,
	REGS
};

static const char *const names[REGS] = {
	"PMSCR_EL1", "PMSICR_EL1", "PMSIRR_EL1", "PMSFCR_EL1", "PMSEVFR_EL1",
	"PMSNEVFR_EL1", "PMSLATFR_EL1", "PMSDSFR_EL1", "PMBLIMITR_EL1",
	"PMBPTR_EL1", "PMBSR_EL1", "PMBMAR_EL1", "PSTATE.PM",
	"PMSCR_EL2", "PMBSR_EL2", "MDCR_EL2.{E2PB, TPMS}", "PMBSR_EL3", "MDCR_EL3",
};

static uint64_t level;			/* the highest Exception level */
static uint64_t seen[REGS], ones[REGS], zeros[REGS], noise;
static volatile uint64_t done;

static void look(unsigned int pe)
{
	seen[R_PM] = read_reg(PM);
	seen[R_PMSCR_EL1] = read_reg(PMSCR_EL1);
	seen[R_PMSICR] = read_reg(PMSICR_EL1);
	seen[R_PMSIRR] = read_reg(PMSIRR_EL1);
	seen[R_PMSFCR] = read_reg(PMSFCR_EL1);
	seen[R_PMSEVFR] = read_reg(PMSEVFR_EL1);
	seen[R_PMSNEVFR] = read_reg(PMSNEVFR_EL1);
	seen[R_PMSLATFR] = read_reg(PMSLATFR_EL1);
	seen[R_PMSDSFR] = read_reg(PMSDSFR_EL1);
	seen[R_PMBLIMITR] = read_reg(PMBLIMITR_EL1);
	seen[R_PMBPTR] = read_reg(PMBPTR_EL1);
	seen[R_PMBSR_EL1] = read_reg(PMBSR_EL1);
	seen[R_PMBMAR] = read_reg(PMBMAR_EL1);
	if (level >= 2) {
		seen[R_PMSCR_EL2] = read_reg(PMSCR_EL2);
		seen[R_PMBSR_EL2] = read_reg(PMBSR_EL2);
		seen[R_MDCR_EL2] = read_reg("mdcr_el2") & MDCR2_BITS;
	}
	if (level == 3) {
		seen[R_PMBSR_EL3] = read_reg(PMBSR_EL3);
		seen[R_MDCR_EL3] = read_reg("mdcr_el3") & (MDCR3_BITS | MDCR3_PMSEE(3));
	}
	/* GICR_ISPENDR0 */
	seen[R_PENDING] = *(volatile uint32_t *)(GICR_SGI + 0x20000ul * pe + 0x200) >> INTID & 1;
}

/*
 * PSCI starts the PE here.  It reads its registers and powers itself off again.
 */
void second(void);
void second(void)
{
	look(1);
	done = 1;
}

asm(".text\n.globl second_entry\nsecond_entry:\n\t"
    "mov sp, x0\n\tbl second\n\t"
    "movz x0, #2\n\tmovk x0, #0x8400, lsl #16\n\t"	/* CPU_OFF */
    "mrs x1, CurrentEL\n\tcmp x1, #8\n\tb.eq 1f\n\thvc #0\n1:\tsmc #0");
extern char second_entry[];

static int64_t psci(uint64_t function, uint64_t a, uint64_t b, uint64_t c)
{
	register uint64_t x0 asm("x0") = function;
	register uint64_t x1 asm("x1") = a;
	register uint64_t x2 asm("x2") = b;
	register uint64_t x3 asm("x3") = c;

	if (level == 2)
		asm volatile("smc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
	else
		asm volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

static bool power_cycle(void)
{
	done = 0;
	if (psci(0xc4000003, 1, (uint64_t)second_entry, (uint64_t)stack_top - 32768))
		return false;
	while (!done)
		;
	/* AFFINITY_INFO returns 1 if the PE is off. */
	while (psci(0xc4000004, 1, 0, 0) != 1)
		;
	return true;
}

/* Bits of events that are not implemented are RAZ/WI (D24.7.11). */
static uint64_t implemented_events(void)
{
	uint64_t bits;

	write_reg(PMSEVFR_EL1, ~0ul);
	isb();
	bits = read_reg(PMSEVFR_EL1);
	write_reg(PMSEVFR_EL1, 0);
	return bits;
}

/* The bits of each register that reset to an UNKNOWN value. */
static void unknown_bits(uint64_t *bits)
{
	bool ecv = read_reg("id_aa64mmfr0_el1") >> 60 & 0xf;
	bool nv = read_reg("id_aa64mmfr2_el1") >> 24 & 0xf;
	uint64_t pct = level == 1 ? 0 : ecv ? PMSCR_PCT(3) : PMSCR_PCT(1);

	bits[R_PMSCR_EL1] = PMSCR_BITS | (nv ? PMSCR_ENVM : 0) | pct |
			    (level > 1 ? PMSCR_EE(3) : 0);
	bits[R_PMSICR] = PMSICR_BITS;
	bits[R_PMSIRR] = PMSIRR_BITS;
	bits[R_PMSFCR] = PMSFCR_BITS;
	bits[R_PMSEVFR] = bits[R_PMSNEVFR] = implemented_events();
	bits[R_PMSLATFR] = 0xfff;	/* CountSize is 12 bits */
	bits[R_PMSDSFR] = ~0ul;
	bits[R_PMBLIMITR] = PMBLIMITR_BITS;
	bits[R_PMBPTR] = ~0ul;
	bits[R_PMBSR_EL1] = bits[R_PMBSR_EL2] = bits[R_PMBSR_EL3] = PMBSR_BITS;
	bits[R_PMBMAR] = PMBMAR_BITS;
	bits[R_PM] = SPSR_PM;
	bits[R_PMSCR_EL2] = PMSCR_BITS | PMSCR_ENVM | pct | (level > 2 ? PMSCR_EE(3) : 0);
	bits[R_MDCR_EL2] = MDCR2_BITS;
	bits[R_MDCR_EL3] = MDCR3_BITS;
}

static bool exists(int r)
{
	return r < R_PMSCR_EL2 || (level >= 2 && r < R_PMBSR_EL3) || level == 3;
}

/*
 * Runs one case: all bits that do not reset to an UNKNOWN value, RES0 bits
 * included, have the value that the manual requires.
 */
static void check_fixed(const uint64_t *unknown)
{
	for (int r = 0; r < R_PENDING; r++) {
		/* Without EL2, PCT reads as 01 (D24.7.8). */
		uint64_t fixed = r == R_PMSCR_EL1 && level == 1 ? PMSCR_PCT(1) : 0;

		if (exists(r) && (seen[r] & ~unknown[r]) != fixed) {
			note(names[r], seen[r]);
			ok(false, "what resets to a known value has it");
			return;
		}
	}
	ok(true, "what resets to a known value has it");
}

static void check_noise(const uint64_t *unknown)
{
	for (int r = 0; r < R_PENDING; r++) {
		if (!exists(r))
			continue;
		if ((ones[r] & unknown[r]) != unknown[r] || (zeros[r] & unknown[r]) != unknown[r]) {
			note("bits that were never 1", unknown[r] & ~ones[r]);
			note("bits that were never 0", unknown[r] & ~zeros[r]);
			ok(false, names[r]);
		} else {
			ok(true, names[r]);
		}
	}
}

/* D17.8, RTSJRP: EE is not enabled, so PMBSR_EL1.S drives PMBIRQ. */
static bool irq_follows(void)
{
	return seen[R_PENDING] == !!(seen[R_PMBSR_EL1] & PMBSR_S);
}

static void power_cycles(const uint64_t *unknown, bool expect_zero)
{
	bool irq = true, on = true;
	uint64_t any = 0;

	for (int i = 0; i < CYCLES && on; i++) {
		on = power_cycle();
		irq &= irq_follows();
		for (int r = 0; r < R_PENDING; r++) {
			ones[r] |= seen[r];
			zeros[r] |= ~seen[r];
			any |= seen[r] & unknown[r];
			noise = (noise << 7 | noise >> 57) ^ seen[r];
		}
	}
	ok(on, "PE 1 goes off and on again");
	ok(irq, "PMBIRQ is what PMBSR_EL1.S says, at each power-up");
	for (int r = 0; r < R_PENDING; r++)
		seen[r] = exists(r) ? ones[r] : 0;
	check_fixed(unknown);
	if (expect_zero)
		ok_eq(any, 0, "without a seed what is UNKNOWN is 0");
	else
		check_noise(unknown);
}

void test_main(uint64_t el)
{
	uint64_t unknown[REGS] = { 0 };
	bool expect_zero = machine_argument() == 1;

	level = el;
	look(0);
	unknown_bits(unknown);
	check_fixed(unknown);
	ok(irq_follows(), "PMBIRQ is what PMBSR_EL1.S says, at reset");
	ok(expect_zero == !(seen[R_PMBPTR] | seen[R_PMSDSFR] | seen[R_PMSICR]),
	   "what is UNKNOWN is noise, or 0 without a seed");
	for (int r = 0; r < R_PENDING; r++)
		noise = (noise << 7 | noise >> 57) ^ seen[r];
	if (level < 3)
		power_cycles(unknown, expect_zero);
	note("noise", noise);
}
