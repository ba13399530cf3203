/* SPDX-License-Identifier: GPL-2.0-only */
/* All formats of optimisers' profiles. */
#ifndef PERF_SPE_PGO_FORMATS_H
#define PERF_SPE_PGO_FORMATS_H

#include "export/pgo/pgo_format.h"

/* NULL if no format has this name */
const struct pgo_format *pgo_format_find(const char *name);
/* The formats one by one; NULL behind the last one */
const struct pgo_format *pgo_format_at(unsigned int index);

#endif
