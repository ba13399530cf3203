// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/layout/layout.h"
#include "output/text/text.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* The rows to print */
static size_t shown(const struct layout_types *t, size_t limit)
{
	return t->nr < limit ? t->nr : limit;
}

void layout_list_text(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to)
{
	size_t i;

	heading_print(to, r);
	put_sentence(to, "# ", xformat("# %" PRIu64 " sample%s with a data address: %" PRIu64 " of a known type, %" PRIu64
				       " of these in %zu structure%s", t->addresses, plural(t->addresses), t->typed,
				       t->samples, t->nr, plural(t->nr)));
	table_flags(to, r->resolver.session);
	table_names(to, &r->resolver);
	fprintf(to, "# %6s %8s %8s  %-32s %s\n", "share", "count", "size", "type", "object");
	for (i = 0; i < shown(t, limit); i++) {
		const struct layout_type *type = t->all[i];
		char *objects = layout_objects(type);

		fprintf(to, " %6.2f%% %8" PRIu64 " %8" PRIu64 "  ", percent(type->samples, t->samples),
			type->samples, type->layout->size);
		put_name(type->layout->name, to);
		fprintf(to, "%*s ", (int)strlen(type->layout->name) < 32 ?
			32 - (int)strlen(type->layout->name) : 0, "");
		put_name(objects, to);
		putc('\n', to);
		free(objects);
	}
	if (i < t->nr)
		fprintf(to, "# %zu more type%s\n", t->nr - i, plural(t->nr - i));
}

void layout_list_data(const struct rows *r, const struct layout_types *t, size_t limit,
		      const struct data_options *o, FILE *to)
{
	struct data d;
	size_t i;

	data_begin(&d, o, "layout", to);
	table_recording_data(&d, r);
	data_number(&d, "addresses", t->addresses);
	data_number(&d, "typed", t->typed);
	data_number(&d, "samples", t->samples);
	data_table(&d, "types");
	for (i = 0; i < shown(t, limit); i++) {
		const struct layout_type *type = t->all[i];

		data_row(&d);
		data_text(&d, "type", type->layout->name);
		data_text(&d, "declared", type->layout->source);
		data_number(&d, "size_bytes", type->layout->size);
		data_number(&d, "count", type->samples);
		data_real(&d, "share_percent", true, percent(type->samples, t->samples));
		data_row_end(&d);
	}
	data_table_end(&d);
	data_table(&d, "objects");
	for (i = 0; i < shown(t, limit); i++)
		layout_data_objects(&d, t->all[i]);
	data_table_end(&d);
	data_end(&d);
}
