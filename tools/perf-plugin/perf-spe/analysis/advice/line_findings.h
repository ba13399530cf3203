/* SPDX-License-Identifier: GPL-2.0-only */
/* Cache lines of "perf spe sharing" as findings. */
#ifndef PERF_SPE_LINE_FINDINGS_H
#define PERF_SPE_LINE_FINDINGS_H

#include "analysis/advice/finding.h"
#include "analysis/memory/lines.h"

/*
 * Add the lines of @l whose threads wait for each other.  The samples to compare with are of
 * accesses to lines that no other CPU has, of loads (0) and of stores (1): in @atomic those that
 * are atomic or exclusive, in @alone the others.  Call this after lines_finish(), and free @l
 * after the findings, which refer to it.
 */
void line_findings(const struct lines *l, const struct stake_sums *alone,
		   const struct stake_sums *atomic, struct finding_list *to);

#endif
