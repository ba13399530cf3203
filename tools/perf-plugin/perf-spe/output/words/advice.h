/* SPDX-License-Identifier: GPL-2.0-only */
/* Tell the user how to get symbols for code that has none. */
#ifndef PERF_SPE_ADVICE_H
#define PERF_SPE_ADVICE_H

struct groups;
struct kernel;

/* A message for each file in which many samples have no symbol, and for the kernel */
void advice_say(const struct groups *g, const struct kernel *k);

#endif
