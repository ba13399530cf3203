// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table D17-3, cell by cell: which timestamp a record holds.  The offsets are
 * so large that the timestamp shows which of them was subtracted.
 */

#include "levels.h"
#include "d17-3.h"

#define CNTVOFF		(1ul << 40)
#define CNTPOFF		(1ul << 44)
#define CNTHCTL_ECV	(1ul << 12)
#define CNTPOFF_EL2	"S3_4_C14_C0_6"

enum { EL2_ENABLED, OWNER_EL2, PCT2, TS2, PCT1, TS1 };

static const char none[] = "None", physical[] = "PhysicalCountInt()",
	minus_virtual[] = "PhysicalCountInt() - virtual offset",
	minus_physical[] = "PhysicalCountInt() - physical offset";

static const char *which(uint64_t now)
{
	struct record r;

	if (read_reg(PMBPTR_EL1) != PAGES + 64 || !spe_decode(PAGES, &r))
		return "no record";
	if (!r.timestamp_valid)
		return none;
	if (now - r.timestamp < 1ul << 38)
		return physical;
	if (now - r.timestamp - CNTVOFF < 1ul << 38)
		return minus_virtual;
	if (now - r.timestamp - CNTPOFF < 1ul << 38)
		return minus_physical;
	note("timestamp", r.timestamp);
	return "unknown time";
}

static const char *sampled(const unsigned int *v, enum world world, int el,
			   uint64_t hcr)
{
	const char *got;

	set_hcr(0);
	clear_pmbsr();
	set_mdcr3(owner_bits(world));
	set_mdcr2(MDCR_E2PB(v[OWNER_EL2] ? 0 : 3));
	write_reg(PMBPTR_EL1, PAGES);
	write_reg(PMBLIMITR_EL1, (PAGES + 0x10000) | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, VISIT_SAMPLE);
	write_reg(PMSCR_EL1, 3 | (v[TS1] ? PMSCR_TS : 0) | PMSCR_PCT(v[PCT1]));
	set_pmscr2(3 | (v[TS2] ? PMSCR_TS : 0) | PMSCR_PCT(v[PCT2]));
	set_hcr(hcr);
	visit(el, visit_work, true);
	set_hcr(0);
	got = which(read_reg("cntpct_el0"));
	write_reg(PMBLIMITR_EL1, 0);
	return got;
}

/*
 * With E2H 1, there is no virtual offset at EL2 and its EL0: see the text
 * before the table.
 */
static bool host_agrees(const unsigned int *v, enum world world,
			const char *guest)
{
	const char *want = same(guest, minus_virtual) ? physical : guest;

	return same(sampled(v, world, 2, 0), guest) &&
	       same(sampled(v, world, 2, HCR_E2H), want) &&
	       same(sampled(v, world, 0, HCR_TGE), guest) &&
	       same(sampled(v, world, 0, HCR_E2H | HCR_TGE), want);
}

/* Without CNTHCTL_EL2.ECV or SCR_EL3.ECVEn, there is no physical offset. */
static bool offset_agrees(const unsigned int *v, enum world world, bool eel2)
{
	bool agrees;

	write_reg("cnthctl_el2", 3);
	agrees = same(sampled(v, world, 1, 0), physical);
	write_reg("cnthctl_el2", 3 | CNTHCTL_ECV);
	if (have_el3) {
		enter_world(world, eel2, 0);
		write_reg("scr_el3", read_reg("scr_el3") & ~SCR_ECVEN);
		agrees &= same(sampled(v, world, 1, 0), physical);
		enter_world(world, eel2, 0);
	}
	return agrees;
}

static const char *in_world(const unsigned int *v, enum world world, bool eel2)
{
	const char *guest;

	enter_world(world, eel2, 0);
	guest = sampled(v, world, 1, 0);
	if (!same(sampled(v, world, 0, 0), guest))
		return "differs at EL0";
	if (have_el2 && !same(sampled(v, world, 1, HCR_E2H), guest))
		return "differs with E2H";
	if (v[OWNER_EL2] && !host_agrees(v, world, guest))
		return "differs at EL2 or its EL0";
	if (same(guest, minus_physical) && !offset_agrees(v, world, eel2))
		return "physical offset though not enabled";
	return guest;
}

static bool possible(const unsigned int *v, int output)
{
	(void)output;
	if (v[EL2_ENABLED])
		return have_el2;
	/* EL2 can be disabled in Secure state, or not implemented. */
	if (v[OWNER_EL2] || !(have_el3 || !have_el2))
		return false;
	/* Without EL2, PMSCR_EL1.PCT reads as 01 and ignores writes. */
	return have_el2 || v[PCT1] == 1;
}

static const char *observe(const unsigned int *v, int output)
{
	const char *first = NULL;

	(void)output;
	for (enum world w = NONSECURE; w <= REALM; w++) {
		bool eel2 = w == SECURE && v[EL2_ENABLED];
		const char *got;

		if (!world_possible(w, eel2) ||
		    (!v[EL2_ENABLED] && have_el2 && w != SECURE))
			continue;
		got = in_world(v, w, eel2);
		if (first && !same(got, first)) {
			note("result differs in Security state", w);
			say(got);
			return "differs";
		}
		first = got;
	}
	return first;
}

void test_main(uint64_t el)
{
	const char *variant;

	(void)el;
	levels_init();
	variant = levels_variant();
	if (have_el2) {
		write_reg("cntvoff_el2", CNTVOFF);
		write_reg(CNTPOFF_EL2, CNTPOFF);
		write_reg("cnthctl_el2", 3 | CNTHCTL_ECV);
	}
	table_check(&d17_3, variant, possible, observe);
}
