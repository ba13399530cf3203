/* SPDX-License-Identifier: GPL-2.0-only */
/* The estimated totals of a recording, and whether it can be trusted, as text. */
#ifndef PERF_SPE_TRUST_TEXT_H
#define PERF_SPE_TRUST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/stats/estimate.h"
#include "analysis/advice/trust.h"

/* @number with three digits: "987", "1.23 million"; @size of at least 32 bytes is enough. */
void total_text(double number, char *text, size_t size);
/* "with care, for the reasons below"; "care", which weighs one reason */
const char *trust_verdict(enum trust_level level);
const char *trust_level_name(enum trust_level level);
/* The totals that are not 0, @ci: with intervals; nothing if there is no estimate */
void totals_print(FILE *to, const struct estimate *e, bool ci);
/* The verdict, its reasons, and what to record instead */
void trust_print(FILE *to, const struct trust *t);

#endif
