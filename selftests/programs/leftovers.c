// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells what a test has left in the kernel; see selftests/arm_spe/lib/leftovers.h.
 *
 * usage: leftovers begin FILE		writes the amounts to FILE
 *	  leftovers end FILE [KB]	compares with FILE; memory may grow by KB, 4096 by default
 *
 * Exit status of "end": 0 if nothing is left, 1 otherwise.
 */
#include "leftovers.h"

#include <stdlib.h>
#include <string.h>

#define SLACK	4096	/* kB */
#define WAIT	10	/* seconds */

static int begin(const char *path)
{
	FILE *file = fopen(path, "w");
	struct leftovers left;

	if (!file) {
		perror(path);
		return 2;
	}
	leftovers_count(&left);
	for (int i = 0; i < LEFTOVERS; i++)
		fprintf(file, "%ld\n", left.amount[i]);
	return fclose(file) ? 2 : 0;
}

static int end(const char *path, long slack)
{
	FILE *file = fopen(path, "r");
	struct leftovers before;

	if (!file) {
		perror(path);
		return 2;
	}
	for (int i = 0; i < LEFTOVERS; i++) {
		if (fscanf(file, "%ld", &before.amount[i]) != 1) {
			fprintf(stderr, "leftovers: %s has no %d numbers; call begin first\n",
				path, LEFTOVERS);
			fclose(file);
			return 2;
		}
	}
	fclose(file);
	return leftovers_check(&before, slack, WAIT, stdout) ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "begin"))
		return begin(argv[2]);
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "end"))
		return end(argv[2], argc == 4 ? atol(argv[3]) : SLACK);
	fprintf(stderr, "usage: leftovers begin|end FILE [KB]\n");
	return 2;
}
