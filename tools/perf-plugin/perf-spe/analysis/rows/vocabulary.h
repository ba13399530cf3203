/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words that columns consist of.  Each function is a word_fn of
 * util/suggest.h: word number @index, NULL behind the last one.
 */
#ifndef PERF_SPE_VOCABULARY_H
#define PERF_SPE_VOCABULARY_H

#include <stdint.h>

const char *vocabulary_op(unsigned int index);
const char *vocabulary_subclass(unsigned int index);
const char *vocabulary_op_flag(unsigned int index);
/* The word for @flag of an operation with all of @flags; NULL if dump has none. */
const char *op_flag_word(uint32_t flag, uint32_t flags);
/* Words are in the order of the bits of the Events packet. */
const char *vocabulary_event(unsigned int index);
/* The same, and what some bits are where armspe_event_of() knows more */
const char *vocabulary_event_word(unsigned int index);
/* Words are in the order of enum armspe_security. */
const char *vocabulary_security(unsigned int index);
const char *vocabulary_source(unsigned int index);
const char *vocabulary_core(unsigned int index);
const char *vocabulary_data_kind(unsigned int index);

#endif
