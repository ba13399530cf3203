/* SPDX-License-Identifier: GPL-2.0-only */
/* Comma-separated values as RFC 4180 defines them. */
#ifndef PERF_SPE_CSV_H
#define PERF_SPE_CSV_H

#include <stdio.h>

/* Always in quotes, so that an empty text differs from a missing one */
void csv_text(const char *text, FILE *to);

#endif
