// SPDX-License-Identifier: GPL-2.0-only
/* tui.h without ncurses: never possible */
#ifndef HAVE_NCURSES

#include "output/text/text.h"
#include "output/tui/tui.h"

bool tui_possible(void)
{
	return false;
}

bool tui_begin(void)
{
	return false;
}

void tui_end(void)
{
}

void tui_show(const char *title, struct grid *grid, const char *keys, size_t row)
{
	(void)title;
	(void)keys;
	(void)row;
	grid_free(grid);
}

void tui_say(const char *text)
{
	(void)text;
}

void tui_reveal(int id)
{
	(void)id;
}

size_t tui_row(void)
{
	return 0;
}

int tui_key(bool wait)
{
	(void)wait;
	return TUI_LEFT;
}

bool tui_ask(const char *prompt, char *text, size_t size)
{
	(void)prompt;
	(void)text;
	(void)size;
	return false;
}

#endif
