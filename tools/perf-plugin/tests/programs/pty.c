// SPDX-License-Identifier: GPL-2.0-only
/*
 * A terminal for tests: runs a command on a pseudo-terminal of 160 columns and
 * 30 lines, or of PTY_COLUMNS and PTY_LINES, and follows the steps on standard input.
 *
 *   pty COMMAND... < script
 *
 *   type TEXT      these letters; \r, \n, \b and \t as in C, \e is Escape, \s a
 *                  blank, \u Control-U
 *   see TEXT       wait until some line of the screen holds TEXT
 *   miss TEXT      no line holds it now
 *   row N TEXT     wait until line N (from 1) of the screen is TEXT, but for blanks
 *                  at its end
 *   size C L       the terminal has C columns and L lines from now on
 *   end STATUS     wait until the command has ended, with this status
 *   print          the screen, to standard output
 *
 * "see" and "end" wait without a timeout, so that slow machines give the same
 * verdict; a watchdog ends a test that hangs.  The terminal is a VT52, because it
 * has few escape sequences; PTY_TERM names a relative of it.  The file PTY_LOG gets the bytes
 * that the command wrote.
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

#define WATCHDOG	600	/* seconds, or PTY_WATCHDOG */
#define COLUMNS		160	/* at most */
#define LINES		30

static struct {
	char at[LINES][COLUMNS + 1];
	int y, x;
	int escape;		/* bytes of a sequence so far */
	int new_y;
} screen;

static int master;
static pid_t child;
static char step_now[512];
static int columns = COLUMNS, lines = LINES;
static bool closed;
static FILE *log_to;

static void clear_from(int y, int x)
{
	memset(screen.at[y] + x, ' ', (size_t)(columns - x));
	while (++y < lines)
		memset(screen.at[y], ' ', COLUMNS);
}

static void line_feed(void)
{
	if (screen.y < lines - 1) {
		screen.y++;
		return;
	}
	memmove(screen.at[0], screen.at[1], sizeof(screen.at[0]) * (lines - 1));
	memset(screen.at[lines - 1], ' ', COLUMNS);
}

static void reverse_feed(void)
{
	if (screen.y) {
		screen.y--;
		return;
	}
	memmove(screen.at[1], screen.at[0], sizeof(screen.at[0]) * (lines - 1));
	memset(screen.at[0], ' ', COLUMNS);
}

static void put_letter(char c)
{
	if (screen.x >= columns)
		screen.x = columns - 1;
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
		screen.y += screen.y < lines - 1;
		break;
	case 'C':
		screen.x += screen.x < columns - 1;
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
		       (size_t)(columns - screen.x));
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
		screen.y = screen.new_y >= 0 && screen.new_y < lines ?
			   screen.new_y : lines - 1;
		screen.x = number >= 0 && number < columns ? number :
							    columns - 1;
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
	if (log_to && got > 0)
		fwrite(bytes, 1, (size_t)got, log_to);
	closed = got <= 0 && errno != EINTR;
	return !closed;
}

static bool on_screen(const char *text)
{
	int y;

	for (y = 0; y < lines; y++)
		if (strstr(screen.at[y], text))
			return true;
	return false;
}

/* Whether line "N TEXT" of the screen is this */
static bool line_is(const char *text)
{
	char *want;
	long y = strtol(text, &want, 10) - 1;
	size_t len;

	want += *want == ' ';
	len = strlen(want);
	return y >= 0 && y < lines && !strncmp(screen.at[y], want, len) &&
	       screen.at[y][len + strspn(screen.at[y] + len, " ")] == '\0';
}

static void print_screen(void)
{
	int y, x;

	for (y = 0; y < lines; y++) {
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
			    c == 'n' ? '\n' : c == 'b' ? '\b' : c == 't' ? '\t' :
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

static void resize(const char *text)
{
	struct winsize size = { 0 };

	if (sscanf(text, "%hu %hu", &size.ws_col, &size.ws_row) != 2 || size.ws_col > COLUMNS ||
	    size.ws_row > LINES || ioctl(master, TIOCSWINSZ, &size))
		fail("no such size", text);
	columns = size.ws_col;
	lines = size.ws_row;
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
	} else if (!strcmp(line, "row")) {
		while (!line_is(text))
			if (!read_some())
				fail("ended without", text);
	} else if (!strcmp(line, "miss")) {
		if (on_screen(text))
			fail("there is", text);
	} else if (!strcmp(line, "size")) {
		resize(text);
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
	const char *kind = getenv("PTY_TERM");
	struct winsize size = { .ws_row = (unsigned short)lines,
				.ws_col = (unsigned short)columns };

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
	setenv("TERM", kind ? kind : "vt52", 1);
	unsetenv("COLUMNS");
	unsetenv("LINES");
	execvp(command[0], command);
	_exit(126);
}

/* What the test waits for, and the screen; a signal handler may only write(). */
static void on_watchdog(int signal)
{
	static const char text[] = "pty: nothing happens any more, waiting for: ";
	ssize_t done;
	int y;

	(void)signal;
	done = write(STDOUT_FILENO, text, sizeof(text) - 1);
	done += write(STDOUT_FILENO, step_now, strlen(step_now));
	for (y = 0; y < lines; y++) {
		done += write(STDOUT_FILENO, "\n", 1);
		done += write(STDOUT_FILENO, screen.at[y], (size_t)columns);
	}
	_exit(done < 0 ? 3 : 2);
}

static int size_of(const char *name, int most)
{
	int size = getenv(name) ? atoi(getenv(name)) : most;

	return size > 0 && size <= most ? size : most;
}

int main(int argc, char **argv)
{
	char line[512];

	if (argc < 2)
		return 2;
	columns = size_of("PTY_COLUMNS", COLUMNS);
	lines = size_of("PTY_LINES", LINES);
	signal(SIGALRM, on_watchdog);
	alarm((unsigned int)size_of("PTY_WATCHDOG", WATCHDOG));
	clear_from(0, 0);
	if (getenv("PTY_LOG"))
		log_to = fopen(getenv("PTY_LOG"), "we");
	start(argv + 1);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		memcpy(step_now, line, sizeof(line));
		if (line[0])
			step(line);
	}
	return 0;
}
