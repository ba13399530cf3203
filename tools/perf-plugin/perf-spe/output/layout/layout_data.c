// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "output/layout/layout.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

#define COLUMNS_MAX	24

/* A value of a row, as text; @quoted: it is no number.  NULL: there is none. */
struct cell {
	const char *name;
	char *text;
	bool quoted;
};

struct cells {
	struct cell all[COLUMNS_MAX];
	size_t nr;
};

static void add(struct cells *c, const char *name, bool quoted, char *text)
{
	c->all[c->nr++] = (struct cell){ name, text, quoted };
}

static void add_number(struct cells *c, const char *name, uint64_t number)
{
	add(c, name, false, xformat("%" PRIu64, number));
}

static void add_text(struct cells *c, const char *name, const char *text)
{
	add(c, name, true, xformat("%s", text));
}

static const char *kind_of(const struct layout *l, size_t row)
{
	switch (l->rows[row].kind) {
	case LAYOUT_GROUP:
		return l->rows[row].is_union ? "union" : "struct";
	case LAYOUT_HOLE:
		return layout_is_padding(l, row) ? "padding" : "hole";
	case LAYOUT_BITS:
		return "bits";
	default:
		return l->rows[row].bit_field ? "bit-field" : "member";
	}
}

static void add_place(struct cells *c, const struct layout_view *v, size_t i)
{
	const struct layout *l = v->heat->layout;
	const struct layout_row *row = &l->rows[i];
	char *text = layout_declaration(row);

	/* The path of an anonymous group is that of its own group. */
	add_text(c, "member", row->name && row->path ? row->path : "");
	add_text(c, "kind", kind_of(l, i));
	add_number(c, "depth", row->depth);
	add_text(c, "declaration", text);
	free(text);
	add_number(c, "offset", row->low / 8);
	add_number(c, "bit", row->low % 8);
	add_number(c, "bits", row->high - row->low);
	add_number(c, "cache_line", row->low / 8 / v->heat->lines.bytes);
}

static void add_sums(struct cells *c, const struct layout_view *v, const struct layout_sums *s)
{
	static const char *const names[2][2] = {
		{ "cpus_read", "cpus_written" }, { "threads_read", "threads_written" },
	};
	const struct hist *h = &s->total;
	int i;

	add_number(c, "samples", s->samples);
	add(c, "share_percent", false, xformat("%.2f", percent(s->samples, v->heat->all.samples)));
	add_number(c, "loads", s->loads);
	add_number(c, "stores", s->stores);
	add(c, "mean", false, h->count ? xformat("%.1f", hist_mean(h)) : NULL);
	add(c, "p99", false, h->count ? xformat("%u", hist_percentile(h, 99)) : NULL);
	for (i = 0; i < 2; i++)
		add(c, names[0][i], true, id_set_text(&s->cpus[i]));
	for (i = 0; i < 2; i++)
		add(c, names[1][i], true, id_set_text(&s->threads[i]));
}

static void fill(struct cells *c, const struct layout_view *v, size_t row)
{
	c->nr = 0;
	add_place(c, v, row);
	add_sums(c, v, &v->heat->rows[row]);
	add_text(c, "sharing", layout_shared(v->sharing, row));
}

static void empty(struct cells *c)
{
	while (c->nr)
		free(c->all[--c->nr].text);
}

void layout_csv(const struct layout_view *v, FILE *to)
{
	struct cells c = { .nr = 0 };
	size_t i, k;

	fputs("member,kind,depth,declaration,offset,bit,bits,cache_line,samples,share_percent,loads,stores,mean,p99,cpus_read,cpus_written,threads_read,threads_written,sharing\r\n", to);
	for (i = 0; i < v->heat->layout->nr; i++) {
		fill(&c, v, i);
		for (k = 0; k < c.nr; k++) {
			if (k)
				putc(',', to);
			if (c.all[k].quoted)
				csv_text(c.all[k].text, to);
			else if (c.all[k].text)
				fputs(c.all[k].text, to);
		}
		fputs("\r\n", to);
		empty(&c);
	}
}

static void put_members(const struct layout_view *v, FILE *to)
{
	struct cells c = { .nr = 0 };
	size_t i, k;

	for (i = 0; i < v->heat->layout->nr; i++) {
		fill(&c, v, i);
		for (k = 0; k < c.nr; k++) {
			fprintf(to, "%s\"%s\":", k ? "," : i ? ",{" : "{", c.all[k].name);
			if (c.all[k].quoted)
				json_text(c.all[k].text, to);
			else
				fputs(c.all[k].text ? c.all[k].text : "null", to);
		}
		putc('}', to);
		empty(&c);
	}
}

static void put_conflicts(const struct layout_view *v, FILE *to)
{
	size_t i;

	for (i = 0; i < v->sharing->nr; i++) {
		const struct layout_conflict *c = &v->sharing->all[i];
		char *a = layout_member_name(v->heat->layout, c->a);
		char *b = layout_member_name(v->heat->layout, c->b);

		fprintf(to, "%s{\"between\":\"%s\",\"member\":", i ? "," : "", layout_apart_name(c->apart));
		json_text(a, to);
		fputs(",\"other\":", to);
		if (c->apart == APART_OTHERS && !c->other)
			fputs("null", to);
		else
			json_text(c->apart == APART_OTHERS ? c->other : b, to);
		fprintf(to, ",\"lines\":%zu,\"part_percent\":%.2f}", c->lines, 100 * c->part);
		free(a);
		free(b);
	}
}

static void put_steps(const struct layout_view *v, FILE *to)
{
	static const char *const kinds[] = { "before", "elements", "type", "none" };
	const struct layout_pad *pad = v->pad;
	bool exact = pad->fit.exact;
	size_t i;

	for (i = 0; i < pad->nr; i++) {
		const struct pad_step *s = &pad->steps[i];
		char *name = layout_member_name(v->heat->layout, s->row);

		fprintf(to, "%s{\"align\":\"%s\",\"member\":", i ? "," : "", kinds[s->kind]);
		json_text(s->kind == PAD_TYPE ? "" : name, to);
		if (exact)
			fprintf(to, ",\"new_offset\":%" PRIu64 ",\"cost\":%" PRIu64 "}", s->offset, s->cost);
		else
			fputs(",\"new_offset\":null,\"cost\":null}", to);
		free(name);
	}
	fputs("],\"new_size\":", to);
	if (exact)
		fprintf(to, "%" PRIu64, pad->fit.size);
	else
		fputs("null", to);
}

void layout_json(const struct layout_view *v, FILE *to)
{
	const struct layout *l = v->heat->layout;
	size_t i;

	fputs("{\"type\":", to);
	json_text(l->name, to);
	fprintf(to, ",\"size\":%" PRIu64 ",\"line_bytes\":%u,\"source\":", l->size, v->heat->lines.bytes);
	json_text(l->source ? l->source : "", to);
	fputs(",\"objects\":[", to);
	for (i = 0; i < v->type->nr_objects; i++) {
		fputs(i ? "," : "", to);
		json_text(v->type->objects[i]->name, to);
	}
	fprintf(to, "],\"samples\":%" PRIu64 ",\"unknown_member\":%" PRIu64 ",\"not_at_line\":%" PRIu64 ",\"members\":[",
		v->heat->all.samples, v->heat->unknown, v->heat->astride);
	put_members(v, to);
	fputs("],\"false_sharing\":[", to);
	put_conflicts(v, to);
	fprintf(to, "],\"lines_with_few_samples\":%zu,\"padding\":[", v->sharing->few);
	put_steps(v, to);
	fputs("}\n", to);
}
