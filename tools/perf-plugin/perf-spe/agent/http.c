// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to servers with libcurl, which is loaded at run time.
 */
#include <ctype.h>
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

/* The first line of the file without blanks around it, which is secret; or NULL, and *@why to be freed */
static char *read_secret(const char *what, const char *path, char **why)
{
	const char *wrong = NULL;
	int fd = open_regular(path, &wrong);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char line[8192] = "", *secret = NULL, *end;

	if (f && fgets(line, sizeof(line), f))
		for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
			*--end = '\0';
	if (!f || ferror(f))
		*why = xformat("cannot read the %s in %s: %s; let this user read it", what, path,
			       wrong ? wrong : strerror(errno));
	else if (!*line || strlen(line) + 1 == sizeof(line))
		*why = xformat("%s has no %s: write it as the first line", path, what);
	else
		secret = xformat("%s", line + strspn(line, " \t"));
	if (f)
		fclose(f);
	explicit_bzero(line, sizeof(line));
	return secret;
}

static void forget(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

/* A request, or NULL and @a->error */
static CURL *request_begin(const struct agent_config *c, const char *url, const char *bytes, size_t len,
			   struct answer *a)
{
	CURL *curl = lib.curl_easy_init_();

	if (!curl) {
		a->error = xformat("libcurl has no memory");
		return NULL;
	}
	lib.curl_easy_setopt_(curl, CURLOPT_URL, url);
	if (bytes) {
		lib.curl_easy_setopt_(curl, CURLOPT_POSTFIELDS, bytes);
		lib.curl_easy_setopt_(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
	}
	lib.curl_easy_setopt_(curl, CURLOPT_TIMEOUT_MS, (long)(c->send_seconds * 1000));
	lib.curl_easy_setopt_(curl, CURLOPT_NOSIGNAL, 1L);
	lib.curl_easy_setopt_(curl, CURLOPT_USERAGENT, "perf-spe");
	lib.curl_easy_setopt_(curl, CURLOPT_WRITEFUNCTION, take_answer);
	lib.curl_easy_setopt_(curl, CURLOPT_WRITEDATA, a);
	if (*c->ca_file)
		lib.curl_easy_setopt_(curl, CURLOPT_CAINFO, c->ca_file);
	return curl;
}

/* Frees both. */
static void request_end(const struct agent_config *c, CURL *curl, struct curl_slist *headers, struct answer *a)
{
	char error[CURL_ERROR_SIZE] = "";
	curl_off_t wait = 0;
	CURLcode rc;

	lib.curl_easy_setopt_(curl, CURLOPT_HTTPHEADER, headers);
	lib.curl_easy_setopt_(curl, CURLOPT_ERRORBUFFER, error);
	rc = lib.curl_easy_perform_(curl);
	/* libcurl's text for these has milliseconds, so each failure would have a reason of its own. */
	if (rc == CURLE_OPERATION_TIMEDOUT) {
		a->error = xformat("no answer in %g s, the send_seconds of the settings", c->send_seconds);
	} else if (rc != CURLE_OK) {
		a->error = xformat("%s", *error && rc != CURLE_COULDNT_CONNECT ? error : lib.curl_easy_strerror_(rc));
	} else {
		lib.curl_easy_getinfo_(curl, CURLINFO_RESPONSE_CODE, &a->status);
		lib.curl_easy_getinfo_(curl, CURLINFO_RETRY_AFTER, &wait);
		a->wait = wait > 0 ? (double)wait : 0;
	}
	lib.curl_slist_free_all_(headers);
	lib.curl_easy_cleanup_(curl);
}

void http_post(const struct agent_config *c, const char *url, enum spool_kind kind, const char *bytes, size_t len,
	       struct answer *a)
{
	struct curl_slist *headers = NULL;
	char *token = NULL, *secret = NULL;
	CURL *curl;

	*a = (struct answer){ .bytes = xcalloc(1, ANSWER_MOST) };
	if (*c->token_file)
		token = read_secret("token", c->token_file, &a->error);
	curl = a->error ? NULL : request_begin(c, url, bytes, len, a);
	if (!curl)
		goto out;
	headers = lib.curl_slist_append_(headers, kind == SPOOL_OTLP ? "Content-Type: application/x-protobuf" :
					 "Content-Type: application/octet-stream");
	/* The compression belongs to pprof's format, and to OTLP's request. */
	if (kind == SPOOL_OTLP)
		headers = lib.curl_slist_append_(headers, "Content-Encoding: gzip");
	headers = lib.curl_slist_append_(headers, "Expect:");
	if (token) {
		secret = xformat("Authorization: Bearer %s", token);
		headers = lib.curl_slist_append_(headers, secret);
	}
	request_end(c, curl, headers, a);
out:
	forget(secret);
	forget(token);
}

void http_object(const struct agent_config *c, const char *url, const char *bytes, size_t len, struct answer *a)
{
	char sum[2 * SHA256_BYTES + 1], *key = NULL, *header, *rule = xformat("aws:amz:%s:s3", c->s3_region);
	struct curl_slist *headers;
	CURL *curl;

	*a = (struct answer){ .bytes = xcalloc(1, ANSWER_MOST) };
	key = read_secret("key", c->s3_key_file, &a->error);
	if (key && (*key == ':' || !strchr(key, ':') || !strchr(key, ':')[1]))
		a->error = xformat("%s has no key: write ACCESS_KEY:SECRET_KEY as the first line", c->s3_key_file);
	curl = a->error ? NULL : request_begin(c, url, bytes, len, a);
	if (!curl)
		goto out;
	lib.curl_easy_setopt_(curl, CURLOPT_CUSTOMREQUEST, bytes ? "PUT" : "DELETE");
	lib.curl_easy_setopt_(curl, CURLOPT_USERPWD, key);
	if (lib.curl_easy_setopt_(curl, CURLOPT_AWS_SIGV4, rule) != CURLE_OK) {
		a->error = xformat("this machine's libcurl cannot sign requests to S3: it must be 7.75 or newer");
		lib.curl_easy_cleanup_(curl);
		goto out;
	}
	sha256(bytes, bytes ? len : 0, sum);
	header = xformat("x-amz-content-sha256: %s", sum);
	headers = lib.curl_slist_append_(NULL, header);
	free(header);
	if (bytes)
		headers = lib.curl_slist_append_(headers, "Content-Type: application/vnd.apache.parquet");
	request_end(c, curl, headers, a);
out:
	forget(key);
	free(rule);
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

void http_object(const struct agent_config *c, const char *url, const char *bytes, size_t len, struct answer *a)
{
	(void)c, (void)url, (void)bytes, (void)len;
	*a = (struct answer){ .error = xformat("no libcurl") };
}

#endif
