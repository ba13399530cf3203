// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pager between long output and the terminal, as git has it.  The pager is a child that reads
 * from a pipe; perf-spe ends after it and with its own status.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/util.h"

static struct {
	bool forbidden;
	volatile sig_atomic_t child;	/* 0: none */
	pid_t owner;
	int terminal;			/* standard output before */
	int kept;			/* a file with the messages for the end; -1: none */
	FILE *messages;			/* writes to it; NULL: none */
} pager = { .kept = -1 };

void pager_forbid(void)
{
	pager.forbidden = true;
}

/* What to run; NULL: nothing */
static const char *command(void)
{
	const char *kind = getenv("TERM"), *chosen = getenv("PAGER");

	if (pager.forbidden || pager.child || !isatty(STDOUT_FILENO) || !kind || !*kind ||
	    !strcmp(kind, "dumb"))
		return NULL;
	if (!chosen)
		return "less";
	return *chosen && strcmp(chosen, "cat") ? chosen : NULL;
}

static void run(const char *chosen, int from)
{
	static const int usual[] = { SIGINT, SIGQUIT, SIGPIPE };
	size_t i;

	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		signal(usual[i], SIG_DFL);
	dup2(from, STDIN_FILENO);
	close(from);
	/* F: end at once if all fits on the screen; R: colours; X: leave the text there. */
	setenv("LESS", "FRX", 0);
	execlp("sh", "sh", "-c", chosen, (char *)NULL);
	_exit(127);
}

/*
 * The pager draws on the terminal that messages go to, so they wait until it has ended.  Calls only
 * async-signal-safe functions.
 */
static void print_kept(void)
{
	char part[512];
	off_t at = 0;
	ssize_t got;

	while (pager.kept >= 0 && (got = pread(pager.kept, part, sizeof(part), at)) > 0) {
		at += got;
		if (write(STDERR_FILENO, part, (size_t)got) != got)
			break;
	}
}

static void keep_messages(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	pager.kept = memfd_create("messages", MFD_CLOEXEC);
	pager.messages = pager.kept < 0 ? NULL : fdopen(pager.kept, "a");
	if (pager.messages)
		setvbuf(pager.messages, NULL, _IONBF, 0);
	messages_to(pager.messages);
}

/* The user has left the pager: end.  Calls only async-signal-safe functions. */
static void on_pipe(int number)
{
	(void)number;
	output_remove_parts();
	if (getpid() == pager.owner)
		print_kept();
	_exit(EXIT_OK);
}

/* The pager restores the terminal, so the shell must not go on before it has ended. */
static void on_signal(int number)
{
	close(STDOUT_FILENO);
	while (waitpid((pid_t)pager.child, NULL, 0) < 0 && errno == EINTR)
		;
	print_kept();
	signal(number, SIG_DFL);
	raise(number);
}

/* False if the shell would not find the pager: then the output would be lost. */
static bool can_run(const char *chosen)
{
	const char *word = chosen + strspn(chosen, " \t");
	size_t len = strcspn(word, " \t");
	char *program, *path;
	bool found;

	if (!len)
		return false;
	/* What only a shell understands */
	if (strcspn(word, "$`'\"\\=;|&()<>~*?[{") < len)
		return true;
	program = xformat("%.*s", (int)len, word);
	path = program_find("", getenv("PATH"), program);
	found = path;
	if (!found && getenv("PAGER"))
		say("the pager '%s' was not found: correct PAGER", chosen);
	free(program);
	free(path);
	return found;
}

void pager_begin(void)
{
	const char *chosen = command();
	int ends[2];
	pid_t child;

	if (!chosen || !can_run(chosen) || pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	child = fork();
	if (child < 0) {
		close(ends[0]);
		close(ends[1]);
		return;
	}
	if (!child)
		run(chosen, ends[0]);
	pager.terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	pager.child = child;
	pager.owner = getpid();
	keep_messages();
	signal(SIGPIPE, on_pipe);
	signal(SIGINT, on_signal);
	signal(SIGQUIT, on_signal);
	signal(SIGTERM, on_signal);
	atexit(pager_end);
}

void pager_end(void)
{
	if (!pager.child || pager.owner != getpid())
		return;
	/* The user may have left the pager, and Ctrl-C is for the pager now. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	fflush(stdout);
	__fpurge(stdout);
	clearerr(stdout);
	close(STDOUT_FILENO);
	dup2(pager.terminal, STDOUT_FILENO);
	while (waitpid((pid_t)pager.child, NULL, 0) < 0 && errno == EINTR)
		;
	pager.child = 0;
	print_kept();
	messages_to(NULL);
	if (pager.messages)
		fclose(pager.messages);
	pager.messages = NULL;
	pager.kept = -1;
}

int output_terminal(void)
{
	if (pager.child)
		return pager.terminal;
	return isatty(STDOUT_FILENO) ? STDOUT_FILENO : -1;
}
