/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filter of --filter: an expression over the columns of an export.
 *
 *   total > 200 and op == load and events has l1d-refill
 *
 *   expression   = term { ("or" | "||") term }
 *   term         = factor { ("and" | "&&") factor }
 *   factor       = ("not" | "!") factor | "(" expression ")" | comparison
 *   comparison   = COLUMN [ operator value ]
 *   operator     = "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "ends" | "has"
 *   value        = number | word | quoted text
 *
 * A column alone is true if the sample has a value.  "~" finds a part of a text,
 * "ends" its end, "has" finds a name in a list.  A missing value compares as false,
 * also with "!=".
 */
#ifndef PERF_SPE_FILTER_H
#define PERF_SPE_FILTER_H

#include <stdbool.h>

#include "analysis/rows/fields.h"

struct filter;

/*
 * NULL after a message that begins with @where, such as "report: --filter", and
 * quotes what is wrong.  A word that a column never has is an error.
 */
struct filter *filter_parse(const char *where, const char *text);
void filter_free(struct filter *f);
/* Returns the text that @f was parsed from; @f may be NULL. */
const char *filter_text(const struct filter *f);
/* The parts of a row that the filter reads */
enum field_need filter_need(const struct filter *f);
bool filter_match(const struct filter *f, const struct row *row);

#endif
