// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to servers with libcurl, which is loaded at run time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "util/util.h"

#ifdef HAVE_CURL

#include <curl/curl.h>
#include <dlfcn.h>

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
bool http_load(void)
{
	static const char *const names[] = { "libcurl-gnutls.so.4", "libcurl.so.4" };
	void *library = NULL;
	bool all = true;
	size_t i;

	for (i = 0; i < 2 && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		say("agent: cannot load libcurl, which --send needs for a URL: install the package libcurl3-gnutls, or libcurl");
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

void http_post(const struct agent_config *c, const char *url, enum spool_kind kind, const char *bytes, size_t len,
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
	headers = lib.curl_slist_append_(headers, kind == SPOOL_OTLP ? "Content-Type: application/x-protobuf" :
					 "Content-Type: application/octet-stream");
	/* The compression belongs to pprof's format, and to OTLP's request. */
	if (kind == SPOOL_OTLP)
		headers = lib.curl_slist_append_(headers, "Content-Encoding: gzip");
	headers = lib.curl_slist_append_(headers, "Expect:");
	if (secret)
		headers = lib.curl_slist_append_(headers, secret);
	lib.curl_easy_setopt_(curl, CURLOPT_URL, url);
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

#else

bool http_load(void)
{
	say("agent: --send needs libcurl for a URL, without which this perf-spe was built");
	return false;
}

void http_post(const struct agent_config *c, const char *url, enum spool_kind kind, const char *bytes, size_t len,
	       struct answer *a)
{
	(void)c, (void)url, (void)kind, (void)bytes, (void)len;
	*a = (struct answer){ .error = xformat("no libcurl") };
}

#endif
