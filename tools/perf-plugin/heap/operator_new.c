// SPDX-License-Identifier: GPL-2.0-only
/*
 * C++'s operator new, which calls malloc(): the site is its caller's, not its own.  A
 * program that has an operator new of its own does not come here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* An exception passes through these functions; malloc() has taken the site before. */
#define OPERATOR_NEW(name, parameters, arguments, otherwise)			\
EXPORT void *name parameters;							\
EXPORT void *name parameters							\
{										\
	static void *(*_Atomic next) parameters;				\
	void *(*call) parameters = next;					\
	void *p;								\
										\
	if (!call) {								\
		int error = errno;						\
		void *symbol = dlsym(RTLD_NEXT, #name);				\
										\
		errno = error;							\
										\
		if (!symbol)							\
			return otherwise;					\
		memcpy(&call, &symbol, sizeof(call));				\
		next = call;							\
	}									\
	site_set(__builtin_return_address(0));					\
	p = call arguments;							\
	site_set(NULL);								\
	return p;								\
}

/* Without a C++ library nothing calls these. */
static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *aligned(size_t align, size_t size)
{
	return aligned_alloc(align, (size + align - 1) & ~(align - 1));
}

/* The names have size_t as unsigned long, as on each machine of 64 bits. */
OPERATOR_NEW(_Znwm, (size_t size), (size), must(malloc(size)))
OPERATOR_NEW(_Znam, (size_t size), (size), must(malloc(size)))
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size))
OPERATOR_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size))
OPERATOR_NEW(_ZnwmSt11align_val_t, (size_t size, size_t align), (size, align),
	     must(aligned(align, size)))
OPERATOR_NEW(_ZnamSt11align_val_t, (size_t size, size_t align), (size, align),
	     must(aligned(align, size)))
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t align, const void *tag),
	     (size, align, tag), aligned(align, size))
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t align, const void *tag),
	     (size, align, tag), aligned(align, size))
