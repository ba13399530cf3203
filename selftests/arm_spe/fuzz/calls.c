// SPDX-License-Identifier: GPL-2.0-only
/* The calls that a task makes: each draws its own arguments. */
#include "fuzz.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void work(unsigned int amount)
{
	for (unsigned int i = 0; i < amount; i++) {
		for (volatile unsigned int k = 0; k < 2000; k++)
			;
		getppid();
	}
}

static bool is_empty(const struct event *event)
{
	return event->fd < 0;
}

static bool is_open(const struct event *event)
{
	return event->fd >= 0;
}

/*
 * A CPU that goes offline takes its events out of their context, but perf lets them lead new groups
 * when it is back, forgets these groups, and uses the leader's memory after the leader is closed
 * (patches/upstream/core repairs that).  CPU 0 stays, and a task's events stay in its context.
 */
static bool stays_leader(const struct event *event)
{
	return is_open(event) && (event->pid != -1 || !event->cpu);
}

static int draw_pid(struct task *task, struct dice *dice)
{
	/* Another user's task, and all tasks of a CPU, are for root. */
	if (!task->root && !once_in(dice, 4))
		return 0;
	switch (draw(dice, 16)) {
	case 0: case 1: case 2:
		return -1;
	case 3:
		return getppid();
	case 4: case 5:
		return atomic_load(&task->shared->pid[draw(dice, FUZZ_TASKS)]);
	case 6:
		return once_in(dice, 4) ? (int)dice_word(dice) : 0;
	default:
		return 0;
	}
}

static int draw_cpu(struct task *task, struct dice *dice, int pid)
{
	if (pid != -1 && !once_in(dice, 4))
		return -1;
	return (int)draw(dice, task->machine->cpus + once_in(dice, 16));
}

/* In a quarter of the calls the mappings outlive the file descriptor; exit removes them. */
static bool call_close(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, is_open);
	bool keep = once_in(dice, 4);

	if (event->fd < 0)
		return false;
	if (!keep)
		unmap_all(event);
	close(event->fd);
	if (keep && event->data)
		event->fd = -1;
	else
		*event = (struct event){ .fd = -1, .cpu = -1 };
	return true;
}

/* Opens an event in an empty place, and maps its buffers now or later. */
static bool call_open(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, is_empty);
	struct event *leader = next_event(task, dice, stays_leader);
	unsigned long flags = once_in(dice, 2) ? PERF_FLAG_FD_CLOEXEC : 0;
	bool group = once_in(dice, 2) && stays_leader(leader);
	union spe_attr attr;
	int pid, cpu, fd;

	draw_attr(dice, task->machine, task->root, group, &attr);
	pid = draw_pid(task, dice);
	cpu = draw_cpu(task, dice, pid);
	/* Members of a group must have the leader's task and CPU. */
	if (group && !once_in(dice, 16)) {
		pid = leader->pid;
		cpu = leader->cpu;
	}
	if (once_in(dice, 12))
		flags |= PERF_FLAG_FD_OUTPUT;
	if (once_in(dice, 16))
		flags |= PERF_FLAG_FD_NO_GROUP;
	if (once_in(dice, 64))
		flags |= dice_word(dice) & 0x1f;
	if (event->fd >= 0)
		return false;
	fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, group ? leader->fd : -1, flags);
	if (fd < 0) {
		atomic_fetch_add(&task->shared->errors[errno % FUZZ_ERRORS], 1);
		return false;
	}
	*event = (struct event){
		.fd = fd, .pid = pid, .cpu = cpu,
		.spe = attr.perf.type == task->machine->spe,
	};
	if (task->machine->sampler && attr.perf.type == task->machine->sampler)
		atomic_fetch_add(&task->shared->samplers, 1);
	if (!once_in(dice, 4) && map_data(event, dice) && event->spe)
		map_aux(event, dice);
	return true;
}

static bool call_ioctl(struct task *task, struct dice *dice)
{
	static const unsigned long simple[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_ENABLE,
		PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
	};
	struct event *event = next_event(task, dice, is_open);
	struct event *other = next_event(task, dice, is_open);
	unsigned long flag = once_in(dice, 3) ? PERF_IOC_FLAG_GROUP : 0;
	uint64_t value = once_in(dice, 4) ? dice_word(dice) >> draw(dice, 64) :
			 256u << draw(dice, 12);
	int fd = event->fd;

	switch (draw(dice, 14)) {
	case 0:
		return !ioctl(fd, PERF_EVENT_IOC_PERIOD, &value);
	case 1:
		return !ioctl(fd, PERF_EVENT_IOC_REFRESH, (int)(value % 8));
	case 2: case 3:
		return !ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, once_in(dice, 6) ? -1 : other->fd);
	case 4:
		return !ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, (int)(value >> 8 & 1));
	case 5:
		return !ioctl(fd, PERF_EVENT_IOC_ID, &value);
	case 6:
		return !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "common_pid != 0");
	default:
		return !ioctl(fd, simple[draw(dice, sizeof(simple) / sizeof(simple[0]))], flag);
	}
}

static bool call_read(struct task *task, struct dice *dice)
{
	uint64_t words[64];

	return read(next_event(task, dice, is_open)->fd, words, 8 * draw(dice, 64)) >= 0;
}

static bool call_work(struct task *task, struct dice *dice)
{
	(void)task;
	work(1 + draw(dice, 40));
	return true;
}

static bool call_sleep(struct task *task, struct dice *dice)
{
	(void)task;
	return !usleep(draw(dice, 3000));
}

static bool call_migrate(struct task *task, struct dice *dice)
{
	unsigned int cpus = task->machine->cpus, first = draw(dice, cpus);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(first, &set);
	if (once_in(dice, 3))
		for (unsigned int cpu = 0; cpu < cpus; cpu++)
			CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

static bool call_prctl(struct task *task, struct dice *dice)
{
	(void)task;
	return !prctl(once_in(dice, 3) ? PR_TASK_PERF_EVENTS_DISABLE : PR_TASK_PERF_EVENTS_ENABLE);
}

/* A child with inherited events makes calls of its own, and ends or executes a program. */
static void be_child(struct task *task, struct dice *dice)
{
	static char name[] = "fuzz", option[] = "--work";
	char *const arguments[] = { name, option, NULL };
	unsigned int steps = draw(dice, 12), own = 1 + draw(dice, 1 << 30);
	bool exec = once_in(dice, 2);

	task->level = own;
	for (unsigned int i = 0; i < steps && !atomic_load(&task->shared->stop); i++)
		call_any(task, i);
	if (exec)
		execv("/proc/self/exe", arguments);
	_exit(0);
}

static bool call_fork(struct task *task, struct dice *dice)
{
	bool wait = once_in(dice, 2);
	pid_t pid;

	/* Children do not fork, so their number is bounded. */
	if (task->level)
		return false;
	pid = fork();
	if (!pid)
		be_child(task, dice);
	if (pid > 0 && wait)
		waitpid(pid, NULL, 0);
	return pid > 0;
}

static const struct {
	const char *name;
	unsigned int weight;
	bool (*run)(struct task *task, struct dice *dice);
} calls[] = {
	{ "open", 30, call_open },
	{ "close", 10, call_close },
	{ "map_data", 6, call_map_data },
	{ "map_aux", 8, call_map_aux },
	{ "unmap_data", 2, call_unmap_data },
	{ "unmap_aux", 3, call_unmap_aux },
	{ "tail", 12, call_tail },
	{ "scribble", 1, call_scribble },
	{ "look", 2, call_look },
	{ "ioctl", 40, call_ioctl },
	{ "read", 6, call_read },
	{ "work", 24, call_work },
	{ "sleep", 4, call_sleep },
	{ "migrate", 8, call_migrate },
	{ "prctl", 3, call_prctl },
	{ "fork", 2, call_fork },
};

#define CALLS	(sizeof(calls) / sizeof(calls[0]))
_Static_assert(CALLS < FUZZ_CALLS, "struct shared has too few counters");

const char *call_name(unsigned int call)
{
	return call < CALLS ? calls[call].name : NULL;
}

static unsigned int draw_call(struct dice *dice)
{
	unsigned int sum = 0, at, call = 0;

	for (size_t i = 0; i < CALLS; i++)
		sum += calls[i].weight;
	at = draw(dice, sum);
	while (at >= calls[call].weight)
		at -= calls[call++].weight;
	return call;
}

static struct dice dice_for(const struct task *task, unsigned int step)
{
	return dice_of(task->seed, task->number, task->life, step, task->level);
}

void call_print(const struct task *task, unsigned int step)
{
	struct dice dice = dice_for(task, step);
	unsigned int call = draw_call(&dice);

	printf("task %u life %u child %u step %u: %s, draws %#jx\n", task->number, task->life,
	       task->level, step, calls[call].name, (uintmax_t)dice_word(&dice));
}

void call_any(struct task *task, unsigned int step)
{
	struct dice dice = dice_for(task, step);
	unsigned int call = draw_call(&dice);

	if (task->verbose)
		call_print(task, step);
	atomic_fetch_add(&task->shared->calls[call], 1);
	if (calls[call].run(task, &dice))
		atomic_fetch_add(&task->shared->done[call], 1);
}
