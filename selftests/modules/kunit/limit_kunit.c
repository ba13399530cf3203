// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/limit.c"
#include "../../host/limit.c"

static struct kunit_case spe_cases[] = {
#include "limit.cases"
	{ }
};

SPE_KUNIT_SUITE(limit);
