// SPDX-License-Identifier: GPL-2.0-only
/* Of limit.c, which limit_kunit.c has. */
#include "../../host/traffic.c"

static struct kunit_case spe_cases[] = {
#include "traffic.cases"
	{ }
};

SPE_KUNIT_SUITE(traffic);
