// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends what waits in the spool: profiles of windows to the servers of the settings, over HTTP, and windows as
 * Parquet files.  A profile leaves the spool when its server has taken it.  This process needs the spool and the
 * network, and no other right.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "export/profiles/profiles.h"
#include "util/util.h"

#define LONGEST		300.0		/* seconds from one try to the next, unless the server wants more */
#define LONGEST_ASKED	3600.0		/* seconds that it may want */
#define LOOK		5.0		/* seconds from one look at the spool to the next */

/* A server, and when it is tried next */
struct receiver {
	const char *url;
	enum spool_kind kind;
	double next, pause;	/* monotonic seconds; seconds after the last failure, 0: there was none */
	char *why;		/* the last failure, as told; NULL: none */
};

/* Between half of the pause and all of it, so that the machines of a fleet do not all come back at once */
static double jittered(double pause)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return pause * (0.5 + (double)(hash_mix((uint64_t)ts.tv_nsec ^ (uint64_t)getpid() << 32) >> 11) / 18014398509481984.0);
}

static void failed(struct receiver *t, char *why, double asked)
{
	double pause;

	t->pause = t->pause * 2 < LONGEST ? t->pause * 2 : LONGEST;
	if (t->pause < 1)
		t->pause = 1;
	pause = jittered(t->pause);
	if (asked > pause)
		pause = asked < LONGEST_ASKED ? asked : LONGEST_ASKED;
	t->next = clock_seconds(CLOCK_MONOTONIC) + pause;
	if (!t->why || strcmp(t->why, why))
		say("agent: cannot send to %s: %s; the %s stays in the spool until a later try", t->url, why,
		    t->kind == SPOOL_PARQUET ? "window" : "profile");
	free(t->why);
	t->why = why;
}

static void succeeded(struct receiver *t)
{
	if (t->why)
		say("agent: can send to %s again", t->url);
	free(t->why);
	t->why = NULL;
	t->pause = 0;
}

/* A profile that the server will never take; other failures may end, such as that of a wrong token. */
static bool is_refused(long status)
{
	return status == 400 || status == 413 || status == 415 || status == 422;
}

/* The whole file, to be freed; or NULL, with errno */
static char *read_profile(const char *path, size_t *len)
{
	FILE *from = fopen(path, "re");
	char *bytes = NULL;
	struct stat st;

	if (from && !fstat(fileno(from), &st)) {
		*len = (size_t)st.st_size;
		bytes = xcalloc(1, *len + 1);
		if (fread(bytes, 1, *len, from) != *len) {
			errno = EIO;
			free(bytes);
			bytes = NULL;
		}
	}
	if (from)
		fclose(from);
	return bytes;
}

/* True if the server has it, or will never take it. */
static bool send_file(const struct agent_config *c, struct receiver *t, const char *path)
{
	size_t len;
	char *bytes = read_profile(path, &len), *why;
	struct answer a = { 0 };
	bool done = true;

	/* The agent has deleted it to make room. */
	if (!bytes && errno == ENOENT)
		return true;
	if (!bytes) {
		failed(t, xformat("cannot read %s: %s", path, strerror(errno)), 0);
		return false;
	}
	http_post(c, t->url, t->kind, bytes, len, &a);
	if (a.error) {
		failed(t, a.error, 0);
		done = false;
	} else if (is_refused(a.status)) {
		say("agent: %s does not take %s: HTTP status %ld; it is kept as %s.refused", t->url, path, a.status,
		    path_short(path));
		done = spool_refuse(path);
	} else if (a.status < 200 || a.status >= 300) {
		failed(t, xformat("HTTP status %ld%s", a.status, a.status == 401 || a.status == 403 ?
				  ": the server wants another token_file" : ""), a.wait);
		done = false;
	} else {
		why = t->kind == SPOOL_OTLP ? otlp_refusal((const uint8_t *)a.bytes, a.len) : NULL;
		if (why)
			say("agent: %s took %s only in part: %s", t->url, path, why);
		free(why);
		if (unlink(path) && errno != ENOENT) {
			failed(t, xformat("cannot delete %s: %s", path, strerror(errno)), 0);
			done = false;
		} else {
			succeeded(t);
		}
	}
	free(a.bytes);
	free(bytes);
	return done;
}

/* Write the window at @path to a Parquet file, or, without one, the files of past hours. */
static bool send_windows(const struct agent_config *c, struct receiver *t, const char *path)
{
	double wait = 0;
	char *why = path ? hours_window(c, path, &wait) : hours_merge(c, &wait);

	if (why)
		failed(t, why, wait);
	else
		succeeded(t);
	return !why;
}

/* Send what waits until the server fails; with @once try each.  True if nothing waits any more. */
static bool send_all(const struct agent_config *c, struct receiver *t, bool once)
{
	char **paths = spool_list(c->spool, t->kind);
	bool all = true;
	size_t i;

	for (i = 0; paths[i]; i++) {
		if (!agent_stopped && (once || all))
			all &= t->kind == SPOOL_PARQUET ? send_windows(c, t, paths[i]) : send_file(c, t, paths[i]);
		free(paths[i]);
	}
	free(paths);
	if (t->kind == SPOOL_PARQUET && all && !agent_stopped)
		all = send_windows(c, t, NULL);
	return all && !agent_stopped;
}

int agent_send(const struct agent_config *c, bool once)
{
	struct receiver targets[] = {
		{ .url = c->otlp_url, .kind = SPOOL_OTLP }, { .url = c->pprof_url, .kind = SPOOL_PPROF },
		{ .url = c->parquet_to, .kind = SPOOL_PARQUET },
	};
	const size_t nr = sizeof(targets) / sizeof(targets[0]);
	bool all = true;
	int lock;
	size_t i;

	if (!*c->otlp_url && !*c->pprof_url && !*c->parquet_to) {
		say("agent: --send has nowhere to send to: set otlp_url, pprof_url or parquet_to in the settings");
		return EXIT_USAGE;
	}
	if (access(c->spool, R_OK | W_OK | X_OK)) {
		say("agent: cannot use the spool %s: %s; create the folder, and let this user write to it", c->spool,
		    strerror(errno));
		return EXIT_INPUT;
	}
	if ((*c->otlp_url || *c->pprof_url || store_is_url(c)) && !http_load())
		return EXIT_INPUT;
	lock = spool_lock_sender(c->spool);
	if (lock < 0)
		return EXIT_INPUT;
	agent_signals();
	while (!agent_stopped) {
		double wake = clock_seconds(CLOCK_MONOTONIC) + LOOK;

		for (i = 0; i < nr; i++) {
			struct receiver *t = &targets[i];

			if (*t->url && clock_seconds(CLOCK_MONOTONIC) >= t->next)
				all &= send_all(c, t, once);
			if (*t->url && t->pause > 0 && t->next < wake)
				wake = t->next;
		}
		if (once)
			break;
		if (wake > clock_seconds(CLOCK_MONOTONIC))
			poll(NULL, 0, (int)((wake - clock_seconds(CLOCK_MONOTONIC)) * 1000) + 1);
	}
	for (i = 0; i < nr; i++)
		free(targets[i].why);
	close(lock);
	return once && !all ? EXIT_INPUT : EXIT_OK;
}
