/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named cases for host tests: TEST(name) { ... CHECK(condition, ...); }
 * Each pure file has a program of its own, which links nothing else.  In a kernel, the same cases
 * run under KUnit: see selftests/modules/kunit.
 */
#ifndef HOST_TEST_H
#define HOST_TEST_H

#ifdef __KERNEL__
#include "../modules/kunit/kunit.h"
#else
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test *next;
};

extern struct test *tests;
extern jmp_buf test_failed;

#define TEST(_name)							\
static void _name(void);						\
static struct test test_##_name = { .name = #_name, .run = _name };	\
__attribute__((constructor)) static void add_##_name(void)		\
{									\
	test_##_name.next = tests;					\
	tests = &test_##_name;						\
}									\
static void _name(void)

/* If the condition is false, prints it and the given values, and ends the case. */
#define CHECK(condition, ...)						\
do {									\
	if (!(condition)) {						\
		printf("# %s:%d: %s: ", __FILE__, __LINE__, #condition);	\
		printf(__VA_ARGS__);					\
		printf("\n");						\
		longjmp(test_failed, 1);				\
	}								\
} while (0)

#endif /* __KERNEL__ */
#endif /* HOST_TEST_H */
