// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

char *text_list_add(char *list, const char *text)
{
	const char *found;
	char *longer;
	size_t len;

	/* An empty name of a file is none, and would be found behind the end. */
	if (!text || !*text)
		return list;
	len = strlen(text);
	for (found = list ? strstr(list, text) : NULL; found; found = strstr(found + 1, text))
		if ((found == list || found[-1] == ' ') &&
		    (!found[len] || found[len] == ','))
			return list;
	longer = xformat("%s%s%s", list ? list : "", list ? ", " : "", text);
	free(list);
	return longer;
}

char *text_list_take(char *list, char *text)
{
	list = text_list_add(list, text);
	free(text);
	return list;
}
