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
