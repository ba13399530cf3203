// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

char *text_list_add(char *list, const char *text)
{
	const char *found = list && text ? strstr(list, text) : NULL;
	size_t len = text ? strlen(text) : 0;
	char *longer;

	for (; found; found = strstr(found + 1, text))
		if ((found == list || found[-1] == ' ') &&
		    (!found[len] || found[len] == ','))
			return list;
	if (!text)
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
