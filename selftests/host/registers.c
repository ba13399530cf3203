// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares registers, fields and enumerated values with Linux's register file,
 * arch/arm64/tools/sysreg: those of include/arm_spe/regs.h, of the driver's tables and of QEMU's
 * model.  registers.list adds from the manual what Linux's file lacks, and the reason for each
 * difference.
 */
#include "caps.h"
#include "sysreg.h"
#include "test.h"

#define FIELD_BITS(shift, length)	((~0ULL >> (64 - (length))) << (shift))
#define ENCODING(op0, op1, crn, crm, op2) \
	((op0) << 19 | (op1) << 16 | (crn) << 12 | (crm) << 8 | (op2) << 5)

/* A definition by one of the subjects. */
static struct claim {
	enum subject subject;
	const char *name;
	u64 number;
	bool found;
} claims[] = {
#define CLAIM(subject, name, number)	{ (subject), (name), (number), false },
#define WORD(table, word, value)
#include "claims.inc"
};

/* The values that the properties of the model can have. */
static const struct choice {
	const char *table, *word;
	u64 value;
} choices[] = {
#undef CLAIM
#undef WORD
#define CLAIM(subject, name, number)
#define WORD(table, word, value)	{ (table), (word), (value) },
#include "claims.inc"
};

static void read_files(void)
{
	if (nr_facts)
		return;
	sysreg_read(LINUX_SYSREG, false);
	sysreg_read("registers.list", true);
}

/* The name of @fact's register without _EL1 or another level. */
static const char *base_name(const struct fact *fact)
{
	static char base[32];

	snprintf(base, sizeof(base), "%s", fact->reg);
	if (strstr(base, "_EL"))
		*strstr(base, "_EL") = 0;
	return base;
}

/* Returns 0 if @fact is a register. */
static u64 field_mask(const struct fact *fact)
{
	for (int i = 0; i < nr_facts; i++)
		if (!strcmp(facts[i].reg, fact->reg) && !strcmp(facts[i].field, fact->field) &&
		    *fact->field && !*facts[i].value)
			return facts[i].number;
	return 0;
}

/* True if @name means @fact.  *number is then the value that it must have. */
static bool means(const char *name, const struct fact *fact, u64 *number)
{
	char words[128];

	*number = fact->number;
	if (!*fact->field)
		return same_word(name, fact->reg);
	if (!*fact->value) {
		snprintf(words, sizeof(words), "%s_%s", fact->reg, fact->field);
		if (same_word(name, words))
			return true;
		snprintf(words, sizeof(words), "%s_%s", base_name(fact), fact->field);
		return same_word(name, words);
	}
	snprintf(words, sizeof(words), "%s_%s", fact->field, fact->value);
	if (same_word(name, words))
		return true;
	*number = spe_put(field_mask(fact), fact->number);
	snprintf(words, sizeof(words), "%s_%s_%s", base_name(fact), fact->field, fact->value);
	return same_word(name, words);
}

/* True if the definition differs from the fact.  Prints both in that case. */
static bool differs(struct claim *claim, struct fact *fact, u64 want)
{
	claim->found = true;
	if (claim->number == want) {
		fact->covered[claim->subject] = true;
		return false;
	}
	printf("# %s: %s is %#llx, but %s of %s is %#llx\n", subject_names[claim->subject],
	       claim->name, claim->number, sysreg_name(fact),
	       fact->from_list ? "registers.list" : "Linux", want);
	return true;
}

/* @pattern is a name, or the beginning of names followed by an asterisk. */
static bool matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	return pattern[length - 1] == '*' ? !strncmp(pattern, name, length - 1) :
					    !strcmp(pattern, name);
}

/* Applies an entry of registers.list to a definition.  True if the definition is wrong. */
static bool entry_differs(struct entry *e, struct claim *claim)
{
	struct fact *fact;

	if (e->word == OMIT || e->subject != claim->subject || !matches(e->name, claim->name))
		return false;
	e->used = true;
	claim->found = true;
	if (e->word == OWN)
		return false;
	fact = sysreg_fact(e->target);
	if (fact)
		return differs(claim, fact, fact->number);
	printf("# registers.list names %s, which no file describes\n", e->target);
	return true;
}

/* Compares all definitions of a subject, and returns the number of wrong ones. */
static int count_wrong(enum subject subject)
{
	int wrong = 0;
	u64 want;

	read_files();
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		struct claim *claim = &claims[i];

		if (claim->subject != subject)
			continue;
		for (int k = 0; k < nr_facts; k++)
			if (means(claim->name, &facts[k], &want))
				wrong += differs(claim, &facts[k], want);
		for (int k = 0; k < nr_entries; k++)
			wrong += entry_differs(&entries[k], claim);
		if (claim->found)
			continue;
		printf("# %s: neither Linux's file nor registers.list has %s\n",
		       subject_names[subject], claim->name);
		wrong++;
	}
	return wrong;
}

/* False for registers of the PMU, and for fields that do not belong to SPE. */
static bool of_profiling(const struct fact *fact)
{
	if (!strncmp(fact->reg, "ID_", 3))
		return *fact->field && (!strcmp(fact->field, "PMSVer") ||
		       !strncmp(fact->field, "SPE_", 4) || !strcmp(fact->field, "EBEP"));
	if (!strcmp(fact->reg, "MDCR_EL2"))
		return !strcmp(fact->field, "E2PB") || !strcmp(fact->field, "TPMS");
	if (!strcmp(fact->reg, "HFGITR_EL2"))
		return !strcmp(fact->field, "PSBCSYNC");
	return strcmp(fact->reg, "PMSSCR_EL1") && strcmp(fact->reg, "PMSELR_EL0");
}

static bool omitted(enum subject subject, const struct fact *fact)
{
	for (int i = 0; i < nr_entries; i++) {
		struct entry *e = &entries[i];

		if (e->word != OMIT || e->subject != subject ||
		    !matches(e->name, sysreg_name(fact)))
			continue;
		e->used = true;
		return true;
	}
	return false;
}

/* The driver's tables hold the values of these fields.  Cases below compare them. */
static bool in_driver_table(const struct fact *fact)
{
	return *fact->value && (!strcmp(fact->field, "INTERVAL") ||
	       !strcmp(fact->field, "COUNTSIZE") || !strcmp(fact->field, "PMSVer"));
}

/* A value that says whether a feature is implemented needs no name. */
static bool presence(const struct fact *fact)
{
	u64 mask = field_mask(fact);

	return *fact->value && (!(mask & (mask - 1)) || !strcmp(fact->value, "NI") ||
	       !strcmp(fact->value, "IMP"));
}

/* Counts facts that a subject lacks without a reason, or defines though listed as omitted. */
static int count_missing(enum subject subject)
{
	int missing = 0;

	for (int i = 0; i < nr_facts; i++) {
		struct fact *fact = &facts[i];

		if (fact->from_list || presence(fact) || in_driver_table(fact) ||
		    !of_profiling(fact) || fact->covered[subject] != omitted(subject, fact))
			continue;
		printf("# %s: %s is %s\n", subject_names[subject], sysreg_name(fact),
		       fact->covered[subject] ? "defined, and listed as omitted" :
		       "neither defined nor listed as omitted");
		missing++;
	}
	return missing;
}

/* True if a definition uses a fact that registers.list adds, or a part of it. */
static bool fact_used(const struct fact *fact)
{
	size_t length = strlen(sysreg_name(fact));
	char name[128];

	snprintf(name, sizeof(name), "%s", sysreg_name(fact));
	for (int i = 0; i < nr_facts; i++)
		if (!strncmp(sysreg_name(&facts[i]), name, length) &&
		    (facts[i].covered[REGS_H] || facts[i].covered[MODEL]))
			return true;
	return false;
}

TEST(linux_register_file_is_read)
{
	read_files();
	CHECK(!*unreadable, "%s", unreadable);
	CHECK(nr_linux_registers > 250, "%d registers in %s", nr_linux_registers, LINUX_SYSREG);
	CHECK(nr_entries > 20, "%d entries in registers.list", nr_entries);
}

TEST(definitions_are_found)
{
	int count[SUBJECTS] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		count[claims[i].subject]++;
	CHECK(count[REGS_H] > 80, "%d in regs.h", count[REGS_H]);
	CHECK(count[MODEL] > 80, "%d in the model", count[MODEL]);
	CHECK(ARRAY_SIZE(choices) > 25, "%zu choices of the model", ARRAY_SIZE(choices));
}

TEST(header_agrees_with_linux)
{
	int wrong = count_wrong(REGS_H);

	CHECK(!wrong, "%d definitions are wrong", wrong);
}

TEST(header_has_each_field)
{
	int missing = count_missing(REGS_H);

	CHECK(!missing, "%d names are missing or superfluous", missing);
}

TEST(model_agrees_with_linux)
{
	int wrong = count_wrong(MODEL);

	CHECK(!wrong, "%d definitions are wrong", wrong);
}

TEST(model_has_each_field)
{
	int missing = count_missing(MODEL);

	CHECK(!missing, "%d names are missing or superfluous", missing);
}

/* Must follow the cases above, which mark the differences that they find. */
TEST(each_listed_difference_exists)
{
	for (int i = 0; i < nr_entries; i++)
		CHECK(entries[i].used, "registers.list has %s %s, but there is no such difference",
		      subject_names[entries[i].subject], entries[i].name);
	for (int i = 0; i < nr_facts; i++)
		CHECK(!facts[i].from_list || fact_used(&facts[i]),
		      "registers.list adds %s, but no definition uses it", sysreg_name(&facts[i]));
}

/* The fact of a value in Linux's file; NULL if the value is reserved. */
static const struct fact *value_of(const char *reg, const char *field, u64 number)
{
	read_files();
	for (int i = 0; i < nr_facts; i++)
		if (*facts[i].value && !strcmp(facts[i].reg, reg) &&
		    !strcmp(facts[i].field, field) && facts[i].number == number)
			return &facts[i];
	return NULL;
}

/* A usable unit with @value in a field of PMSIDR_EL1. */
static struct spe_idregs with_pmsidr(const char *field, u64 value)
{
	struct spe_idregs regs = { .dfr0 = 1ULL << 32, .pmbidr = 6 };
	char name[64];

	read_files();
	regs.pmsidr = spe_put(sysreg_fact("PMSIDR_EL1.MAXSIZE")->number, 6);
	snprintf(name, sizeof(name), "PMSIDR_EL1.%s", field);
	regs.pmsidr |= spe_put(sysreg_fact(name)->number, value);
	return regs;
}

/*
 * D24.7.14 reserves other values of Interval and CountSize.  Linux's own
 * driver warns, and takes 4096 and 12 bits; this driver takes the same.
 */
TEST(driver_decodes_the_interval)
{
	for (unsigned int i = 0; i < 16; i++) {
		const struct fact *fact = value_of("PMSIDR_EL1", "INTERVAL", i);
		struct spe_idregs regs = with_pmsidr("INTERVAL", i);
		int want = fact ? atoi(fact->value) : 4096;
		struct spe_caps caps;

		CHECK(spe_caps_decode(&regs, &caps) == SPE_BIND_OK, "%u is refused", i);
		CHECK(caps.min_interval == want, "PMSIDR_EL1.Interval %u: %u, Linux's file has %d",
		      i, caps.min_interval, want);
	}
}

TEST(driver_decodes_the_size_of_counters)
{
	for (unsigned int i = 0; i < 16; i++) {
		const struct fact *fact = value_of("PMSIDR_EL1", "COUNTSIZE", i);
		struct spe_idregs regs = with_pmsidr("COUNTSIZE", i);
		int want = fact ? atoi(fact->value) : 12;
		struct spe_caps caps;

		CHECK(spe_caps_decode(&regs, &caps) == SPE_BIND_OK, "%u is refused", i);
		CHECK(caps.count_bits == want, "PMSIDR_EL1.CountSize %u: %u, Linux's file has %d",
		      i, caps.count_bits, want);
	}
}

TEST(driver_names_the_versions)
{
	for (unsigned int i = 0; i < 16; i++) {
		const struct fact *fact = value_of("ID_AA64DFR0_EL1", "PMSVer", i);
		struct spe_idregs regs = with_pmsidr("INTERVAL", 0);
		struct spe_caps caps;

		regs.dfr0 = spe_put(sysreg_fact("ID_AA64DFR0_EL1.PMSVer")->number, i);
		CHECK((spe_caps_decode(&regs, &caps) == SPE_BIND_NO_SPE) == !i, "version %u", i);
		if (i && fact)
			CHECK(same_word(spe_caps_version(&caps),
					strcmp(fact->value, "IMP") ? fact->value : "v1"),
			      "%s is named %s", fact->value, spe_caps_version(&caps));
	}
}

/* Feature 0: the driver does not use the field. */
TEST(driver_decodes_each_feature)
{
	static const struct { const char *field; u32 feature; } rows[] = {
		{ "FE", SPE_FEAT(FE) }, { "FT", SPE_FEAT(FT) }, { "FL", SPE_FEAT(FL) },
		{ "ARCHINST", SPE_FEAT(ARCHINST) }, { "LDS", SPE_FEAT(LDS) },
		{ "ERND", SPE_FEAT(ERND) }, { "FnE", SPE_FEAT(FNE) }, { "FDS", SPE_FEAT(FDS) },
		{ "PBT", SPE_FEAT(PBT) }, { "CRR", SPE_FEAT(CRR) }, { "EFT", SPE_FEAT(EFT) },
		{ "FPF", SPE_FEAT(FPF) }, { "SME", 0 },
	};

	read_files();
	for (int i = 0; i < nr_facts; i++) {
		struct spe_caps caps;
		struct spe_idregs regs;
		size_t k = 0;

		if (strcmp(facts[i].reg, "PMSIDR_EL1") || !*facts[i].field || *facts[i].value ||
		    (facts[i].number & (facts[i].number - 1)))
			continue;
		while (k < ARRAY_SIZE(rows) && strcmp(facts[i].field, rows[k].field))
			k++;
		CHECK(k < ARRAY_SIZE(rows), "new field %s", facts[i].field);
		regs = with_pmsidr(rows[k].field, 1);
		CHECK(spe_caps_decode(&regs, &caps) == SPE_BIND_OK, "%s", rows[k].field);
		CHECK(caps.features == rows[k].feature, "%s: %#x", rows[k].field, caps.features);
	}
}

/* Linux's file has no values of MaxSize and Align.  Both are log2 (D24.7.1, D24.7.14). */
TEST(model_properties_have_linux_values)
{
	int intervals = 0;

	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		const struct choice *c = &choices[i];
		const char *field = !strcmp(c->table, "intervals") ? "INTERVAL" :
				    !strcmp(c->table, "count_sizes") ? "COUNTSIZE" : NULL;
		const struct fact *fact = field ? value_of("PMSIDR_EL1", field, c->value) : NULL;

		intervals += field && *field == 'I';
		CHECK(!field || (fact && atoi(fact->value) == atoi(c->word)),
		      "%s of %s is %llu", c->word, c->table, c->value);
		CHECK(field || atoi(c->word) == 1 << c->value,
		      "%s of %s is %llu", c->word, c->table, c->value);
	}
	for (unsigned int i = 0; i < 16; i++)
		intervals -= !!value_of("PMSIDR_EL1", "INTERVAL", i);
	CHECK(!intervals, "spe-min-interval has %d more values than Linux's file", intervals);
}
