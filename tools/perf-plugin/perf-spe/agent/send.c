// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends the profiles of windows that wait in the spool to the servers of the settings, over HTTP.  A profile
 * leaves the spool when its server has taken it.  This process needs the spool and the network, and no other right.
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
#include "util/util.h"

#ifdef HAVE_CURL

#include <curl/curl.h>
#include <dlfcn.h>

#include "export/profiles/profiles.h"

#define LONGEST		300.0		/* seconds from one try to the next, unless the server wants more */
#define LONGEST_ASKED	3600.0		/* seconds that it may want */
#define LOOK		5.0		/* seconds from one look at the spool to the next */
#define ANSWER_MOST	((size_t)64 << 10)

/* The functions that dlsym() has to find */
#define CURL_FUNCTIONS(f)	\
	f(curl_global_init)	\
	f(curl_easy_init)	\
	f(curl_easy_setopt)	\
	f(curl_easy_perform)	\
	f(curl_easy_getinfo)	\
	f(curl_easy_strerror)	\
	f(curl_easy_cleanup)	\
	f(curl_slist_append)	\
	f(curl_slist_free_all)

static struct {
#define POINTER(name) __typeof__(&name) name##_;
	CURL_FUNCTIONS(POINTER)
} lib;

/* libcurl with GnuTLS first: its licence fits this program's in a distribution too. */
static bool load_curl(void)
{
	static const char *const names[] = { "libcurl-gnutls.so.4", "libcurl.so.4" };
	void *library = NULL;
	bool all = true;
	size_t i;

	for (i = 0; i < 2 && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		say("agent: cannot load libcurl, which --send needs: install the package libcurl3-gnutls, or libcurl");
		return false;
	}
#define LOOK_UP(name)						\
	*(void **)&lib.name##_ = dlsym(library, #name);		\
	all &= !!lib.name##_;
	CURL_FUNCTIONS(LOOK_UP)
	if (all && !lib.curl_global_init_(CURL_GLOBAL_DEFAULT))
		return true;
	say("agent: this machine's libcurl cannot be used: install the one of your distribution");
	return false;
}

/* A server, and when it is tried next */
struct receiver {
	const char *url;
	enum spool_kind kind;
	double next, pause;	/* monotonic seconds; seconds after the last failure, 0: there was none */
	char *why;		/* the last failure, as told; NULL: none */
};

struct answer {
	char *bytes;
	size_t len;
	long status;		/* 0: none came */
	double wait;		/* seconds that the server asks for, or 0 */
	char *error;		/* why none came */
};

static size_t take_answer(char *bytes, size_t size, size_t nr, void *context)
{
	struct answer *a = context;
	size_t len = size * nr, room = ANSWER_MOST - a->len;

	memcpy(a->bytes + a->len, bytes, len < room ? len : room);
	a->len += len < room ? len : room;
	return len;
}

/* "Authorization: Bearer TOKEN"; or NULL, and *@why to be freed */
static char *authorization(const char *path, char **why)
{
	FILE *f = fopen(path, "re");
	char token[8192] = "", *header = NULL;

	if (f && fgets(token, sizeof(token), f))
		token[strcspn(token, "\r\n")] = '\0';
	if (!f || ferror(f))
		*why = xformat("cannot read the token in %s: %s; let this user read it", path, strerror(errno));
	else if (!*token || strlen(token) + 1 == sizeof(token))
		*why = xformat("%s has no token: write it as the first line", path);
	else
		header = xformat("Authorization: Bearer %s", token);
	if (f)
		fclose(f);
	explicit_bzero(token, sizeof(token));
	return header;
}

static void post(const struct agent_config *c, const struct receiver *t, const char *bytes, size_t len,
		 struct answer *a)
{
	char error[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = NULL;
	CURL *curl = lib.curl_easy_init_();
	char *secret = NULL;
	curl_off_t wait = 0;
	CURLcode rc;

	*a = (struct answer){ .bytes = xcalloc(1, ANSWER_MOST) };
	if (*c->token_file)
		secret = authorization(c->token_file, &a->error);
	if (!a->error && !curl)
		a->error = xformat("libcurl has no memory");
	if (a->error)
		goto out;
	headers = lib.curl_slist_append_(headers, t->kind == SPOOL_OTLP ? "Content-Type: application/x-protobuf" :
					 "Content-Type: application/octet-stream");
	/* The compression belongs to pprof's format, and to OTLP's request. */
	if (t->kind == SPOOL_OTLP)
		headers = lib.curl_slist_append_(headers, "Content-Encoding: gzip");
	headers = lib.curl_slist_append_(headers, "Expect:");
	if (secret)
		headers = lib.curl_slist_append_(headers, secret);
	lib.curl_easy_setopt_(curl, CURLOPT_URL, t->url);
	lib.curl_easy_setopt_(curl, CURLOPT_HTTPHEADER, headers);
	lib.curl_easy_setopt_(curl, CURLOPT_POSTFIELDS, bytes);
	lib.curl_easy_setopt_(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
	lib.curl_easy_setopt_(curl, CURLOPT_TIMEOUT_MS, (long)(c->send_seconds * 1000));
	lib.curl_easy_setopt_(curl, CURLOPT_NOSIGNAL, 1L);
	lib.curl_easy_setopt_(curl, CURLOPT_USERAGENT, "perf-spe");
	lib.curl_easy_setopt_(curl, CURLOPT_ERRORBUFFER, error);
	lib.curl_easy_setopt_(curl, CURLOPT_WRITEFUNCTION, take_answer);
	lib.curl_easy_setopt_(curl, CURLOPT_WRITEDATA, a);
	if (*c->ca_file)
		lib.curl_easy_setopt_(curl, CURLOPT_CAINFO, c->ca_file);
	rc = lib.curl_easy_perform_(curl);
	if (rc != CURLE_OK) {
		a->error = xformat("%s", *error ? error : lib.curl_easy_strerror_(rc));
	} else {
		lib.curl_easy_getinfo_(curl, CURLINFO_RESPONSE_CODE, &a->status);
		lib.curl_easy_getinfo_(curl, CURLINFO_RETRY_AFTER, &wait);
		a->wait = wait > 0 ? (double)wait : 0;
	}
out:
	lib.curl_slist_free_all_(headers);
	if (curl)
		lib.curl_easy_cleanup_(curl);
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

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
	t->next = seconds_now() + pause;
	if (!t->why || strcmp(t->why, why))
		say("agent: cannot send to %s: %s; the profile stays in the spool until a later try", t->url, why);
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
	post(c, t, bytes, len, &a);
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

/* Send what waits until the server fails; with @once try each.  True if nothing waits any more. */
static bool send_all(const struct agent_config *c, struct receiver *t, bool once)
{
	char **paths = spool_list(c->spool, t->kind);
	bool all = true;
	size_t i;

	for (i = 0; paths[i]; i++) {
		if (!agent_stopped && (once || all))
			all &= send_file(c, t, paths[i]);
		free(paths[i]);
	}
	free(paths);
	return all && !agent_stopped;
}

int agent_send(const struct agent_config *c, bool once)
{
	struct receiver targets[] = { { .url = c->otlp_url, .kind = SPOOL_OTLP }, { .url = c->pprof_url, .kind = SPOOL_PPROF } };
	bool all = true;
	size_t i;

	if (!*c->otlp_url && !*c->pprof_url) {
		say("agent: --send needs a server: set otlp_url or pprof_url in the settings");
		return EXIT_USAGE;
	}
	if (access(c->spool, R_OK | W_OK | X_OK)) {
		say("agent: cannot use the spool %s: %s; create the folder, and let this user write to it", c->spool,
		    strerror(errno));
		return EXIT_INPUT;
	}
	if (!load_curl())
		return EXIT_INPUT;
	agent_signals();
	while (!agent_stopped) {
		double wake = seconds_now() + LOOK;

		for (i = 0; i < 2; i++) {
			struct receiver *t = &targets[i];

			if (*t->url && seconds_now() >= t->next)
				all &= send_all(c, t, once);
			if (*t->url && t->pause > 0 && t->next < wake)
				wake = t->next;
		}
		if (once)
			break;
		if (wake > seconds_now())
			poll(NULL, 0, (int)((wake - seconds_now()) * 1000) + 1);
	}
	for (i = 0; i < 2; i++)
		free(targets[i].why);
	return once && !all ? EXIT_INPUT : EXIT_OK;
}

#else

int agent_send(const struct agent_config *c, bool once)
{
	(void)c;
	(void)once;
	say("agent: --send needs libcurl, without which this perf-spe was built");
	return EXIT_INPUT;
}

#endif
