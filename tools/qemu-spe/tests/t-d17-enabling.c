// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables D17-1 and D17-2, cell by cell: where profiling is enabled, which bit
 * enables it, and whether it is stopped.
 */

#include "levels.h"
#include "d17-1.h"
#include "d17-2.h"

#define LIMIT		(PAGES + 0x10000)

/* A mask has one bit for each of the four enables, in this order. */
static const char *const enables[] = { "E0SPE", "E1SPE", "E0HSPE", "E2SPE" };

/*
 * True if the record is of the visited code.  If the visited level is not
 * profiled, a record may be of the exception that ends the visit.
 */
static bool recorded(void)
{
	struct record r;

	return read_reg(PMBPTR_EL1) != PAGES && spe_decode(PAGES, &r) &&
	       PC(r.pc) >= PC(visit_work) && PC(r.pc) < PC(visit_wait);
}

/* True if a visit of @el with these enables writes a record. */
static bool records(int el, unsigned int mask, uint64_t ee2,
			    uint64_t hcr)
{
	bool got;

	set_hcr(0);
	write_reg(PMBPTR_EL1, PAGES);
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, VISIT_SAMPLE);
	write_reg(PMSCR_EL1, mask & 3);
	set_pmscr2(mask >> 2 | PMSCR_EE(ee2));
	set_hcr(hcr);
	visit(el, visit_work, true);
	set_hcr(0);
	got = recorded();
	write_reg(PMBLIMITR_EL1, 0);
	write_reg(PMSCR_EL1, 0);
	set_pmscr2(0);
	isb();
	if (!visit_left() && !visit_profiling())
		note("unexpected exception, esr", outcome.esr);
	return got;
}

/*
 * Names the bit that enables profiling alone.  Returns D if profiling is
 * disabled with all four bits set.
 */
static const char *enabled_by(int el, uint64_t hcr)
{
	const char *found = NULL;

	if (!records(el, 15, 0, hcr))
		return "D";
	for (unsigned int i = 0; i < 4; i++) {
		bool with = records(el, 1u << i, 0, hcr);
		bool without = records(el, 15 ^ 1u << i, 0, hcr);

		if (with && !without && !found)
			found = enables[i];
		else if (with || !without)
			return "several";
	}
	return found ? found : "none";
}

enum { NSE, NS, NSPBE, NSPB, E2PB, EEL2, TGE };

/* No row has {NSE,NS} = {1,0}, which is reserved. */
static enum world world1(const unsigned int *v)
{
	return v[NSE] ? REALM : v[NS] ? NONSECURE : SECURE;
}

static bool el2_enabled(const unsigned int *v)
{
	return have_el2 && (v[NS] || v[EEL2]);
}

static bool possible1(const unsigned int *v, int output)
{
	int el = 3 - output;

	if (!world_possible(world1(v), world1(v) == SECURE && v[EEL2]))
		return false;
	if (!have_rme && (v[NSE] || v[NSPBE]))
		return false;
	if (!have_el3 && (v[NSPB] != 3 || el == 3))
		return false;
	if ((el == 2 || v[TGE] || v[EEL2] || v[E2PB] == 0) && !have_el2)
		return false;
	if (el == 2 && !el2_enabled(v))
		return false;
	return el != 1 || !v[TGE] || !el2_enabled(v);
}

static const char *observe1(const unsigned int *v, int output)
{
	const char *first = NULL;

	for (unsigned int e2h = 0; e2h <= have_el2; e2h++) {
		const char *got;

		set_hcr(0);
		clear_pmbsr();
		enter_world(world1(v), v[EEL2], 0);
		set_mdcr3(MDCR3_NSPBE(v[NSPBE]) | MDCR3_NSPB(v[NSPB]));
		set_mdcr2(MDCR_E2PB(v[E2PB]));
		got = enabled_by(3 - output, (v[TGE] ? HCR_TGE : 0) |
					     (e2h ? HCR_E2H : 0));
		if (first && !same(got, first)) {
			say("result differs with E2H");
			return "differs";
		}
		first = got;
	}
	return first;
}

/*
 * RWWFKZ: profiling is disabled in every state except the owning one.  Table
 * D17-1 does not cover all of these cases.  Missing are a Non-secure PE with a
 * Secure owner, a Secure or Non-secure PE with a Realm owner, and a Realm PE
 * with another owner.
 */
static const char *const others_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	{ "0", "1", "0", "0X", "XX", "X", "X", "D", "D", "D", "D" },
	{ "0", "X", "1", "1X", "XX", "X", "X", "D", "D", "D", "D" },
	{ "1", "1", "0", "XX", "XX", "X", "X", "D", "D", "D", "D" },
};

static void check_others(const char *variant)
{
	struct table others = d17_1;

	others.name = "RWWFKZ";
	others.row = others_rows;
	others.rows = 3;
	table_check(&others, variant, possible1, observe1);
}

static bool possible2(const unsigned int *v, int output)
{
	(void)output;
	if (!have_spe_exc)
		return false;
	if (!have_el3 && (v[1] != 1 || v[2]))
		return false;
	return have_el2 || (!v[4] && (v[3] == 1 || !v[1]));
}

/* True in the table means "not stopped": see d17-2.h. */
static const char *observe2(const unsigned int *v, int output)
{
	unsigned int running = 0, worlds = 0;
	static const bool eel2[] = { false, true, false };

	(void)output;
	for (enum world w = NONSECURE; w <= REALM; w++) {
		for (unsigned int e2pb = have_el2 ? 0 : 3; e2pb <= 3; e2pb++) {
			if (!world_possible(w, eel2[w]) || e2pb == 1)
				continue;
			set_hcr(0);
			enter_world(w, eel2[w], 0);
			set_mdcr3(owner_bits(w) | MDCR3_PMSEE(v[1]));
			set_mdcr2(MDCR_E2PB(e2pb));
			set_pmbsr(1, v[0] ? PMBSR_S : 0);
			set_pmbsr(2, v[4] ? PMBSR_S : 0);
			set_pmbsr(3, v[2] ? PMBSR_S : 0);
			worlds++;
			/* With KE 0, EL2 does not take the exception. */
			running += records(e2pb ? 1 : 2, 15, v[3], 0);
			clear_pmbsr();
		}
	}
	if (running && running != worlds)
		return "differs";
	return running ? "True" : "False";
}

void test_main(uint64_t el)
{
	const char *variant;

	(void)el;
	levels_init();
	variant = levels_variant();
	table_check(&d17_1, variant, possible1, observe1);
	check_others(variant);
	if (have_spe_exc)
		table_check(&d17_2, variant, possible2, observe2);
}
