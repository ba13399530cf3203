// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_NCURSES
#include <ncurses.h>
#endif

#include "output/tui.h"
#include "util/memory.h"
#include "util/message.h"

#ifndef HAVE_NCURSES

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

void tui_show(const char *title, const char *text, const char *keys, int kind)
{
	(void)title;
	(void)text;
	(void)keys;
	(void)kind;
}

void tui_say(const char *text)
{
	(void)text;
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

#else

static struct {
	bool on;
	SCREEN *screen;
	char *title, *keys, *text, *message;
	const char **line;
	size_t nr_lines, heads;
	size_t row, top, left;		/* selected row, first row and column */
	int kind;
	int errors, real_errors;	/* standard error: redirected, original */
	off_t errors_read;
} tui = { .errors = -1, .real_errors = -1 };

bool tui_possible(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind &&
	       *kind && strcmp(kind, "dumb");
}

static size_t nr_rows(void)
{
	return tui.nr_lines - tui.heads;
}

/* How many rows fit between the headings and the last line */
static size_t height(void)
{
	int left = LINES - 2 - (int)tui.heads;

	return left > 1 ? (size_t)left : 1;
}

static void put_line(int y, const char *line, attr_t attr)
{
	size_t skip = strnlen(line, tui.left);
	int x;

	move(y, 0);
	attrset(attr);
	for (line += skip, x = 0; *line && x < COLS; line++) {
		int to = *line == '\t' ? x + 8 - x % 8 : x + 1;
		bool plain = (unsigned char)*line >= ' ' && *line != 127;

		for (; x < to && x < COLS; x++)
			addch((chtype)(*line == '\t' ? ' ' : !plain ? '?' :
				       (unsigned char)*line));
	}
	clrtoeol();
	for (; attr != A_NORMAL && x < COLS; x++)
		addch(' ');
	attrset(A_NORMAL);
}

/* Scroll so that the selected row is visible. */
static void keep_in_sight(void)
{
	if (tui.row >= nr_rows())
		tui.row = nr_rows() ? nr_rows() - 1 : 0;
	if (tui.row < tui.top)
		tui.top = tui.row;
	if (tui.row >= tui.top + height())
		tui.top = tui.row - height() + 1;
	if (tui.top + height() > nr_rows())
		tui.top = nr_rows() > height() ? nr_rows() - height() : 0;
}

static void draw(void)
{
	size_t i, shown = height(), left = tui.left;

	keep_in_sight();
	erase();
	tui.left = 0;
	put_line(0, tui.title, A_REVERSE);
	put_line(LINES - 1, tui.message ? tui.message : tui.keys, A_REVERSE);
	tui.left = left;
	for (i = 0; i < tui.heads && (int)i + 2 < LINES; i++)
		put_line((int)i + 1, tui.line[i], A_BOLD);
	for (i = 0; i < shown && tui.top + i < nr_rows(); i++)
		put_line((int)(1 + tui.heads + i),
			 tui.line[tui.heads + tui.top + i],
			 tui.top + i == tui.row ? A_REVERSE : A_NORMAL);
	move(LINES - 1, 0);
	refresh();
}

static void set_message(const char *text, size_t len)
{
	free(tui.message);
	tui.message = len ? xstrndup(text, len) : NULL;
}

void tui_say(const char *text)
{
	set_message(text, strlen(text));
	draw();
}

/* Show the last line that was written to standard error since the last call. */
static void take_errors(void)
{
	static char text[4096];
	ssize_t got;
	char *end, *from;

	fflush(stderr);
	got = pread(tui.errors, text, sizeof(text) - 1, tui.errors_read);
	if (got <= 0)
		return;
	tui.errors_read += got;
	text[got] = '\0';
	end = text + got;
	while (end > text && end[-1] == '\n')
		*--end = '\0';
	from = strrchr(text, '\n');
	from = from ? from + 1 : text;
	set_message(from, strlen(from));
}

static void split_lines(void)
{
	size_t room = 0;
	char *at, *end;

	tui.nr_lines = tui.heads = 0;
	free(tui.line);
	tui.line = NULL;
	for (at = tui.text; *at; at = end) {
		end = at + strcspn(at, "\n");
		if (*end)
			*end++ = '\0';
		tui.line = array_grow(tui.line, tui.nr_lines, &room,
				      sizeof(*tui.line));
		if (tui.heads == tui.nr_lines && *at == '#')
			tui.heads++;
		tui.line[tui.nr_lines++] = at;
	}
}

void tui_show(const char *title, const char *text, const char *keys, int kind)
{
	free(tui.title);
	free(tui.keys);
	free(tui.text);
	tui.title = xformat("%s", title);
	tui.keys = xformat("%s", keys);
	tui.text = xformat("%s", text);
	split_lines();
	if (kind != tui.kind)
		tui.row = tui.top = tui.left = 0;
	tui.kind = kind;
	take_errors();
	draw();
}

size_t tui_row(void)
{
	return tui.row;
}

static void move_rows(size_t by, bool down)
{
	if (down)
		tui.row += by;
	else
		tui.row -= tui.row < by ? tui.row : by;
}

/* Move the selection; false if the key is not a movement. */
static bool take_movement(int key)
{
	if (key == KEY_UP || key == KEY_DOWN)
		move_rows(1, key == KEY_DOWN);
	else if (key == KEY_PPAGE || key == KEY_NPAGE || key == ' ')
		move_rows(height(), key != KEY_PPAGE);
	else if (key == KEY_HOME || key == KEY_END)
		move_rows(nr_rows(), key == KEY_END);
	else if (key == KEY_RIGHT)
		tui.left += 8;
	else if (key == KEY_LEFT)
		tui.left -= tui.left < 8 ? tui.left : 8;
	else
		return key == KEY_RESIZE;
	return true;
}

int tui_key(bool wait)
{
	for (;;) {
		int key;

		timeout(wait ? -1 : 0);
		key = getch();
		if (key == ERR)
			return wait ? TUI_LEFT : TUI_NOTHING;
		set_message("", 0);
		if (!take_movement(key))
			return key == '\r' || key == KEY_ENTER ? TUI_ENTER : key;
		draw();
	}
}

bool tui_ask(const char *prompt, char *text, size_t size)
{
	size_t len = strlen(text);

	timeout(-1);
	for (;;) {
		char *line = xformat("%s%s", prompt, text);
		int key;

		tui_say(line);
		move(LINES - 1, (int)strlen(line) < COLS ? (int)strlen(line) :
							   COLS - 1);
		free(line);
		refresh();
		key = getch();
		if (key == '\n' || key == '\r' || key == KEY_ENTER)
			break;
		if (key == ERR || key == 27 || key == 'G' - '@') {
			set_message("", 0);
			return false;
		}
		if (key == KEY_BACKSPACE || key == 127 || key == '\b')
			len -= len > 0;
		else if (key == 'U' - '@')
			len = 0;
		else if (key >= ' ' && key < 127 && len + 1 < size)
			text[len++] = (char)key;
		text[len] = '\0';
	}
	set_message("", 0);
	return true;
}

bool tui_begin(void)
{
	static bool registered;

	tui.screen = newterm(NULL, stdout, stdin);
	if (!tui.screen) {
		say("cannot use the terminal: TERM=%s is not known; use --text for plain text",
		    getenv("TERM"));
		return false;
	}
	fflush(stderr);
	tui.errors = memfd_create("errors", MFD_CLOEXEC);
	tui.real_errors = dup(STDERR_FILENO);
	if (tui.errors >= 0 && tui.real_errors >= 0)
		dup2(tui.errors, STDERR_FILENO);
	tui.errors_read = 0;
	tui.on = true;
	tui.kind = -1;
	/* Restore the terminal on every exit(). */
	if (!registered)
		atexit(tui_end);
	registered = true;
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	tui_show("", "", "", -1);
	return true;
}

static void repeat_errors(void)
{
	char text[4096];
	ssize_t got;
	off_t at = 0;

	while ((got = pread(tui.errors, text, sizeof(text), at)) > 0) {
		fwrite(text, 1, (size_t)got, stderr);
		at += got;
	}
}

void tui_end(void)
{
	if (!tui.on)
		return;
	tui.on = false;
	endwin();
	delscreen(tui.screen);
	fflush(stderr);
	if (tui.real_errors >= 0)
		dup2(tui.real_errors, STDERR_FILENO);
	if (tui.errors >= 0) {
		repeat_errors();
		close(tui.errors);
	}
	close(tui.real_errors);
	free(tui.title);
	free(tui.keys);
	free(tui.text);
	free(tui.message);
	free(tui.line);
	tui.title = tui.keys = tui.text = tui.message = NULL;
	tui.line = NULL;
}

#endif
