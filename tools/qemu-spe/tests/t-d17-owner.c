// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table D17-4, cell by cell: the owning translation regime.  Each regime maps
 * the address of the buffer to another page, so the page that was written names
 * the regime.  The test also checks PMBIDR_EL1.P, which tells each level
 * whether it may program the buffer.
 */

#include "levels.h"
#include "d17-4.h"
#include "pmbidr-p.h"

#define UPPER		0xffffff8000000000ul	/* translated through TTBR1 */
#define SECURE_RAM	0x0e100000ul
#define RAM		0x49000000ul
#define UNTOUCHED	0xa5a5a5a5a5a5a5a5ul

enum { E, NSE, NS, EEL2, NSPBE, NSPB, E2PB, E2H };

static enum world world_of(const unsigned int *v)
{
	return v[NSE] ? REALM : v[NS] ? NONSECURE : SECURE;
}

/* The page that a regime maps the buffer to, in memory of that state. */
static uint64_t page_of(enum world world, enum regime regime)
{
	uint64_t base = world == SECURE && !have_rme ? SECURE_RAM : RAM;

	return base + 0x1000 * (2 * world + regime);
}

static void give_pages(enum world world)
{
	static const unsigned int gpi[] = { GPI_NONSECURE, GPI_SECURE,
					    GPI_REALM };

	for (enum regime r = REGIME_EL1; r <= REGIME_EL2; r++) {
		uint64_t page = page_of(world, r);

		for (uint64_t *p = (uint64_t *)page;
		     p < (uint64_t *)(page + 0x1000); p++)
			*(volatile uint64_t *)p = UNTOUCHED;
		*regime_page(r, PAGES) = page | 0x703;
		if (have_rme)
			gpt_set(page, gpi[world]);
	}
}

static bool written(enum world world, enum regime regime)
{
	uint64_t page = page_of(world, regime);

	return *(volatile uint64_t *)page != UNTOUCHED;
}

/*
 * Profiles code at @el into @buffer.  Returns the regimes whose pages the SPU
 * wrote.
 */
static unsigned int landed(const unsigned int *v, int el, uint64_t buffer)
{
	enum world world = world_of(v);
	unsigned int where = 0;

	set_hcr(0);
	clear_pmbsr();
	enter_world(world, v[EEL2], 0);
	set_mdcr3(MDCR3_NSPBE(v[NSPBE]) | MDCR3_NSPB(v[NSPB]));
	set_mdcr2(MDCR_E2PB(v[E2PB]));
	if (have_rme)
		gpt_on();
	give_pages(world);
	regimes_on(true, have_el2, v[E2H]);
	write_reg(PMBPTR_EL1, buffer);
	write_reg(PMBLIMITR_EL1, (buffer + 0x1000) | v[E]);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, VISIT_SAMPLE);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	set_pmscr2(PMSCR_E1SPE);
	set_hcr(v[E2H] ? HCR_E2H : 0);
	visit(el, visit_work, true);
	set_hcr(0);
	write_reg(PMBLIMITR_EL1, 0);
	if (have_rme)
		gpt_off();
	if (!visit_left())
		note("unexpected exception, esr", outcome.esr);
	for (enum regime r = REGIME_EL1; r <= REGIME_EL2; r++)
		where |= written(world, r) << r;
	return where;
}

/*
 * True if the regime is EL2&0, which has an upper half of addresses; EL2 has
 * none.
 */
static bool upper_half(const unsigned int *v, int el)
{
	unsigned int where;

	where = landed(v, el, UPPER + (PAGES & 0x7fffffffful));
	return where == 1u << REGIME_EL2;
}

static const char *regime_name(enum world world, unsigned int regime)
{
	static const char *const name[3][3] = {
		{ "Non-secure EL1&0", "Non-secure EL2", "Non-secure EL2&0" },
		{ "Secure EL1&0", "Secure EL2", "Secure EL2&0" },
		{ "Realm EL1&0", "Realm EL2", "Realm EL2&0" },
	};

	return name[world][regime];
}

static const char *seen_from(const unsigned int *v, int el)
{
	unsigned int where = landed(v, el, PAGES);

	switch (where) {
	case 0:
		if (!v[E])
			return "Disabled";
		/* Row 14 has this text for Realm state too. */
		return v[NS] ? "Disabled in Non-secure state"
			     : "Disabled in Secure state";
	case 1u << REGIME_EL1:
		return regime_name(world_of(v), 0);
	case 1u << REGIME_EL2:
		return regime_name(world_of(v), 1 + upper_half(v, el));
	default:
		return "several";
	}
}

static bool possible(const unsigned int *v, int output)
{
	(void)output;
	/* {NSE,NS} = {1,0} is reserved: Root state is EL3's alone. */
	if (v[NSE] && !v[NS])
		return false;
	/* Row 15: the manual does not say what a reserved encoding does. */
	if (v[NSPBE] && v[NSPB] < 2 && !(v[NSE] && v[E]))
		return false;
	if (!world_possible(world_of(v), world_of(v) == SECURE && v[EEL2]))
		return false;
	if (!have_rme && (v[NSE] || v[NSPBE]))
		return false;
	if (!have_el3 && v[NSPB] != 3)
		return false;
	return have_el2 || !(v[EEL2] || v[E2H] || v[E2PB] == 0);
}

static const char *observe(const unsigned int *v, int output)
{
	const char *el1 = seen_from(v, 1);

	(void)output;
	/* If EL2 is the owner, profiling of EL2 uses the same buffer. */
	if (have_el2 && (v[NS] || v[EEL2]) && v[E2PB] == 0) {
		const char *el2 = seen_from(v, 2);

		if (!same(el1, el2)) {
			say(el2);
			return "differs at EL2";
		}
	}
	return el1;
}

extern char read_pmbidr[];
asm(".section .el0, \"ax\"\n"
    "read_pmbidr: mrs x0, " PMBIDR_EL1 "\n\tsvc #1\n\t.text");

static bool p_possible(const unsigned int *v, int output)
{
	enum world world = output / 2 == 2 ? REALM : output / 2;
	bool el2 = output & 1, eel2 = world == SECURE && v[3];

	if (!world_possible(world, eel2) || (!have_rme && v[0]) ||
	    (!have_el3 && v[1] != 3))
		return false;
	if (!have_el2)
		return !el2 && v[2] && !v[3];
	return !el2 || world != SECURE || v[3];
}

static const char *p_observe(const unsigned int *v, int output)
{
	enum world world = output / 2 == 2 ? REALM : output / 2;

	set_hcr(0);
	enter_world(world, v[3], 0);
	set_mdcr3(MDCR3_NSPBE(v[0]) | MDCR3_NSPB(v[1]));
	set_mdcr2(MDCR_E2PB(v[2]));
	if (read_reg(PMBIDR_EL1) >> 4 & 1 && have_el3)
		return "1 at EL3";
	visit(1 + (output & 1), read_pmbidr, true);
	return outcome.value >> 4 & 1 ? "1" : "0";
}

void test_main(uint64_t el)
{
	const char *variant;

	(void)el;
	levels_init();
	regimes_build();
	variant = levels_variant();
	table_check(&d17_4, variant, possible, observe);
	table_check(&pmbidr_p, variant, p_possible, p_observe);
}
