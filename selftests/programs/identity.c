// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that log their own truth: which function ran in which thread, between which counts
 * of the counter that SPE's timestamps are of.
 *
 * Three programs are made of this file: identity-one, -two and -three.  All their functions are
 * at the same addresses and have names of their own: spin_one(), spin_two(), ...
 *
 *   identity-one SITUATION [ARGUMENT...]
 *
 * IDENTITY_LOG names the file for the truth.  Each line of it is
 *
 *   PID TID NAME OBJECT FUNCTION FROM TO INSTRUCTIONS
 *
 * with ids as /proc shows them: perf sees the same ones where it uses the same /proc.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)
#define NAME(function) JOIN(function, TAG)

#define ROUNDS 200000
#define LOOP_INSTRUCTIONS 4
#define PLACE ((void *)0x30000000)	/* where files are mapped in turn */

typedef void (*function_fn)(long rounds);

#define FUNCTION(name) \
	__attribute__((noinline, aligned(64))) static void NAME(name)(long rounds) \
	{ \
		__asm__ volatile("1: add x9, x9, #1\n\teor x10, x10, x9\n\t" \
				 "subs %0, %0, #1\n\tb.ne 1b" \
				 : "+r"(rounds) : : "x9", "x10", "cc"); \
	}
FUNCTION(spin)
FUNCTION(work)
FUNCTION(walk)

/* The same as instructions, for code that is made or that lies in a file */
static const uint32_t code[] = {
	0x91000529, 0xca09014a, 0xf1000400, 0x54ffffa1, 0xd65f03c0,
};

static char self[256];		/* this program's file */

static uint64_t now(void)
{
	uint64_t count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* One write() for a line, so that lines of several processes do not mix. */
static void say(const char *object, const char *function, uint64_t from, uint64_t to, long rounds)
{
	int fd = open(getenv("IDENTITY_LOG"), O_WRONLY | O_APPEND | O_CREAT, 0644);
	char line[512], ids[64] = "", name[16];
	int pid, tid, len;

	if (fd < 0 || readlink("/proc/thread-self", ids, sizeof(ids) - 1) < 0 ||
	    sscanf(ids, "%d/task/%d", &pid, &tid) != 2)
		die("IDENTITY_LOG");
	prctl(PR_GET_NAME, name);
	len = snprintf(line, sizeof(line), "%d %d %s %s %s %" PRIu64 " %" PRIu64 " %ld\n",
		       pid, tid, name, object, function, from, to, rounds * LOOP_INSTRUCTIONS);
	if (write(fd, line, (size_t)len) != len)
		die("IDENTITY_LOG");
	close(fd);
}

static void run(const char *object, const char *name, function_fn function, long rounds)
{
	uint64_t from = now();

	function(rounds);
	say(object, name, from, now(), rounds);
}

#define RUN(name) run(self, #name "_" TEXT(TAG), NAME(name), ROUNDS)
#define SHORT(name) run(self, #name "_" TEXT(TAG), NAME(name), ROUNDS / 20)

static void start(char *program, char *situation)
{
	execl(program, program, situation, (char *)NULL);
	die(program);
}

static void end_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		die("a child");
}

static void next_pid(int pid)
{
	FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");

	if (!f || fprintf(f, "%d", pid - 1) < 0 || fclose(f))
		die("ns_last_pid");
}

/* ------------------------------------------------------------ situations */

static void spin(char **arg)
{
	(void)arg;
	RUN(spin);
}

static void brief(char **arg)
{
	(void)arg;
	SHORT(spin);
}

/* chain PROGRAM...: each executes the next */
static void chain(char **arg)
{
	char *args[8] = { arg[0], "chain" };

	RUN(spin);
	if (!arg[0])
		return;
	memcpy(args + 2, arg + 1, 5 * sizeof(*args));
	execv(arg[0], args);
	die(arg[0]);
}

static void fork_exec(char **arg)
{
	pid_t child = fork();

	if (!child) {
		RUN(spin);
		start(arg[0], "spin");
	}
	end_of(child);
	RUN(work);
}

static void vfork_exec(char **arg)
{
	pid_t child;

	RUN(spin);
	child = vfork();
	if (!child) {
		execl(arg[0], arg[0], "spin", (char *)NULL);
		_exit(1);
	}
	end_of(child);
	RUN(work);
}

static void tree(char **arg)
{
	pid_t child = fork(), grandchild;

	(void)arg;
	if (!child) {
		grandchild = fork();
		if (!grandchild) {
			RUN(walk);
			_exit(0);
		}
		RUN(work);
		end_of(grandchild);
		_exit(0);
	}
	RUN(spin);
	end_of(child);
}

/* A pid is used twice: first by another program, then by a child of this one. */
static void reuse(char **arg)
{
	pid_t child;

	next_pid(20000);
	child = fork();
	if (!child)
		start(arg[0], "spin");
	end_of(child);
	next_pid(20000);
	child = fork();
	if (!child) {
		prctl(PR_SET_NAME, "second");
		RUN(work);
		_exit(0);
	}
	end_of(child);
}

static void *thread_spins(void *arg)
{
	(void)arg;
	RUN(walk);
	return NULL;
}

/* A thread id is used twice, in two processes. */
static void reuse_thread(char **arg)
{
	pthread_t thread;
	pid_t child;

	next_pid(21000);
	if (pthread_create(&thread, NULL, thread_spins, NULL))
		die("pthread_create");
	pthread_join(thread, NULL);
	child = fork();
	if (!child)
		start(arg[0], "thread");
	end_of(child);
}

static void one_thread(char **arg)
{
	pthread_t thread;

	(void)arg;
	next_pid(21000);
	if (pthread_create(&thread, NULL, thread_spins, NULL))
		die("pthread_create");
	pthread_join(thread, NULL);
	RUN(spin);
}

static void names(char **arg)
{
	(void)arg;
	RUN(spin);
	prctl(PR_SET_NAME, "second");
	RUN(work);
	prctl(PR_SET_NAME, "third");
	RUN(spin);
}

static void *named_thread(void *arg)
{
	int i = (int)(intptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "thread-%d", i);
	prctl(PR_SET_NAME, name);
	if (i == 0)
		RUN(spin);
	else if (i == 1)
		RUN(work);
	else
		RUN(walk);
	snprintf(name, sizeof(name), "again-%d", i);
	prctl(PR_SET_NAME, name);
	RUN(spin);
	return NULL;
}

static void threads(char **arg)
{
	pthread_t thread[3];
	int i;

	(void)arg;
	for (i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, named_thread, (void *)(intptr_t)i))
			die("pthread_create");
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

static void *thread_execs(void *program)
{
	prctl(PR_SET_NAME, "executes");
	RUN(work);
	start(program, "spin");
	return NULL;
}

static void thread_exec(char **arg)
{
	pthread_t thread;

	RUN(spin);
	if (pthread_create(&thread, NULL, thread_execs, arg[0]))
		die("pthread_create");
	pthread_join(thread, NULL);
}

static void storm(char **arg)
{
	pid_t child;
	int i;

	for (i = 0; i < 30; i++) {
		child = fork();
		if (!child) {
			SHORT(work);
			start(arg[0], "brief");
		}
		end_of(child);
	}
}

/* Two files in turn at one address, as of libraries that are loaded and unloaded */
static void files(char **arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		const char *path = i ? "/tmp/second.so" : "/tmp/first.so";
		int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0755);
		void *at;

		if (fd < 0 || write(fd, code, sizeof(code)) != sizeof(code))
			die(path);
		at = mmap(PLACE, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
		if (at == MAP_FAILED)
			die(path);
		close(fd);
		run(path, "-", (function_fn)at, ROUNDS);
		munmap(at, 4096);
	}
}

/* Code that this process makes in memory of each kind, with a map for profilers */
static void jit(char **arg)
{
	static const char *const kinds[] = { "private", "shared", "memfd", "heap" };
	char path[128], object[64];
	int fd = memfd_create("jit", 0), i, pid;
	FILE *map;

	(void)arg;
	if (fd < 0 || ftruncate(fd, 4096) || readlink("/proc/self", object, sizeof(object)) < 1)
		die("jit");
	pid = atoi(object);
	snprintf(object, sizeof(object), "perf-%d.map", pid);
	snprintf(path, sizeof(path), "/tmp/%s", object);
	map = fopen(path, "w");
	for (i = 0; map && i < 4; i++) {
		int flags = i == 2 ? MAP_SHARED : (i == 1 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS;
		int access = PROT_READ | PROT_WRITE | PROT_EXEC;
		void *at = i == 3 ? (void *)(((uintptr_t)sbrk(3 * 65536) + 65535) & ~(uintptr_t)65535) :
			mmap(NULL, 4096, access, flags, i == 2 ? fd : -1, 0);

		if (at == MAP_FAILED || (i == 3 && mprotect(at, 65536, access)))
			die(kinds[i]);
		memcpy(at, code, sizeof(code));
		__builtin___clear_cache(at, (char *)at + sizeof(code));
		fprintf(map, "%" PRIxPTR " %zx jit_%s\n", (uintptr_t)at, sizeof(code), kinds[i]);
		snprintf(path, sizeof(path), "jit_%s", kinds[i]);
		run(object, path, (function_fn)at, ROUNDS);
	}
	if (!map || fclose(map))
		die(object);
}

/* snapshots PID: asks perf for two snapshots, so close that they overlap */
static void snapshots(char **arg)
{
	(void)arg;
	RUN(spin);
	kill(getppid(), SIGUSR2);
	RUN(work);
	kill(getppid(), SIGUSR2);
	RUN(spin);
}

/*
 * container OUTER INNER COMMAND...: runs the command in new namespaces of pids and mounts.  The
 * next pids are OUTER outside of it and INNER inside, so that one number means two threads.
 */
static void container(char **arg)
{
	pid_t child;

	next_pid(atoi(arg[0]));
	if (unshare(CLONE_NEWPID | CLONE_NEWNS))
		die("unshare");
	child = fork();
	if (!child) {
		if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/proc", "proc", 0, NULL))
			die("/proc");
		next_pid(atoi(arg[1]));
		child = fork();
		if (!child) {
			execvp(arg[2], arg + 2);
			die(arg[2]);
		}
		end_of(child);
		_exit(0);
	}
	end_of(child);
}

static const struct {
	const char *name;
	void (*run)(char **arg);
} situations[] = {
	{ "spin", spin }, { "brief", brief }, { "chain", chain }, { "fork-exec", fork_exec },
	{ "vfork-exec", vfork_exec }, { "tree", tree }, { "reuse", reuse },
	{ "reuse-thread", reuse_thread }, { "thread", one_thread }, { "names", names },
	{ "threads", threads }, { "thread-exec", thread_exec }, { "storm", storm },
	{ "files", files }, { "jit", jit }, { "snapshots", snapshots }, { "container", container },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2 || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 2;
	for (i = 0; i < sizeof(situations) / sizeof(situations[0]); i++)
		if (!strcmp(argv[1], situations[i].name)) {
			situations[i].run(argv + 2);
			return 0;
		}
	fprintf(stderr, "identity: unknown situation %s\n", argv[1]);
	return 2;
}
