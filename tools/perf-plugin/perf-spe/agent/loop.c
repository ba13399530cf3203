// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"

volatile int agent_stopped;

static void on_signal(int signal)
{
	(void)signal;
	agent_stopped = 1;
}

void agent_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

struct agent {
	const struct agent_config *config;
	const char *root;
	struct budget budget;
	struct metrics metrics;
	int spool;		/* see spool_begin() */
	double cpu;		/* of this process and its children so far, in seconds */
	double round;		/* when this round began */
};

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

static double cpu_seconds(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return seconds_of(&self.ru_utime) + seconds_of(&self.ru_stime) +
	       seconds_of(&children.ru_utime) + seconds_of(&children.ru_stime);
}

/* Answer those who ask, until the descriptor @pipe can be read, or without one until @until, or until a signal. */
static void wait_until(struct agent *a, double until, int pipe)
{
	struct pollfd polls[2] = { { a->metrics.listening, POLLIN, 0 }, { pipe, POLLIN, 0 } };
	size_t len;
	char *text;

	while (!agent_stopped) {
		double left = until - clock_seconds(CLOCK_MONOTONIC);

		if (pipe < 0 && left <= 0)
			return;
		if (poll(polls, 2, pipe >= 0 ? 1000 : left > 1 ? 1000 : (int)(left * 1000) + 1) <= 0)
			continue;
		if (polls[1].revents)
			return;
		if (!polls[0].revents)
			continue;
		text = metrics_text(&a->metrics, a->config, &a->budget, a->root, &len);
		metrics_answer(a->metrics.listening, text, len);
		free(text);
	}
}

/*
 * Windows of a fleet must not all begin at the same time, nor two of one machine overlap after a
 * restart: they begin where the wall clock is at the machine's own part of a round.
 */
static double next_begin(const struct agent *a)
{
	double every = a->budget.every, phase = (double)(hash_string(a->config->host) % 1000000) / 1e6 * every;
	double left = fmod(phase - fmod(clock_seconds(CLOCK_REALTIME), every) + every, every);

	return clock_seconds(CLOCK_MONOTONIC) + left;
}

static void add_latencies(struct latencies *to, const struct latencies *from)
{
	unsigned int i;

	for (i = 0; i < LATENCIES; i++)
		to->count[i] += from->count[i];
	to->cycles += from->cycles;
}

static void add_source(struct window_result *sum, const struct source_samples *s)
{
	size_t i;

	for (i = 0; i < sum->nr_sources && strcmp(sum->sources[i].name, s->name); i++)
		;
	if (i == SOURCES)
		i = SOURCES - 1;
	if (i == sum->nr_sources)
		strcpy(sum->sources[sum->nr_sources++].name, i == SOURCES - 1 ? "other" : s->name);
	sum->sources[i].samples += s->samples;
	add_latencies(&sum->sources[i].latencies, &s->latencies);
}

static void add_result(struct metrics *m, const struct window_result *r)
{
	size_t i;

	if (r->user_only && !m->said_user_only)
		say("agent: no permission to sample the kernel, so only programs are sampled: give the capability CAP_PERFMON, or set kernel.perf_event_paranoid=-1");
	m->said_user_only = r->user_only;
	m->kept += r->kept;
	m->failed += !r->sampled;
	m->cut += r->cut;
	m->has_service = r->has_service;
	m->service += r->service;
	m->sum.samples += r->samples;
	m->sum.other += r->other;
	m->sum.dropped += r->dropped;
	m->sum.dropped_unsent += r->dropped_unsent;
	for (i = 0; i < NR_LOSSES; i++)
		m->sum.lost[i] += r->lost[i];
	for (i = 0; i < r->nr_sources; i++)
		add_source(&m->sum, &r->sources[i]);
}

static bool read_result(int fd, struct window_result *r)
{
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(*r)) {
		n = read(fd, (char *)r + len, sizeof(*r) - len);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		len += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* A window in a process of its own; false if that did not come to its end. */
static bool take_window(struct agent *a, struct window_result *r)
{
	const pid_t parent = getpid();
	int fds[2], status = 0;
	bool good;
	pid_t pid;

	memset(r, 0, sizeof(*r));
	if (pipe(fds) < 0) {
		say("agent: a window is lost: cannot make a pipe: %s; raise the limit of open files", strerror(errno));
		return false;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		say("agent: a window is lost: cannot make a process: %s; raise the limit of processes or of memory",
		    strerror(errno));
		close(fds[0]);
		close(fds[1]);
		return false;
	}
	if (!pid) {
		close(fds[0]);
		/* If the agent is killed, the window ends, and another agent can begin at once. */
		close(a->spool);
		if (a->metrics.listening >= 0)
			close(a->metrics.listening);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		agent_stopped |= getppid() != parent;
		window_take(a->config, &a->budget, a->root, &agent_stopped, r);
		good = write(fds[1], r, sizeof(*r)) == sizeof(*r);
		_exit(good ? EXIT_OK : EXIT_INPUT);
	}
	close(fds[1]);
	wait_until(a, 0, fds[0]);
	if (agent_stopped)
		kill(pid, SIGTERM);
	good = read_result(fds[0], r);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (good)
		return true;
	memset(r, 0, sizeof(*r));
	say("agent: a window is lost: its process ended by %s %d; if nothing on this machine killed it, report a fault of perf-spe",
	    WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return false;
}

/* What the round has cost, and what follows from it */
static void keep_budget(struct agent *a, const struct window_result *r)
{
	double cpu = cpu_seconds(), at = clock_seconds(CLOCK_MONOTONIC), whole = at - a->round;
	const struct budget before = a->budget;
	struct metrics *m = &a->metrics;

	/* The time until the next window costs nothing, and belongs to the round. */
	if (whole < before.every)
		whole = before.every;
	m->own += cpu - a->cpu;
	m->share = (cpu - a->cpu + r->service) / (whole * (double)(r->cpus ? r->cpus : 1));
	a->cpu = cpu;
	if (!r->sampled || !budget_step(&a->budget, m->share, a->config->budget / 100))
		return;
	m->changes++;
	say("agent: a round cost %.3f%% of the CPUs' time, with a budget of %g%%: the period is %" PRIu64 " now (was %" PRIu64 "), a window %g s (was %g s), one each %g s (was %g s)",
	    100 * m->share, a->config->budget, a->budget.period, before.period, a->budget.window, before.window,
	    a->budget.every, before.every);
}

static void show_metrics(struct agent *a)
{
	size_t len;
	char *text;

	if (!*a->config->metrics_file)
		return;
	text = metrics_text(&a->metrics, a->config, &a->budget, a->root, &len);
	metrics_write(a->config, text, len);
	free(text);
}

/* Tell the user, who has limited the windows by --windows, how long nothing will happen. */
static void say_first(const struct agent *a)
{
	double left = next_begin(a) - clock_seconds(CLOCK_MONOTONIC);

	if (left >= 2)
		say("agent: the first window begins in %.0f s: the name of the host decides when in each %g s",
		    left, a->budget.every);
}

static void run_windows(struct agent *a, uint64_t windows)
{
	struct window_result r;
	struct metrics *m = &a->metrics;

	if (windows)
		say_first(a);
	do {
		wait_until(a, next_begin(a), -1);
		if (agent_stopped)
			return;
		a->round = clock_seconds(CLOCK_MONOTONIC);
		m->windows++;
		if (take_window(a, &r))
			add_result(m, &r);
		else
			m->crashed++;
		keep_budget(a, &r);
		show_metrics(a);
		/* A window that failed at once must not begin again in the same moment. */
		if (!agent_stopped && m->windows != windows)
			wait_until(a, a->round + a->budget.every / 2, -1);
	} while (!agent_stopped && m->windows != windows);
}

static void choose_period(struct agent *a)
{
	size_t count;
	struct pmu *pmus = pmus_find(a->root, &count);
	struct volume v = volume_read(a->root, pmus, count, NULL, false);
	const struct pmu_request usual = { 0 };
	uint64_t period = a->config->period;

	pmus_free(pmus, count);
	if (!period) {
		period = volume_period(&v, true);
		if (period < sampler_period(&usual))
			period = sampler_period(&usual);
	}
	a->budget = budget_begin(period, a->config->window, a->config->every);
}

int agent_run(const struct agent_config *c, const char *root, uint64_t windows)
{
	struct agent a = { .config = c, .root = root, .metrics.listening = -1 };

	a.spool = spool_begin(c->spool);
	if (a.spool < 0)
		return EXIT_INPUT;
	if (*c->metrics_listen) {
		a.metrics.listening = metrics_listen(c);
		if (a.metrics.listening < 0) {
			close(a.spool);
			return EXIT_INPUT;
		}
	}
	agent_signals();
	choose_period(&a);
	a.cpu = cpu_seconds();
	run_windows(&a, windows);
	if (a.metrics.listening >= 0)
		close(a.metrics.listening);
	if (*c->metrics_listen == '/')
		unlink(c->metrics_listen);
	close(a.spool);
	return windows && !agent_stopped && !a.metrics.kept ? EXIT_INPUT : EXIT_OK;
}
