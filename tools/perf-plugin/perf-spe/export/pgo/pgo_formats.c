// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "export/pgo/pgo.h"

static const struct pgo_format *const formats[] = {
	&pgo_bolt, &pgo_fdata, &pgo_autofdo, &pgo_llvm, &pgo_gcov, &pgo_profgen,
	&pgo_misses, &pgo_prefetch,
};

const struct pgo_format *pgo_format_at(unsigned int index)
{
	return index < sizeof(formats) / sizeof(formats[0]) ? formats[index] : NULL;
}

const struct pgo_format *pgo_format_find(const char *name)
{
	const struct pgo_format *format;
	unsigned int i;

	for (i = 0; (format = pgo_format_at(i)); i++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}
