// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many processes that each work a little and sleep, until their parent is killed:
 *
 *   crowd PROCESSES SECONDS
 *
 * Each works once in SECONDS, so that load comes from all of them in turn.  Prints a line when all
 * of them are forked, and one for each that fails.  Each executes the program anew: copies of one process share a lock of the kernel,
 * for which all of them would spin when they end.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t result;

static void work(uint64_t value)
{
	for (int i = 0; i < 5000; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	result = value;
}

/* A process of the crowd: its number decides when it works. */
static _Noreturn void live(unsigned int number, unsigned int seconds)
{
	struct timespec at = { .tv_sec = number % seconds };

	nanosleep(&at, NULL);
	at.tv_sec = seconds;
	for (;;) {
		work(number);
		nanosleep(&at, NULL);
	}
}

static _Noreturn void begin(unsigned int number, char *seconds, pid_t first)
{
	char text[16];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != first)
		_exit(1);
	snprintf(text, sizeof(text), "%u", number);
	execl("/proc/self/exe", "crowd", "0", seconds, text, (char *)NULL);
	perror("crowd: exec");
	_exit(1);
}

int main(int argc, char **argv)
{
	unsigned int processes = argc > 2 ? (unsigned int)atoi(argv[1]) : 0;
	unsigned int seconds = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	const pid_t first = getpid();

	if (argc == 4 && seconds)
		live((unsigned int)atoi(argv[3]), seconds);
	if (!processes || !seconds) {
		fprintf(stderr, "usage: crowd PROCESSES SECONDS\n");
		return 2;
	}
	for (unsigned int i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (!pid)
			begin(i, argv[2], first);
		if (pid < 0) {
			perror("crowd: fork");
			return 1;
		}
	}
	printf("%u processes\n", processes);
	fflush(stdout);
	for (;;)
		pause();
}
