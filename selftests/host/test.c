// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the cases of one program and prints a line for each.  The last line counts them.  If
 * TEST_STOP is set in the environment, the program ends after the first failure.
 */
#include <stdbool.h>
#include <string.h>

#include "test.h"

struct test *tests;
jmp_buf test_failed;

/* Constructors run in the order of the file, so the list holds the last case first. */
static struct test *in_order(struct test *list)
{
	struct test *ordered = NULL;

	while (list) {
		struct test *next = list->next;

		list->next = ordered;
		ordered = list;
		list = next;
	}
	return ordered;
}

/* A function of its own, so that no variable of main() lives across the jump. */
static bool test_run(const struct test *test)
{
	if (setjmp(test_failed))
		return false;
	test->run();
	return true;
}

int main(int argc, char **argv)
{
	const char *program = strrchr(argv[0], '/');
	unsigned int passed = 0, failed = 0;
	bool stop = getenv("TEST_STOP");

	(void)argc;
	program = program ? program + 1 : argv[0];
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (const struct test *test = in_order(tests); test && !(failed && stop);
	     test = test->next) {
		bool ok = test_run(test);

		printf("%s %s: %s\n", ok ? "ok" : "not ok", program, test->name);
		passed += ok;
		failed += !ok;
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0 || passed == 0;
}
