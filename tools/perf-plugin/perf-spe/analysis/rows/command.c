// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

char *rows_command_all(const struct rows *r, const char *verb)
{
	char *c = source_command(&r->src, verb), *longer;

	if (!r->symbol_options.archived)
		c = command_with(c, "--symfs", r->symbol_options.symfs);
	c = command_with(c, "-k", r->symbol_options.vmlinux);
	c = command_with(c, "--kallsyms", r->symbol_options.kallsyms);
	c = guest_options_add(c, &r->symbol_options.guests);
	c = command_with(c, "--cpu-model", r->midr ? armspe_source_core(r->midr) : NULL);
	longer = xformat("%s%s", c, r->symbol_options.mangled_names ? " --no-demangle" : "");
	free(c);
	return longer;
}

char *rows_command(const struct rows *r, const char *verb, const char *filter)
{
	const char *const *given = r->selection.given;
	const char *user = given[SELECT_FILTER];
	char *both = user && filter ? xformat("(%s) and %s", user, filter) : NULL;
	char *c = rows_command_all(r, verb);

	c = command_with(c, "--comm", given[SELECT_COMM]);
	c = command_with(c, "--dso", given[SELECT_DSO]);
	c = command_with(c, "--cpu", given[SELECT_CPU]);
	c = command_with(c, "--time", given[SELECT_TIME]);
	c = command_with(c, "--filter", both ? both : filter ? filter : user);
	free(both);
	return c;
}
