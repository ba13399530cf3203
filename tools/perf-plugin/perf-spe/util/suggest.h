/* SPDX-License-Identifier: GPL-2.0-only */
/* What a message proposes for a word that perf-spe does not know. */
#ifndef PERF_SPE_SUGGEST_H
#define PERF_SPE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Word number @index of a list, NULL behind the last one */
typedef const char *(*word_fn)(unsigned int index);

/* Whether the @len characters at @text are a word of the list */
bool words_have(word_fn words, const char *text, size_t len);

/*
 * "did you mean 'load'?" with at most three words that are near to the @len
 * characters at @text, or else "choose load, store or other" with all words.
 * To be freed.
 */
char *suggest(word_fn words, const char *text, size_t len);

/* The same, but NULL if no word is near */
char *suggest_near(word_fn words, const char *text, size_t len);

#endif
