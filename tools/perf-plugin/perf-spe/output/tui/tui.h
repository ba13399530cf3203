/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A grid on the terminal with a selected row, and keys.  State is global, because
 * there is one terminal.  Only this module and tui_page.c use ncurses.
 */
#ifndef PERF_SPE_TUI_H
#define PERF_SPE_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/table/grid.h"

/* Whether output goes to a terminal and perf-spe was built with ncurses */
bool tui_possible(void);
/*
 * Take over the terminal; false after a message if its type is unknown.  Messages
 * on standard error appear in the last line.  tui_end() prints those that did not.
 */
bool tui_begin(void);
void tui_end(void);

#define TUI_KEEP	SIZE_MAX	/* the row that was selected before */
/*
 * Show @grid, which is emptied, below @title, with @keys in the last line and @row
 * selected.  The screen shows whole columns; the key "right" moves to the next.
 */
void tui_show(const char *title, struct grid *grid, const char *keys,
	      size_t row);
/* Show a message in the last line until the next key. */
void tui_say(const char *text);
/* Move so that the first column with this id is on the screen. */
void tui_reveal(int id);

/* The selected row, counted from 0 after the headings */
size_t tui_row(void);

#define TUI_NOTHING	0	/* no key, or only movements */
#define TUI_ENTER	'\n'
#define TUI_LEFT	-2	/* the terminal is gone */
/*
 * The next key that is neither a movement nor a search.  With @wait wait for it;
 * otherwise return TUI_NOTHING if none was typed.
 */
int tui_key(bool wait);
/* Let the user edit @text, at most @size - 1 characters; false if cancelled. */
bool tui_ask(const char *prompt, char *text, size_t size);

#endif
