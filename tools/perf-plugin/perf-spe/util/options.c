// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/message.h"
#include "util/options.h"

bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 0);
	if (isdigit((unsigned char)*text) && !*end && *count && !errno)
		return true;
	say("%s: %s%s needs a positive number, not '%s'", verb,
	    option[1] ? "--" : "-", option, text);
	return false;
}
