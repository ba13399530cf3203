// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

#ifdef HAVE_NCURSES
#include <ncurses.h>

/* Rows that one step of the mouse wheel moves */
#define WHEEL_ROWS	3
static struct {
	bool on;
	SCREEN *screen;
	char sought[128];
} tui;

bool tui_possible(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind &&
	       *kind && strcmp(kind, "dumb");
}

void tui_say(const char *text)
{
	page_message(text);
	page_draw();
}

/* Show the last message that was written to standard error. */
static void take_errors(void)
{
	char *line = tui_errors_take();

	if (line)
		page_message(line);
	free(line);
}

void tui_show(const char *title, struct grid *grid, const char *keys, size_t row)
{
	page_set(title, grid, keys, row == TUI_KEEP ? PAGE_KEEP : row);
	take_errors();
	page_draw();
}

size_t tui_row(void)
{
	return page_row();
}

void tui_reveal(int id)
{
	page_reveal(id);
}

static void ask_sought(void)
{
	char text[sizeof(tui.sought)] = "";

	if (!tui_ask("find: ", text, sizeof(text)))
		return;
	if (*text)
		memcpy(tui.sought, text, sizeof(text));
	page_seek(tui.sought, true);
}

static void take_mouse(void)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return;
	if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
		page_move(WHEEL_ROWS, event.bstate & BUTTON5_PRESSED);
	else if (event.bstate & BUTTON1_PRESSED)
		page_click(event.y);
}

/* Move the selection; false if the key is not a movement. */
static bool take_movement(int key)
{
	if (key == KEY_UP || key == KEY_DOWN)
		page_move(1, key == KEY_DOWN);
	else if (key == KEY_PPAGE || key == KEY_NPAGE || key == ' ')
		page_move(page_height(), key != KEY_PPAGE);
	else if (key == KEY_HOME || key == KEY_END)
		page_move(page_rows(), key == KEY_END);
	else if (key == KEY_RIGHT)
		page_right();
	else if (key == KEY_LEFT)
		page_left();
	else if (key == KEY_MOUSE)
		take_mouse();
	else if (key == 'n' || key == 'N')
		page_seek(tui.sought, key == 'n');
	else if (key == '/')
		ask_sought();
	else
		return key == KEY_RESIZE;
	return true;
}

/* perf blocks SIGWINCH in its threads, and what perf runs inherits that. */
static void resize_signal(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(how, &set, NULL);
}

/*
 * The next key, or ERR if the terminal is gone.  getch() alone would miss a signal that comes before it
 * reads, and would show the new size at the next key.
 */
static int next_key(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	bool gone = false;
	sigset_t waiting;
	int key = ERR;

	resize_signal(SIG_BLOCK);
	sigprocmask(SIG_BLOCK, NULL, &waiting);
	sigdelset(&waiting, SIGWINCH);
	while (!gone && (key = getch()) == ERR)
		gone = ppoll(&input, 1, NULL, &waiting) > 0 && input.revents & ~POLLIN;
	resize_signal(SIG_UNBLOCK);
	return key;
}

int tui_key(bool wait)
{
	for (;;) {
		int key = wait ? next_key() : getch();

		if (key == ERR)
			return wait ? TUI_LEFT : TUI_NOTHING;
		page_message("");
		if (!take_movement(key))
			return key == '\r' || key == KEY_ENTER ? TUI_ENTER : key;
		page_draw();
	}
}

bool tui_ask(const char *prompt, char *text, size_t size)
{
	size_t len = strlen(text);

	for (;;) {
		char *line = xformat("%s%s", prompt, text);
		int key;

		tui_say(line);
		move(LINES - 1, (int)strlen(line) < COLS ? (int)strlen(line) :
							   COLS - 1);
		free(line);
		refresh();
		key = next_key();
		if (key == '\n' || key == '\r' || key == KEY_ENTER)
			break;
		if (key == ERR || key == 27 || key == 'G' - '@') {
			page_message("");
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
	page_message("");
	return true;
}

/* https://no-color.org */
static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR");

	return !no || !*no;
}

bool tui_begin(void)
{
	static bool registered;
	struct grid empty = { 0 };

	tui.screen = newterm(NULL, stdout, stdin);
	if (!tui.screen) {
		say("cannot use the terminal: TERM=%s is not known; use --text for plain text",
		    getenv("TERM"));
		return false;
	}
	resize_signal(SIG_UNBLOCK);
	tui_errors_begin();
	tui.on = true;
	/* Restore the terminal on every exit(). */
	if (!registered)
		atexit(tui_end);
	registered = true;
	if (wants_colours() && has_colors() && start_color() == OK && use_default_colors() == OK)
		page_colours();
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	timeout(0);
	curs_set(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
	tui_show("", &empty, "", 0);
	return true;
}

void tui_end(void)
{
	if (!tui.on)
		return;
	tui.on = false;
	endwin();
	delscreen(tui.screen);
	tui_errors_end();
	page_free();
}

#endif
