// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdint.h>

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

	putc_unlocked('"', to);
	for (;;) {
		size_t len = json_plain(s);

		fwrite_unlocked(s, 1, len, to);
		s += len;
		if (!*s)
			break;
		len = utf8_len(s);
		if (!len)
			fputs_unlocked("\\ufffd", to);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(to, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else
			fwrite_unlocked(s, 1, len, to);
		s += len ? len : 1;
	}
	putc_unlocked('"', to);
}
