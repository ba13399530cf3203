// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "export/pgo/pgo.h"
#include "util/util.h"

/* A line that begins with a blank belongs to the function above, and a blank ends a callee's name. */
static void put_function(const char *name, FILE *to)
{
	put_name_without(' ', "?", name, to);
}

static void put_place(uint32_t offset, uint32_t discriminator, unsigned int depth,
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

		put_place(line->offset, line->discriminator, depth, to);
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

		put_place(in->offset, in->discriminator, depth, to);
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

const struct pgo_format pgo_llvm = {
	.name = "llvm", .help = "for clang -fprofile-sample-use, and llvm-profdata",
	.needs_code = true, .needs_lines = true, .write = write_llvm,
};
