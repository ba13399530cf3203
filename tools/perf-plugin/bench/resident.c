// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a command and report its maximum resident memory, with pages of files.
 *
 *   resident FILE COMMAND...   MiB, as a line of FILE; the status is COMMAND's
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid;
	FILE *to;

	if (argc < 3)
		return 2;
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 2;
	to = fopen(argv[1], "we");
	if (!to || fprintf(to, "%ld\n", usage.ru_maxrss / 1024) < 0 ||
	    fclose(to))
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
