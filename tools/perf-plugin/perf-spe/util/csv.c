// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "util/util.h"

void csv_text(const char *text, FILE *to)
{
	putc_unlocked('"', to);
	for (;;) {
		size_t plain = strcspn(text, "\"");

		fwrite_unlocked(text, 1, plain, to);
		if (!text[plain])
			break;
		fwrite_unlocked("\"\"", 1, 2, to);
		text += plain + 1;
	}
	putc_unlocked('"', to);
}
