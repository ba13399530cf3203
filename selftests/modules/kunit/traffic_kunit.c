// SPDX-License-Identifier: GPL-2.0-only
/* traffic.c also tests limit.c, which limit_kunit.c already includes. */
#include "../../host/traffic.c"

static struct kunit_case spe_cases[] = {
#include "traffic.cases"
	{ }
};

SPE_KUNIT_SUITE(traffic);
