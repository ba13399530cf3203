// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/budget.c"
#include "../../host/budget.c"

static struct kunit_case spe_cases[] = {
#include "budget.cases"
	{ }
};

SPE_KUNIT_SUITE(budget);
