// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/input.h"
#include "system/system.h"
#include "util/util.h"

uint64_t target_period(const struct target_options *opt)
{
	return sampler_period(&opt->req);
}

static void add_tid(struct target *t, int32_t tid)
{
	t->tids = array_grow(t->tids, t->nr_tids, &t->room_tids,
			     sizeof(*t->tids));
	t->tids[t->nr_tids++] = tid;
}

static bool add_process(struct target *t, int32_t pid)
{
	size_t i, count;
	int32_t *tids = proc_threads(t->opt->root, pid, &count);

	for (i = 0; i < count; i++)
		add_tid(t, tids[i]);
	free(tids);
	return count;
}

/* Parse numbers separated by commas, and add the threads of each. */
static bool add_tasks(struct target *t, const char *list, bool processes)
{
	for (;; list++) {
		char *end;
		long number = strtol(list, &end, 10);

		if (!isdigit((unsigned char)*list) || (*end && *end != ',') ||
		    number < 1 || number > INT32_MAX) {
			say("%s: %s needs numbers of %s separated by commas, not '%s'",
			    t->verb, processes ? "-p" : "-t",
			    processes ? "processes" : "threads", list);
			return false;
		}
		if (!processes) {
			add_tid(t, (int32_t)number);
		} else if (!add_process(t, (int32_t)number)) {
			say("%s: -p %ld: no such process; run 'ps -e' for the processes",
			    t->verb, number);
			return false;
		}
		list = end;
		if (!*list)
			return true;
	}
}

/* Discard the command's output, which would overwrite the table. */
static void silence(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0 ||
	    dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(EXIT_INPUT);
}

/* Fork the command's process, which waits for target_start(). */
static bool prepare_child(struct target *t)
{
	char byte;
	int go[2];

	if (pipe2(go, O_CLOEXEC) < 0)
		return false;
	fflush(NULL);
	t->child = fork();
	if (t->child) {
		close(go[0]);
		t->go = go[1];
		if (t->child < 0)
			close(go[1]);
		return t->child > 0;
	}
	close(go[1]);
	if (t->opt->quiet)
		silence();
	if (t->opt->aside && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(EXIT_INPUT);
	/* End of file instead of a byte: perf-spe has given up. */
	if (read(go[0], &byte, 1) != 1)
		_exit(EXIT_INPUT);
	execvp(t->opt->command[0], t->opt->command);
	say("%s: cannot run %s: %s; check its name and PATH", t->verb,
	    t->opt->command[0], strerror(errno));
	_exit(127);
}

static bool find_tasks(struct target *t)
{
	const struct target_options *opt = t->opt;

	if (opt->command) {
		if (!prepare_child(t)) {
			t->child = 0;
			say("%s: cannot start %s: %s; end other processes first",
			    t->verb, opt->command[0], strerror(errno));
			return false;
		}
		add_tid(t, t->child);
	} else if (opt->pids || opt->tids) {
		return (!opt->pids || add_tasks(t, opt->pids, true)) &&
		       (!opt->tids || add_tasks(t, opt->tids, false));
	} else {
		add_tid(t, NO_ID);
	}
	return true;
}

static void allow_files(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int open_all(struct target *t, const bool *chosen, size_t nr_chosen)
{
	size_t i;
	int rc = 0;

	t->sampler.tids = t->tids;
	t->sampler.nr_tids = t->nr_tids;
	if (t->stack_attr.name)
		t->sampler.stacks = &t->stack_attr;
	for (i = 0; i < t->nr_pmus && !rc; i++)
		rc = sampler_open(&t->sampler, &t->pmus[i], chosen, nr_chosen);
	return rc;
}

/* Another profiler has the SPE PMU.  False without PMUs spe_sample_N */
static bool take_samplers(struct target *t)
{
	size_t count;
	struct pmu *pmus = pmus_find_samplers(t->opt->root, &count);

	if (!count) {
		say("%s: %s is busy: end the other profiler that uses it", t->verb, t->pmus[0].name);
		pmus_free(pmus, count);
		return false;
	}
	say("%s: %s is busy, so samples come from %s, which has none while the other profiler's event runs",
	    t->verb, t->pmus[0].name, pmus[0].name);
	pmus_free(t->pmus, t->nr_pmus);
	t->pmus = pmus;
	t->nr_pmus = count;
	sampler_close(&t->sampler);
	sampler_init(&t->sampler, t->verb, t->opt);
	t->sampler.samples = true;
	return true;
}

int target_open(struct target *t, const char *verb,
		const struct target_options *opt)
{
	bool *chosen = NULL;
	size_t nr_chosen = 0;
	int rc = 0;

	memset(t, 0, sizeof(*t));
	t->opt = opt;
	t->verb = verb;
	sampler_init(&t->sampler, verb, opt);
	if (opt->stacks != STACKS_NONE)
		t->stack_attr = stack_attr(opt->root, opt->stacks);
	t->sampler.samples = opt->samples;
	t->sampler.else_samples = opt->else_samples;
	t->pmus = (opt->samples ? pmus_find_samplers : pmus_find)(opt->root, &t->nr_pmus);
	if (!t->nr_pmus) {
		say("%s: this machine has no %s: run 'perf spe doctor' for the cause",
		    verb, opt->samples ? "PMU spe_sample" : "SPE PMU");
		return -1;
	}
	if (opt->cpus) {
		chosen = cpus_parse(opt->cpus, &nr_chosen);
		if (!chosen) {
			say("%s: -C needs a list of CPUs such as 0-3,8, not '%s'",
			    verb, opt->cpus);
			return -1;
		}
	}
	allow_files();
	if (!find_tasks(t))
		rc = -1;
	if (!rc)
		rc = open_all(t, chosen, nr_chosen);
	if (rc && t->sampler.busy && take_samplers(t))
		rc = open_all(t, chosen, nr_chosen);
	if (!rc && !t->sampler.nr_rings) {
		say("%s: none of these CPUs has SPE: run 'perf spe doctor' for those that have it",
		    verb);
		rc = -1;
	}
	free(chosen);
	return rc;
}

void target_read_proc(const struct target *t, struct live *l)
{
	size_t i;

	if (t->tids[0] == NO_ID)
		proc_all(l, t->opt->root);
	for (i = 0; i < t->nr_tids && t->tids[i] != NO_ID; i++) {
		int32_t pid = proc_process(t->opt->root, t->tids[i]);

		const struct era *era;

		/* An event of this process may have told of the thread. */
		processes_apply(&l->session->processes);
		era = processes_era(&l->session->processes, t->tids[i], UINT64_MAX);
		if (pid != NO_ID && (!era || era->process->pid != pid))
			proc_one(l, t->opt->root, pid);
	}
}

void target_start(struct target *t)
{
	sampler_enable(&t->sampler);
	if (!t->child)
		return;
	/* If the child is gone already, no reader is left. */
	if (write(t->go, "", 1) < 0)
		t->ended = true;
	close(t->go);
	t->go = -1;
}

/* On an idle CPU only this makes the driver publish before the buffer is full. */
void target_flush(struct target *t)
{
	sampler_disable(&t->sampler);
}

void target_resume(struct target *t)
{
	sampler_enable(&t->sampler);
}

bool target_ended(struct target *t)
{
	size_t i;

	if (t->child)
		t->ended |= waitpid(t->child, NULL, WNOHANG) == t->child;
	else if (t->tids[0] != NO_ID)
		for (t->ended = true, i = 0; i < t->nr_tids && t->ended; i++)
			t->ended = proc_process(t->opt->root, t->tids[i]) ==
				   NO_ID;
	return t->ended;
}

/* The command runs only to be shown: end it together with perf-spe. */
static void end_child(struct target *t)
{
	if (t->go >= 0) {
		close(t->go);
		waitpid(t->child, NULL, 0);
	} else if (!t->ended) {
		kill(t->child, SIGTERM);
	}
}

void target_close(struct target *t)
{
	sampler_close(&t->sampler);
	if (t->child)
		end_child(t);
	pmus_free(t->pmus, t->nr_pmus);
	free(t->tids);
	memset(t, 0, sizeof(*t));
}
