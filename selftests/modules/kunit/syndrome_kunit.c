// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/syndrome.c"
#include "../../host/syndrome.c"

static struct kunit_case spe_cases[] = {
#include "syndrome.cases"
	{ }
};

SPE_KUNIT_SUITE(syndrome);
