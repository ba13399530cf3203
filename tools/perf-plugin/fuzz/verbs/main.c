// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inputs by number: fuzz-verbs SEEDS KIND FIRST COUNT [KEEP]
 *
 * KIND is recordings or programs.  Input N is the same on every run with the same seeds.  A process
 * of its own makes it and runs verbs on it, one after another: the budget of the demangler, the
 * list of files that no output may overwrite, and exit() belong to a process.  The parent has the
 * seeds and all libraries already.  With KEEP, a folder, it runs every command on the one
 * input FIRST there, shows what they print, and leaves the files.
 *
 * A failure is a report of the sanitizers, another signal, exit() by a verb, memory that nothing
 * frees, more than CPU_SECONDS or more than MEMORY_MOST.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

#define CPU_SECONDS	10
#define WALL_SECONDS	120		/* for what only waits */
#define MEMORY_MOST	(UINT64_C(512) << 20)
#define LEAKS_EVERY	16
#define REPORT_FD	9

enum { FOUND = 77 };			/* the status of a child that failed by our own rules */

/* Without sanitizers, as for coverage, these are not there. */
#pragma weak __sanitizer_set_death_callback
#pragma weak __sanitizer_set_report_fd
#pragma weak __sanitizer_install_malloc_and_free_hooks
#pragma weak __sanitizer_get_allocated_size
#pragma weak __lsan_do_recoverable_leak_check
void __sanitizer_set_death_callback(void (*callback)(void));
void __sanitizer_set_report_fd(void *fd);
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *at);
int __lsan_do_recoverable_leak_check(void);
void __gcov_dump(void);

/* fork() copies the page tables of all that the parent has, also of what it has freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=4:malloc_context_size=12";
}

static char now[600] = "making the files";
static bool ended, counts;
static atomic_ullong live;

static void tell(const char *what)
{
	dprintf(REPORT_FD, "  %s: %s\n", what, now);
}

static void found(const char *what)
{
	counts = false;
	tell(what);
	ended = true;
	_exit(FOUND);
}

static void on_malloc(const volatile void *at, size_t size)
{
	(void)at;
	if (counts && atomic_fetch_add(&live, size) + size > MEMORY_MOST)
		found("more than 512 MiB");
}

static void on_free(const volatile void *at)
{
	if (counts && at)
		atomic_fetch_sub(&live, __sanitizer_get_allocated_size(at));
}

static void on_death(void)
{
	tell("a sanitizer ended it");
}

static void on_limit(int signal)
{
	(void)signal;
	found("more than 10 s of CPU");
}

static void on_exit_of_child(void)
{
	if (!ended)
		found("exit() was called");
}

static void limit(void)
{
	const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS + 2 }, file = { 256 << 20, 256 << 20 };

	signal(SIGXCPU, on_limit);
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_FSIZE, &file);
	atexit(on_exit_of_child);
}

/* Standard input and output are empty; what the verbs and UBSan say is kept for a failure. */
static void redirect(void)
{
	int null = open("/dev/null", O_RDWR), said = open("../said", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	dup2(null, 0);
	dup2(null, 1);
	dup2(said, 2);
	close(null);
	close(said);
}

/* The last of what was said */
static void repeat(void)
{
	char text[4000];
	int said = open("../said", O_RDONLY);
	off_t len = said < 0 ? 0 : lseek(said, 0, SEEK_END);
	ssize_t got = said < 0 ? 0 : pread(said, text, sizeof(text), len > 4000 ? len - 4000 : 0);

	if (got > 0)
		dprintf(REPORT_FD, "%.*s", (int)got, text);
	close(said);
}

/* In the child: make the input and run verbs on it. */
static void one(const struct seeds *s, enum kind kind, uint64_t number, bool keep)
{
	struct dice d = dice_of(number * 2 + kind);
	uint64_t before;

	if (!keep)
		redirect();
	if (__sanitizer_set_report_fd)
		__sanitizer_set_report_fd((void *)(intptr_t)REPORT_FD);
	limit();
	input_make(s, kind, &d);
	before = atomic_load(&live);
	counts = __sanitizer_get_allocated_size;
	commands_run(&d, keep, now, sizeof(now));
	/* To look for leaks takes longer than all else: few inputs do, and only at a sign of one. */
	if (counts && atomic_load(&live) != before && (keep || number % LEAKS_EVERY == 0) &&
	    __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
		found("memory is lost");
	ended = true;
#ifdef FUZZ_COVERAGE
	__gcov_dump();
#endif
	_exit(0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	return ftw->level ? remove(path) : 0;
}

static void clean(const char *folder)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Returns whether the child came to its end. */
static bool run(const struct seeds *s, enum kind kind, uint64_t number, bool keep)
{
	const struct timespec limit = { WALL_SECONDS, 0 };
	sigset_t ends;
	pid_t child;
	int status;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	child = fork();
	if (!child) {
		sigprocmask(SIG_UNBLOCK, &ends, NULL);
		one(s, kind, number, keep);
	}
	if (sigtimedwait(&ends, NULL, &limit) < 0)
		kill(child, SIGKILL);
	if (waitpid(child, &status, 0) < 0)
		return false;
	if (WIFSIGNALED(status))
		dprintf(REPORT_FD, "signal %d ended it\n", WTERMSIG(status));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (!keep)
		repeat();
	return false;
}

static void enter(const char *folder)
{
	if ((mkdir(folder, 0700) && errno != EEXIST) || chdir(folder)) {
		fprintf(stderr, "fuzz: cannot work in %s: %s\n", folder, strerror(errno));
		exit(2);
	}
}

/*
 * Load what verbs load.  The files stay, as this process keeps their inode numbers in the list of
 * those that no output may overwrite.
 */
static void warm_up(const struct seeds *s)
{
	struct dice d = dice_of(0);
	int out = dup(1), err = dup(2);

	enter("warm");
	redirect();
	input_make(s, RECORDINGS, &d);
	commands_run(&d, true, now, sizeof(now));
	enter("..");
	dup2(out, 1);
	dup2(err, 2);
	close(out);
	close(err);
}

static bool number_of(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	return *text && !*end;
}

int main(int argc, char **argv)
{
	uint64_t first, count, number, failed = 0;
	static struct seeds seeds;
	char folder[] = "/tmp/fuzz-verbs-XXXXXX", *work = folder, *seeds_path;
	bool keep = argc == 6;
	enum kind kind;

	if (argc < 5 || argc > 6 || !number_of(argv[3], &first) || !number_of(argv[4], &count)) {
		fputs("usage: fuzz-verbs SEEDS recordings|programs FIRST COUNT [KEEP]\n", stderr);
		return 2;
	}
	kind = !strcmp(argv[2], "programs") ? PROGRAMS : RECORDINGS;
	seeds_path = realpath(argv[1], NULL);
	seeds_load(&seeds, seeds_path ? seeds_path : argv[1]);
	free(seeds_path);
	work = keep ? argv[5] : mkdtemp(folder);
	enter(work ? work : folder);
	dup2(2, REPORT_FD);
	setenv("PERF_BUILDID_DIR", "no-cache", 1);
	unsetenv("DEBUGINFOD_URLS");
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(on_death);
		__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	}
	if (!keep) {
		warm_up(&seeds);
		enter("now");
	}
	for (number = first; number - first < count; number++) {
		if (!keep)
			clean(".");
		if (run(&seeds, kind, number, keep))
			continue;
		failed++;
		printf("input %llu of %s failed; again: make fuzz-verbs FUZZ_KIND=%s FUZZ_FIRST=%llu FUZZ_KEEP=FOLDER\n",
		       (unsigned long long)number, argv[2], argv[2], (unsigned long long)number);
		fflush(stdout);
	}
	printf("%llu inputs of %s, %llu failed\n", (unsigned long long)count, argv[2], (unsigned long long)failed);
	if (!keep) {
		enter("..");
		clean(".");
		rmdir(work);
	}
	return failed != 0;
}
