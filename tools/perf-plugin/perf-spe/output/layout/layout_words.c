// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "output/layout/layout.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

const char *layout_shared(const struct layout_sharing *s, size_t row)
{
	if (s->falsely[row])
		return s->truly[row] ? "false,true" : "false";
	return s->truly[row] ? "true" : "";
}

const char *layout_apart_name(enum layout_apart apart)
{
	static const char *const names[] = { "members", "elements", "instances", "other" };

	return names[apart];
}

char *layout_member_name(const struct layout *l, size_t row)
{
	const struct layout_row *r = &l->rows[row];

	return xformat("%s", r->path && *r->path ? r->path : r->type ? r->type : "(padding)");
}

char *layout_objects(const struct layout_type *type)
{
	const char *first = type->nr_objects ? type->objects[0]->name : "(unknown)";

	if (type->nr_objects < 2)
		return xformat("%s", first);
	return type->nr_objects == 2 ? xformat("%s and %s", first, type->objects[1]->name) :
	       xformat("%s and %zu more files", first, type->nr_objects - 1);
}

static void put_conflict(const struct layout *l, const struct layout_conflict *c, FILE *to)
{
	char *a = layout_member_name(l, c->a), *b = layout_member_name(l, c->b);

	fputs("# false sharing: ", to);
	put_name(a, to);
	if (c->apart == APART_ELEMENTS) {
		fputs(", by its elements", to);
	} else if (c->apart == APART_OTHERS) {
		fputs(" and ", to);
		put_name(c->other ? c->other : "data", to);
		fputs(" outside of the type", to);
	} else {
		fputs(" and ", to);
		put_name(b, to);
		if (c->apart == APART_INSTANCES)
			fputs(" of another instance", to);
	}
	fprintf(to, ", on %zu line%s, up to %.2f%% of a line's meetings\n", c->lines, plural(c->lines),
		100 * c->part);
	free(a);
	free(b);
}

static void put_impossible(const struct layout *l, const struct pad_step *step, FILE *to)
{
	char *name = layout_member_name(l, step->row), *other = layout_member_name(l, step->other);

	fputs("#   ", to);
	put_name(other, to);
	fputs(" and ", to);
	put_name(name, to);
	fputs(" cannot be separated by an alignment: make one of them a member outside of the union, or no bit-field\n", to);
	free(name);
	free(other);
}

static void put_step(const struct layout_view *v, const struct pad_step *step, FILE *to)
{
	const struct layout *l = v->heat->layout;
	char *name = layout_member_name(l, step->row);
	bool exact = v->pad->fit.exact;

	fprintf(to, "#   alignas(%u) %s ", v->heat->lines.bytes, step->kind == PAD_BEFORE ? "before" :
		step->kind == PAD_TYPE ? "on" : "on each element of");
	put_name(step->kind == PAD_TYPE ? l->name : name, to);
	if (exact)
		fprintf(to, " costs %" PRIu64 " byte%s", step->cost, plural(step->cost));
	else
		fputs(" costs (unknown) bytes", to);
	if (step->kind == PAD_TYPE)
		fputs(" an instance", to);
	else if (exact)
		fprintf(to, ": offset %" PRIu64 " -> %" PRIu64, l->rows[step->row].low / 8, step->offset);
	putc('\n', to);
	free(name);
}

static void put_padding(const struct layout_view *v, FILE *to)
{
	const struct layout_pad *pad = v->pad;
	size_t i;

	if (!pad->nr)
		return;
	fputs("# padding that would separate:\n", to);
	for (i = 0; i < pad->nr; i++) {
		if (pad->steps[i].kind == PAD_NONE)
			put_impossible(v->heat->layout, &pad->steps[i], to);
		else
			put_step(v, &pad->steps[i], to);
	}
	if (pad->cold) {
		fputs("#   or move members without samples between them: ", to);
		put_name(pad->cold, to);
		fprintf(to, " (%" PRIu64 " bytes)\n", pad->cold_bytes);
	}
	if (pad->fit.exact)
		fprintf(to, "#   new size: %" PRIu64 " bytes, was %" PRIu64 "\n", pad->fit.size,
			v->heat->layout->size);
	else
		fputs("#   new size: (unknown), as the compiler does not lay out this type by the rules of C\n", to);
}

void layout_words(const struct layout_view *v, FILE *to)
{
	const struct layout_sharing *s = v->sharing;
	size_t i;

	for (i = 0; i < s->nr; i++)
		put_conflict(v->heat->layout, &s->all[i], to);
	if (s->few)
		fprintf(to, "# %zu shared line%s of it with too few samples to tell\n", s->few, plural(s->few));
	put_padding(v, to);
}
