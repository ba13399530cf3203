/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The KUnit version of selftests/host/test.h: TEST() defines a case, and a failed CHECK() ends
 * it, also inside a function that the case calls.
 */
#ifndef SPE_KUNIT_H
#define SPE_KUNIT_H

#include <kunit/test.h>
#include <kunit/test-bug.h>
#include <linux/slab.h>
#include <linux/string.h>

#define TEST(_name)	static void _name(struct kunit *spe_test)

#define CHECK(condition, ...)						\
do {									\
	if (!(condition)) {						\
		struct kunit *spe_now = kunit_get_current_test();	\
									\
		kunit_info(spe_now, "%s:%d: %s", __FILE__, __LINE__, #condition); \
		KUNIT_FAIL_AND_ABORT(spe_now, __VA_ARGS__);		\
	}								\
} while (0)

/* KASAN checks this memory as ASan does on the host. */
#define malloc(size)	kmalloc(size, GFP_KERNEL)
#define free(memory)	kfree(memory)

/* Some cases try every value of a small domain, which takes long in a guest. */
#define SPE_KUNIT_SUITE(subject)					\
static struct kunit_suite spe_suite = {					\
	.name = "arm_spe_" #subject,					\
	.test_cases = spe_cases,					\
	.attr.speed = KUNIT_SPEED_VERY_SLOW,				\
};									\
kunit_test_suite(spe_suite)

#endif /* SPE_KUNIT_H */
