/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of text on the terminal with a selected row, and keys.  State is global,
 * because there is one terminal.  Only this module uses ncurses.
 */
#ifndef PERF_SPE_TUI_H
#define PERF_SPE_TUI_H

#include <stdbool.h>
#include <stddef.h>

/* Whether output goes to a terminal and perf-spe was built with ncurses */
bool tui_possible(void);
/*
 * Take over the terminal; false after a message if its type is unknown.  Messages
 * on standard error appear in the last line, and tui_end() prints them again.
 */
bool tui_begin(void);
void tui_end(void);

/*
 * Show a copy of @text below @title, with @keys in the last line.  The first lines
 * of @text that begin with "#" are headings.  The selected row stays if @kind is
 * that of the last page.
 */
void tui_show(const char *title, const char *text, const char *keys, int kind);
/* Show a message in the last line until the next key. */
void tui_say(const char *text);

/* The selected row, counted from 0 after the headings */
size_t tui_row(void);

#define TUI_NOTHING	0	/* no key, or only movements */
#define TUI_ENTER	'\n'
#define TUI_LEFT	-2	/* the terminal is gone */
/*
 * The next key that is not a movement.  With @wait wait for it; otherwise return
 * TUI_NOTHING if none was typed.
 */
int tui_key(bool wait);
/* Let the user edit @text, at most @size - 1 characters; false if cancelled. */
bool tui_ask(const char *prompt, char *text, size_t size);

#endif
