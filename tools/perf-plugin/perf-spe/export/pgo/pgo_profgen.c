// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "export/pgo/pgo.h"
#include "symbols/elf/elf.h"

/* llvm-profgen counts from the page in which the first executable segment begins. */
#define PROFGEN_PAGE	UINT64_C(0x1000)

static uint64_t base_of(const struct dso *dso)
{
	size_t i;

	for (i = 0; i < dso->nr_segments; i++)
		if (dso->segments[i].code)
			return dso->segments[i].vaddr & ~(PROFGEN_PAGE - 1);
	return 0;
}

/* Two lists, each after its length: ranges, branches. */
static void write_profgen(const struct pgo_profile *p, FILE *to)
{
	static const enum flow_kind kinds[] = { FLOW_RANGE, FLOW_BRANCH };
	uint64_t base = base_of(p->dso);
	const struct flow *flow;
	size_t i;

	for (i = 0; i < 2; i++) {
		fprintf(to, "%zu\n", flow_nr(p->list, kinds[i]));
		flow_each(flow, p->list, kinds[i])
			fprintf(to, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n",
				flow->from - base, i ? "->" : "-",
				flow->to - base, flow->count);
	}
}

const struct pgo_format pgo_profgen = {
	.name = "profgen",
	.help = "for llvm-profgen --unsymbolized-profile",
	.write = write_profgen,
};
