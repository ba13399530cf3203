// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions of the C library that give and take memory.  Each passes the call on
 * and logs it.  A block that another thread gets after free() must not be logged before
 * that free, so the time of a free is taken before the call, that of an allocation after it.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* The instruction after the program's call */
#define SITE() site_take(__builtin_return_address(0))

EXPORT void *malloc(size_t size)
{
	const struct real *r = real_find();
	void *p;

	if (!r)
		return early_alloc(size);
	p = r->malloc(size);
	log_alloc(p, size, SITE());
	return p;
}

EXPORT void *calloc(size_t count, size_t size)
{
	const struct real *r = real_find();
	size_t bytes;
	void *p;

	/* Early memory is 0 from the start, as it is never reused. */
	if (!r)
		return __builtin_mul_overflow(count, size, &bytes) ? NULL : early_alloc(bytes);
	p = r->calloc(count, size);
	log_alloc(p, p ? count * size : 0, SITE());
	return p;
}

EXPORT void free(void *p)
{
	const struct real *r;

	if (!p || early_has(p))
		return;
	r = real_find();
	if (!r)
		return;
	log_free(p, log_time());
	r->free(p);
}

EXPORT void *realloc(void *p, size_t size)
{
	const void *site = SITE();
	const struct real *r = real_find();
	uint64_t time;
	void *to;

	if (!r || early_has(p)) {
		to = r ? r->malloc(size) : early_alloc(size);
		if (to && p)
			memcpy(to, p, size < early_room(p) ? size : early_room(p));
		if (r)
			log_alloc(to, size, site);
		return to;
	}
	time = log_time();
	to = r->realloc(p, size);
	/* With size 0 the C library frees the block and gives none. */
	if (p && (to || !size))
		log_free(p, time);
	log_alloc(to, size, site);
	return to;
}

/*
 * A program may have an allocator of its own with a realloc(), which then is not the one above, but
 * without a reallocarray().  So call the one of its blocks by name, as the C library does.
 */
EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
	size_t bytes;
	void *to;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	site_set(SITE());
	to = realloc(p, bytes);
	site_set(NULL);
	return to;
}

EXPORT int posix_memalign(void **p, size_t align, size_t size)
{
	const struct real *r = real_find();
	int rc = r && r->posix_memalign ? r->posix_memalign(p, align, size) : ENOMEM;

	log_alloc(rc ? NULL : *p, size, SITE());
	return rc;
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	const struct real *r = real_find();
	void *p = r && r->aligned_alloc ? r->aligned_alloc(align, size) : NULL;

	log_alloc(p, size, SITE());
	return p;
}

EXPORT void *memalign(size_t align, size_t size)
{
	const struct real *r = real_find();
	void *p = r && r->memalign ? r->memalign(align, size) : NULL;

	log_alloc(p, size, SITE());
	return p;
}

EXPORT void *valloc(size_t size)
{
	const struct real *r = real_find();
	void *p = r && r->valloc ? r->valloc(size) : NULL;

	log_alloc(p, size, SITE());
	return p;
}
