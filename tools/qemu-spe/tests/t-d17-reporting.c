// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables D17-5, D17-6 and D17-7 (RHJXHT), cell by cell: which PMBSR_ELx records
 * a management event.  The test provokes faults with the tables of the owning
 * regime, and other events with the position of the pointer.  The model injects
 * the events that the test cannot provoke, such as a stage 2 fault if the owner
 * has no stage 2.  It also injects each kind that the test can provoke.
 */

#include "levels.h"
#include "d17-5.h"
#include "d17-6.h"
#include "d17-7.h"

#define NOWHERE		0x60000000ul	/* neither RAM nor a device */
#define TABLE		3ul
#define LIMIT		(PAGES + 0x2000)
#define RECORD		64
#define AF		(1ul << 10)
#define S1_READ_ONLY	(1ul << 7)
#define S2_WRITABLE	(1ul << 7)

enum { EC_OTHER = 0, EC_GPC = 0x1e, EC_IMP_DEF = 0x1f, EC_STAGE1 = 0x24,
       EC_STAGE2 = 0x25, EC_COLLISION = 0x100 /* COLL alone, without an event */ };
enum { BSC_NOT_ALLOWED = 0, BSC_FULL = 1 };

struct setting {
	unsigned int pmsee, ee2, e2pb;
	uint64_t scr, hcr;
	enum world world;
	bool eel2, e2h;
};

/* One way to cause an event of a column. */
struct event {
	const char *name;
	unsigned int ec;
	unsigned int code;		/* FSC or BSC; ~0: any value */
	void (*provoke)(enum regime owner);
	bool stage1_only;		/* needs HCR_EL2.VM 0 */
	uint64_t inject;		/* value for SPEINJ_EL1; 0: not injected */
};

/*
 * Injects at the first write of a record.  Documentation/qemu-model.rst lists
 * the numbers.
 */
#define INJECT(kind, fsc)	((kind) << 12 | (uint64_t)(fsc) << 16 | 1)
#define STAGE1(fsc) \
	{ "stage1", EC_STAGE1, fsc, NULL, false, INJECT(2, fsc) }
#define STAGE2(fsc) \
	{ "stage2", EC_STAGE2, fsc, NULL, false, INJECT(3, fsc) }

static void invalid_page(enum regime r)
{
	*regime_page(r, PAGES) = 0;
}

static void read_only(enum regime r)
{
	*regime_page(r, PAGES) |= S1_READ_ONLY;
}

static void no_access_flag(enum regime r)
{
	*regime_page(r, PAGES) &= ~AF;
}

static void too_large_address(enum regime r)
{
	*regime_page(r, PAGES) |= 1ul << 44;
}

static void stage2_invalid(enum regime r)
{
	(void)r;
	*regime_page(REGIME_STAGE2, PAGES) = 0;
}

static void stage2_read_only(enum regime r)
{
	(void)r;
	*regime_page(REGIME_STAGE2, PAGES) &= ~S2_WRITABLE;
}

static void stage2_no_access_flag(enum regime r)
{
	(void)r;
	no_access_flag(REGIME_STAGE2);
}

static void stage1_table_nowhere(enum regime r)
{
	*regime_table(r) = NOWHERE | TABLE;
}

static void stage2_table_nowhere(enum regime r)
{
	(void)r;
	*regime_table(REGIME_STAGE2) = NOWHERE | TABLE;
}

static void granule_gone(enum regime r)
{
	(void)r;
	gpt_set(PAGES, GPI_NONE);
}

/* Moves the table to a granule of its own, and takes that granule away. */
static void table_granule_gone(enum regime r)
{
	*regime_table(r) = (PAGES + 0x10000) | TABLE;
	gpt_set(PAGES + 0x10000, GPI_NONE);
}

static void stage2_table_granule_gone(enum regime r)
{
	(void)r;
	table_granule_gone(REGIME_STAGE2);
}

static void no_granule_table(enum regime r)
{
	*regime_page(r, PAGES) = NO_GPT | 0x703;
}

#define ANY (~0u)

static const struct event stage1_other[] = {
	{ "translation fault", EC_STAGE1, 0x07, invalid_page, false, 0 },
	{ "permission fault", EC_STAGE1, 0x0f, read_only, false, 0 },
	{ "access flag fault", EC_STAGE1, 0x0b, no_access_flag, false, 0 },
	{ "address size fault", EC_STAGE1, 0x03, too_large_address, false, 0 },
	STAGE1(0x00), STAGE1(0x04), STAGE1(0x09), STAGE1(0x0d), STAGE1(0x21),
	STAGE1(0x2b), STAGE1(0x30), STAGE1(0x31),
	{ .name = NULL },
};
static const struct event stage2_other[] = {
	{ "stage 2 translation fault", EC_STAGE2, 0x07, stage2_invalid, false, 0 },
	{ "stage 2 permission fault", EC_STAGE2, 0x0f, stage2_read_only, false, 0 },
	{ "stage 2 access flag fault", EC_STAGE2, 0x0b, stage2_no_access_flag, false, 0 },
	STAGE2(0x00), STAGE2(0x04), STAGE2(0x09), STAGE2(0x0d), STAGE2(0x21),
	STAGE2(0x2b), STAGE2(0x30), STAGE2(0x31),
	{ .name = NULL },
};
static const struct event other[] = {
	{ "buffer full", EC_OTHER, BSC_FULL, NULL, false, 0 },
	{ "access not allowed", EC_OTHER, BSC_NOT_ALLOWED, NULL, false, 0 },
	{ "full", EC_OTHER, 1, NULL, false, INJECT(1, 0) },
	{ "not-allowed", EC_OTHER, 0, NULL, false, INJECT(7, 0) },
	{ "too-large", EC_OTHER, 4, NULL, false, INJECT(8, 0) },
	{ "imp-def", EC_IMP_DEF, ANY, NULL, false, INJECT(9, 0) },
	{ "collision", EC_COLLISION, ANY, NULL, false, INJECT(10, 0) },
	{ .name = NULL },
};
static const struct event stage1_external[] = {
	{ "External abort on walk", EC_STAGE1, 0x17, stage1_table_nowhere, false, 0 },
	STAGE1(0x10), STAGE1(0x12), STAGE1(0x13), STAGE1(0x14), STAGE1(0x17),
	STAGE1(0x1b),
	{ "external", EC_STAGE1, 0x10, NULL, false, INJECT(5, 0) },
	{ .name = NULL },
};
static const struct event stage2_external[] = {
	{ "External abort on stage 2 walk", EC_STAGE2, 0x17,
	  stage2_table_nowhere, false, 0 },
	STAGE2(0x10), STAGE2(0x12), STAGE2(0x13), STAGE2(0x14), STAGE2(0x17),
	STAGE2(0x1b),
	{ .name = NULL },
};
static const struct event stage1_gpf[] = {
	{ "GPF", EC_STAGE1, 0x28, granule_gone, false, 0 },
	/*
	 * QEMU reports each fault of a stage 1 walk that goes through stage 2
	 * as a stage 2 fault.  This event therefore runs without stage 2.
	 */
	{ "GPF on walk", EC_STAGE1, 0x27, table_granule_gone, true, 0 },
	STAGE1(0x22), STAGE1(0x23), STAGE1(0x24), STAGE1(0x27), STAGE1(0x28),
	{ .name = NULL },
};
static const struct event stage2_gpf[] = {
	{ "GPF on stage 2 walk", EC_STAGE2, 0x27, stage2_table_granule_gone, false, 0 },
	STAGE2(0x22), STAGE2(0x23), STAGE2(0x24), STAGE2(0x27), STAGE2(0x28),
	{ .name = NULL },
};
static const struct event gpc[] = {
	{ "GPT walk fault", EC_GPC, ANY, no_granule_table, false, 0 },
	{ "gpc", EC_GPC, ANY, NULL, false, INJECT(4, 0) },
	{ .name = NULL },
};

static bool el2_enabled(const struct setting *s)
{
	return have_el2 && (s->world != SECURE || s->eel2);
}

static void provoke(const struct setting *s, const struct event *e)
{
	bool owner_el2 = el2_enabled(s) && s->e2pb == 0;
	enum regime owner = owner_el2 ? REGIME_EL2 : REGIME_EL1;

	regimes_build();
	if (have_rme)
		gpt_on();
	if (e->provoke)
		e->provoke(owner);
	regimes_on(true, have_el2, s->e2h);
}

/* There is space for one record, for none, or for many. */
static uint64_t pointer(const struct event *e)
{
	if (e->inject || e->ec != EC_OTHER)
		return PAGES;
	return e->code == BSC_FULL ? LIMIT - RECORD : LIMIT;
}

static void profile(const struct setting *s, const struct event *e)
{
	set_hcr(0);
	clear_pmbsr();
	enter_world(s->world, s->eel2, s->scr);
	set_mdcr3(owner_bits(s->world) | MDCR3_PMSEE(s->pmsee));
	set_mdcr2(MDCR_E2PB(s->e2pb));
	provoke(s, e);
	write_reg(PMBPTR_EL1, pointer(e));
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, VISIT_SAMPLE);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	set_pmscr2(PMSCR_EE(s->ee2));
	if (have_injection)
		write_reg(SPEINJ_EL1, 0);	/* discard events of an earlier visit */
	if (e->inject)
		write_reg(SPEINJ_EL1, e->inject);
	set_hcr(s->hcr | (e->stage1_only ? 0 : HCR_VM) | (s->e2h ? HCR_E2H : 0));
	visit(1, visit_work, true);
	set_hcr(0);
	write_reg(PMBLIMITR_EL1, 0);
	write_reg(PMSCR_EL1, 0);
	if (have_rme)
		gpt_off();
	/* The SPE Profiling exception may have ended the visit. */
	if (!visit_left() && !visit_profiling())
		note("unexpected exception, esr", outcome.esr);
}

/* Names the one register that changed, and checks its syndrome. */
static const char *recorded(const struct event *e)
{
	static const char *const name[] = { "", "EL1", "EL2", "EL3" };
	const char *found = "no event";

	for (int el = 1; el <= 3; el++) {
		uint64_t sr = get_pmbsr(el);

		if (!sr)
			continue;
		if (!same(found, "no event"))
			return "two registers";
		found = name[el];
		if (e->ec == EC_COLLISION && sr == PMBSR_COLL)
			continue;
		if (!(sr & PMBSR_S) || PMBSR_EC(sr) != e->ec ||
		    (e->code != ANY && (PMBSR_MSS(sr) & 0x3f) != e->code)) {
			note("PMBSR", sr);
			return "wrong syndrome";
		}
	}
	return found;
}

/* If EL2 is the owner, the regime has no stage 2. */
static bool really_possible(const struct setting *s, const struct event *e)
{
	return e->ec != EC_STAGE2 || (el2_enabled(s) && s->e2pb);
}

/*
 * Causes all of @events in Non-secure state with E2H 0.  The other states and
 * E2H do not affect the kinds of events, so there the test causes only the
 * first event that is possible.
 */
static const char *one_world(const struct setting *s,
			     const struct event *events)
{
	const char *first = NULL;

	for (; events->name; events++) {
		const char *got;

		if (events->inject ? !have_injection : !really_possible(s, events))
			continue;
		profile(s, events);
		got = recorded(events);
		clear_pmbsr();
		if (first && !same(got, first)) {
			say(events->name);
			say(got);
			return "differs";
		}
		first = got;
		if (s->world != NONSECURE || s->e2h)
			break;
	}
	return first;
}

/*
 * While EL2 is disabled, its controls have no effect.  Set values that would
 * select PMBSR_EL2 and make EL2 the owner.
 */
static void disable_el2(struct setting *s)
{
	s->ee2 = 3;
	s->e2pb = 0;
	s->hcr = HCR_TEA | HCR_GPF;
}

static bool without_el2_same(const struct setting *s, bool stage2)
{
	return !stage2 && s->e2pb && !s->hcr && (!s->pmsee || s->ee2 == 1);
}

static const char *all_worlds(const struct setting *wanted, bool stage2,
			      const struct event *events)
{
	const char *first = NULL;

	for (int i = 0; i < 8; i++) {
		struct setting s = *wanted;
		const char *got;

		s.world = i / 2 == 3 ? SECURE : i / 2;
		s.eel2 = i / 2 == 1;
		s.e2h = i & 1;
		if (!world_possible(s.world, s.eel2) || (s.e2h && !have_el2))
			continue;
		if (!el2_enabled(&s)) {
			if (!without_el2_same(&s, stage2))
				continue;
			disable_el2(&s);
		}
		got = one_world(&s, events);
		if (!got)
			continue;
		if (first && !same(got, first)) {
			note("result differs in Security state", s.world);
			note("EEL2", s.eel2);
			note("E2H", s.e2h);
			say(got);
			return "differs";
		}
		first = got;
	}
	return first;
}

static bool effective(const struct setting *s, bool stage2)
{
	if (!have_el3 && (s->pmsee != 1 || s->scr))
		return false;
	if (!have_el2)
		return without_el2_same(s, stage2);
	return !stage2 || s->e2pb || have_injection;
}

static struct setting setting5(const unsigned int *v)
{
	return (struct setting) { .pmsee = v[0], .scr = v[1] ? SCR_GPF : 0,
				  .ee2 = v[2], .e2pb = v[3],
				  .hcr = v[4] ? HCR_GPF : 0 };
}

static bool possible5(const unsigned int *v, int output)
{
	struct setting s = setting5(v);

	return have_rme && effective(&s, output == 1);
}

static const char *observe5(const unsigned int *v, int output)
{
	static const struct event *const events[] = {
		stage1_gpf, stage2_gpf, gpc,
	};
	struct setting s = setting5(v);

	return all_worlds(&s, output == 1, events[output]);
}

static struct setting setting6(const unsigned int *v)
{
	return (struct setting) { .pmsee = v[0], .scr = v[1] ? SCR_EA : 0,
				  .ee2 = v[2], .e2pb = v[3],
				  .hcr = v[4] ? HCR_TEA : 0 };
}

static bool possible6(const unsigned int *v, int output)
{
	struct setting s = setting6(v);

	return effective(&s, output == 1);
}

static const char *observe6(const unsigned int *v, int output)
{
	struct setting s = setting6(v);

	return all_worlds(&s, output == 1,
			  output ? stage2_external : stage1_external);
}

static struct setting setting7(const unsigned int *v)
{
	return (struct setting) { .pmsee = v[0], .ee2 = v[1], .e2pb = v[2] };
}

static bool possible7(const unsigned int *v, int output)
{
	struct setting s = setting7(v);

	return effective(&s, output == 1);
}

static const char *observe7(const unsigned int *v, int output)
{
	static const struct event *const events[] = {
		stage1_other, stage2_other, other,
	};
	struct setting s = setting7(v);

	return all_worlds(&s, output == 1, events[output]);
}

void test_main(uint64_t el)
{
	const char *variant;

	(void)el;
	levels_init();
	variant = levels_variant();
	table_check(&d17_5, variant, possible5, observe5);
	table_check(&d17_6, variant, possible6, observe6);
	table_check(&d17_7, variant, possible7, observe7);
}
