// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/caps.c"
#include "../../host/caps.c"

static struct kunit_case spe_cases[] = {
#include "caps.cases"
	{ }
};

SPE_KUNIT_SUITE(caps);
