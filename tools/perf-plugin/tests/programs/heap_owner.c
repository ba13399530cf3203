// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for tests of the library that record --heap preloads: calls each function that gives or
 * takes memory, in the combinations that its allocator must see both halves of.  With OWN it has an
 * allocator of its own, which like those of others has no reallocarray().
 *
 * heap-owner plain          the combinations
 * heap-owner cancel         a thread that was cancelled calls free() and malloc() often
 * heap-owner errno          malloc() and free() keep errno
 * heap-owner many N         N pairs of malloc() and free()
 * heap-owner live FILE N    waits until FILE is there, then the same
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OWN
#define OWN_MAGIC 0x0a110c08u

static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;

/* Each block has its size and a magic number before it. */
void *memalign(size_t align, size_t size)
{
	uintptr_t at = ((uintptr_t)pool + used + 16 + align - 1) / align * align;

	used = at - (uintptr_t)pool + size;
	used = (used + 15) / 16 * 16;
	if (used > sizeof(pool))
		return NULL;
	((size_t *)at)[-1] = OWN_MAGIC;
	((size_t *)at)[-2] = size;
	return (void *)at;
}

void *malloc(size_t size) { return memalign(16, size); }
void free(void *p)
{
	if (p && ((size_t *)p)[-1] != OWN_MAGIC)
		abort();
}
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *p, size_t size)
{
	void *to = malloc(size);

	if (p && ((size_t *)p)[-1] != OWN_MAGIC)
		abort();
	if (p && to)
		memcpy(to, p, ((size_t *)p)[-2] < size ? ((size_t *)p)[-2] : size);
	return to;
}
int posix_memalign(void **p, size_t align, size_t size) { return (*p = memalign(align, size)) ? 0 : ENOMEM; }
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
void *valloc(size_t size) { return memalign(4096, size); }
#endif

static int plain(void)
{
	void *p = malloc(10), *q = NULL;

	strcpy(p, "content");
	p = reallocarray(p, 100, 10);
	p = realloc(p, 3000);
	p = reallocarray(p, 4, 4);
	if (strcmp(p, "content"))
		return 1;
	free(p);
	p = reallocarray(NULL, 3, 5);
	free(realloc(p, 50));
	if (posix_memalign(&q, 64, 100) || (uintptr_t)q % 64)
		return 1;
	free(reallocarray(q, 10, 30));
	free(realloc(aligned_alloc(64, 128), 500));
	free(reallocarray(memalign(32, 40), 4, 40));
	free(valloc(100));
	free(reallocarray(calloc(3, 3), 30, 3));
	errno = 0;
	if (reallocarray(NULL, SIZE_MAX / 2, 3) || errno != ENOMEM)
		return 1;
	puts("done");
	return 0;
}

static void pairs(unsigned long n)
{
	while (n--)
		free(malloc(24));
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t started;

static void *cancelled(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&started);
	/* The request is there.  Nothing here is a cancellation point. */
	pthread_mutex_lock(&mutex);
	pairs(20000);
	pthread_mutex_unlock(&mutex);
	pthread_testcancel();
	return NULL;
}

static int cancel(void)
{
	pthread_t thread;

	pthread_barrier_init(&started, NULL, 2);
	pthread_create(&thread, NULL, cancelled, NULL);
	pthread_barrier_wait(&started);
	pthread_cancel(thread);
	pthread_barrier_wait(&started);
	pthread_join(thread, NULL);
	if (pthread_mutex_trylock(&mutex)) {
		puts("the thread ended inside malloc() or free()");
		return 1;
	}
	puts("done");
	return 0;
}

static int keeps_errno(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		void *p;

		errno = 4711;
		p = malloc(100);
		if (!p || errno != 4711)
			return 1;
		free(p);
		if (errno != 4711)
			return 1;
	}
	puts("done");
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "plain";

	if (!strcmp(what, "cancel"))
		return cancel();
	if (!strcmp(what, "errno"))
		return keeps_errno();
	if (!strcmp(what, "many") && argc > 2) {
		pairs(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (!strcmp(what, "live") && argc > 3) {
		while (access(argv[2], F_OK))
			usleep(10000);
		pairs(strtoul(argv[3], NULL, 0));
		return 0;
	}
	return plain();
}
