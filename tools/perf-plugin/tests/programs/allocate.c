// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for heap's logs.  It prints what it does, in the form of heap-text:
 * allocate plain | threads | ties | fork | wipes | kill | loop N | keep N
 */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* stdio must not allocate between the calls. */
static char line[256];

static void tell(const char *what, const void *p, size_t size)
{
	int len = snprintf(line, sizeof(line), "%s %p %zu\n", what, p, size);

	if (write(STDOUT_FILENO, line, (size_t)len) != len)
		_exit(3);
}

__attribute__((noinline)) static void *from_here(size_t size)
{
	void *p = malloc(size);

	tell("alloc", p, size);
	return p;
}

static void release(void *p)
{
	tell("free", p, 0);
	free(p);
}

static void plain(void)
{
	void *a = from_here(100), *b, *c, *d, *e = NULL, *f, *g;

	b = calloc(3, 40);
	tell("alloc", b, 120);
	c = aligned_alloc(256, 512);
	tell("alloc", c, 512);
	d = memalign(64, 65);
	tell("alloc", d, 65);
	if (posix_memalign(&e, 4096, 5000))
		_exit(4);
	tell("alloc", e, 5000);
	f = valloc(10);
	tell("alloc", f, 10);
	tell("free", a, 0);
	a = realloc(a, 5000000);
	tell("alloc", a, 5000000);
	/* Too much: the block stays. */
	if (realloc(a, (size_t)1 << 62) || reallocarray(a, (size_t)1 << 40, (size_t)1 << 40))
		_exit(5);
	tell("free", b, 0);
	b = reallocarray(b, 10, 30);
	tell("alloc", b, 300);
	/* The pages are never touched. */
	g = malloc((size_t)5 << 30);
	tell("alloc", g, (size_t)5 << 30);
	release(a);
	release(b);
	release(c);
	release(d);
	release(e);
	release(g);
	free(NULL);
	/* f stays. */
}

static void *thread(void *context)
{
	size_t i, n = (size_t)context;

	for (i = 0; i < 5000; i++)
		free(malloc(1000 * n + i % 7));
	return malloc(n);
}

static void threads(void)
{
	pthread_t t[8];
	size_t i, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < 8; i++)
			if (pthread_create(&t[i], NULL, thread, (void *)(i + 1)))
				_exit(6);
		for (i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
	}
}

static atomic_bool clock_stands;

/* The library takes its times from here, but on arm64 from a counter that runs on. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	static struct timespec stopped;
	int rc;

	if (clock_stands && stopped.tv_sec) {
		*now = stopped;
		return 0;
	}
	rc = (int)syscall(SYS_clock_gettime, id, now);
	if (clock_stands)
		stopped = *now;
	return rc;
}

static pthread_barrier_t barrier;

static void *older(void *unused)
{
	free(malloc(1));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

/* Fills its chunk of the log, and goes on in the chunk of a thread that has ended. */
static void *filler(void *other)
{
	int i;

	free(malloc(1));
	pthread_barrier_wait(&barrier);
	pthread_join(*(pthread_t *)other, NULL);
	clock_stands = true;
	for (i = 0; i < 3000; i++)
		free(malloc(10000 + (size_t)i));
	return NULL;
}

static void ties(void)
{
	pthread_t first, second;

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&first, NULL, older, NULL))
		_exit(6);
	/* The first thread has its chunk, so the second one gets a chunk with a higher number. */
	pthread_barrier_wait(&barrier);
	if (pthread_create(&second, NULL, filler, &first))
		_exit(6);
	pthread_join(second, NULL);
}

static void forks(void)
{
	void *p = from_here(77);

	if (!fork()) {
		int fd;

		/* A daemon closes all files that it did not open. */
		for (fd = 3; fd < 100; fd++)
			close(fd);
		from_here(88);
		release(p);
		_exit(0);
	}
	wait(NULL);
	from_here(99);
}

/* 0 if a child of fork() has zeros in a page with MADV_WIPEONFORK */
static int wipes(void)
{
	int *page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	int status;

	if (page == MAP_FAILED || madvise(page, sizeof(*page), MADV_WIPEONFORK))
		return 1;
	*page = 1;
	if (!fork())
		_exit(*page);
	return wait(&status) < 0 || status;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "plain"))
		plain();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "ties"))
		ties();
	else if (!strcmp(what, "fork"))
		forks();
	else if (!strcmp(what, "wipes"))
		return wipes();
	else if (!strcmp(what, "kill")) {
		from_here(66);
		raise(SIGKILL);
	} else if (!strcmp(what, "loop") && argc > 2) {
		long n = atol(argv[2]);

		while (n--)
			free(malloc(64));
	} else if (!strcmp(what, "keep") && argc > 2) {
		long n = atol(argv[2]);

		printf("%d %p\n", (int)getpid(), malloc(64));
		while (--n > 0)
			if (!malloc(64))
				return 1;
	} else {
		return 2;
	}
	return 0;
}
