// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/text.h"
#include "util/util.h"

/* The widest name that a pipe's table lines up; longer ones are printed whole. */
#define NAME_MAX_WIDTH	48
/* A name is never narrower than this. */
#define NAME_LEAST	8

/* UTF-8: a byte that begins a character */
static bool begins(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += begins(*text);
	return n;
}

/* The bytes of the first @count characters */
static size_t bytes_of(const char *text, size_t count)
{
	size_t n;

	for (n = 0; text[n]; n++)
		if (begins(text[n]) && !count--)
			break;
	return n;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void grid_column(struct grid *g, enum grid_kind kind, const char *upper,
		 const char *lower, int id)
{
	g->columns = array_grow(g->columns, g->nr_columns, &g->room_columns,
				sizeof(*g->columns));
	g->columns[g->nr_columns++] = (struct grid_column){
		.kind = kind, .upper = upper, .lower = lower, .id = id,
		.widest = larger(strlen(upper), strlen(lower)),
	};
}

static void add_cell(struct grid *g, size_t at)
{
	g->cells = array_grow(g->cells, g->nr_cells, &g->room_cells,
			      sizeof(*g->cells));
	g->cells[g->nr_cells++] = at;
}

void grid_skip(struct grid *g)
{
	add_cell(g, SIZE_MAX);
}

void grid_cell(struct grid *g, const char *text)
{
	struct grid_column *column = &g->columns[g->nr_cells % g->nr_columns];
	size_t len = strlen(text) + 1;
	char *at;

	add_cell(g, g->len);
	while (g->len + len > g->room) {
		g->room = larger(2 * g->room, 4096);
		g->text = xrealloc(g->text, g->room);
	}
	at = memcpy(g->text + g->len, text, len);
	clean_name(at, column->kind == GRID_TAIL ? "\t" : "");
	g->len = (size_t)(at - g->text) + strlen(at) + 1;
	column->widest = larger(column->widest, characters(at));
}

void grid_format(struct grid *g, const char *format, ...)
{
	char text[128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	grid_cell(g, text);
}

void grid_above(struct grid *g, char *text)
{
	clean_name(text, "\n");
	g->above = text;
}

void grid_below(struct grid *g, char *text)
{
	if (text)
		clean_name(text, "\n");
	g->below = text;
}

size_t grid_rows(const struct grid *g)
{
	return g->nr_columns ? g->nr_cells / g->nr_columns : 0;
}

const char *grid_text(const struct grid *g, size_t row, size_t column)
{
	size_t at = g->cells[row * g->nr_columns + column];

	return at == SIZE_MAX ? "" : g->text + at;
}

size_t grid_heads(const struct grid *g)
{
	size_t i, heads = 0;

	for (i = 0; i < g->nr_columns; i++)
		heads = *g->columns[i].upper ? 2 :
			*g->columns[i].lower && !heads ? 1 : heads;
	return heads;
}

size_t grid_pinned(const struct grid *g)
{
	size_t i, pinned = 0;

	for (i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_NAME)
			pinned = i + 1;
		else if (g->columns[i].kind == GRID_TAIL)
			pinned = i;
	return pinned;
}

/* The width of all names together, each at most @most, with their gaps */
static size_t names_width(const struct grid *g, size_t most)
{
	size_t i, sum = 0;

	for (i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_NAME)
			sum += smaller(g->columns[i].widest, most) + GRID_GAP;
	return sum;
}

void grid_layout(struct grid *g, size_t width)
{
	size_t i, most = NAME_MAX_WIDTH, others = 0;

	for (i = 0; i < g->nr_columns; i++) {
		g->columns[i].width = g->columns[i].widest;
		if (g->columns[i].kind != GRID_NAME)
			others += g->columns[i].widest + GRID_GAP;
	}
	if (width) {
		size_t room = larger(width > others ? width - others : 0,
				     width / 2);

		/* The widest names give way first. */
		for (most = width; most > NAME_LEAST; most--)
			if (names_width(g, most) <= room)
				break;
	}
	for (i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_NAME)
			g->columns[i].width = smaller(g->columns[i].widest,
						      most);
}

void grid_fit(const struct grid *g, struct grid_window *w, size_t width)
{
	size_t i, used = 0;

	for (i = 0; i < w->pinned; i++)
		used += GRID_GAP + g->columns[i].width;
	for (i = w->first; i < g->nr_columns; i++) {
		used += GRID_GAP + g->columns[i].width;
		if (used > width && i > w->first &&
		    g->columns[i].kind != GRID_TAIL)
			break;
	}
	w->count = i - w->first;
}

static void blanks(size_t count, FILE *to)
{
	fprintf(to, "%*s", (int)count, "");
}

/*
 * Of a path, the end says most: it may have a line.  An offset tells code without a symbol apart,
 * so it stays.
 */
static void put_cut(const char *text, size_t width, FILE *to)
{
	size_t n = characters(text), keep = width - 2;
	const char *offset = strrchr(text, '+');

	if (offset && !strncmp(offset, "+0x", 3) && strlen(offset) < keep)
		fprintf(to, "%.*s..%s", (int)bytes_of(text, keep - strlen(offset)), text, offset);
	else if (strchr(text, '/'))
		fprintf(to, "..%s", text + bytes_of(text, n - keep));
	else
		fprintf(to, "%.*s..", (int)bytes_of(text, keep), text);
}

/*
 * Print a cell.  Blanks are owed to the next cell: a line does not end with
 * blanks.
 */
static size_t put_cell(const struct grid_column *column, const char *text,
		       enum grid_cut cut, size_t owed, FILE *to)
{
	size_t n = characters(text), left = 0;

	if (n < column->width)
		left = column->width - n;
	if (column->kind == GRID_NUMBER) {
		owed += left;
		left = 0;
	}
	if (!n)
		return owed + left;
	blanks(owed, to);
	if (n > column->width && cut == GRID_CUT && column->kind == GRID_NAME)
		put_cut(text, column->width, to);
	else
		fputs(text, to);
	return left;
}

/* The column at position @i of the window, NULL behind the last one */
static const struct grid_column *windowed(const struct grid *g,
					  const struct grid_window *w, size_t i)
{
	if (i >= w->pinned)
		i += w->first - w->pinned;
	return i < w->first + w->count && i < g->nr_columns ? &g->columns[i] :
								NULL;
}

void grid_put_head(const struct grid *g, const struct grid_window *w,
		   size_t head, FILE *to)
{
	bool upper = grid_heads(g) == 2 && !head;
	const struct grid_column *column;
	const char *last = "";
	size_t i, owed = 1;

	putc('#', to);
	for (i = 0; (column = windowed(g, w, i)); i++) {
		const char *text = upper ? column->upper : column->lower;

		/* One heading for neighbours of the same latency */
		owed = put_cell(column, upper && !strcmp(text, last) ? "" : text,
				GRID_CUT, owed, to) + GRID_GAP;
		last = upper ? text : "";
	}
}

void grid_put_row(const struct grid *g, const struct grid_window *w, size_t row,
		  enum grid_cut cut, FILE *to)
{
	const struct grid_column *column;
	const size_t *cells = &g->cells[row * g->nr_columns];
	size_t i, at, owed = *cells == SIZE_MAX ? 0 : GRID_GAP;

	for (i = 0; (column = windowed(g, w, i)); i++) {
		const char *text;

		at = (size_t)(column - g->columns);
		if (cells[at] == SIZE_MAX)
			continue;
		text = grid_text(g, row, at);
		if (column->kind == GRID_TAIL)
			text += bytes_of(text, w->shift);
		owed = put_cell(column, text, cut, owed, to) + GRID_GAP;
	}
}

void grid_print(struct grid *g, size_t columns, size_t width, FILE *to)
{
	struct grid_window w = { .count = columns };
	size_t i, heads = grid_heads(g);

	grid_layout(g, width);
	fputs(g->above ? g->above : "", to);
	for (i = 0; i < heads; i++) {
		grid_put_head(g, &w, i, to);
		putc('\n', to);
	}
	for (i = 0; i < grid_rows(g); i++) {
		grid_put_row(g, &w, i, width ? GRID_CUT : GRID_WHOLE, to);
		putc('\n', to);
	}
	fputs(g->below ? g->below : "", to);
	if (width && columns < g->nr_columns)
		put_words(to, 0, "", "# ", "# the terminal has no room for all columns: a wider one, a pipe or --csv has them");
}

void grid_print_fitted(struct grid *g, FILE *to)
{
	const size_t width = terminal_width(to);
	struct grid_window w = { .count = g->nr_columns };

	grid_layout(g, width);
	if (width)
		grid_fit(g, &w, width);
	grid_print(g, w.count, width, to);
}

void grid_free(struct grid *g)
{
	free(g->columns);
	free(g->cells);
	free(g->text);
	free(g->above);
	free(g->below);
	memset(g, 0, sizeof(*g));
}
