/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation that never fails: the program exits when memory runs out. */
#ifndef PERF_SPE_MEMORY_H
#define PERF_SPE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

void *xrealloc(void *old, size_t size);
void *xcalloc(size_t count, size_t size);
/*
 * As xcalloc(), for tables that are read before they are written, anywhere in them.  The kernel
 * gives a page of xcalloc() at the first read, and another one at the first write; the latter
 * interrupts the CPUs of all threads.  This one writes each page at once.
 */
void *xzeroed(size_t count, size_t size);
/* Not zeroed; @size is a multiple of @alignment. */
void *xaligned(size_t alignment, size_t size);
char *xstrndup(const char *s, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Make room for element @count of an array of elements of @size bytes;
 * *room is what it can hold.  Returns the array, moved where it had to grow.
 */
void *array_grow(void *array, size_t count, size_t *room, size_t size);

#endif
