// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the log.  A thread has a chunk of the file mapped and stores records there, so
 * what it has written stays when the program is killed.
 *
 * A child of fork() has a log of its own.  It finds the words of struct fork_page at 0,
 * because the kernel wipes that page in the child; a child of vfork() shares the memory
 * and the log.  The file is open only while it grows: a program may close descriptors
 * that it has not opened.
 *
 * malloc() and free() are no cancellation points, and a handler of a signal may leave by
 * siglongjmp() or call exit().  So what opens, writes and closes the file are system calls without
 * the C library's functions, and signals wait while a lock is held.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "heap.h"
#include "heap_format.h"

struct thread {
	uint64_t *at, *end;		/* in its chunk; NULL: it has none */
	uint64_t base;			/* of the times in it */
	uint64_t last;			/* time of its last record */
	const void *site;		/* of the operator new that runs */
	unsigned int generation;	/* of the log that the chunk is in */
	unsigned int tid;		/* in that log; 0: not asked for yet */
	atomic_uchar busy;		/* writes a record */
	bool inside;			/* calls functions that may allocate */
};

static __thread struct thread self __attribute__((tls_model("initial-exec")));

struct fork_page {
	atomic_uint lock, generation;	/* a forked child has 0 in both */
};

#define POOL 64

static struct {
	enum { UNSTARTED, ON, OFF } state;
	char path[4096 + 64];		/* of the file */
	size_t folder;			/* length of the folder's part of it */
	uint64_t id;
	struct heap_header *header;
	struct heap_recording *recording;	/* NULL: the folder has none */
	unsigned int generation;
	pthread_key_t key;
	struct spare { uint64_t *at, *end, last; } pool[POOL];	/* chunks of threads that have ended */
	unsigned int pooled;
} heap;

static struct fork_page no_page;
static struct fork_page *page = &no_page;

uint64_t log_time(void)
{
#ifdef __aarch64__
	uint64_t count;

	/* Without the barrier the CPU may read the counter before earlier accesses. */
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#endif
}

void site_set(const void *site)
{
	self.site = site;
}

const void *site_take(const void *own)
{
	const void *site = self.site;

	self.site = NULL;
	return site ? site : own;
}

/* Signals wait from here until wait_end(); @old are those that wait anyway. */
static void wait_begin(uint64_t *old)
{
	const uint64_t all = UINT64_MAX;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, old, sizeof(*old));
}

static void wait_end(const uint64_t *old)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, old, NULL, sizeof(*old));
}

/* The caller has signals wait. */
static void lock(void)
{
	while (atomic_exchange_explicit(&page->lock, 1, memory_order_acquire))
		sched_yield();
}

static void unlock(void)
{
	atomic_store_explicit(&page->lock, 0, memory_order_release);
}

static void count_lost(void)
{
	if (heap.header && heap.header->stopped != HEAP_ENDED)
		__atomic_fetch_add(&heap.header->lost, 1, __ATOMIC_RELAXED);
}

static int raw_open(const char *path, int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* In place of the log's name; the caller writes that anew, or holds the lock and knows its length. */
static int open_recording(void)
{
	char path[sizeof(heap.path)];

	memcpy(path, heap.path, heap.folder);
	memcpy(path + heap.folder, "/" HEAP_RECORDING, sizeof("/" HEAP_RECORDING));
	return raw_open(path, O_RDWR);
}

/* perf's descriptor of the file is not the program's. */
static void close_inherited(const struct stat *own)
{
	int fd = heap.recording->fd;
	struct stat st;

	if (fd > STDERR_FILENO && !fstat(fd, &st) && st.st_dev == own->st_dev && st.st_ino == own->st_ino)
		syscall(SYS_close, fd);
}

/* Map what holds for all logs, if there is such a file. */
static void find_recording(void)
{
	int fd = open_recording();
	struct stat st;
	void *mem;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_size >= (off_t)sizeof(*heap.recording)) {
		mem = mmap(NULL, sizeof(*heap.recording), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (mem != MAP_FAILED)
			heap.recording = mem;
	}
	syscall(SYS_close, fd);
	if (heap.recording)
		close_inherited(&st);
}

/* Whether perf still records: it has the lock, which the kernel ends with the process. */
static bool is_recording(void)
{
	struct flock held = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	bool locked;
	int fd;

	if (!heap.recording)
		return true;
	if (heap.recording->id != heap.id)
		return false;
	fd = open_recording();
	/* The folder is that of a later recording, or gone; or the file system has no locks. */
	if (fd < 0)
		return false;
	locked = syscall(SYS_fcntl, fd, F_GETLK, &held) || held.l_type != F_UNLCK;
	syscall(SYS_close, fd);
	return locked;
}

/* Whether all logs may have @len bytes more; see errno if not. */
static bool may_grow(size_t len)
{
	if (!is_recording()) {
		errno = HEAP_ENDED;
		return false;
	}
	if (heap.recording && __atomic_add_fetch(&heap.recording->used, len, __ATOMIC_RELAXED) >
	    heap.recording->limit) {
		errno = HEAP_LIMIT;
		return false;
	}
	return true;
}

/* Map @len bytes at @offset of the file; NULL: it cannot grow, see errno. */
static void *grow(int flags, uint64_t offset, size_t len)
{
	static const char zeros[HEAP_CHUNK];
	struct rlimit limit;
	void *mem = NULL;
	int fd;

	if (!may_grow(HEAP_CHUNK))
		return NULL;
	/* Beyond the limit the kernel would send a signal to the program. */
	if (!getrlimit(RLIMIT_FSIZE, &limit) && offset + len > limit.rlim_cur) {
		errno = EFBIG;
		return NULL;
	}
	fd = raw_open(heap.path, O_RDWR | flags);
	if (fd < 0)
		return NULL;
	/* Zeros take room on the disk now: a full one would later end the program by SIGBUS. */
	if (syscall(SYS_pwrite64, fd, zeros, len, (off_t)offset) == (long)len) {
		mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
		if (mem == MAP_FAILED)
			mem = NULL;
	} else if (!errno) {
		errno = ENOSPC;
	}
	syscall(SYS_close, fd);
	return mem;
}

/* Create a file with a new name: an exec keeps the process's number. */
static bool create(int parent)
{
	int pid = (int)getpid();
	unsigned int n;

	for (n = 0; n < 10000; n++) {
		snprintf(heap.path + heap.folder, sizeof(heap.path) - heap.folder,
			 "/%d-%u.heap", pid, n);
		errno = 0;
		heap.header = grow(O_CREAT | O_EXCL, 0, sizeof(struct heap_header));
		if (heap.header || errno != EEXIST)
			break;
	}
	if (!heap.header)
		return false;
	heap.header->header_bytes = heap.header->chunk_bytes = HEAP_CHUNK;
#ifdef __aarch64__
	heap.header->clock = HEAP_COUNTER;
#else
	heap.header->clock = HEAP_MONOTONIC_RAW;
#endif
	heap.header->pid = pid;
	heap.header->parent = parent;
	heap.header->id = heap.id;
	heap.header->start = log_time();
	atomic_thread_fence(memory_order_release);
	memcpy(heap.header->magic, HEAP_MAGIC, sizeof(heap.header->magic));
	return true;
}

/* A thread ends: another one may go on in its chunk. */
static void thread_end(void *unused)
{
	uint64_t signals;
	int error = errno;

	(void)unused;
	if (!self.at || self.generation != page->generation)
		return;
	wait_begin(&signals);
	lock();
	if (heap.pooled < POOL) {
		heap.pool[heap.pooled++] = (struct spare){ self.at, self.end, self.last };
		self.at = NULL;
	}
	unlock();
	if (self.at)
		munmap(self.end - HEAP_CHUNK / 8, HEAP_CHUNK);
	self.at = self.end = NULL;
	wait_end(&signals);
	errno = error;
}

/* Read the environment; false: there is nothing to log, or not yet. */
static bool prepare(void)
{
	const char *folder, *id;
	void *mem;

	if (!environ)
		return false;		/* the loader allocates before main's environment is there */
	heap.state = OFF;
	folder = secure_getenv(HEAP_FOLDER_VARIABLE);
	id = secure_getenv(HEAP_ID_VARIABLE);
	if (!folder || strlen(folder) > 4096)
		return false;
	mem = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		return false;
	if (madvise(mem, sizeof(*page), MADV_WIPEONFORK) ||
	    pthread_key_create(&heap.key, thread_end)) {
		munmap(mem, sizeof(*page));
		return false;
	}
	heap.folder = strlen(folder);
	memcpy(heap.path, folder, heap.folder);
	heap.id = id ? strtoull(id, NULL, 16) : 0;
	find_recording();
	page = mem;
	return true;
}

/* Begin a log, in a child of fork() another one.  False: nothing is logged. */
static bool begin(void)
{
	bool fork = heap.state == ON;

	if (atomic_load(&page->generation))
		return true;
	if (heap.state == OFF || (heap.state == UNSTARTED && !prepare()))
		return false;
	lock();
	if (!page->generation) {
		int parent = fork ? heap.header->pid : 0;

		if (fork)
			munmap(heap.header, sizeof(*heap.header));
		heap.pooled = 0;
		heap.state = create(parent) ? ON : OFF;
		if (heap.state == ON)
			atomic_store(&page->generation, ++heap.generation);
	}
	unlock();
	return heap.state == ON;
}

__attribute__((constructor)) static void start(void)
{
	uint64_t signals;
	int error = errno;

	self.inside = true;
	wait_begin(&signals);
	begin();
	wait_end(&signals);
	self.inside = false;
	errno = error;
}

/* Go on in a chunk of a thread that has ended, if its records are not later than @time. */
static void take_spare(uint64_t time)
{
	unsigned int i;

	lock();
	for (i = 0; i < heap.pooled; i++) {
		if (heap.pool[i].last > time)
			continue;
		self.at = heap.pool[i].at;
		self.end = heap.pool[i].end;
		heap.pool[i] = heap.pool[--heap.pooled];
		break;
	}
	unlock();
}

static bool take_chunk(uint64_t time)
{
	uint64_t n;

	if (self.generation != page->generation)
		self.tid = 0;
	self.generation = page->generation;
	self.at = self.end = NULL;
	take_spare(time);
	if (!self.at && !heap.header->stopped) {
		n = __atomic_add_fetch(&heap.header->chunks, 1, __ATOMIC_RELAXED);
		errno = 0;
		self.at = grow(0, n * HEAP_CHUNK, HEAP_CHUNK);
		if (self.at)
			self.end = self.at + HEAP_CHUNK / 8;
		else
			heap.header->stopped = (uint32_t)errno;
	}
	/* Its value only makes the C library call thread_end(). */
	if (self.at)
		pthread_setspecific(heap.key, &self);
	return self.at;
}

static bool has_room(size_t words)
{
	return self.generation == page->generation && (size_t)(self.end - self.at) >= words;
}

/* Store a record whose first word is last, for a reader after a crash. */
static void put(const uint64_t *words, size_t count)
{
	memcpy(self.at + 1, words + 1, (count - 1) * sizeof(*words));
	__atomic_store_n(self.at, words[0], __ATOMIC_RELEASE);
	self.at += count;
}

/* Make room for @words more and a base at @time; false: the record is lost. */
static bool make_room(size_t words, uint64_t time)
{
	uint64_t base[2] = { HEAP_BASE, time }, signals;
	bool good;

	/* The log has ended. */
	if (!has_room(words + 2) && heap.header && heap.header->stopped &&
	    self.generation == page->generation) {
		count_lost();
		return false;
	}
	self.inside = true;
	wait_begin(&signals);
	good = begin();
	if (good && !has_room(words + 2)) {
		if (self.at && self.generation == page->generation)
			munmap(self.end - HEAP_CHUNK / 8, HEAP_CHUNK);
		good = take_chunk(time);
		/* Another thread's chunk may be nearly full. */
		while (good && !has_room(words + 2)) {
			munmap(self.end - HEAP_CHUNK / 8, HEAP_CHUNK);
			good = take_chunk(time);
		}
		if (!good)
			count_lost();
	}
	if (good) {
		if (!self.tid)
			self.tid = (unsigned int)syscall(SYS_gettid);
		base[0] |= (uint64_t)self.tid << 32;
		put(base, 2);
		self.base = time;
	}
	wait_end(&signals);
	self.inside = false;
	return good;
}

static void write_record(uint64_t *words, size_t count, uint64_t time)
{
	int error = errno;
	bool room;

	/* What this library's own calls allocate is not the program's. */
	if (self.inside)
		return;
	/* A signal's handler came while a record is written. */
	if (self.busy) {
		count_lost();
		return;
	}
	atomic_store_explicit(&self.busy, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (self.at && time < self.base)
		time = self.base;
	/*
	 * A reader sorts by time, then by chunk.  The next chunk may have a lower number than
	 * this one, so its first record needs a later time.  No other thread can get or free
	 * this block meanwhile: the program's call has not returned.
	 */
	room = has_room(count);
	if (!room && time <= self.last)
		time = self.last + 1;
	if ((room && time - self.base <= HEAP_TIME_MAX) ||
	    make_room(count, time)) {
		words[0] |= (time - self.base) << HEAP_KIND_BITS;
		put(words, count);
		self.last = time;
	}
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&self.busy, 0, memory_order_relaxed);
	errno = error;
}

void log_alloc(const void *p, size_t size, const void *site)
{
	uint64_t words[4] = { HEAP_ALLOC | (uint64_t)size << 32, (uintptr_t)p, (uintptr_t)site, size };
	bool large = size > UINT32_MAX;

	if (!p)
		return;
	if (large)
		words[0] = HEAP_LARGE;
	write_record(words, large ? 4 : 3, log_time());
}

void log_free(const void *p, uint64_t time)
{
	uint64_t words[2] = { HEAP_FREE, (uintptr_t)p };

	write_record(words, 2, time);
}
