// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

#ifdef HAVE_NCURSES
#include <ncurses.h>

/* Characters that a key moves a line which is wider than the screen */
#define SHIFT		8

static struct {
	char *title, *keys, *message;
	struct grid grid;
	size_t row, top;		/* selected row, first row */
	struct grid_window window;
	size_t scrolled;		/* columns at the left that are out of sight */
	bool colours;
} page;

/* The colours of rows with at least so many percent, as in perf report */
enum { HOT = 1, WARM };
#define HOT_PERCENT	5.0
#define WARM_PERCENT	0.5

void page_colours(void)
{
	page.colours = true;
	init_pair(HOT, COLOR_RED, -1);
	init_pair(WARM, COLOR_GREEN, -1);
}

/* The colour of a row whose first cell is a share */
static attr_t heat_of(size_t row)
{
	const char *text;
	double share;
	char *end;

	if (!page.colours || !page.grid.nr_columns)
		return A_NORMAL;
	text = grid_text(&page.grid, row, 0);
	share = strtod(text, &end);
	if (end == text || *end != '%' || share < WARM_PERCENT)
		return A_NORMAL;
	return (attr_t)COLOR_PAIR(share < HOT_PERCENT ? WARM : HOT);
}

/* How many bytes of @text the first line of the screen has: it ends at a blank if it can. */
static size_t first_line(const char *text)
{
	size_t most = (size_t)COLS, len = strcspn(text, "\n"), at;

	if (len <= most)
		return len;
	for (at = most; at && text[at] != ' '; at--)
		;
	return at ? at : most;
}

/* Lines of the screen that @text takes */
static size_t lines_of(const char *text)
{
	size_t lines = 0;

	while (*text) {
		text += first_line(text);
		text += *text == ' ' || *text == '\n';
		lines++;
	}
	return lines;
}

/* Lines above the first row: the title and the headings */
static size_t heads(void)
{
	const char *above = page.grid.above ? page.grid.above : "";
	size_t title = page.title ? lines_of(page.title) : 0;

	return (title ? title : 1) + lines_of(above) + grid_heads(&page.grid);
}

/* How many rows fit between the headings and the last line */
size_t page_height(void)
{
	int left = LINES - 1 - (int)heads();

	return left > 1 ? (size_t)left : 1;
}

/*
 * The character to draw for a byte, 0 for none: ncurses has no characters of several
 * bytes here, so their first byte stands for all of them.
 */
static chtype drawn(char c)
{
	unsigned char byte = (unsigned char)c;

	if ((byte & 0xc0) == 0x80)
		return 0;
	return byte < ' ' || byte >= 127 ? '?' : byte;
}

static void put_line(int y, const char *line, attr_t attr)
{
	int x = 0, to;

	if (y >= LINES)
		return;
	move(y, 0);
	attrset(attr);
	for (; *line && x < COLS; line++) {
		chtype c = *line == '\t' ? ' ' : drawn(*line);

		to = *line == '\t' ? x + 8 - x % 8 : x + (c != 0);
		for (; x < to && x < COLS; x++)
			addch(c);
	}
	clrtoeol();
	for (; attr != A_NORMAL && x < COLS; x++)
		addch(' ');
	attrset(A_NORMAL);
}

/* Scroll so that the selected row is visible. */
static void keep_in_sight(void)
{
	size_t rows = grid_rows(&page.grid);

	if (page.row >= rows)
		page.row = rows ? rows - 1 : 0;
	if (page.row < page.top)
		page.top = page.row;
	if (page.row >= page.top + page_height())
		page.top = page.row - page_height() + 1;
	if (page.top + page_height() > rows)
		page.top = rows > page_height() ? rows - page_height() : 0;
}

/* The width of the first @count columns */
static size_t width_of(size_t count)
{
	size_t i, width = 0;

	for (i = 0; i < count; i++)
		width += GRID_GAP + page.grid.columns[i].width;
	return width;
}

/* Whether the columns that stay leave room for others */
static bool room_beside(size_t pinned)
{
	const struct grid *g = &page.grid;
	size_t width = width_of(pinned), columns = (size_t)COLS;

	if (g->nr_columns && g->columns[g->nr_columns - 1].kind == GRID_TAIL)
		return width + GRID_GAP + SHIFT <= columns;
	return width <= columns * 3 / 4;
}

/* Lay the columns out.  Names stay at the left, and so do the numbers beside code. */
static void fit(void)
{
	const size_t nr = page.grid.nr_columns, columns = (size_t)COLS;
	struct grid_window *w = &page.window;

	grid_layout(&page.grid, columns);
	w->pinned = grid_pinned(&page.grid);
	if (width_of(nr) <= columns)
		page.scrolled = 0;
	else if (!room_beside(w->pinned))
		w->pinned = 0;
	if (page.scrolled && page.scrolled >= nr - w->pinned)
		page.scrolled = nr - w->pinned - 1;
	w->first = w->pinned + page.scrolled;
	grid_fit(&page.grid, w, columns);
}

/* Draw line @y: a heading if @row is below 0. */
static void draw_cells(int y, ssize_t row, size_t head, attr_t attr)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		exit(EXIT_INPUT);
	if (row < 0)
		grid_put_head(&page.grid, &page.window, head, to);
	else
		grid_put_row(&page.grid, &page.window, (size_t)row, GRID_CUT, to);
	fclose(to);
	put_line(y, text, attr);
	free(text);
}

/* Draw @text from line @y on, and return the line below it. */
static int put_lines(int y, const char *text, attr_t attr)
{
	size_t len;
	char *line;

	do {
		len = first_line(text);
		line = xstrndup(text, len);
		put_line(y++, line, attr);
		free(line);
		text += len;
		text += *text == ' ' || *text == '\n';
	} while (*text);
	return y;
}

/* Draw the keys, or the message, which may take half of the screen. */
static void draw_last(void)
{
	size_t lines = page.message ? lines_of(page.message) : 1;
	int most = LINES / 2, y = LINES - ((int)lines < most ? (int)lines : most);

	if (page.message)
		put_lines(y, page.message, A_REVERSE);
	else
		put_line(LINES - 1, page.keys, A_REVERSE);
}

static void draw_below(int y)
{
	char *text;

	if (!page.grid.below || y >= LINES - 1)
		return;
	text = xstrndup(page.grid.below, strcspn(page.grid.below, "\n"));
	put_line(y, text, A_NORMAL);
	free(text);
}

void page_draw(void)
{
	size_t i, rows = grid_rows(&page.grid), shown = page_height();
	int y;

	keep_in_sight();
	fit();
	erase();
	y = put_lines(0, page.title, A_REVERSE);
	if (page.grid.above)
		y = put_lines(y, page.grid.above, A_BOLD);
	for (i = 0; i < grid_heads(&page.grid); i++)
		draw_cells(y++, -1, i, A_BOLD);
	for (i = page.top; i < rows && i < page.top + shown; i++)
		draw_cells(y++, (ssize_t)i, 0,
			   (i == page.row ? A_REVERSE : A_NORMAL) | heat_of(i));
	if (i == rows)
		draw_below(y);
	draw_last();
	move(LINES - 1, 0);
	refresh();
}

void page_message(const char *text)
{
	free(page.message);
	page.message = *text ? xformat("%s", text) : NULL;
}

void page_set(const char *title, struct grid *grid, const char *keys, size_t row)
{
	free(page.title);
	free(page.keys);
	grid_free(&page.grid);
	page.title = xformat("%s", title);
	page.keys = xformat("%s", keys);
	page.grid = *grid;
	memset(grid, 0, sizeof(*grid));
	if (row == PAGE_KEEP)
		return;
	page.row = row;
	/* In the middle, with what is before and after it */
	page.top = row > page_height() / 2 ? row - page_height() / 2 : 0;
	page.window.shift = page.scrolled = 0;
}

size_t page_row(void)
{
	return page.row;
}

size_t page_rows(void)
{
	return grid_rows(&page.grid);
}

void page_move(size_t by, bool down)
{
	if (down)
		page.row += by;
	else
		page.row -= page.row < by ? page.row : by;
}

void page_right(void)
{
	const struct grid_window *w = &page.window;
	size_t last = page.grid.nr_columns - 1;

	if (!page.grid.nr_columns)
		return;
	if (w->first + w->count <= last ||
	    (page.grid.columns[last].kind == GRID_TAIL && w->first < last))
		page.scrolled++;
	else if (page.grid.columns[last].kind == GRID_TAIL)
		page.window.shift += SHIFT;
}

void page_left(void)
{
	if (page.window.shift)
		page.window.shift -= SHIFT;
	else
		page.scrolled -= page.scrolled > 0;
}

void page_reveal(int id)
{
	const struct grid_window *w = &page.window;
	size_t i;

	for (i = 0; i < page.grid.nr_columns && page.grid.columns[i].id != id; i++)
		;
	fit();
	if (i == page.grid.nr_columns || i < w->pinned)
		return;
	if (i < w->first)
		page.scrolled = i - w->pinned;
	for (fit(); i >= w->first + w->count; fit())
		page.scrolled++;
	page_draw();
}

static bool row_has(size_t row, const char *text)
{
	size_t i;

	for (i = 0; i < page.grid.nr_columns; i++)
		if (strcasestr(grid_text(&page.grid, row, i), text))
			return true;
	return false;
}

/* Select the next or previous row that has the text, around the ends. */
void page_seek(const char *text, bool forward)
{
	size_t rows = grid_rows(&page.grid), i, row;
	char *message;

	for (i = 1; *text && i <= rows; i++) {
		row = (page.row + (forward ? i : rows - i)) % rows;
		if (row_has(row, text)) {
			page.row = row;
			return;
		}
	}
	message = *text ? xformat("no row has '%s'", text) :
			  xformat("press / and type what to look for");
	page_message(message);
	free(message);
}

void page_click(int y)
{
	if (y >= (int)heads())
		page.row = page.top + (size_t)y - heads();
}

void page_free(void)
{
	free(page.title);
	free(page.keys);
	free(page.message);
	grid_free(&page.grid);
	memset(&page, 0, sizeof(page));
}

#endif
