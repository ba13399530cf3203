// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"

/* Texts of tables use words of tables at most this deep. */
#define DEPTH_MAX	3

static void set(struct words *w, const char *name, const char *value, bool has_words)
{
	size_t i = 0;

	while (i < w->count && strcmp(w->at[i].name, name))
		i++;
	if (i == WORDS_MAX)
		return;
	if (i == w->count)
		w->count++;
	else
		free(w->at[i].value);
	w->at[i].name = name;
	w->at[i].value = xformat("%s", value);
	w->at[i].has_words = has_words;
}

void words_set(struct words *w, const char *name, const char *value)
{
	set(w, name, value, false);
}

void words_set_text(struct words *w, const char *name, const char *text)
{
	set(w, name, text, true);
}

/* The index of the word with which @text begins, or -1; *len is its length there */
static int word_at(const struct words *w, const char *text, size_t *len)
{
	size_t i;

	if (*text != '{')
		return -1;
	*len = strcspn(text, "}") + 1;
	for (i = 0; i < w->count; i++)
		if (strlen(w->at[i].name) == *len - 2 &&
		    !strncmp(w->at[i].name, text + 1, *len - 2) && text[*len - 1])
			return (int)i;
	return -1;
}

static void fill(const struct words *w, const char *text, FILE *to, unsigned int depth)
{
	size_t len;
	int i;

	while (*text) {
		i = word_at(w, text, &len);
		if (i < 0) {
			putc_unlocked(*text++, to);
			continue;
		}
		text += len;
		if (w->at[i].has_words && depth < DEPTH_MAX)
			fill(w, w->at[i].value, to, depth + 1);
		else
			fputs(w->at[i].value, to);
	}
}

char *words_fill(const struct words *w, const char *text)
{
	char *filled = NULL;
	size_t size;
	FILE *to = open_memstream(&filled, &size);

	if (to) {
		fill(w, text, to, 0);
		fclose(to);
	}
	return filled ? filled : xformat("%s", text);
}

void words_free(struct words *w)
{
	while (w->count)
		free(w->at[--w->count].value);
}
