/* SPDX-License-Identifier: GPL-2.0-only */
/* What tui.c shows: a grid between a title and a line of keys, drawn by ncurses. */
#ifndef PERF_SPE_TUI_PAGE_H
#define PERF_SPE_TUI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/table/grid.h"

#define PAGE_KEEP	SIZE_MAX	/* the row that was selected before */

/* Show @grid, which is emptied, from the next page_draw() on. */
void page_set(const char *title, struct grid *grid, const char *keys, size_t row);
/* Show a message instead of the keys; "" shows the keys again. */
void page_message(const char *text);
void page_draw(void);
void page_free(void);

size_t page_row(void);
size_t page_rows(void);
/* How many rows the screen shows */
size_t page_height(void);

/* All of these change what the next page_draw() draws; page_reveal() draws. */
void page_move(size_t rows, bool down);
void page_right(void);
void page_left(void);
/* Select the row in line @y of the screen. */
void page_click(int y);
/* Select the next row that has the text, around the ends, or set a message. */
void page_seek(const char *text, bool forward);
/* Scroll to the first column with this id. */
void page_reveal(int id);

#endif
