// SPDX-License-Identifier: GPL-2.0-only
/*
 * A terminal for tests: runs a command on a pseudo-terminal of 160 columns and
 * 30 lines, and follows the steps on standard input.
 *
 *   pty COMMAND... < script
 *
 *   type TEXT      these letters; \r, \n and \b as in C, \e is Escape, \s a
 *                  blank, \u Control-U
 *   see TEXT       wait until some line of the screen holds TEXT
 *   miss TEXT      no line holds it now
 *   end STATUS     wait until the command has ended, with this status
 *   print          the screen, to standard output
 *
 * "see" and "end" wait without a timeout, so that slow machines give the same
 * verdict; a watchdog ends a test that hangs.  The terminal is a VT52, because it
 * has few escape sequences.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WATCHDOG	600	/* seconds */
#define COLUMNS		160
#define LINES		30

static struct {
	char at[LINES][COLUMNS + 1];
	int y, x;
	int escape;		/* bytes of a sequence so far */
	int new_y;
} screen;

static int master;
static pid_t child;
static bool closed;

static void clear_from(int y, int x)
{
	memset(screen.at[y] + x, ' ', (size_t)(COLUMNS - x));
	while (++y < LINES)
		memset(screen.at[y], ' ', COLUMNS);
}

static void line_feed(void)
{
	if (screen.y < LINES - 1) {
		screen.y++;
		return;
	}
	memmove(screen.at[0], screen.at[1], sizeof(screen.at[0]) * (LINES - 1));
	memset(screen.at[LINES - 1], ' ', COLUMNS);
}

static void reverse_feed(void)
{
	if (screen.y) {
		screen.y--;
		return;
	}
	memmove(screen.at[1], screen.at[0], sizeof(screen.at[0]) * (LINES - 1));
	memset(screen.at[0], ' ', COLUMNS);
}

static void put_letter(char c)
{
	if (screen.x >= COLUMNS)
		screen.x = COLUMNS - 1;
	screen.at[screen.y][screen.x++] = c;
}

static void put_control(char c)
{
	if (c == '\r')
		screen.x = 0;
	else if (c == '\n')
		line_feed();
	else if (c == '\b')
		screen.x -= screen.x > 0;
	else if (c == '\t')
		screen.x = (screen.x / 8 + 1) * 8;
	else if (c == 27)
		screen.escape = 1;
}

/* The letter behind ESC */
static void put_escape(char c)
{
	screen.escape = 0;
	switch (c) {
	case 'A':
		screen.y -= screen.y > 0;
		break;
	case 'B':
		screen.y += screen.y < LINES - 1;
		break;
	case 'C':
		screen.x += screen.x < COLUMNS - 1;
		break;
	case 'D':
		screen.x -= screen.x > 0;
		break;
	case 'H':
		screen.y = screen.x = 0;
		break;
	case 'I':
		reverse_feed();
		break;
	case 'J':
		clear_from(screen.y, screen.x);
		break;
	case 'K':
		memset(screen.at[screen.y] + screen.x, ' ',
		       (size_t)(COLUMNS - screen.x));
		break;
	case 'Y':
		screen.escape = 2;
		break;
	default:
		break;
	}
}

static void put_byte(char c)
{
	int number = (unsigned char)c - ' ';

	if (screen.escape == 1) {
		put_escape(c);
	} else if (screen.escape == 2) {
		screen.new_y = number;
		screen.escape = 3;
	} else if (screen.escape == 3) {
		screen.y = screen.new_y >= 0 && screen.new_y < LINES ?
			   screen.new_y : LINES - 1;
		screen.x = number >= 0 && number < COLUMNS ? number :
							    COLUMNS - 1;
		screen.escape = 0;
	} else if ((unsigned char)c >= ' ') {
		put_letter(c);
	} else {
		put_control(c);
	}
}

/* Wait for output of the command and read it; false if the command has ended. */
static bool read_some(void)
{
	char bytes[4096];
	ssize_t got, i;

	if (closed)
		return false;
	got = read(master, bytes, sizeof(bytes));
	for (i = 0; i < got; i++)
		put_byte(bytes[i]);
	closed = got <= 0 && errno != EINTR;
	return !closed;
}

static bool on_screen(const char *text)
{
	int y;

	for (y = 0; y < LINES; y++)
		if (strstr(screen.at[y], text))
			return true;
	return false;
}

static void print_screen(void)
{
	int y, x;

	for (y = 0; y < LINES; y++) {
		for (x = COLUMNS; x && screen.at[y][x - 1] == ' '; x--)
			;
		printf("%.*s\n", x, screen.at[y]);
	}
}

static void fail(const char *what, const char *text)
{
	printf("pty: %s: %s; the screen:\n", what, text);
	print_screen();
	exit(1);
}

static void type(const char *text)
{
	for (; *text; text++) {
		char c = *text;

		if (c == '\\' && text[1]) {
			c = *++text;
			c = c == 'e' ? 27 : c == 'r' ? '\r' :
			    c == 'n' ? '\n' : c == 'b' ? '\b' :
			    c == 'u' ? 'U' - '@' : c == 's' ? ' ' : c;
		}
		if (write(master, &c, 1) != 1)
			fail("cannot type", text);
	}
}

static void end(const char *text)
{
	int status;

	while (read_some())
		;
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != atoi(text))
		fail("the command did not end with the status", text);
	child = 0;
}

static void step(char *line)
{
	char *text = strchr(line, ' ');

	if (text)
		*text++ = '\0';
	else
		text = line + strlen(line);
	if (!strcmp(line, "type")) {
		type(text);
	} else if (!strcmp(line, "see")) {
		while (!on_screen(text))
			if (!read_some())
				fail("ended without", text);
	} else if (!strcmp(line, "miss")) {
		if (on_screen(text))
			fail("there is", text);
	} else if (!strcmp(line, "end")) {
		end(text);
	} else if (!strcmp(line, "print")) {
		print_screen();
	} else {
		fail("no such step", line);
	}
}

static void start(char **command)
{
	struct winsize size = { .ws_row = LINES, .ws_col = COLUMNS };

	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master) ||
	    ioctl(master, TIOCSWINSZ, &size))
		fail("no pseudo-terminal", strerror(errno));
	child = fork();
	if (child)
		return;
	setsid();
	close(0);
	/* The first terminal that it opens becomes the controlling one. */
	if (open(ptsname(master), O_RDWR) != 0 || dup2(0, 1) != 1 ||
	    dup2(0, 2) != 2)
		_exit(125);
	setenv("TERM", "vt52", 1);
	unsetenv("COLUMNS");
	unsetenv("LINES");
	execvp(command[0], command);
	_exit(126);
}

static void on_watchdog(int signal)
{
	static const char text[] = "pty: nothing happens any more\n";

	(void)signal;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(2);
}

int main(int argc, char **argv)
{
	char line[512];

	if (argc < 2)
		return 2;
	signal(SIGALRM, on_watchdog);
	alarm(WATCHDOG);
	clear_from(0, 0);
	start(argv + 1);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0])
			step(line);
	}
	return 0;
}
