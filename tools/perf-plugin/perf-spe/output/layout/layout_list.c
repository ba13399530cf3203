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
	fprintf(to, "# %" PRIu64 " sample%s with a data address: %" PRIu64 " of a known type, %" PRIu64
		" of these in %zu structure%s\n", t->addresses, plural(t->addresses), t->typed, t->samples,
		t->nr, plural(t->nr));
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

void layout_list_csv(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to)
{
	size_t i;

	(void)r;
	fputs("type,size,samples,share_percent,object\r\n", to);
	for (i = 0; i < shown(t, limit); i++) {
		const struct layout_type *type = t->all[i];
		char *objects = layout_objects(type);

		csv_text(type->layout->name, to);
		fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%.2f,", type->layout->size, type->samples,
			percent(type->samples, t->samples));
		csv_text(objects, to);
		fputs("\r\n", to);
		free(objects);
	}
}

void layout_list_json(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to)
{
	size_t i, k;

	(void)r;
	fprintf(to, "{\"addresses\":%" PRIu64 ",\"typed\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"types\":[",
		t->addresses, t->typed, t->samples);
	for (i = 0; i < shown(t, limit); i++) {
		const struct layout_type *type = t->all[i];

		fprintf(to, "%s{\"type\":", i ? "," : "");
		json_text(type->layout->name, to);
		fprintf(to, ",\"size\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"share_percent\":%.2f,\"objects\":[",
			type->layout->size, type->samples, percent(type->samples, t->samples));
		for (k = 0; k < type->nr_objects; k++) {
			fputs(k ? "," : "", to);
			json_text(type->objects[k]->name, to);
		}
		fputs("]}", to);
	}
	fputs("]}\n", to);
}
