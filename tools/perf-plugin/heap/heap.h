/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libarmspe-heap.so: follows the heap of the program that it is preloaded into.
 * heap.c and operator_new.c take the calls, real.c passes them on, log.c writes the log.
 */
#ifndef ARM_SPE_HEAP_H
#define ARM_SPE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* The allocator that the program would use without this library */
struct real {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *p, size_t size);
	void (*free)(void *p);
	int (*posix_memalign)(void **p, size_t align, size_t size);
	void *(*aligned_alloc)(size_t align, size_t size);
	void *(*memalign)(size_t align, size_t size);
	void *(*valloc)(size_t size);
};

/* NULL while dlsym(3) looks for it: dlsym may allocate memory. */
const struct real *real_find(void);
/* The memory that is given out meanwhile; it is never freed.  NULL: none is left */
void *early_alloc(size_t size);
bool early_has(const void *p);
/* How many bytes may be read from an early block */
size_t early_room(const void *p);

/* Now, in ticks of the log's clock */
uint64_t log_time(void);
/* @p is a block since now; NULL: none was given. */
void log_alloc(const void *p, size_t size, const void *site);
/* @p was a block until @time. */
void log_free(const void *p, uint64_t time);

/*
 * The next allocation of this thread counts as called from @site, because operator new
 * passes it on; NULL ends that.
 */
void site_set(const void *site);
/* That site, once; otherwise @own */
const void *site_take(const void *own);

#endif
