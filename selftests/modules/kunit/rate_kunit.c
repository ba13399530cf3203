// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/rate.c"
#include "../../host/rate.c"

static struct kunit_case spe_cases[] = {
#include "rate.cases"
	{ }
};

SPE_KUNIT_SUITE(rate);
