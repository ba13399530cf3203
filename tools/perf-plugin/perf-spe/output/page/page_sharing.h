/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared cache lines on a page. */
#ifndef PERF_SPE_PAGE_SHARING_H
#define PERF_SPE_PAGE_SHARING_H

#include <stdio.h>

#include "analysis/memory/lines.h"
#include "input/session.h"

/* @s may be NULL. */
void page_sharing(FILE *to, const struct lines *l);

#endif
