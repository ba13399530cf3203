// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bounded fuzz of the perf.data reader: changes bytes of a good file and runs
 * verbs on each mutant.  The verbs may refuse the file; the sanitizers end the
 * program on an error.
 *
 *   mutate FILE ROUNDS SCRATCH
 */
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/test.h"
#include "verbs/verbs.h"


static void mutate(struct test_random *r, uint8_t *bytes, size_t *len)
{
	static const uint64_t odd[] = {
		0, 1, 7, 8, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
	};
	unsigned int n = 1 + (unsigned int)(test_random(r) % 4);

	while (n--) {
		size_t at = test_random(r) % *len;
		size_t width = 1u << test_random(r) % 4;
		uint64_t value = test_random(r) & 1 ? test_random(r) :
				 odd[test_random(r) % 12];

		if (width > *len - at)
			width = *len - at;
		memcpy(bytes + at, &value, width);
	}
	if (test_random(r) % 8 == 0)
		*len = 1 + test_random(r) % *len;
}

static void quietly(int (*verb)(int, char **), char *file)
{
	char name[] = "verb", option[] = "-i";
	char *args[] = { name, option, file, NULL };

	optind = 0;		/* start getopt_long() afresh */
	verb(3, args);
}

int main(int argc, char **argv)
{
	static uint8_t good[1 << 20], bytes[1 << 20];
	struct test_random r = { 99 };
	size_t len, n;
	long rounds;
	int fd, null;
	FILE *f;

	if (argc != 4)
		return 2;
	f = fopen(argv[1], "rb");
	if (!f)
		return 2;
	len = fread(good, 1, sizeof(good), f);
	fclose(f);
	null = open("/dev/null", O_WRONLY);
	dup2(null, 1);
	dup2(null, 2);
	for (rounds = strtol(argv[2], NULL, 10); rounds > 0; rounds--) {
		n = len;
		memcpy(bytes, good, len);
		mutate(&r, bytes, &n);
		fd = open(argv[3], O_CREAT | O_TRUNC | O_WRONLY, 0600);
		if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
			return 2;
		close(fd);
		quietly(verb_report, argv[3]);
		quietly(verb_dump, argv[3]);
		quietly(verb_export, argv[3]);
		quietly(verb_stat, argv[3]);
		quietly(verb_sharing, argv[3]);
		quietly(verb_mem, argv[3]);
		quietly(verb_annotate, argv[3]);
	}
	return 0;
}
