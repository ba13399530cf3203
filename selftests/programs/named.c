// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that says where its memory is.  It reads blocks of eight kinds of memory in
 * turn, each in a function of its own, and prints a line "KIND NAME FIRST LAST" of
 * hexadecimal addresses for each: what a profiler should call the addresses from FIRST
 * to LAST.
 *
 * usage: named ROUNDS FILE   (FILE is a file of at least 64 KiB to map)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 65536, STRIDE = 64 };

static volatile uint8_t initialized[BYTES] = { 1 };
static volatile uint8_t zeroed[BYTES];
/* No volatile object: compilers put those into .data. */
static const uint8_t constant[BYTES] = { 1 };
static __thread volatile uint8_t own[BYTES];
static long rounds;
static unsigned int sum;

#define TOUCH(function)						\
__attribute__((noinline)) static void function(const volatile uint8_t *block)	\
{									\
	for (long i = 0; i < rounds; i++)				\
		sum += block[i * STRIDE % BYTES];			\
}

TOUCH(touch_data)
TOUCH(touch_bss)
TOUCH(touch_rodata)
TOUCH(touch_heap)
TOUCH(touch_stack)
TOUCH(touch_anonymous)
TOUCH(touch_file)
TOUCH(touch_thread)
TOUCH(touch_own)

static void touch(const char *kind, const char *name,
		  void (*function)(const volatile uint8_t *block),
		  const volatile uint8_t *block)
{
	printf("%s %s %lx %lx\n", kind, name, (unsigned long)(uintptr_t)block,
	       (unsigned long)(uintptr_t)block + BYTES - 1);
	function(block);
}

static void *thread(void *unused)
{
	volatile uint8_t block[BYTES];
	char name[32];

	memset((void *)block, 1, BYTES);
	snprintf(name, sizeof(name), "[stack:%d]", gettid());
	touch("stack", name, touch_thread, block);
	/* The C library puts a thread's variables on its stack. */
	touch("stack", name, touch_own, own);
	return unused;
}

static void *map(int fd)
{
	void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
			fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE, fd, 0);

	if (at == MAP_FAILED) {
		perror("named: mmap");
		exit(1);
	}
	return at;
}

static void touch_all(const char *file)
{
	volatile uint8_t on_stack[BYTES];
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	pthread_t other;
	uint8_t *heap;

	/* malloc() would map a block of this size. */
	heap = sbrk(BYTES);
	if (fd < 0 || heap == (void *)-1) {
		perror("named");
		exit(1);
	}
	memset((void *)on_stack, 1, BYTES);
	touch("data", "initialized", touch_data, initialized);
	touch("bss", "zeroed", touch_bss, zeroed);
	touch("rodata", "constant", touch_rodata, constant);
	touch("heap", "[heap]", touch_heap, heap);
	touch("stack", "[stack]", touch_stack, on_stack);
	touch("anonymous", "[anon]", touch_anonymous, map(-1));
	touch("file", file, touch_file, map(fd));
	if (pthread_create(&other, NULL, thread, NULL)) {
		perror("named: a second thread");
		exit(1);
	}
	pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
	char *end = NULL;

	errno = 0;
	rounds = argc == 3 ? strtol(argv[1], &end, 10) : -1;
	if (rounds < 1 || rounds > 1000000000 || errno || *end) {
		fprintf(stderr, "usage: named ROUNDS FILE (1 to 1000000000 rounds)\n");
		return 2;
	}
	touch_all(argv[2]);
	fprintf(stderr, "%u\n", sum);
	return 0;
}
