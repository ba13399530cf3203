// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of perf spe top: wait, read the kernel's rings, show a table.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static void on_change(void *context)
{
	struct top *t = context;

	rows_forget(&t->rows);
}

/* Act on all keys that were typed since the last call. */
static void take_keys(struct top *t)
{
	int key;

	while ((key = tui_key(false)) != TUI_NOTHING) {
		switch (browse_key(&t->browse, key)) {
		case BROWSE_SAMPLES:
			top_restart(t);
			view_finish(t->browse.shown, &t->rows);
			browse_finish(&t->browse);
			browse_show(&t->browse);
			break;
		case BROWSE_SHOW:
			browse_show(&t->browse);
			break;
		case BROWSE_QUIT:
			interrupted = 1;
			return;
		default:
			break;
		}
	}
}

static void handle_polls(struct top *t)
{
	struct pollfd *keys = &t->polls[t->target.sampler.nr_spe];
	size_t i;

	for (i = 0; i < t->target.sampler.nr_spe; i++)
		if (t->polls[i].revents & ~POLLIN)
			t->polls[i].fd = -1;
	if (keys->revents & POLLIN)
		take_keys(t);
	else if (keys->revents)
		interrupted = 1;
}

/* Wait until time @end, and empty the rings before they are full. */
static void wait_until(struct top *t, double end)
{
	while (!interrupted && !target_ended(&t->target)) {
		double left = end - clock_seconds(CLOCK_MONOTONIC);
		/* Poll, because no event reports the end of a task. */
		int ms = left > 0.1 ? 100 : left > 0 ? (int)(left * 1000) + 1 : 0;

		if (left <= 0)
			return;
		if (poll(t->polls, t->target.sampler.nr_spe + 1, ms) <= 0)
			continue;
		handle_polls(t);
		top_stacks_wait(t);
		live_drain(&t->live);
		target_resume(&t->target);
	}
}

/* Each table shows only the losses of its own interval. */
static void reset_losses(struct session *s)
{
	s->aux_events = s->aux_truncated = s->aux_partial = 0;
	s->aux_collision = s->lost_events = s->lost_records = 0;
}

/* An object for each interval; as CSV all of them make one table. */
static void print_data(struct top *t, double seconds, double cpu)
{
	const struct armspe_totals *decoded = &t->live.totals.decoded;
	struct data *d = &t->out;
	uint64_t interval = d->interval + 1;

	if (t->data.form == DATA_JSON || interval == 1)
		data_begin(d, &t->data, "top", stdout);
	d->interval = interval;
	data_number(d, "interval", interval);
	data_real(d, "seconds", true, seconds);
	data_real(d, "own_cpu_seconds", true, cpu);
	data_number(d, "damaged_bytes", decoded->damaged);
	data_number(d, "damaged_events", t->live.damaged_events);
	view_data(&t->view, d);
	if (t->data.form == DATA_JSON)
		data_end(d);
}

static void print_table(struct top *t)
{
	const struct armspe_totals *decoded = &t->live.totals.decoded;

	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	printf("# %s\n", t->what);
	if (decoded->damaged || t->live.damaged_events)
		printf("# skipped: %" PRIu64 " damaged bytes, %" PRIu64
		       " invalid events\n", decoded->damaged,
		       t->live.damaged_events);
	view_print(&t->view, stdout);
	top_stacks_print(t, stdout);
	putchar('\n');
}

static void show_table(struct top *t, double seconds, double cpu)
{
	snprintf(t->what, sizeof(t->what), "%.1f s, perf-spe used %.2f%% of a CPU",
		 seconds, 100 * cpu / seconds);
	view_finish(&t->view, &t->rows);
	browse_finish(&t->browse);
	if (t->data.form) {
		print_data(t, seconds, cpu);
		return;
	}
	if (!t->interactive) {
		print_table(t);
		return;
	}
	if (!t->keep)
		view_move(&t->view, &t->shown);
	browse_show(&t->browse);
}

static void begin_table(struct top *t)
{
	top_restart(t);
	reset_losses(&t->rows.src.session);
}

static bool is_last(struct top *t, uint64_t tables, double begun)
{
	return interrupted || target_ended(&t->target) ||
	       (t->iterations && tables >= t->iterations) ||
	       (t->seconds && clock_seconds(CLOCK_MONOTONIC) - begun >=
			      (double)t->seconds);
}

/* Processes and threads that wait, as the first one of a server often does, have no samples. */
static void say_idle(struct top *t, bool last)
{
	static const char why[] = "what -p and -t name executed nothing that the filters of sampling keep; they leave out children that already run: name them too, or give -a";
	const bool before = t->idle;

	t->sampled |= t->live.totals.decoded.records;
	t->idle = !t->sampled && !t->target.child && t->target.tids[0] != NO_ID;
	if (t->interactive && (t->idle || before))
		tui_say(t->idle ? why : "");
	else if (t->idle && last)
		say("top: no samples: %s", why);
}

/* On a terminal keep the last table until the user quits. */
static void wait_for_quit(struct top *t)
{
	enum browse_act act = BROWSE_NOTHING;

	if (!t->interactive || !target_ended(&t->target))
		return;
	tui_say("the command has ended: press q to quit");
	while (!interrupted && act != BROWSE_QUIT) {
		act = browse_key(&t->browse, tui_key(true));
		if (act != BROWSE_NOTHING)
			browse_show(&t->browse);
		if (act == BROWSE_SAMPLES)
			tui_say("the command has ended: no more samples will come");
	}
}

/* Read all samples up to now, and forget what only they needed. */
static void collect(struct top *t)
{
	target_flush(&t->target);
	live_drain(&t->live);
	live_forget(&t->live);
	target_resume(&t->target);
}

/* Without stacks, what a long interval needs is little enough to be kept. */
static void wait_and_collect(struct top *t, double end)
{
	double part = t->rows.finder ? clock_seconds(CLOCK_MONOTONIC) + TOP_STACKS_TURN : end;

	for (; part < end && !interrupted; part += TOP_STACKS_TURN) {
		wait_until(t, part);
		if (interrupted || target_ended(&t->target))
			return;
		collect(t);
	}
	wait_until(t, end);
}

static int watch(struct top *t)
{
	double begun = clock_seconds(CLOCK_MONOTONIC), from = begun;
	double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t tables;

	begin_table(t);
	for (tables = 1;; tables++) {
		double end = from + t->interval, spent, at;
		bool last;

		if (t->seconds && begun + (double)t->seconds < end)
			end = begun + (double)t->seconds;
		wait_and_collect(t, end);
		/* Before the flush: a task that ends later gets one more table. */
		last = is_last(t, tables, begun);
		collect(t);
		at = clock_seconds(CLOCK_MONOTONIC);
		spent = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
		show_table(t, at - (t->keep ? begun : from), spent - cpu);
		say_idle(t, last);
		from = at;
		if (fflush(stdout) || ferror(stdout))
			return EXIT_INPUT;
		if (last) {
			wait_for_quit(t);
			return EXIT_OK;
		}
		if (t->keep)
			continue;
		begin_table(t);
		cpu = spent;
	}
}

static void catch_interrupt(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void watch_rings(struct top *t)
{
	size_t i;

	t->polls = xcalloc(t->target.sampler.nr_spe + 1, sizeof(*t->polls));
	for (i = 0; i < t->target.sampler.nr_spe; i++)
		t->polls[i] = (struct pollfd){ t->target.sampler.spe[i], POLLIN, 0 };
	t->polls[i] = (struct pollfd){ t->interactive ? STDIN_FILENO : -1,
				       POLLIN, 0 };
}

static int watch_target(struct top *t)
{
	int rc;

	target_read_proc(&t->target, &t->live);
	t->interactive = t->options.quiet && tui_begin();
	watch_rings(t);
	catch_interrupt();
	target_start(&t->target);
	rc = watch(t);
	browse_end(&t->browse);
	tui_end();
	view_clear(&t->view);
	view_clear(&t->shown);
	call_tree_free(&t->calls);
	free(t->polls);
	rows_finish(&t->rows);
	return rc;
}

static void prepare(struct top *t)
{
	const struct row_taker taker = top_taker(t);
	uint64_t type = 0;

	pmu_number(&t->target.pmus[0], "type", &type);
	t->browse = (struct browse){
		.verb = "top", .what = t->what, .rows = &t->rows,
		.no_stacks = "no call stacks are sampled: quit, and start 'perf spe top --stacks'",
		.view = &t->view, .shown = t->keep ? &t->view : &t->shown,
	};
	t->shown = t->view;
	browse_begin(&t->browse, filter_text(t->rows.filter));
	live_init(&t->live, &t->rows.src.session, type, target_period(&t->options));
	if (t->target.sampler.samples)
		live_samples(&t->live);
	row_sink_init(&t->sink, &t->rows, &taker, t);
	t->live.decoder = row_sink_decoder(&t->sink, &t->live.totals);
	live_cores(&t->live, &t->target.sampler, t->options.root);
	t->live.changed = on_change;
	t->live.context = t;
	if ((t->rows.names & ROW_GROUP) || t->options.quiet)
		t->live.root = t->options.root;
	t->live.rings = t->target.sampler.rings;
	t->live.nr_rings = t->target.sampler.nr_rings;
	t->rows.need = NEED_PLACE;
	top_stacks_begin(t);
}

int top_run(struct top *t)
{
	int rc = EXIT_INPUT;

	t->options.quiet = !t->view.text && !t->data.form && tui_possible();
	t->options.aside = t->data.form;
	if (target_open(&t->target, "top", &t->options) < 0) {
		target_close(&t->target);
		return EXIT_INPUT;
	}
	if (t->target.sampler.user_only)
		say("top: no permission to sample the kernel, so only programs are sampled: run as root, or set kernel.perf_event_paranoid=1");
	prepare(t);
	if (rows_ready(&t->rows) == EXIT_OK)
		rc = watch_target(t);
	live_free(&t->live);
	row_sink_free(&t->sink);
	target_close(&t->target);
	return rc;
}
