// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/layout/layout.h"
#include "util/util.h"

bool layout_is_padding(const struct layout *l, size_t row)
{
	int parent = l->rows[row].parent;
	size_t end = parent < 0 ? l->nr : l->rows[parent].end;

	for (; row < end; row++)
		if (l->rows[row].type)
			return false;
	return true;
}

/* "hole: 7 bytes", "padding: 22 bits"; to be freed */
static char *layout_gap(const struct layout *l, size_t row)
{
	const struct layout_row *r = &l->rows[row];
	bool whole = r->kind == LAYOUT_HOLE && !((r->high - r->low) % 8);
	uint64_t number = (r->high - r->low) / (whole ? 8 : 1);

	return xformat("%s: %" PRIu64 " %s%s", layout_is_padding(l, row) ? "padding" : "hole", number,
		       whole ? "byte" : "bit", plural(number));
}

static void indent(unsigned int depth, FILE *to)
{
	fprintf(to, "  %*s", 4 * (int)(depth + 1), "");
}

/* A line without numbers */
static void put_plain(const struct layout_lines *p, unsigned int depth, const char *text, FILE *to)
{
	fprintf(to, "%*s", p->before, "");
	indent(depth, to);
	put_name(text, to);
	putc('\n', to);
}

void layout_lines_begin(const struct layout_lines *p, FILE *to)
{
	const struct layout *l = p->layout;
	bool own = !strncmp(l->name, l->word, strlen(l->word));

	fprintf(to, "%*s  ", p->before, "");
	put_name(own ? l->name : l->word, to);
	fputs(" {\n", to);
}

static void put_boundary(struct layout_lines *p, const struct layout_row *row, FILE *to)
{
	uint64_t now = row->low / 8 / p->bytes, ago = row->low / 8 % p->bytes;
	char *text;

	if (now <= p->line || row->low == row->high)
		return;
	p->line = now;
	text = ago ? xformat("/* --- cache line %" PRIu64 " (%" PRIu64 " bytes) was %" PRIu64 " byte%s ago --- */",
			     now, now * p->bytes, ago, plural(ago)) :
		     xformat("/* --- cache line %" PRIu64 " (%" PRIu64 " bytes) --- */", now, now * p->bytes);
	put_plain(p, row->depth, text, to);
	free(text);
}

static void put_closing(struct layout_lines *p, size_t next, FILE *to)
{
	const struct layout *l = p->layout;

	while (p->open >= 0 && l->rows[p->open].end <= next) {
		const struct layout_row *row = &l->rows[p->open];
		char *text = xformat("}%s%s;", row->name ? " " : "", row->name ? row->name : "");

		put_plain(p, row->depth, text, to);
		free(text);
		p->open = row->parent;
	}
}

void layout_lines_before(struct layout_lines *p, size_t row, FILE *to)
{
	put_closing(p, row, to);
	put_boundary(p, &p->layout->rows[row], to);
}

void layout_lines_row(struct layout_lines *p, size_t row, FILE *to)
{
	const struct layout_row *r = &p->layout->rows[row];
	char *text = r->type ? layout_declaration(r) : layout_gap(p->layout, row);

	indent(r->depth, to);
	if (r->kind == LAYOUT_GROUP) {
		put_name(r->type, to);
		fputs(r->base ? " { /* base class */\n" : " {\n", to);
		p->open = (int)row;
	} else {
		fputs(r->type ? "" : "/* ", to);
		put_name(text, to);
		fputs(r->type ? ";\n" : " */\n", to);
	}
	free(text);
}

void layout_lines_end(struct layout_lines *p, FILE *to)
{
	const struct layout *l = p->layout;
	bool own = !strncmp(l->name, l->word, strlen(l->word));

	put_closing(p, l->nr, to);
	fprintf(to, "%*s  }%s", p->before, "", own ? "" : " ");
	put_name(own ? "" : l->name, to);
	fputs(";\n", to);
}
