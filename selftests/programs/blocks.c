// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that says where the blocks of its heap are.  It reads blocks that it got in
 * different ways, each in a function of its own, and prints a line
 * "FUNCTION,SITE,SIZE,LIFE,FIRST,BYTES" for each: a profiler should find the addresses from
 * FIRST on, which FUNCTION reads, in a block of SIZE bytes that SITE allocated.  Lines
 * of memory that is no block have no SITE.
 *
 * usage: blocks ROUNDS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static long rounds;
static unsigned int sum;
static volatile uint8_t table[4096];

/* Where the last block came from: the line of the call */
static int line;

#define TOUCH(function)							\
__attribute__((noinline)) static void function(const volatile uint8_t *block, size_t size) \
{									\
	size_t at = 0;							\
									\
	for (long i = 0; i < rounds; i++) {				\
		sum += block[at];					\
		at += 13;						\
		if (at >= size)						\
			at -= size;					\
	}								\
}

TOUCH(touch_small)
TOUCH(touch_again)
TOUCH(touch_zeroed)
TOUCH(touch_aligned)
TOUCH(touch_large)
TOUCH(touch_grown)
TOUCH(touch_freed)
TOUCH(touch_by_thread)
TOUCH(touch_inherited)
TOUCH(touch_child)
TOUCH(touch_table)
TOUCH(touch_mapped)

/* The address as a number: a freed block must not be used as a pointer to it. */
static void touch(void (*function)(const volatile uint8_t *block, size_t size), const char *name,
		  const char *site, size_t size, const char *life, uintptr_t first)
{
	if (*site)
		printf("%s,%s at blocks.c:%d,%zu,%s,%lx,%zu\n", name, site, line, size, life,
		       (unsigned long)first, size);
	else
		printf("%s,,,,%lx,%zu\n", name, (unsigned long)first, size);
	fflush(stdout);
	/* The optimiser must not see that the block is freed. */
	__asm__ volatile("" : "+r"(first));
	function((const volatile uint8_t *)first, size);
}

#define READ(function, site, size, life, block)	\
	touch(function, #function, site, size, life, (uintptr_t)(block))

__attribute__((noinline)) static void *make_small(void)
{
	void *p = malloc(104);

	line = __LINE__ - 2;
	return p;
}

/* Of the same size: it gets the block that make_small() had. */
__attribute__((noinline)) static void *make_again(void)
{
	void *p = malloc(97);

	line = __LINE__ - 2;
	return p;
}

__attribute__((noinline)) static void *make_zeroed(void)
{
	void *p = calloc(3, 1000);

	line = __LINE__ - 2;
	return p;
}

__attribute__((noinline)) static void *make_aligned(void)
{
	void *p = aligned_alloc(4096, 8192);

	line = __LINE__ - 2;
	return p;
}

/* malloc() maps a block of this size. */
__attribute__((noinline)) static void *make_large(void)
{
	void *p = malloc(1 << 20);

	line = __LINE__ - 2;
	return p;
}

__attribute__((noinline)) static void *make_grown(void *old)
{
	void *p = realloc(old, 5000);

	line = __LINE__ - 2;
	return p;
}

__attribute__((noinline)) static void *make_child(void)
{
	void *p = malloc(2222);

	line = __LINE__ - 2;
	return p;
}

static void *thread(void *block)
{
	READ(touch_by_thread, "make_zeroed", 3000, "live", block);
	free(block);
	return NULL;
}

/* A child has its parent's blocks, and its own. */
static int in_child(void *block)
{
	int status = 1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		void *own;

		READ(touch_inherited, "make_aligned", 8192, "inherited", block);
		own = make_child();
		READ(touch_child, "make_child", 2222, "live", own);
		_exit(!own);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

static int read_all(void)
{
	void *p = make_small(), *first = p, *mapped;
	pthread_t other;

	READ(touch_small, "make_small", 104, "live", p);
	free(p);
	p = make_again();
	if ((uintptr_t)p != (uintptr_t)first)
		fprintf(stderr, "blocks: malloc() gives another address\n");
	READ(touch_again, "make_again", 97, "live", p);
	p = make_grown(p);
	READ(touch_grown, "make_grown", 5000, "live", p);
	free(p);
	READ(touch_freed, "make_grown", 5000, "freed", p);
	p = make_large();
	READ(touch_large, "make_large", 1 << 20, "live", p);
	free(p);
	p = make_zeroed();
	READ(touch_zeroed, "make_zeroed", 3000, "live", p);
	if (pthread_create(&other, NULL, thread, p) || pthread_join(other, NULL))
		return 1;
	READ(touch_table, "", sizeof(table), "", table);
	mapped = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped == MAP_FAILED)
		return 1;
	READ(touch_mapped, "", 65536, "", mapped);
	p = make_aligned();
	READ(touch_aligned, "make_aligned", 8192, "live", p);
	return in_child(p);
}

int main(int argc, char **argv)
{
	char *end = NULL;

	errno = 0;
	rounds = argc == 2 ? strtol(argv[1], &end, 10) : -1;
	if (rounds < 1 || rounds > 1000000000 || errno || *end) {
		fprintf(stderr, "usage: blocks ROUNDS (1 to 1000000000)\n");
		return 2;
	}
	if (read_all()) {
		perror("blocks");
		return 1;
	}
	fprintf(stderr, "%u\n", sum);
	return 0;
}
