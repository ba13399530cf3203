// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

#define MODELS	64
#define MODEL	32

/*
 * Which core a processor has.  Write nothing that the source does not say.  The core's MIDR_EL1
 * is that of libarmspe, as in Linux's cputype.h.
 */
static const struct processor {
	const char *name, *core;
} processors[] = {
	/* github.com/aws/aws-graviton-getting-started, README.md: the table of processors */
	{ "graviton2", "Neoverse N1" },
	{ "graviton3", "Neoverse V1" },
	{ "graviton3e", "Neoverse V1" },
	{ "graviton4", "Neoverse V2" },
	/* theregister.com/2020/06/23/ampere_altra_128_cores: both have Arm's Neoverse N1 */
	{ "altra", "Neoverse N1" },
	{ "altramax", "Neoverse N1" },
	/* LLVM's name of this CPU for -mcpu is another one for neoverse-v2 (AArch64Processors.td). */
	{ "grace", "Neoverse V2" },
	/* Google's first Axion, of C4A machines: en.wikipedia.org/wiki/ARM_Neoverse */
	{ "axion", "Neoverse V2" },
	/* Linux's cputype.h has this core under Microsoft's implementer. */
	{ "cobalt100", "Azure Cobalt 100" },
	/* Linux's cputype.h: HISI_CPU_PART_TSV110 is the core of Kunpeng 920. */
	{ "kunpeng920", "TSV110" },
};

#define NR_PROCESSORS (sizeof(processors) / sizeof(processors[0]))

/* A name as it is typed: "Neoverse N1" becomes "neoverse-n1". */
static void plain(char *name)
{
	for (; *name; name++)
		*name = *name == ' ' ? '-' : (char)tolower((unsigned char)*name);
}

/* In the order of armspe_source_midr(); NULL behind the last one */
static const char *core_name(unsigned int index)
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

static unsigned int nr_cores(void)
{
	unsigned int nr = 0;

	while (core_name(nr))
		nr++;
	return nr;
}

const char *cpu_model_name(unsigned int index)
{
	unsigned int nr = nr_cores();

	if (index < nr)
		return core_name(index);
	return index - nr < NR_PROCESSORS ? processors[index - nr].name : NULL;
}

/* 0: libarmspe does not know the core's data sources. */
uint64_t cpu_model_midr(unsigned int index)
{
	unsigned int nr = nr_cores(), i;

	if (index < nr)
		return armspe_source_midr(index);
	for (i = 0; i < nr; i++)
		if (!strcmp(armspe_source_core(armspe_source_midr(i)), processors[index - nr].core))
			return armspe_source_midr(i);
	return 0;
}

void cpu_model_help(void)
{
	unsigned int i;

	for (i = 0; core_name(i); i++)
		puts(core_name(i));
	for (i = 0; i < NR_PROCESSORS; i++)
		printf("%-19s the processor with the core %s\n", processors[i].name,
		       processors[i].core);
}

/* The number of the name, without dashes and blanks for a processor: "Altra Max" */
static bool find(const char *name, unsigned int *index)
{
	char *joined = xformat("%s", name), *to = joined;
	bool found = false;

	for (; *name; name++)
		if (*name != '-')
			*to++ = *name;
	*to = '\0';
	for (*index = nr_cores(); cpu_model_name(*index) && !found; ++*index)
		found = !strcmp(cpu_model_name(*index), joined);
	*index -= found;
	free(joined);
	return found;
}

bool cpu_model_parse(const char *verb, const char *name, uint64_t *midr)
{
	char *wanted = xformat("%s", name), *proposal;
	unsigned int i;

	plain(wanted);
	for (i = 0; core_name(i) && strcmp(core_name(i), wanted); i++)
		;
	if (core_name(i) || find(wanted, &i)) {
		*midr = cpu_model_midr(i);
		if (!*midr)
			say("%s: --cpu-model: %s has the core %s, and no public document names its data sources: remove --cpu-model",
			    verb, cpu_model_name(i), processors[i - nr_cores()].core);
	} else {
		proposal = suggest(cpu_model_name, wanted, strlen(wanted));
		say("%s: --cpu-model: unknown core '%s'; %s", verb, name, proposal);
		free(proposal);
	}
	free(wanted);
	return *midr;
}
