// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat: how many operations ran, and whether the recording can be trusted.
 */
#include <stdio.h>

#include "output/sentences/sentences.h"
#include "verbs/verbs.h"

void stat_trust(const struct trust_of *of, bool ci)
{
	struct trust trust;

	totals_print(stdout, of->estimate, ci);
	trust_judge(&trust, of);
	trust_print(stdout, &trust);
	trust_free(&trust);
}
