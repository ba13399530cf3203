// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "export/pgo/pgo.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

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
static void put_place(const struct dso *dso, uint64_t address, FILE *to)
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
			put_place(p->dso, flow->from, to);
			fputc(' ', to);
			put_place(p->dso, flow->to, to);
			fprintf(to, " %" PRIu64 " %" PRIu64 "\n",
				flow->mispredicted, flow->count);
		}
}

const struct pgo_format pgo_fdata = {
	.name = "fdata", .help = "for llvm-bolt -data", .needs_code = true,
	.write = write_fdata,
};
