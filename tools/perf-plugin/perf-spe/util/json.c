// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/util.h"

/* How many bytes at @s a JSON string can hold without escapes */
static size_t json_plain(const uint8_t *s)
{
	size_t len = 0;

	while (s[len] >= 0x20 && s[len] < 0x7f && s[len] != '"' &&
	       s[len] != '\\')
		len++;
	return len;
}

void json_text(const char *text, FILE *to)
{
	const uint8_t *s = (const uint8_t *)text;
	bool shown;

	putc_unlocked('"', to);
	for (;;) {
		size_t len = json_plain(s);

		fwrite_unlocked(s, 1, len, to);
		s += len;
		if (!*s)
			break;
		shown = utf8_shown((const char *)s, &len);
		if (!utf8_len(s))
			fputs_unlocked("\\ufffd", to);
		else if (!shown)
			fprintf(to, "\\u%04x", utf8_character(s, len));
		else if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else
			fwrite_unlocked(s, 1, len, to);
		s += len;
	}
	putc_unlocked('"', to);
}

void json_script_text(const char *text, FILE *to)
{
	char *json = NULL, *c;
	size_t len;
	FILE *memory = open_memstream(&json, &len);

	if (!memory) {
		say("out of memory: reduce what the page shows with --limit or --filter");
		exit(EXIT_INPUT);
	}
	json_text(text, memory);
	fclose(memory);
	/* "</script>" and "<!--" would end or change the element. */
	for (c = json; *c; c++) {
		if (*c == '<')
			fputs("\\u003c", to);
		else
			putc(*c, to);
	}
	free(json);
}
