// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/util.h"

/* Most names are of ASCII alone. */
static size_t plain(const char *name, size_t len)
{
	size_t n = 0;

	while (n < len && name[n] >= ' ' && name[n] <= '~')
		n++;
	return n;
}

void put_name_bytes(const char *name, size_t len, FILE *to)
{
	const char *end = name + len;

	while (name < end) {
		size_t n = plain(name, (size_t)(end - name));

		fwrite_unlocked(name, 1, n, to);
		name += n;
		if (name == end)
			break;
		if (utf8_shown(name, &n))
			fwrite_unlocked(name, 1, n, to);
		else
			putc_unlocked('?', to);
		name += n;
	}
}

void put_name(const char *name, FILE *to)
{
	put_name_bytes(name, strlen(name), to);
}

void put_name_without(char c, const char *instead, const char *name, FILE *to)
{
	const char *end;

	while ((end = strchr(name, c))) {
		put_name_bytes(name, (size_t)(end - name), to);
		fputs_unlocked(instead, to);
		name = end + 1;
	}
	put_name(name, to);
}

void clean_name(char *name, const char *keep)
{
	char *to = name;
	size_t n;

	while (*name) {
		if (utf8_shown(name, &n) || (n == 1 && strchr(keep, *name))) {
			memmove(to, name, n);
			to += n;
		} else {
			*to++ = '?';
		}
		name += n;
	}
	*to = '\0';
}

size_t terminal_columns(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

void put_wrapped(FILE *to, size_t width, size_t used, const char *gap, const char *indent,
		 const char *text)
{
	size_t len, blanks;

	for (; *text; text += len, gap = "") {
		blanks = strspn(text, " ");
		len = width ? blanks + strcspn(text + blanks, " ") : strlen(text);
		if (width && used > strlen(indent) && used + strlen(gap) + len > width) {
			fprintf(to, "\n%s", indent);
			used = strlen(indent);
			gap = "";
			text += blanks;
			len -= blanks;
		}
		fputs(gap, to);
		put_name_bytes(text, len, to);
		used += strlen(gap) + len;
	}
	putc('\n', to);
}

static FILE *messages;	/* NULL: standard error */

void messages_to(FILE *to)
{
	messages = to;
}

static char **held;	/* NULL: messages are printed */

void say_hold(char **text)
{
	held = text;
}

#define INDENT	"    "
#define RUN	", run: "	/* a command to paste follows, up to the end */

/* On a terminal, wrap the words, but not those of a command: a line break would change it. */
static void put_message(char *text, FILE *to)
{
	size_t width = terminal_columns(STDERR_FILENO);
	char *at, *command = NULL;

	for (at = text; width && (at = strstr(at, RUN)); at = command)
		command = at + strlen(RUN);
	if (command)
		command[-1] = '\0';
	put_wrapped(to, width, strlen(SAY_BEGIN), "", INDENT, text);
	if (!command)
		return;
	fputs(INDENT, to);
	put_name(command, to);
	putc('\n', to);
}

/* Few messages; a service that runs for months keeps no more than these. */
#define KEPT	1000

/* What was printed, each message once.  Threads may say something at the same time. */
static struct {
	char **text;
	size_t nr, room;
	pthread_mutex_t lock;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

const char *message_at(size_t index)
{
	const char *text;

	pthread_mutex_lock(&kept.lock);
	text = index < kept.nr ? kept.text[index] : NULL;
	pthread_mutex_unlock(&kept.lock);
	return text;
}

static bool was_said(const char *text)
{
	const char *other;
	size_t i;

	for (i = 0; (other = message_at(i)); i++)
		if (!strcmp(other, text))
			return true;
	return false;
}

static void keep(const char *text)
{
	if (was_said(text))
		return;
	pthread_mutex_lock(&kept.lock);
	if (kept.nr < KEPT) {
		kept.text = array_grow(kept.text, kept.nr, &kept.room, sizeof(*kept.text));
		kept.text[kept.nr++] = xformat("%s", text);
	}
	pthread_mutex_unlock(&kept.lock);
}

/* Frees @text; NULL: no memory. */
static void say_text(char *text)
{
	FILE *to = messages ? messages : stderr;

	if (held) {
		*held = xappend(*held ? *held : xformat("%s", ""), SAY_BEGIN "%s\n", text ? text : "out of memory");
		free(text);
		return;
	}
	if (text)
		keep(text);
	/* Messages and report must stay in order when both go to one file. */
	fflush(stdout);
	progress_hide();
	fputs(SAY_BEGIN, to);
	if (text)
		put_message(text, to);
	else
		fputs("out of memory\n", to);
	free(text);
}

void say(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	say_text(text);
}

void say_once(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && was_said(text))
		free(text);
	else
		say_text(text);
}

void say_again(const char *lines)
{
	const size_t begin = strlen(SAY_BEGIN);
	size_t len;

	for (; *lines; lines += len + (lines[len] == '\n')) {
		len = strcspn(lines, "\n");
		if (len > begin && !strncmp(lines, SAY_BEGIN, begin))
			say("%.*s", (int)(len - begin), lines + begin);
		else
			fprintf(stderr, "%.*s\n", (int)len, lines);
	}
}
