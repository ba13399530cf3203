// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables D17-8, D17-9 and D17-10 (RYZJQX, RTSJRP), cell by cell: the state of
 * PMBIRQ, and the level that takes the SPE Profiling exception from each level.
 * The test sets S with a register write.
 */

#include "levels.h"
#include "d17-8.h"
#include "d17-9.h"
#include "d17-10.h"

/* The inputs of a row, and the state that rows do not mention. */
struct setting {
	unsigned int pmsee, ee2, ke2, tge, ee1, ke1, pm;
	int recorded;			/* the PMBSR_ELx whose S is set */
	enum world world;
	bool eel2, e2h;
};

static void apply(const struct setting *s)
{
	bool real_el2 = s->world != SECURE || s->eel2;

	set_hcr(0);
	clear_pmbsr();
	enter_world(s->world, s->eel2, 0);
	set_mdcr3(owner_bits(s->world) | MDCR3_PMSEE(s->pmsee));
	/*
	 * While EL2 is disabled, its registers have no effect.  Set values that
	 * would have one.
	 */
	set_pmscr2(PMSCR_EE(real_el2 ? s->ee2 : 3) |
		   PMSCR_KE(real_el2 ? s->ke2 : 1));
	write_reg(PMSCR_EL1, PMSCR_EE(s->ee1) | PMSCR_KE(s->ke1));
	set_pmbsr(s->recorded, PMBSR_S);
	set_hcr((s->tge || !real_el2 ? HCR_TGE : 0) | (s->e2h ? HCR_E2H : 0));
	isb();
}

static const char *strange(void)
{
	note("unexpected exception, esr", outcome.esr);
	note("taken to", outcome.el);
	note("vector", outcome.vector);
	note("spsr", outcome.spsr);
	return "unexpected exception";
}

/* Returns the level that takes the exception from @el, or "" if none does. */
static const char *from_level(int el, bool pm)
{
	static const char *const name[] = { "EL0", "EL1", "EL2", "EL3" };

	visit(el, visit_wait, pm);
	if (visit_left())
		return "";
	if (!visit_profiling() || (int)(outcome.spsr >> 2 & 3) != el ||
	    (outcome.spsr >> 32 & 1) != pm)
		return strange();
	return name[outcome.el];
}

/*
 * Says why the exception is not taken from @el.  It is masked if the PE still
 * takes it from EL0.  It is masked by PSTATE.PM if the PE takes it from @el
 * with PM 0.
 */
static const char *masked(const struct setting *s, int el)
{
	const char *to;

	to = from_level(0, s->pm);
	if (!*to)
		return "None";
	if (s->pm && *from_level(el, false))
		return "B";
	return "C";
}

static const char *observe_level(const struct setting *s, int el)
{
	const char *to;

	apply(s);
	to = from_level(el, s->pm);
	if (!*to)
		to = el ? masked(s, el) : "None";
	set_hcr(0);
	clear_pmbsr();
	return to;
}

static const char *observe_irq(const struct setting *s)
{
	bool high;

	apply(s);
	high = pmbirq_high();
	set_hcr(0);
	clear_pmbsr();
	return high ? "HIGH" : "LOW";
}

/*
 * The result must be the same in all states that the machine implements, with
 * E2H 0 and 1.
 */
static const char *in_all_worlds(struct setting *s, int output)
{
	static const struct { enum world world; bool eel2; } worlds[] = {
		{ NONSECURE, false }, { SECURE, true }, { REALM, false },
		{ SECURE, false },
	};
	const char *first = NULL;

	for (unsigned int i = 0; i < 8; i++) {
		const char *got;

		s->world = worlds[i / 2].world;
		s->eel2 = worlds[i / 2].eel2;
		s->e2h = i & 1;
		if (!world_possible(s->world, s->eel2) ||
		    (s->e2h && !have_el2))
			continue;
		/*
		 * While EL2 is disabled, the Effective value of EE is 01 and
		 * that of TGE is 0.
		 */
		if (s->world == SECURE && !s->eel2 &&
		    (s->tge || (s->pmsee && s->ee2 != 1) || output == 2))
			continue;
		got = output < 0 ? observe_irq(s) : observe_level(s, output);
		if (first && !same(got, first)) {
			note("result differs in Security state", s->world);
			note("EEL2", s->eel2);
			note("E2H", s->e2h);
			say(got);
			return "differs";
		}
		first = got;
	}
	return first;
}

/* False for Effective values that are impossible without EL3 or EL2. */
static bool effective(unsigned int pmsee, unsigned int ee2, unsigned int tge,
		      int el)
{
	if (!have_el3 && (pmsee != 1 || el == 3))
		return false;
	if (!have_el2 && (tge || el == 2 || (pmsee && ee2 != 1)))
		return false;
	return true;
}

static struct setting setting8(const unsigned int *v)
{
	return (struct setting) { .pmsee = v[0], .ee2 = v[1], .tge = v[2],
				  .ee1 = v[3], .ke1 = v[4], .pm = v[5],
				  .ke2 = v[4], .recorded = 1 };
}

static bool possible8(const unsigned int *v, int output)
{
	/*
	 * Without EL2 there is no FEAT_NV, so EE values 01 and 10 are reserved.
	 */
	if (!have_el2 && (v[3] == 1 || v[3] == 2))
		return false;
	return effective(v[0], v[1], v[2], output - 1);
}

static const char *observe8(const unsigned int *v, int output)
{
	struct setting s = setting8(v);

	return in_all_worlds(&s, output - 1);
}

static struct setting setting9(const unsigned int *v)
{
	return (struct setting) { .pmsee = v[0], .ee2 = v[1], .ke2 = v[2],
				  .tge = v[3], .pm = v[4], .ee1 = 3, .ke1 = 1,
				  .recorded = 2 };
}

static bool possible9(const unsigned int *v, int output)
{
	return have_el2 && effective(v[0], v[1], v[3], output);
}

static const char *observe9(const unsigned int *v, int output)
{
	struct setting s = setting9(v);

	return in_all_worlds(&s, output);
}

static bool possible10(const unsigned int *v, int output)
{
	return have_el3 && effective(v[0], 1, v[1], output);
}

static const char *observe10(const unsigned int *v, int output)
{
	const char *first = NULL;

	/* The controls of the lower levels must have no effect. */
	for (unsigned int i = 0; i < 16; i++) {
		struct setting s = { .pmsee = v[0], .tge = v[1], .pm = i & 1,
				     .ee2 = have_el2 ? i >> 2 : 1, .ke2 = 1,
				     .ee1 = i & 2 ? 3 : 0, .ke1 = 1,
				     .recorded = 3 };
		const char *got = in_all_worlds(&s, output);

		if (first && !same(got, first)) {
			note("result differs with EE, PM", i);
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
	table_check(&d17_8, variant, possible8, observe8);
	if (have_el2)
		table_check(&d17_9, variant, possible9, observe9);
	if (have_el3)
		table_check(&d17_10, variant, possible10, observe10);
}
