// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdint.h>

#include "util/json.h"

/* The length of the UTF-8 character at @s, 0 if it is invalid */
static size_t utf8_len(const uint8_t *s)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
		     s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0, i;

	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong, a surrogate, above U+10FFFF */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

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
