// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/decode.c"
#include "../../host/decode.c"

static struct kunit_case spe_cases[] = {
#include "decode.cases"
	{ }
};

SPE_KUNIT_SUITE(decode);
