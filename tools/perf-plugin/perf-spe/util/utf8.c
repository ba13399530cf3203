// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "util/util.h"

size_t utf8_len(const uint8_t *s)
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

/* Characters that move the cursor, end a line, or turn the direction of the text around */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
	/* From the separators of lines and paragraphs on */
	{ 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

uint32_t utf8_character(const uint8_t *s, size_t len)
{
	uint32_t c = len < 2 ? s[0] : s[0] & (0x7fu >> len);
	size_t i;

	for (i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

bool utf8_shown(const char *s, size_t *len)
{
	uint32_t c;
	size_t i;

	*len = utf8_len((const uint8_t *)s);
	if (!*len) {
		*len = 1;
		return false;
	}
	c = utf8_character((const uint8_t *)s, *len);
	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return false;
	return true;
}

char *utf8_repaired(const char *text)
{
	const uint8_t *at = (const uint8_t *)text;

	while (*at) {
		size_t len = utf8_len(at);

		if (!len)
			return utf8_text(text);
		at += len;
	}
	return NULL;
}

char *utf8_text(const char *text)
{
	/* The replacement has three bytes. */
	char *copy = xcalloc(strlen(text) + 1, 3), *to = copy;

	while (*text) {
		size_t len = utf8_len((const uint8_t *)text);

		memcpy(to, len ? text : "\xef\xbf\xbd", len ? len : 3);
		to += len ? len : 3;
		text += len ? len : 1;
	}
	return copy;
}
