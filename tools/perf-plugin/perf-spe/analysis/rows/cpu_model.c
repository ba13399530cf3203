// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

#define MODELS	64
#define MODEL	32

/* A name as it is typed: "Neoverse N1" becomes "neoverse-n1". */
static void plain(char *name)
{
	for (; *name; name++)
		*name = *name == ' ' ? '-' : (char)tolower((unsigned char)*name);
}

/* In the order of armspe_source_midr() */
const char *cpu_model_name(unsigned int index)
{
	static char names[MODELS][MODEL];
	uint64_t midr = armspe_source_midr(index);
	const char *name = midr ? armspe_source_core(midr) : NULL;

	if (!name || index >= MODELS || strlen(name) >= MODEL)
		return NULL;
	strcpy(names[index], name);
	plain(names[index]);
	return names[index];
}

bool cpu_model_parse(const char *verb, const char *name, uint64_t *midr)
{
	char *wanted = xformat("%s", name), *proposal;
	unsigned int i;

	plain(wanted);
	for (i = 0; cpu_model_name(i); i++)
		if (!strcmp(cpu_model_name(i), wanted))
			*midr = armspe_source_midr(i);
	if (!*midr) {
		proposal = suggest(cpu_model_name, wanted, strlen(wanted));
		say("%s: --cpu-model: unknown core '%s'; %s", verb, name, proposal);
		free(proposal);
	}
	free(wanted);
	return *midr;
}
