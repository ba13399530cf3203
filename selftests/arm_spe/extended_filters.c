// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_SPE_EFT (D17.5): filters for floating-point and SIMD operations, and masks that require
 * a combination of types instead of any of them.  Needs a PMU with the feature and a driver
 * that offers it.
 */
#include "test.h"

enum { B = 1, LD = 2, ST = 4, FP = 8, SIMD = 16 };

FIXTURE(combination) {
	struct spe_test t;
};

FIXTURE_VARIANT(combination) {
	unsigned int wanted, mask;
	unsigned int least;	/* of 1600 samples */
};

SPE_FIXTURE_SETUP(combination)

#define COMBINATION(label, types, masked, minimum)			\
	FIXTURE_VARIANT_ADD(combination, label) {			\
		.wanted = types, .mask = masked, .least = minimum,	\
	}
COMBINATION(floating_point, FP, 0, 90);
COMBINATION(simd, SIMD, 0, 90);
COMBINATION(floating_point_or_branch, FP | B, 0, 300);
COMBINATION(load_and_store, LD | ST, LD | ST, 90);
COMBINATION(load_but_not_store, LD, LD | ST, 190);
COMBINATION(store_but_not_load, ST, LD | ST, 190);
COMBINATION(neither_load_nor_store, 0, LD | ST, 900);
COMBINATION(load_or_store_but_no_simd, LD | ST, SIMD, 400);

/*
 * Derives the types from the PC where possible, so that a record is not checked against itself:
 * the operations of both loops are known.
 */
static unsigned int types_of(const struct spe_record *r)
{
	if (spe_pc_in(r, work_vector_fp, work_vector_fp + 4))
		return FP;
	if (spe_pc_in(r, work_vector_simd, work_vector_simd + 4))
		return SIMD;
	if (spe_pc_in(r, work_mixed_atomic, work_mixed_atomic + 4))
		return LD | ST;
	return (spe_is_branch(r) ? B : 0) | (spe_is_load(r) ? LD : 0) |
	       (spe_is_store(r) ? ST : 0);
}

/* D17.5, FilterByType() with FEAT_SPE_EFT. */
static bool passes(unsigned int types, unsigned int wanted, unsigned int mask)
{
	unsigned int any = wanted & ~mask;

	if (any && !(types & any))
		return false;
	return (types & mask) == (wanted & mask);
}

static void set_types(struct __test_metadata *_metadata, struct spe_test *t,
		      unsigned int wanted, unsigned int mask)
{
	static const struct {
		const char *name;
		unsigned int type;
	} rows[] = {
		{ "branch", B }, { "load", LD }, { "store", ST },
		{ "float", FP }, { "simd", SIMD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s_filter", rows[i].name);
		spe_set(_metadata, t, name, !!(wanted & rows[i].type));
		snprintf(name, sizeof(name), "%s_filter_mask", rows[i].name);
		spe_set(_metadata, t, name, !!(mask & rows[i].type));
	}
}

TEST_F(combination, alone_passes)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;

	set_types(_metadata, t, variant->wanted, variant->mask);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 800), memory);
	work_vector(spe_rounds(t, WORK_VECTOR_OPS, 800), memory);
	spe_finish(_metadata, t);
	ASSERT_LE(variant->least, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_TRUE(passes(types_of(r), variant->wanted,
				   variant->mask))
			TH_LOG("pc %#lx, class %u, payload %#x",
			       (unsigned long)r->pc, r->class, r->subclass);
	}
}

TEST_HARNESS_MAIN
