// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [--seconds N] [--seed S] [--verbose] [--print N]
 *
 * Several tasks make random calls of perf for N seconds (60).  Two of them are an ordinary
 * user's.  Root meanwhile takes CPUs offline and changes parameters.  Then all tasks are gone,
 * and the program checks that
 *
 * - the driver's module has no more references, and the kernel no more perf events, AUX buffers
 *   or memory than before,
 * - the kernel has logged no warning,
 * - the module can be unloaded and loaded again (ARM_SPE_MODULE names its file).
 *
 * The seed is printed, also to the kernel's log, because a kernel that panics leaves nothing
 * else.  --print N prints the first N steps of each task and makes no call.  fuzz.h says how to
 * reproduce a run.  Exit status: 0, or 1 if a check failed.  Run it as root in a virtual machine.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "leftovers.h"
#include "loader.h"

#define LIFE_LEAST	100	/* steps */
#define LIFE_MORE	800
#define SLACK		8192	/* kB that memory may grow */
#define GRACE		60	/* seconds until all tasks have ended */
#define SETTLE		20	/* seconds until the kernel has freed what they had */

struct options {
	unsigned int seconds, print;
	uint64_t seed;
	bool verbose;
};

static void fail(const char *what)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void usage(void)
{
	fputs("usage: fuzz [--seconds N] [--seed S] [--verbose] [--print N]\n", stderr);
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value = text ? strtoull(text, &end, 0) : 0;

	if (!text || !*text || *end)
		usage();
	return value;
}

static void parse(int argc, char **argv, struct options *options)
{
	*options = (struct options){ .seconds = 60, .seed = (uint64_t)time(NULL) % 1000000 };
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--seconds"))
			options->seconds = (unsigned int)number(argv[++i]);
		else if (!strcmp(argv[i], "--seed"))
			options->seed = number(argv[++i]);
		else if (!strcmp(argv[i], "--print"))
			options->print = (unsigned int)number(argv[++i]);
		else if (!strcmp(argv[i], "--verbose"))
			options->verbose = true;
		else
			usage();
	}
}

static void ignore(int number)
{
	(void)number;
}

/* One life of a task: some hundred steps, then an end without closing anything. */
static void live(struct task *task)
{
	struct dice dice = dice_of(task->seed, task->number, task->life, UINT32_MAX, 0);
	unsigned int steps = LIFE_LEAST + draw(&dice, LIFE_MORE);

	signal(SIGCHLD, SIG_IGN);
	/* attr.sigtrap and PERF_EVENT_IOC_REFRESH send these. */
	signal(SIGTRAP, ignore);
	signal(SIGIO, ignore);
	if (!task->root) {
		if (setgroups(0, NULL) || setresgid(FUZZ_NOBODY, FUZZ_NOBODY, FUZZ_NOBODY) ||
		    setresuid(FUZZ_NOBODY, FUZZ_NOBODY, FUZZ_NOBODY))
			_exit(1);
		/* Otherwise no other task of the user may open an event for this one. */
		prctl(PR_SET_DUMPABLE, 1);
	}
	for (int i = 0; i < FUZZ_EVENTS; i++)
		task->event[i] = (struct event){ .fd = -1, .cpu = -1 };
	for (unsigned int step = 0; step < steps && !atomic_load(&task->shared->stop); step++)
		call_any(task, step);
	_exit(0);
}

static void start(struct task *task, pid_t group)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (!pid) {
		/* Children of the tasks are in this group too, so all of them can be killed. */
		if (setpgid(0, group))
			fail("setpgid");
		live(task);
	}
	atomic_store(&task->shared->pid[task->number], pid);
	atomic_fetch_add(&task->shared->lives, 1);
}

/* Starts a new task in place of one that has ended. */
static void go_on(struct task *tasks, pid_t pid, pid_t group)
{
	for (int i = 0; i < FUZZ_TASKS; i++) {
		if (atomic_load(&tasks[i].shared->pid[i]) != pid)
			continue;
		tasks[i].life++;
		start(&tasks[i], group);
	}
}

/* What a task is doing that does not end. */
static void print_task(const char *pid)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.16s/stack", pid);
	file = fopen(path, "r");
	printf("task %s still runs\n", pid);
	while (file && fgets(line, sizeof(line), file))
		printf("  %s", line);
	if (file)
		fclose(file);
}

static void print_group(pid_t group)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    getpgid(atoi(entry->d_name)) == group)
			print_task(entry->d_name);
	if (dir)
		closedir(dir);
}

/*
 * Waits until every task and every child of one is gone.  Kills those that are late: a task may
 * do nothing but handle the signals that it has asked perf for.
 */
static bool end_all(pid_t group)
{
	uint64_t start = now();
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		if (pid)
			continue;
		if (now() - start > GRACE * 1000) {
			printf("not ok: tasks still run %d s after they were killed\n", GRACE);
			print_group(group);
			return false;
		}
		if (now() - start > 5000)
			kill(-group, SIGKILL);
		usleep(10000);
	}
	return true;
}

/* Starts the task that disturbs the others.  Its process group is that of all. */
static pid_t start_disturber(const struct options *options, const struct machine *machine,
			     struct shared *shared)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (!pid) {
		setpgid(0, 0);
		disturb(options->seed, machine, shared, options->verbose);
		_exit(0);
	}
	setpgid(pid, pid);
	return pid;
}

/* Returns the process group. */
static pid_t run(const struct options *options, const struct machine *machine,
		 struct shared *shared, struct task *tasks)
{
	uint64_t until = now() + 1000 * (uint64_t)options->seconds;
	pid_t group = start_disturber(options, machine, shared), pid;

	for (int i = 0; i < FUZZ_TASKS; i++)
		start(&tasks[i], group);
	while (now() < until) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (pid > 0)
			go_on(tasks, pid, group);
		else
			usleep(2000);
	}
	atomic_store(&shared->stop, true);
	return group;
}

/* Also to the kernel's log, at a level that the console shows. */
static void announce(const struct options *options)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	char line[128];
	int length;

	printf("fuzz: seed %" PRIu64 ", %u s\n", options->seed, options->seconds);
	fflush(stdout);
	length = snprintf(line, sizeof(line), "<4>fuzz: seed %" PRIu64 "\n", options->seed);
	if (fd >= 0 && write(fd, line, (size_t)length) < 0)
		perror("/dev/kmsg");
	if (fd >= 0)
		close(fd);
}

static int open_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0)
		perror("/dev/kmsg");
	return fd;
}

/* Whether the kernel has complained since open_log(). */
static bool log_is_clean(int fd)
{
	static const char *const complaints[] = {
		"WARNING", "BUG:", "Oops", "Call trace", "UBSAN", "KASAN", "KCSAN",
		"INFO: task", "INFO: rcu", "Unable to handle", "nobody cared", "DEBUG_LOCKS",
	};
	bool clean = true;
	char line[8192];
	ssize_t n;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		line[n] = 0;
		for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
			if (!strstr(line, complaints[i]))
				continue;
			printf("not ok: the kernel has logged: %s", line);
			clean = false;
		}
	}
	return clean;
}

/* A run in which a call never succeeds tests less than it says. */
static bool all_succeeded(const struct options *options, bool sampler, struct shared *shared)
{
	bool ok = true;

	for (unsigned int i = 0; call_name(i); i++) {
		unsigned int done = atomic_load(&shared->done[i]);

		printf("%s: %u of %u succeeded\n", call_name(i), done,
		       atomic_load(&shared->calls[i]));
		if (!done && options->seconds >= 30) {
			printf("not ok: the call %s has never succeeded\n", call_name(i));
			ok = false;
		}
	}
	printf("open: %u events of spe_sample\n", atomic_load(&shared->samplers));
	if (sampler && !atomic_load(&shared->samplers) && options->seconds >= 30) {
		printf("not ok: no event of spe_sample has been opened\n");
		ok = false;
	}
	for (int i = 0; i < FUZZ_ERRORS; i++)
		if (atomic_load(&shared->errors[i]))
			printf("open: %u times %s\n", atomic_load(&shared->errors[i]),
			       strerror(i));
	printf("%u lives, %u disturbances, CPUs went offline %u times\n",
	       atomic_load(&shared->lives), atomic_load(&shared->disturbances),
	       atomic_load(&shared->offline));
	return ok;
}

static bool reload(void)
{
	int err = spe_module_unload();

	if (!err)
		err = getenv("ARM_SPE_MODULE") ? spe_module_load() : 0;
	if (err)
		printf("not ok: the module does not unload and load again (error %d)\n", err);
	return !err;
}

static void print_steps(const struct options *options, struct task *tasks)
{
	for (int i = 0; i < FUZZ_TASKS; i++)
		for (unsigned int step = 0; step < options->print; step++)
			call_print(&tasks[i], step);
}

int main(int argc, char **argv)
{
	static struct task tasks[FUZZ_TASKS];
	struct leftovers before;
	struct options options;
	struct machine machine;
	struct shared *shared;
	bool ok;
	int log;

	/* The program that a child executes. */
	if (argc == 2 && !strcmp(argv[1], "--work")) {
		work(20);
		return 0;
	}
	parse(argc, argv, &options);
	/* Tasks end by _exit(). */
	setvbuf(stdout, NULL, _IOLBF, 0);
	machine_read(&machine);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		fail("mmap");
	for (unsigned int i = 0; i < FUZZ_TASKS; i++)
		tasks[i] = (struct task){
			.seed = options.seed, .number = i, .root = i < FUZZ_TASKS / 2,
			.verbose = options.verbose, .machine = &machine, .shared = shared,
		};
	if (options.print) {
		print_steps(&options, tasks);
		return 0;
	}
	if (!machine.spe) {
		fprintf(stderr, "fuzz: no SPE PMU in " SPE_PMU_ROOT "; load the module first\n");
		return 1;
	}
	announce(&options);
	log = open_log();
	leftovers_count(&before);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ok = end_all(run(&options, &machine, shared, tasks));
	ok &= all_succeeded(&options, machine.sampler, shared);
	ok &= leftovers_check(&before, SLACK, SETTLE, stdout);
	ok &= reload();
	ok &= log_is_clean(log);
	printf("fuzz: seed %" PRIu64 ": %s\n", options.seed, ok ? "passed" : "failed");
	return ok ? 0 : 1;
}
