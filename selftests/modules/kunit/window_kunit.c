// SPDX-License-Identifier: GPL-2.0-only
#include "../../../drivers/perf/arm_spe/window.c"
#include "../../host/window.c"

static struct kunit_case spe_cases[] = {
#include "window.cases"
	{ }
};

SPE_KUNIT_SUITE(window);
