/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of cells: columns with headings and rows of text, printed as lines or
 * drawn on the terminal.  Names may be cut to fit a width; numbers never are.
 */
#ifndef PERF_SPE_GRID_H
#define PERF_SPE_GRID_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum grid_kind {
	GRID_NUMBER,		/* at the right of its column */
	GRID_NAME,		/* at the left */
	GRID_TAIL,		/* at the left, up to the end of the line: only the
				   last column */
};

struct grid_column {
	enum grid_kind kind;
	const char *upper, *lower;	/* headings, which outlive the grid */
	int id;				/* the caller's */
	size_t widest;			/* characters of a heading or cell */
	size_t width;			/* after grid_layout() */
};

struct grid {
	struct grid_column *columns;
	size_t nr_columns, room_columns;
	size_t *cells;			/* offsets in text, row by row; SIZE_MAX: left out */
	size_t nr_cells, room_cells;
	char *text;			/* of all cells, each with its final zero */
	size_t len, room;
	char *above, *below;		/* lines before the headings, after the rows */
	size_t nr_above;		/* lines */
};

/* Columns on a line: the first @pinned, and @count from @first on */
struct grid_window {
	size_t pinned, first, count;
};

/* Between two columns */
#define GRID_GAP	2

void grid_column(struct grid *g, enum grid_kind kind, const char *upper,
		 const char *lower, int id);
/* Add the next cell of a row; control characters become question marks. */
void grid_cell(struct grid *g, const char *text);
/* Add the formatted text as the next cell. */
void grid_format(struct grid *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Leave a cell out: the rest of the row moves to the left.  A row without its first
 * cell has no indentation.
 */
void grid_skip(struct grid *g);
/* Lines that end with a line feed, without tabs; @text is freed with the grid. */
void grid_above(struct grid *g, char *text);
void grid_below(struct grid *g, char *text);

size_t grid_rows(const struct grid *g);
const char *grid_text(const struct grid *g, size_t row, size_t column);
/* How many lines of headings there are: 0, 1 or 2 */
size_t grid_heads(const struct grid *g);
/* The columns before which a window stays when it moves: those up to the names */
size_t grid_pinned(const struct grid *g);

/*
 * Give each column its width.  Names share what the numbers of @width leave, but
 * not less than half of it.  With @width 0, which is no limit, they get at most
 * 48 characters.
 */
void grid_layout(struct grid *g, size_t width);
/* Set w->count to how many columns from w->first on fit into @width, at least 1. */
void grid_fit(const struct grid *g, struct grid_window *w, size_t width);

/* A heading, or a row, and where its cells are longer than their column */
enum grid_cut {
	GRID_WHOLE,		/* print them whole */
	GRID_CUT,		/* cut them */
};
void grid_put_head(const struct grid *g, const struct grid_window *w,
		   size_t head, FILE *to);
void grid_put_row(const struct grid *g, const struct grid_window *w, size_t row,
		  enum grid_cut cut, FILE *to);
/* Print the first @columns columns whole, for a terminal of @width or a pipe (0). */
void grid_print(struct grid *g, size_t columns, size_t width, FILE *to);
void grid_free(struct grid *g);

#endif
