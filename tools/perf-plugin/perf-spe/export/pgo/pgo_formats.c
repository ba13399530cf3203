// SPDX-License-Identifier: GPL-2.0-only
/*
 * The formats of optimisers' profiles, one after the other, and their list.
 * pgo_gcov.c has the binary one.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "export/pgo/pgo.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/*
 * bolt: BOLT's pre-aggregated profile, for perf2bolt -pa
 */

/* "F" lines are ranges executed in sequence, "B" lines are branches. */
static void write_bolt(const struct pgo_profile *p, FILE *to)
{
	const struct flow *flow;

	flow_each(flow, p->list, FLOW_RANGE)
		if (flow->ends_in_branch)
			fprintf(to, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n",
				flow->from, flow->to, flow->count);
	flow_each(flow, p->list, FLOW_BRANCH)
		fprintf(to, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
			flow->from, flow->to, flow->count, flow->mispredicted);
}

static const struct pgo_format pgo_bolt = {
	.name = "bolt", .help = "for perf2bolt -pa", .write = write_bolt,
};

/*
 * fdata: BOLT's profile, for llvm-bolt -data
 */

/*
 * BOLT gives local symbols of one name numbers, by address: "name/1", "name/2".
 */
static unsigned int local_number(const struct symtab *t, const struct symbol *symbol)
{
	const struct symbol *other;
	unsigned int number = 1;

	for (other = t->symbols; other < symbol; other++)
		number += other->rank == RANK_LOCAL &&
			  !strcmp(other->name, symbol->name);
	return number;
}

/* A space or backslash would end the name. */
static void put_symbol(const char *name, FILE *to)
{
	for (;;) {
		size_t len = strcspn(name, " \\");

		put_name_bytes(name, len, to);
		if (!name[len])
			break;
		fputc('\\', to);
		fputc(name[len], to);
		name += len + 1;
	}
}

/* "1 SYMBOL OFFSET", or "0 [unknown] 0" */
static void put_symbol_place(const struct dso *dso, uint64_t address, FILE *to)
{
	const struct symbol *symbol = symtab_find(&dso->symtab, address);

	if (!symbol || symbol->rank == RANK_UNNAMED) {
		fputs("0 [unknown] 0", to);
		return;
	}
	fputs("1 ", to);
	put_symbol(symbol->name, to);
	if (symbol->rank == RANK_LOCAL)
		fprintf(to, "/%u", local_number(&dso->symtab, symbol));
	fprintf(to, " %" PRIx64, address - symbol->start);
}

/* A line for each branch, and for each step from a block to the next one */
static void write_fdata(const struct pgo_profile *p, FILE *to)
{
	static const enum flow_kind kinds[] = { FLOW_BRANCH, FLOW_STEP };
	const struct flow *flow;
	size_t i;

	for (i = 0; i < 2; i++)
		flow_each(flow, p->list, kinds[i]) {
			put_symbol_place(p->dso, flow->from, to);
			fputc(' ', to);
			put_symbol_place(p->dso, flow->to, to);
			fprintf(to, " %" PRIu64 " %" PRIu64 "\n",
				flow->mispredicted, flow->count);
		}
}

static const struct pgo_format pgo_fdata = {
	.name = "fdata", .help = "for llvm-bolt -data", .needs_code = true,
	.write = write_fdata,
};

/*
 * autofdo: AutoFDO's text input, for create_llvm_prof and create_gcov
 */

/*
 * AutoFDO counts from the address where the file would begin, by its first segment.  (By
 * default GNU ld makes this the offset in the file, and lld does not.)
 */
static uint64_t autofdo_base(const struct dso *dso)
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
	uint64_t base = autofdo_base(p->dso);
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

static const struct pgo_format pgo_autofdo = {
	.name = "autofdo",
	.help = "for create_llvm_prof and create_gcov --profiler=text",
	.write = write_autofdo,
};

/*
 * llvm: LLVM's text form of a sample profile, for clang -fprofile-sample-use
 */

/* A line that begins with a blank belongs to the function above, and a blank ends a callee's name. */
static void put_function(const char *name, FILE *to)
{
	put_name_without(' ', "?", name, to);
}

static void put_source_place(uint32_t offset, uint32_t discriminator, unsigned int depth,
			     FILE *to)
{
	fprintf(to, "%*s%" PRIu32, (int)depth, "", offset);
	if (discriminator)
		fprintf(to, ".%" PRIu32, discriminator);
	fputs(": ", to);
}

/* Each level of inlining is indented by one more space. */
static void put_body(const struct source_function *f, unsigned int depth, FILE *to)
{
	size_t i, c;

	for (i = 0; i < f->nr_lines; i++) {
		const struct source_line *line = &f->lines[i];

		put_source_place(line->offset, line->discriminator, depth, to);
		fprintf(to, "%" PRIu64, line->count);
		for (c = 0; c < line->nr_calls; c++) {
			putc(' ', to);
			put_function(line->calls[c].callee, to);
			fprintf(to, ":%" PRIu64, line->calls[c].count);
		}
		fputc('\n', to);
	}
	for (i = 0; i < f->nr_inlined; i++) {
		const struct source_function *in = &f->inlined[i];

		put_source_place(in->offset, in->discriminator, depth, to);
		put_function(in->name, to);
		fprintf(to, ":%" PRIu64 "\n", in->total);
		put_body(in, depth + 1, to);
	}
}

static void write_llvm(const struct pgo_profile *p, FILE *to)
{
	struct source_profile profile = { .llvm = true };
	size_t i;

	source_profile_flows(&profile, p->dso, p->list);
	source_profile_finish(&profile);
	for (i = 0; i < profile.root.nr_inlined; i++) {
		const struct source_function *f = &profile.root.inlined[i];

		put_function(f->name, to);
		fprintf(to, ":%" PRIu64 ":%" PRIu64 "\n", f->total, f->head);
		put_body(f, 1, to);
	}
	source_profile_free(&profile);
}

static const struct pgo_format pgo_llvm = {
	.name = "llvm", .help = "for clang -fprofile-sample-use, and llvm-profdata",
	.needs_code = true, .needs_lines = true, .write = write_llvm,
};

/*
 * profgen: The unsymbolized profile of llvm-profgen
 */

/* llvm-profgen counts from the page in which the first executable segment begins. */
#define PROFGEN_PAGE	UINT64_C(0x1000)

static uint64_t profgen_base(const struct dso *dso)
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
	uint64_t base = profgen_base(p->dso);
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

static const struct pgo_format pgo_profgen = {
	.name = "profgen",
	.help = "for llvm-profgen --unsymbolized-profile",
	.write = write_profgen,
};

/*
 * misses: A table of the loads that missed a cache
 */

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

static const struct pgo_format pgo_misses = {
	.name = "misses", .help = "CSV: the loads that missed a cache, with latency and stride",
	.needs_misses = true, .for_people = true, .write = write_misses,
};

/*
 * prefetch: AutoFDO's hints for software prefetching
 */

/* A hint for the line that the load itself reads would be of no use. */
#define CACHE_LINE	64.0

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
static int64_t prefetch_distance(const struct pgo_profile *p, const struct load_miss *load)
{
	double operations = operations_between(p, load->address), times;
	struct stride stride;

	if (!load->missed.count || operations <= 0 || !load_miss_stride(load, &stride))
		return 0;
	times = ceil(load_miss_latency(load) / operations);
	times = fmax(times, ceil(CACHE_LINE / fabs((double)stride.bytes)));
	return (int64_t)(times * (double)stride.bytes);
}

/* Address in hex without 0x, distance in bytes, and prefetch to all levels of cache. */
static void write_prefetch(const struct pgo_profile *p, FILE *to)
{
	size_t i;

	for (i = 0; i < p->misses->count; i++) {
		const struct load_miss *load = p->misses->sorted[i];
		int64_t bytes = prefetch_distance(p, load);

		if (bytes)
			fprintf(to, "%" PRIx64 ",%" PRId64 ",t0\n", load->address, bytes);
	}
}

static const struct pgo_format pgo_prefetch = {
	.name = "prefetch", .help = "for create_llvm_prof --profiler=prefetch",
	.needs_code = true, .needs_misses = true, .needs_strides = true,
	.write = write_prefetch,
};

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
