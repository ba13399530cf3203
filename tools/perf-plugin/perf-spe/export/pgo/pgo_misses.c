// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "analysis/flow/flow.h"
#include "export/pgo/pgo.h"
#include "symbols/dwarf/dwarf.h"
#include "util/util.h"

static void put_text(const char *text, FILE *to)
{
	putc(',', to);
	if (text)
		csv_text(text, to);
}

static void put_line(struct dso *dso, uint64_t address, FILE *to)
{
	const char *file;
	int line;

	if (srcline_find(dso, address, &file, &line)) {
		put_text(file, to);
		fprintf(to, ",%d", line);
	} else {
		fputs(",,", to);
	}
}

static void write_misses(const struct pgo_profile *p, FILE *to)
{
	size_t i;

	fputs("address,symbol,file,line,loads,misses,latency,stride,regular\r\n", to);
	for (i = 0; i < p->misses->count; i++) {
		const struct load_miss *load = p->misses->sorted[i];
		struct stride stride;

		fprintf(to, "0x%" PRIx64, load->address);
		put_text(load->symbol, to);
		put_line(p->dso, load->address, to);
		fprintf(to, ",%" PRIu64 ",%" PRIu64 ",", load->loads, load->misses);
		if (load->missed.count)
			fprintf(to, "%.1f", load_miss_latency(load));
		if (load_miss_stride(load, &stride))
			fprintf(to, ",%" PRId64 ",%.1f\r\n", stride.bytes, 100 * stride.regular);
		else
			fputs(",,\r\n", to);
	}
}

const struct pgo_format pgo_misses = {
	.name = "misses", .help = "CSV: the loads that missed a cache, with latency and stride",
	.needs_misses = true, .write = write_misses,
};
