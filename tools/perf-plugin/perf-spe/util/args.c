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

void args_option(struct args *a, const char *option, const char *value)
{
	if (!value)
		return;
	args_add(a, option);
	args_add(a, value);
}

void args_end(struct args *a)
{
	a->args = array_grow(a->args, a->count, &a->room, sizeof(*a->args));
	a->args[a->count] = NULL;
}

char *shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=,./:@%+";
	char *word, *to;

	/* zsh looks for a command =NAME. */
	if (*text && *text != '=' && !text[strspn(text, plain)])
		return xformat("%s", text);
	word = to = xcalloc(strlen(text) * 4 + 3, 1);
	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *text;
	}
	*to = '\'';
	return word;
}

char *command_with(char *command, const char *option, const char *value)
{
	char *word, *longer;

	if (!value)
		return command;
	word = shell_word(value);
	longer = xformat("%s %s %s", command, option, word);
	free(word);
	free(command);
	return longer;
}

void args_print(const struct args *a)
{
	char *word;
	size_t i;

	for (i = 0; i < a->count; i++) {
		if (i)
			putchar(' ');
		word = shell_word(a->args[i]);
		fputs(word, stdout);
		free(word);
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
