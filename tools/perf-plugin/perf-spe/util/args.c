// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

void args_take(struct args *a, char *text)
{
	a->args = array_grow(a->args, a->count, &a->room, sizeof(*a->args));
	a->args[a->count++] = text;
}

void args_add(struct args *a, const char *text)
{
	args_take(a, xformat("%s", text));
}

void args_end(struct args *a)
{
	a->args = array_grow(a->args, a->count, &a->room, sizeof(*a->args));
	a->args[a->count] = NULL;
}

/* Print a word, quoted for a shell if needed. */
static void print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=,./:@%+";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

void args_print(const struct args *a)
{
	size_t i;

	for (i = 0; i < a->count; i++) {
		if (i)
			putchar(' ');
		print_word(a->args[i]);
	}
	putchar('\n');
}

void args_free(struct args *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		free(a->args[i]);
	free(a->args);
}
