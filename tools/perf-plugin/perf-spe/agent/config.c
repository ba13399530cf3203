// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "export/export.h"
#include "export/profiles/profiles.h"
#include "util/util.h"

enum kind { SECONDS, PERCENT, NUMBER, FLAG, TEXT };

/* All keys.  Documentation/perf-spe/reference/agent.md has the same table. */
static const struct key {
	const char *name;
	enum kind kind;
	size_t at;
	double least, most;
	const char *usual, *help;
} keys[] = {
#define KEY(name, kind, least, most, usual, help)			\
	{ #name, kind, offsetof(struct agent_config, name), least, most, usual, help }
	KEY(window, SECONDS, 0.01, 3600, "10", "seconds of sampling in each window"),
	KEY(every, SECONDS, 0.01, 86400, "60", "seconds from the start of one window to the start of the next"),
	KEY(budget, PERCENT, 0.001, 100, "1", "percent of the time of all sampled CPUs that the agent may cost"),
	KEY(period, NUMBER, 0, BUDGET_LONGEST, "0", "least number of operations for each sample; 0: chosen for the machine"),
	KEY(rows, NUMBER, 1, 1000000, "20000", "most sums in a window; all samples beyond them become one sum"),
	KEY(raw_share, PERCENT, 0, 100, "0", "percent of a window's samples to keep as raw rows too"),
	KEY(raw_rows, NUMBER, 1, RAW_ROWS_MOST, "1000", "most raw rows in a window, chosen at random"),
	KEY(symbols, FLAG, 0, 0, "yes", "no: sums by address instead of function"),
	KEY(memory_mib, NUMBER, 8, 65536, "50", "MiB of memory above which a window ends early"),
	KEY(host, TEXT, 0, 0, "", "name of this machine in its windows; empty: its host name"),
	KEY(spool, TEXT, 0, 0, "/var/lib/perf-spe/spool", "folder for the windows, which must exist"),
	KEY(spool_mib, NUMBER, 1, 1e9, "1024", "MiB of all files in the spool above which the oldest are deleted"),
	KEY(metrics_file, TEXT, 0, 0, "", "file for node_exporter's textfile collector"),
	KEY(metrics_listen, TEXT, 0, 0, "", "where to answer requests: a socket's path, 127.0.0.1:PORT or [::1]:PORT"),
	KEY(otlp_url, TEXT, 0, 0, "", "where --send sends OpenTelemetry's profiles of the windows"),
	KEY(pprof_url, TEXT, 0, 0, "", "where --send sends pprof's profiles of the windows"),
	KEY(parquet_to, TEXT, 0, 0, "", "folder, or URL of a bucket of S3, to which --send writes the windows as Parquet files"),
	KEY(s3_region, TEXT, 0, 0, "us-east-1", "region of this bucket"),
	KEY(s3_key_file, TEXT, 0, 0, "", "file with the access and the secret key, with : between them"),
	KEY(token_file, TEXT, 0, 0, "", "file with a token for otlp_url and pprof_url"),
	KEY(ca_file, TEXT, 0, 0, "", "file with the certificates that sign the servers' own; empty: those of the system"),
	KEY(send_seconds, SECONDS, 0.1, 600, "30", "seconds that a request may take"),
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

static const char *key_name(unsigned int index)
{
	return index < NR_KEYS ? keys[index].name : NULL;
}

void agent_config_help(FILE *to)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		fprintf(to, "  %-14s = %-24s # %s\n", keys[i].name, keys[i].usual, keys[i].help);
}

/* Why the value does not fit; NULL if it does, and is set */
static const char *set_value(struct agent_config *c, const struct key *k, const char *text)
{
	void *to = (char *)c + k->at;
	double number;
	char *end;

	if (k->kind == TEXT) {
		free(*(char **)to);
		*(char **)to = xformat("%s", text);
		return NULL;
	}
	if (k->kind == FLAG) {
		*(bool *)to = !strcmp(text, "yes");
		return !strcmp(text, "yes") || !strcmp(text, "no") ? NULL : "give yes or no";
	}
	errno = 0;
	number = strtod(text, &end);
	if (!isdigit((unsigned char)*text) || *end || errno)
		return "give a number";
	if (!(number >= k->least && number <= k->most))
		return "out of range";
	if (k->kind == NUMBER && number != (double)(uint64_t)number)
		return "give a whole number";
	if (k->kind == NUMBER)
		*(uint64_t *)to = (uint64_t)number;
	else
		*(double *)to = number;
	return NULL;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

/* "#" begins a comment, at the begin of a line or after a blank. */
static void cut_comment(char *text)
{
	char *at = text;

	while ((at = strchr(at, '#')) && at != text && !isspace((unsigned char)at[-1]))
		at++;
	if (at)
		*at = '\0';
}

static bool take_line(struct agent_config *c, bool *seen, const char *path, unsigned int line, char *text)
{
	char *name, *value = strchr(text, '='), *near;
	const char *why;
	size_t i;

	if (!value) {
		say("agent: %s:%u: '%s' is not a setting: write KEY = VALUE", path, line, trim(text));
		return false;
	}
	*value++ = '\0';
	name = trim(text);
	value = trim(value);
	for (i = 0; i < NR_KEYS && strcmp(keys[i].name, name); i++)
		;
	if (i == NR_KEYS) {
		near = suggest(key_name, name, strlen(name));
		say("agent: %s:%u: unknown key '%s'; %s", path, line, name, near);
		free(near);
		return false;
	}
	why = seen[i] ? "an earlier line sets it too: remove one of them" : set_value(c, &keys[i], value);
	seen[i] = true;
	if (!why)
		return true;
	if (!strcmp(why, "out of range"))
		say("agent: %s:%u: %s takes %g to %g, not '%s'", path, line, name, keys[i].least, keys[i].most, value);
	else
		say("agent: %s:%u: %s = %s: %s", path, line, name, value, why);
	return false;
}

/* "http://localhost:1@example.org" leads to example.org: names before the host are not taken. */
static bool is_url(const char *url)
{
	size_t begin = strncmp(url, "https://", 8) ? 7 : 8;

	return (begin == 8 || !strncmp(url, "http://", 7)) && url[begin] && !strchr("/:?#", url[begin]) &&
	       !url[strcspn(url, " \t\"\\@")];
}

/* A token must not be readable on its way. */
static bool is_safe(const char *url)
{
	static const char *const local[] = { "http://127.0.0.1", "http://[::1]", "http://localhost" };
	size_t i;

	for (i = 0; i < 3; i++)
		if (!strncmp(url, local[i], strlen(local[i])) && strchr(":/", url[strlen(local[i])]))
			return true;
	return !*url || !strncmp(url, "https://", 8);
}

static bool check_sending(const struct agent_config *c, const char *path)
{
	const char *const urls[] = { c->otlp_url, c->pprof_url }, *const names[] = { "otlp_url", "pprof_url" };
	const struct format *const formats[] = { &format_otlp, &format_pprof };
	size_t i;

	if ((*c->token_file && *c->token_file != '/') || (*c->ca_file && *c->ca_file != '/')) {
		say("agent: %s: token_file and ca_file need a path that begins with /", path);
		return false;
	}
	for (i = 0; i < 2; i++) {
		if (*urls[i] && !is_url(urls[i])) {
			say("agent: %s: %s = %s: give a URL that begins with https:// or http://, without @", path, names[i], urls[i]);
			return false;
		}
		if (*urls[i] && formats[i]->missing) {
			say("agent: %s: %s needs protobuf-c and zlib, without which this perf-spe was built", path, names[i]);
			return false;
		}
		if (*c->token_file && !is_safe(urls[i])) {
			say("agent: %s: %s = %s: a token may only go to https:// or to this machine", path, names[i], urls[i]);
			return false;
		}
	}
	return true;
}

/* Bytes of a name in the folder "host=NAME": a name of a file has at most 255 */
#define HOST_MOST	250

static bool check_parquet(const struct agent_config *c, const char *path)
{
	const char *bucket = strstr(c->parquet_to, "://");
	char *folder;
	bool fits;

	if (!*c->parquet_to)
		return true;
	folder = partition_escape(c->host);
	fits = strlen(folder) <= HOST_MOST;
	free(folder);
	bucket = bucket ? strchr(bucket + 3, '/') : NULL;
	if (parquet_missing())
		say("agent: %s: %s", path, parquet_missing());
	else if (*c->parquet_to != '/' && (!is_url(c->parquet_to) || !bucket || !bucket[strspn(bucket, "/")] || strpbrk(bucket, "?#")))
		say("agent: %s: parquet_to needs a path that begins with /, or https://HOST/BUCKET, without @", path);
	else if (!fits)
		say("agent: %s: host is too long for parquet_to: its folder would have more than %d bytes: shorten it", path, HOST_MOST);
	else if (*c->parquet_to != '/' && *c->s3_key_file != '/')
		say("agent: %s: s3_key_file needs a path that begins with /, as parquet_to is a URL", path);
	else if (c->s3_region[strspn(c->s3_region, "abcdefghijklmnopqrstuvwxyz0123456789-")] || !*c->s3_region)
		say("agent: %s: s3_region = %s: give letters, digits and -, such as us-east-1", path, c->s3_region);
	else
		return true;
	return false;
}

static bool check(struct agent_config *c, const char *path)
{
	char host[256] = "";

	if (c->window > c->every)
		say("agent: %s: window = %g is longer than every = %g: make window shorter or every longer", path, c->window, c->every);
	else if (*c->spool != '/' || (*c->metrics_file && *c->metrics_file != '/'))
		say("agent: %s: spool and metrics_file need a path that begins with /", path);
	else if (*c->metrics_listen && *c->metrics_listen != '/' && !metrics_port(c->metrics_listen))
		say("agent: %s: metrics_listen = %s: give the path of a socket, 127.0.0.1:PORT or [::1]:PORT", path,
		    c->metrics_listen);
	else
		goto good;
	return false;
good:
	if (!*c->host && !gethostname(host, sizeof(host) - 1)) {
		free(c->host);
		c->host = xformat("%s", host);
	}
	return true;
}

bool agent_config_read(struct agent_config *c, const char *path)
{
	bool seen[NR_KEYS] = { false }, good = true;
	unsigned int line = 0;
	const char *why = "";
	char text[5000], *at;
	int fd;
	FILE *f;
	size_t i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < NR_KEYS; i++)
		set_value(c, &keys[i], keys[i].usual);
	fd = open_regular(path, &why);
	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f) {
		say("agent: cannot read %s: %s; name a file of settings after --config", path, why);
		return false;
	}
	while (fgets(text, sizeof(text), f)) {
		line++;
		if (!strchr(text, '\n') && !feof(f)) {
			say("agent: %s:%u: the line is too long: shorten it to %zu bytes", path, line, sizeof(text) - 2);
			good = false;
			break;
		}
		cut_comment(text);
		at = trim(text);
		if (*at)
			good &= take_line(c, seen, path, line, at);
	}
	if (ferror(f)) {
		say("agent: cannot read %s: %s; name a file of settings after --config", path, strerror(errno));
		good = false;
	}
	fclose(f);
	return good && check(c, path) && check_sending(c, path) && check_parquet(c, path);
}

void agent_config_free(struct agent_config *c)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		if (keys[i].kind == TEXT)
			free(*(char **)((char *)c + keys[i].at));
	memset(c, 0, sizeof(*c));
}
