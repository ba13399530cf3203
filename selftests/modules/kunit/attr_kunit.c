// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/attr.c"
#include "../../host/attr.c"

static struct kunit_case spe_cases[] = {
#include "attr.cases"
	{ }
};

SPE_KUNIT_SUITE(attr);
