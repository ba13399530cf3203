/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of text on the terminal, with a selected row, and keys.  There is one
 * terminal, and so one page.  The only user of ncurses.
 */
#ifndef PERF_SPE_TUI_H
#define PERF_SPE_TUI_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is a terminal to take over, and a program built for it */
bool tui_possible(void);
/*
 * Take it over; false after a message where it is of an unknown kind.  What is
 * said on standard error meanwhile stands in the last line, and is said again
 * at the end.
 */
bool tui_begin(void);
void tui_end(void);

/*
 * Show @text, which stays the caller's: its first lines that begin with "#" as
 * heads, below @title, and @keys in the last line.  A page of the same @kind
 * as the last keeps the selected row.
 */
void tui_show(const char *title, const char *text, const char *keys, int kind);
/* A word for the last line, until the next key */
void tui_say(const char *text);

/* The selected row: of the lines behind the heads, from 0 on */
size_t tui_row(void);

#define TUI_NOTHING	0	/* it was a movement, or none came */
#define TUI_ENTER	'\n'
#define TUI_LEFT	-2	/* the terminal is gone */
/*
 * The next key that is no movement.  @wait: until there is one; else only what
 * was typed already.
 */
int tui_key(bool wait);
/* Let @text, of at most @size - 1 letters, be changed; false: given up. */
bool tui_ask(const char *prompt, char *text, size_t size);

#endif
