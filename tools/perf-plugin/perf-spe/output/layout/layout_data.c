// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "output/layout/layout.h"
#include "output/text/text.h"
#include "util/util.h"

const char *layout_table(unsigned int index)
{
	static const char *const names[] = {
		"members", "false_sharing", "padding", "types", "objects", "recording",
		"offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
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

static void put_place(struct data *d, const struct layout_view *v, size_t i)
{
	const struct layout *l = v->heat->layout;
	const struct layout_row *row = &l->rows[i];

	/* The path of an anonymous group is that of its own group. */
	data_text(d, "member", row->name && row->path ? row->path : NULL);
	data_text(d, "kind", kind_of(l, i));
	data_number(d, "depth", row->depth);
	data_take_text(d, "declaration", layout_declaration(row));
	data_number(d, "offset", row->low / 8);
	data_number(d, "bit", row->low % 8);
	data_number(d, "bits", row->high - row->low);
	data_number(d, "cache_line", row->low / 8 / v->heat->lines.bytes);
}

static void put_sums(struct data *d, const struct layout_view *v, const struct layout_sums *s)
{
	static const char *const names[2][2] = {
		{ "cpus_read", "cpus_written" }, { "threads_read", "threads_written" },
	};
	const struct hist *h = &s->total;
	int i;

	data_number(d, "count", s->samples);
	data_real(d, "share_percent", v->heat->all.samples, percent(s->samples, v->heat->all.samples));
	data_number(d, "loads", s->loads);
	data_number(d, "stores", s->stores);
	data_real(d, "cycles", h->count, (double)h->sum);
	data_real(d, "mean", h->count, h->count ? hist_mean(h) : 0);
	data_real(d, "p99", h->count, h->count ? hist_percentile(h, 99) : 0);
	for (i = 0; i < 2; i++)
		data_take_text(d, names[0][i], id_set_text(&s->cpus[i]));
	for (i = 0; i < 2; i++)
		data_take_text(d, names[1][i], id_set_text(&s->threads[i]));
}

static void put_members(struct data *d, const struct layout_view *v)
{
	size_t i;

	data_table(d, "members");
	for (i = 0; i < v->heat->layout->nr; i++) {
		data_row(d);
		put_place(d, v, i);
		put_sums(d, v, &v->heat->rows[i]);
		data_text(d, "sharing", layout_shared(v->sharing, i));
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_conflicts(struct data *d, const struct layout_view *v)
{
	size_t i;

	data_table(d, "false_sharing");
	for (i = 0; i < v->sharing->nr; i++) {
		const struct layout_conflict *c = &v->sharing->all[i];
		char *other = layout_member_name(v->heat->layout, c->b);

		data_row(d);
		data_text(d, "between", layout_apart_name(c->apart));
		data_take_text(d, "member", layout_member_name(v->heat->layout, c->a));
		data_text(d, "other", c->apart == APART_OTHERS ? c->other : other);
		data_number(d, "lines", c->lines);
		data_real(d, "meetings_percent", true, 100 * c->part);
		data_row_end(d);
		free(other);
	}
	data_table_end(d);
}

static void put_known(struct data *d, const char *name, bool known, uint64_t number)
{
	if (known)
		data_number(d, name, number);
	else
		data_none(d, name);
}

static void put_steps(struct data *d, const struct layout_view *v)
{
	static const char *const kinds[] = { "before", "elements", "type", "none" };
	const struct layout_pad *pad = v->pad;
	size_t i;

	data_table(d, "padding");
	for (i = 0; i < pad->nr; i++) {
		const struct pad_step *s = &pad->steps[i];

		data_row(d);
		data_text(d, "align", kinds[s->kind]);
		data_take_text(d, "member", s->kind == PAD_TYPE ? NULL :
			       layout_member_name(v->heat->layout, s->row));
		put_known(d, "new_offset", pad->fit.exact, s->offset);
		put_known(d, "cost_bytes", pad->fit.exact, s->cost);
		data_row_end(d);
	}
	data_table_end(d);
}

void layout_data_objects(struct data *d, const struct layout_type *type)
{
	size_t i;

	for (i = 0; i < type->nr_objects; i++) {
		data_row(d);
		data_text(d, "type", type->layout->name);
		data_text(d, "declared", type->layout->source);
		data_text(d, "object", type->objects[i]->name);
		data_row_end(d);
	}
}

void layout_data(const struct layout_view *v, const struct data_options *o, FILE *to)
{
	const struct layout *l = v->heat->layout;
	struct data d;

	data_begin(&d, o, "layout", to);
	table_recording_data(&d, v->rows);
	data_text(&d, "type", l->name);
	data_text(&d, "declared", l->source);
	data_number(&d, "size_bytes", l->size);
	data_number(&d, "line_bytes", v->heat->lines.bytes);
	data_number(&d, "samples", v->heat->all.samples);
	data_number(&d, "unknown_member", v->heat->unknown);
	data_number(&d, "not_at_line", v->heat->astride);
	data_number(&d, "lines_with_few_samples", v->sharing->few);
	put_known(&d, "new_size_bytes", v->pad->fit.exact, v->pad->fit.size);
	put_members(&d, v);
	put_conflicts(&d, v);
	put_steps(&d, v);
	data_table(&d, "objects");
	layout_data_objects(&d, v->type);
	data_table_end(&d);
	data_end(&d);
}
