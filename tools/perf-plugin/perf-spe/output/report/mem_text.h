/* SPDX-License-Identifier: GPL-2.0-only */
/* What "perf spe mem" prints. */
#ifndef PERF_SPE_MEM_TEXT_H
#define PERF_SPE_MEM_TEXT_H

struct mem_report;

void mem_text(const struct mem_report *m);

#endif
