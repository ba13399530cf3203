/* SPDX-License-Identifier: GPL-2.0-only */
/* Folded stacks, which flame graphs are made of. */
#ifndef PERF_SPE_FORMAT_FOLDED_H
#define PERF_SPE_FORMAT_FOLDED_H

#include "export/format.h"

extern const struct format format_folded;

#endif
