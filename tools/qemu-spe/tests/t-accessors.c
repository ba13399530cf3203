// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses every register from every level and Security state, with each trap
 * control set.  In Non-secure state the test also sets every two controls
 * together.  A table holds the checks of D24.7 in their order.
 */

#include "levels.h"
#include "table.h"
#include "accessors.h"

/*
 * Two stubs for each register.  x0 is the value that was read, or the value to
 * write.  With HCR_EL2.NV, EL1 must return to EL2 with HVC; the vectors of EL1
 * contain HVC as well.
 */
#define STUBS(name, encoding, ...)					\
extern char read_##name[], write_##name[];				\
extern char read_##name##_nv[], write_##name##_nv[];			\
asm(".section .el0, \"ax\"\n"						\
    ".globl read_" #name ", write_" #name "\n"				\
    ".globl read_" #name "_nv, write_" #name "_nv\n"			\
    "read_" #name ": mrs x0, " encoding "\n\tsvc #1\n"			\
    "write_" #name ": msr " encoding ", x0\n\tsvc #1\n"		\
    "read_" #name "_nv: mrs x0, " encoding "\n\thvc #1\n"		\
    "write_" #name "_nv: msr " encoding ", x0\n\thvc #1\n\t.text");
ACCESSORS(STUBS)

extern char nv_vectors[];
asm(".section .el0, \"ax\"\n\t.balign 2048\n"
    "nv_vectors:\n\t.rept 16\n\t.balign 128\n\thvc #2\n\t.endr\n\t.text");

/* The memory that FEAT_NV2 accesses instead of registers */
#define VNCR_PAGE	0x4b000000ul
#define VNCR_EL2	"S3_4_C2_C2_0"
#define MEMORY_MARK	0x6d656d6f72790000ul
#define EC_HVC		0x16

#define ROW(name, encoding, feature, fgt, ...)				\
	{ #name, encoding, feature, fgt, __VA_ARGS__ },
static const struct accessor rows[] = { ACCESSORS(ROW) };

#define STUB(name, ...) { read_##name, write_##name, \
			  read_##name##_nv, write_##name##_nv },
static const char *const stubs[][4] = { ACCESSORS(STUB) };

#define ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

/* The controls that are set.  If all are zero, nothing traps. */
struct setting {
	enum world world;
	bool eel2;
	bool fgt, no_fgten, fgt2, no_fgten2, tpms, no_enpmsn, no_enpms3,
	     no_enpms4, no_pmsee, e2h, tge, ee2, ee1;
	unsigned int nv;	/* HCR_EL2.{NV2,NV1,NV} */
	int e2pb;		/* 0: E2PB is 11; 1: 10; 2: 00 */
	int nspb;		/* 0: the owner's; else an index of encodings[] + 1 */
};

static const struct { uint8_t nspbe, nspb; } encodings[] = {
	{ 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 },
};

static uint64_t nspb_bits(const struct setting *s)
{
	if (!s->nspb)
		return owner_bits(s->world);
	return MDCR3_NSPBE(encodings[s->nspb - 1].nspbe) |
	       MDCR3_NSPB(encodings[s->nspb - 1].nspb);
}

static bool el2_enabled(const struct setting *s)
{
	return have_el2 && (s->world != SECURE || s->eel2);
}

static bool implemented(const char *feature)
{
	uint64_t id = read_reg(PMSIDR_EL1);
	uint64_t dfr2 = read_reg("S3_0_C0_C5_2");

	if (same(feature, "FnE"))
		return id >> 6 & 1;
	if (same(feature, "FDS"))
		return id >> 7 & 1;
	if (same(feature, "nVM"))
		return dfr2 >> 20 & 15;
	if (same(feature, "EXC"))
		return have_spe_exc;
	if (same(feature, "FGT2"))
		return (read_reg("id_aa64mmfr0_el1") >> 56 & 15) >= 2;
	return true;
}

static bool has(const char *check, const char *name)
{
	while (*name && *check == *name)
		check++, name++;
	return !*name && *check == '>';
}

static bool has_suffix(const char *name, const char *suffix)
{
	while (*name && !same(name, suffix))
		name++;
	return *name;
}

/* True if the first check in the text @check applies. */
static bool applies(const char *check, const struct accessor *row,
		    const struct setting *s)
{
	bool el2 = el2_enabled(s), host = el2 && s->e2h;
	unsigned int nv = el2 ? s->nv : 0;
	uint64_t nspb = nspb_bits(s);

	if (has(check, "FGT"))
		return el2 && row->fgt >= 0 && s->fgt &&
		       (!have_el3 || !s->no_fgten);
	if (has(check, "FGT2"))
		return el2 && implemented("FGT2") &&
		       (s->fgt2 || (have_el3 && s->no_fgten2));
	if (has(check, "TPMS"))
		return el2 && s->tpms;
	if (has(check, "E2PB"))
		return el2 && s->e2pb;
	if (has(check, "HOST"))
		return host;
	if (has(check, "GUEST"))
		return !host;
	if (has(check, "EE"))
		return host && have_spe_exc && s->ee2 &&
		       (!have_el3 || !s->no_pmsee);
	if (has(check, "NV"))
		return nv & 1;
	if (has(check, "NV111"))
		return nv == 7;
	if (has(check, "NV101"))
		return nv == 5;
	if (has(check, "NV1X1"))
		return (nv & 5) == 5;
	if (has(check, "NVSR"))
		return (nv & 5) == 5 &&
		       (!have_spe_exc || !s->ee2 || !s->ee1 || nv == 7 ||
			(have_el3 && s->no_pmsee));
	if (has(check, "X"))
		return true;
	/* All other checks need EL3. */
	if (!have_el3)
		return false;
	if (has(check, "NSPB"))
		return !(nspb >> 12 & 1) ||
		       (nspb >> 13 & 1) != (s->world != SECURE) ||
		       (have_rme && (nspb >> 11 & 1) != (s->world == REALM));
	return (has(check, "ENPMSN") && s->no_enpmsn) ||
	       (has(check, "ENPMS3") && s->no_enpms3) ||
	       (has(check, "ENPMS4") && s->no_enpms4) ||
	       (has(check, "PMSEE") && s->no_pmsee) ||
	       (has(check, "FGTEN2") && s->no_fgten2);
}

/* Copies what follows from the first check, and returns the next check. */
static const char *consequence(const char *check, char *text)
{
	while (*check != '>')
		check++;
	for (check++; *check && *check != ' '; check++)
		*text++ = *check;
	*text = 0;
	return *check ? check + 1 : check;
}

/*
 * Writes where the access ends according to the table: EL2, EL3, UNDEF or the
 * name of a register.
 */
static void expect(const struct accessor *row, const struct setting *s, int el,
		   bool write, char *text)
{
	const char *check = el == 1 ? row->el1 : el == 2 ? row->el2 : row->el3;

	append(text, "UNDEF");
	if (!implemented(row->feature) || !el || (write && !row->a) ||
	    (same(row->name, "PMBSR_EL3") && !have_el3))
		return;
	while (*check) {
		char result[16];
		bool yes = applies(check, row, s);

		check = consequence(check, result);
		if (yes) {
			append(text, result);
			return;
		}
	}
	/* Without EL2, an EL2 register is RES0 at EL3. */
	append(text, el == 3 && !have_el2 && has_suffix(row->name, "_EL2") ?
		     "no register" : row->name);
}

static uint64_t direct_read(int row)
{
	visit_with(visit_home, stubs[row][0], true, 0);
	return outcome.value;
}

static void direct_write(int row, uint64_t value)
{
	visit_with(visit_home, stubs[row][1], true, value);
}

static void permissive(void)
{
	set_hcr(0);
	set_scr(SCR_RW | SCR_HCE | SCR_NS | SCR_FGTEN | SCR_FGTEN2);
	set_mdcr3(MDCR3_NSPB(3) | MDCR3_ENPMSN | MDCR3_ENPMS3 | MDCR3_ENPMS4 |
		  MDCR3_PMSEE(1));
	set_mdcr2(MDCR_E2PB(3));
	isb();
}

#define FGT_BITS ((0x3fful << 23) | 1ul << 63)
#define FGT2_BITS (1ul << 19 | 1ul << 24)	/* nPMSDSFR_EL1, nPMBMAR_EL1 */

/* The bits of HDFGRTR2_EL2 and HDFGWTR2_EL2 trap while they are 0. */
static void set_fgt2(uint64_t bits)
{
	write_reg("S3_4_C3_C1_0", bits);
	write_reg("S3_4_C3_C1_1", bits);
}

static void apply(const struct accessor *row, const struct setting *s)
{
	enter_world(s->world, s->eel2, 0);
	if (s->no_fgten)
		set_scr(read_reg("scr_el3") & ~SCR_FGTEN);
	if (have_el2 && implemented("FGT2") && !same(row->feature, "FGT2"))
		set_fgt2(s->fgt2 ? 0 : FGT2_BITS);
	if (s->no_fgten2)
		set_scr(read_reg("scr_el3") & ~SCR_FGTEN2);
	set_mdcr3(nspb_bits(s) | (s->no_enpmsn ? 0 : MDCR3_ENPMSN) |
		  (s->no_enpms3 ? 0 : MDCR3_ENPMS3) |
		  (s->no_enpms4 ? 0 : MDCR3_ENPMS4) |
		  MDCR3_PMSEE(!s->no_pmsee));
	if (have_el2) {
		/* HDFGRTR_EL2 and HDFGWTR_EL2.  Bit 62 traps while it is 0. */
		write_reg("S3_4_C3_C1_4", s->fgt ? FGT_BITS : 1ul << 62);
		write_reg("S3_4_C3_C1_5", s->fgt ? FGT_BITS & ~(1ul << 63 |
				 1ul << 30) : 1ul << 62);
	}
	set_mdcr2(MDCR_E2PB(s->e2pb == 2 ? 0 : s->e2pb == 1 ? 2 : 3) |
		  (s->tpms ? MDCR_TPMS : 0));
	write_reg("vbar_el1", s->nv ? nv_vectors : visit_vectors);
	if (have_spe_exc)
		write_reg(PMSCR_EL1, (read_reg(PMSCR_EL1) & ~PMSCR_EE(3)) |
				     PMSCR_EE(s->ee1 ? 3 : 0));
	if (s->ee2)
		set_pmscr2(PMSCR_EE(1) | (read_reg(PMSCR_EL2) & ~(3ul << 8)));
	set_hcr((s->e2h ? HCR_E2H : 0) | (s->tge ? HCR_TGE : 0) |
		(s->nv & 1 ? HCR_NV : 0) | (s->nv & 2 ? HCR_NV1 : 0) |
		(s->nv & 4 ? HCR_NV2 : 0));
	isb();
}

/*
 * Finds the registers that the name of @row can reach: with E2H, one name
 * accesses another register.  Rows for aliases such as PMSCR_EL12 are no
 * members.
 */
static int family(int row, int *members)
{
	static const char *const names[2][3] = {
		{ "PMSCR_EL1", "PMSCR_EL2", "" },
		{ "PMBSR_EL1", "PMBSR_EL2", "PMBSR_EL3" },
	};
	int which = rows[row].name[2] == 'S' && rows[row].name[3] == 'C' ? 0 :
		    rows[row].name[2] == 'B' && rows[row].name[3] == 'S' ? 1 : 2;
	int count = 0;

	if (which == 2) {
		members[count++] = row;
		return count;
	}
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < 3; k++)
			if (same(rows[i].name, names[which][k]) &&
			    implemented(rows[i].feature) &&
			    (k != 1 || have_el2) && (k != 2 || have_el3))
				members[count++] = i;
	return count;
}

/* The value that each member holds before a read: a, b, or both combined */
static uint64_t mark(int row, int member)
{
	return member == 0 ? rows[row].a : member == 1 ? rows[row].b :
	       rows[row].a | rows[row].b;
}

static volatile uint64_t *memory_of(int row)
{
	return (volatile uint64_t *)(VNCR_PAGE + rows[row].memory);
}

static void prepare(int row, bool write)
{
	int members[3], count = family(row, members);

	permissive();
	set_pmscr2(0);
	for (int i = 0; i < count && rows[row].a; i++)
		direct_write(members[i], write ? 0 : mark(row, i));
	*memory_of(row) = MEMORY_MARK;
}

/*
 * Names the register that an access reached, by the value that it read or by
 * the register that it changed.
 */
static const char *reached(int row, bool write, uint64_t value)
{
	int members[3], count = family(row, members);
	uint64_t both = rows[row].a | rows[row].b;
	const char *found = "no register";

	permissive();
	if (!rows[row].a)
		return value ? rows[row].name : "zero";
	if (write ? *memory_of(row) != MEMORY_MARK : value == MEMORY_MARK)
		found = "MEM";
	for (int i = 0; i < count; i++) {
		bool hit = write ? (direct_read(members[i]) & both) ==
				   rows[row].a
				 : (value & both) == mark(row, i);

		if (hit && !same(found, "no register"))
			return "several registers";
		if (hit)
			found = rows[members[i]].name;
	}
	return found;
}

static const char *result_nv(int row, bool write)
{
	if (outcome.el == 2 && ESR_EC(outcome.esr) == EC_HVC)
		return (outcome.esr & 0xffff) == 1 ?
		       reached(row, write, outcome.value) : "UNDEF";
	if (ESR_EC(outcome.esr) == EC_SYSREG && (outcome.esr & 1) == !write)
		return outcome.el == 2 ? "EL2" : "EL3";
	return "unexpected exception";
}

static const char *result(int row, int el, bool write, bool tge)
{
	static const char *const trapped[] = { "?", "EL1", "EL2", "EL3" };
	int undef_el = el ? el : tge ? 2 : 1;

	if (visit_left())
		return reached(row, write, outcome.value);
	if (ESR_EC(outcome.esr) == EC_UNKNOWN && (int)outcome.el == undef_el)
		return "UNDEF";
	if (ESR_EC(outcome.esr) == EC_SYSREG && (outcome.esr & 1) == !write)
		return trapped[outcome.el];
	return "unexpected exception";
}

static void tell(const struct setting *s, const char *got, const char *want)
{
	char text[300], *p = append(append(text, "observed "), got);

	p = append(p, ", expected ");
	p = append(p, want);
	p = append(p, ", with world=");
	p = append_number(p, s->world, 10);
	p = append(p, s->eel2 ? " EEL2" : "");
	p = append(p, s->fgt ? " FGT" : "");
	p = append(p, s->no_fgten ? " FGTEn=0" : "");
	p = append(p, s->fgt2 ? " FGT2" : "");
	p = append(p, s->no_fgten2 ? " FGTEn2=0" : "");
	p = append(p, s->tpms ? " TPMS" : "");
	p = append(p, s->e2pb == 2 ? " E2PB=00" : s->e2pb ? " E2PB=10" : "");
	p = append(p, s->no_enpmsn ? " EnPMSN=0" : "");
	p = append(p, s->no_enpms3 ? " EnPMS3=0" : "");
	p = append(p, s->no_enpms4 ? " EnPMS4=0" : "");
	p = append(p, s->no_pmsee ? " PMSEE=00" : "");
	p = append(p, s->e2h ? " E2H" : "");
	p = append(p, s->tge ? " TGE" : "");
	p = append(p, s->ee2 ? " EL2.EE=01" : "");
	p = append(p, s->ee1 ? " EL1.EE=11" : "");
	p = append(p, s->nv ? " {NV2,NV1,NV}=" : "");
	if (s->nv)
		p = append_number(p, s->nv, 2);
	p = append(p, " {NSPBE,NSPB}=");
	p = append_number(p, nspb_bits(s) >> 11 & 1, 10);
	p = append(p, ",");
	append_number(p, nspb_bits(s) >> 12 & 3, 10);
	say(text);
}

static bool access_agrees(int row, int el, bool write, const struct setting *s)
{
	const char *got;
	char want[16];

	expect(&rows[row], s, el, write, want);
	prepare(row, write);
	apply(&rows[row], s);
	visit_with(el, stubs[row][write + (s->nv ? 2 : 0)], true,
		   write ? rows[row].a : 0);
	got = s->nv ? result_nv(row, write)
		    : result(row, el, write, el2_enabled(s) && s->tge);
	if (!same(got, want))
		tell(s, got, want);
	return same(got, want);
}

/* The controls.  A setting has one or two of them. */
enum { NOTHING, FGT, FGTEN, FGT2, FGTEN2, TPMS, E2PB_10, E2PB_00, ENPMSN,
       ENPMS3, ENPMS4,
       PMSEE, E2H, TGE, EE2, EE1, NV_001, NV_011, NV_101, NV_111, NSPB_FIRST, CONTROLS = NSPB_FIRST + 6 };

static void set_control(struct setting *s, int control)
{
	s->fgt |= control == FGT;
	s->no_fgten |= control == FGTEN && have_el3;
	s->fgt2 |= control == FGT2;
	s->no_fgten2 |= control == FGTEN2 && have_el3;
	s->tpms |= control == TPMS;
	s->e2pb = control == E2PB_10 ? 1 : control == E2PB_00 ? 2 : s->e2pb;
	s->no_enpmsn |= control == ENPMSN;
	s->no_enpms3 |= control == ENPMS3;
	s->no_enpms4 |= control == ENPMS4;
	s->no_pmsee |= control == PMSEE;
	s->e2h |= (control == E2H || control == TGE) && have_el2;
	s->tge |= control == TGE && have_el2;
	s->ee2 |= control == EE2 && have_el2;
	s->ee1 |= control == EE1;
	if (control >= NV_001 && control <= NV_111 && have_el2)
		s->nv = 2 * (control - NV_001) + 1;
	if (control >= NSPB_FIRST && have_el3)
		s->nspb = control - NSPB_FIRST + 1;
}

static bool possible(const struct setting *s, int el)
{
	/*
	 * FEAT_NV affects EL1 only.  The test does not combine it with E2H or
	 * TGE.
	 */
	if (s->nv && (el != 1 || !el2_enabled(s) || s->e2h))
		return false;
	if (!have_rme && s->nspb && encodings[s->nspb - 1].nspbe)
		return false;
	if (el == 3)
		return have_el3;
	if (el == 2)
		return el2_enabled(s);
	return el != 1 || !s->tge || !el2_enabled(s);
}

static bool row_agrees(int row, int el, bool write, unsigned int *tried)
{
	bool agrees = true;

	for (int world = 0; world < 4; world++) {
		for (int i = 0; i < CONTROLS * CONTROLS && agrees; i++) {
			struct setting s = {
				.world = world == 3 ? SECURE : world,
				.eel2 = world == 3,
			};

			bool two = i / CONTROLS != NOTHING;

			/*
			 * Sets two controls at once, because one trap may take
			 * priority over another.
			 */
			if (i / CONTROLS > i % CONTROLS ||
			    (two && (world || el == 0 || el == 3)) ||
			    !world_possible(s.world, s.eel2))
				continue;
			set_control(&s, i / CONTROLS);
			set_control(&s, i % CONTROLS);
			if (!possible(&s, el))
				continue;
			(*tried)++;
			agrees = access_agrees(row, el, write, &s);
		}
	}
	return agrees;
}

void test_main(uint64_t el)
{
	unsigned int passed = 0, cells = 0, unreachable = 0, tried = 0;
	const char *variant;

	(void)el;
	levels_init();
	if (have_el2)
		write_reg(VNCR_EL2, VNCR_PAGE);
	variant = levels_variant();
	for (int i = 0; i < ROWS * 8; i++) {
		int row = i / 8, at = i / 2 % 4;
		bool write = i & 1, agrees;
		unsigned int before = tried;
		char name[64], *p = append(name, write ? "MSR " : "MRS ");

		p = append(p, rows[row].name);
		p = append(p, " at EL");
		append_number(p, at, 10);
		agrees = row_agrees(row, at, write, &tried);
		if (tried == before) {
			unreachable++;
			continue;
		}
		cells++;
		passed += agrees;
		ok(agrees, name);
	}
	note("accesses tried", tried);
	table_sum("access", variant, passed, cells, unreachable);
}
