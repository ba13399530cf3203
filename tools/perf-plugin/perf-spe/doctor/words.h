/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words that stand for facts of the machine in the texts of doctor's tables, as
 * {kernel} in "apt-get install linux-modules-extra-{kernel}".
 */
#ifndef PERF_SPE_DOCTOR_WORDS_H
#define PERF_SPE_DOCTOR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define WORDS_MAX	32

struct words {
	struct {
		const char *name;
		char *value;
		bool has_words;		/* the value is a text of a table */
	} at[WORDS_MAX];
	size_t count;
};

/* Set a word to a fact.  Braces in @value stay as they are. */
void words_set(struct words *w, const char *name, const char *value);
/* Set a word to a text of a table, which can use other words. */
void words_set_text(struct words *w, const char *name, const char *text);
/* @text with the values of its words; an unknown word stays as it is */
char *words_fill(const struct words *w, const char *text);
void words_free(struct words *w);

#endif
