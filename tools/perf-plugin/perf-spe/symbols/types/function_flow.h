/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follow the values of registers through a function, to find what its loads and stores access.
 *
 * The analysis goes forward over the blocks until nothing changes.  What it knows comes from
 * variables in registers, from members that pointers were loaded from, from addresses of global
 * and stack variables, and from the types that called functions return.
 */
#ifndef PERF_SPE_FUNCTION_FLOW_H
#define PERF_SPE_FUNCTION_FLOW_H

#include "symbols/types/data_flow.h"

/* Call @found for each load and store that is understood.  Under elf_lock(). */
void function_flow(const struct data_flow *flow);

#endif
