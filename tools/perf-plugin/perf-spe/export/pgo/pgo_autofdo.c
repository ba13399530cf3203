// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "export/pgo/pgo.h"
#include "symbols/elf/elf.h"

/*
 * AutoFDO counts from the address where the file would begin, by its first segment.  (By
 * default GNU ld makes this the offset in the file, and lld does not.)
 */
static uint64_t base_of(const struct dso *dso)
{
	return dso->nr_segments ? dso->segments[0].vaddr - dso->segments[0].offset : 0;
}

/* Three lists, each after its length: ranges, addresses, branches. */
static void write_autofdo(const struct pgo_profile *p, FILE *to)
{
	static const struct {
		enum flow_kind kind;
		const char *arrow;
	} lists[] = {
		{ FLOW_RANGE, "-" }, { FLOW_ADDRESS, NULL }, { FLOW_BRANCH, "->" },
	};
	uint64_t base = base_of(p->dso);
	const struct flow *flow;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fprintf(to, "%zu\n", flow_nr(p->list, lists[i].kind));
		flow_each(flow, p->list, lists[i].kind) {
			fprintf(to, "%" PRIx64, flow->from - base);
			if (lists[i].arrow)
				fprintf(to, "%s%" PRIx64, lists[i].arrow,
					flow->to - base);
			fprintf(to, ":%" PRIu64 "\n", flow->count);
		}
	}
}

const struct pgo_format pgo_autofdo = {
	.name = "autofdo",
	.help = "for create_llvm_prof and create_gcov --profiler=text",
	.write = write_autofdo,
};
