/* SPDX-License-Identifier: GPL-2.0-only */
/* The estimated totals of a recording, and whether it can be trusted, on a page. */
#ifndef PERF_SPE_PAGE_TRUST_H
#define PERF_SPE_PAGE_TRUST_H

#include <stdio.h>

#include "analysis/advice/trust.h"

void page_trust(FILE *to, const struct trust_of *of);

#endif
