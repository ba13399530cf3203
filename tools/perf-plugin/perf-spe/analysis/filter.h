/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples count: an expression over the columns of an export.
 *
 *   total > 200 and op == load and events has l1d-refill
 *
 *   expression   = term { ("or" | "||") term }
 *   term         = factor { ("and" | "&&") factor }
 *   factor       = ("not" | "!") factor | "(" expression ")" | comparison
 *   comparison   = COLUMN [ operator value ]
 *   operator     = "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "has"
 *   value        = number | word | quoted text
 *
 * A column alone asks whether the sample has it.  "~" finds a part of a text,
 * "has" one name of a list.  What a sample lacks compares as false, with "!="
 * too.
 */
#ifndef PERF_SPE_FILTER_H
#define PERF_SPE_FILTER_H

#include <stdbool.h>

#include "analysis/fields.h"

struct filter;

/* NULL after a message that shows where the text is wrong. */
struct filter *filter_parse(const char *text);
void filter_free(struct filter *f);
/* How much of a row has to be known. */
enum field_need filter_need(const struct filter *f);
bool filter_match(const struct filter *f, const struct row *row);

#endif
