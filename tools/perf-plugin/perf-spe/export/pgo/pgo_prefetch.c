// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "export/pgo/pgo.h"
#include "symbols/elf/elf.h"

/* A hint for the line that the load itself reads would be of no use. */
#define LINE	64.0

/* How often the instruction was executed, and how many of its function while it was once */
static double operations_between(const struct pgo_profile *p, uint64_t address)
{
	const struct symbol *symbol = symtab_find(&p->dso->symtab, address);
	double executed = 0, all = 0;
	const struct flow *range;

	if (!symbol)
		return 0;
	flow_each(range, p->list, FLOW_RANGE) {
		if (range->from < symbol->start || range->from >= symbol->end)
			continue;
		all += (double)range->count * (double)((range->to - range->from) / 4 + 1);
		if (range->from <= address && address <= range->to)
			executed += (double)range->count;
	}
	return executed > 0 ? all / executed : 0;
}

/*
 * The distance from the data of a load to the data that it will read one latency later, by
 * one operation in a cycle; 0: not known
 */
static int64_t distance(const struct pgo_profile *p, const struct load_miss *load)
{
	double operations = operations_between(p, load->address), times;
	struct stride stride;

	if (!load->missed.count || operations <= 0 || !load_miss_stride(load, &stride))
		return 0;
	times = ceil(load_miss_latency(load) / operations);
	times = fmax(times, ceil(LINE / fabs((double)stride.bytes)));
	return (int64_t)(times * (double)stride.bytes);
}

/* Address in hex without 0x, distance in bytes, and prefetch to all levels of cache. */
static void write_prefetch(const struct pgo_profile *p, FILE *to)
{
	size_t i;

	for (i = 0; i < p->misses->count; i++) {
		const struct load_miss *load = p->misses->sorted[i];
		int64_t bytes = distance(p, load);

		if (bytes)
			fprintf(to, "%" PRIx64 ",%" PRId64 ",t0\n", load->address, bytes);
	}
}

const struct pgo_format pgo_prefetch = {
	.name = "prefetch", .help = "for create_llvm_prof --profiler=prefetch",
	.needs_code = true, .needs_misses = true, .needs_strides = true,
	.write = write_prefetch,
};
