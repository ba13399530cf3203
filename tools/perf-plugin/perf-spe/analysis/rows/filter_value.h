/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns and values of a filter expression.  Messages begin with @where, as
 * filter_parse() has it.
 */
#ifndef PERF_SPE_FILTER_VALUE_H
#define PERF_SPE_FILTER_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"

/* The column with this name; NULL after a message that proposes others. */
const struct field *filter_value_column(const char *where, const char *name,
					size_t len);
/*
 * Whether @field can have @value, one word or a list "a|b"; with @part, whether it
 * can have words that contain these.  False after a message.
 */
bool filter_value_words(const char *where, const struct field *field,
			const char *value, bool part);
/* Parse a number; false after a message. */
bool filter_value_number(const char *where, const struct field *field,
			 const char *value, uint64_t *number);
/* Say which operators the column has.  Returns false. */
bool filter_value_mismatch(const char *where, const struct field *field);

#endif
