// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder of Parquet files, or the bucket of S3.  A file is there completely or not at all, and to
 * write it again replaces it.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "util/util.h"

/* Create the folders of @path below the one with @begin bytes; false with errno. */
static bool make_folders(char *path, size_t begin)
{
	char *at = path + begin;
	bool good = true;

	while (good && (at = strchr(at + 1, '/'))) {
		*at = '\0';
		good = !mkdir(path, 0755) || errno == EEXIST;
		*at = '/';
	}
	return good;
}

/* Write the names in the folder of @path, and in those above it down to the one with @begin bytes, to the disk. */
static bool sync_folders(const char *path, size_t begin)
{
	char *folder = xformat("%s", path), *end;
	bool good = true;

	while (good && (end = strrchr(folder, '/')) && end >= folder + begin) {
		*end = '\0';
		good = sync_folder(folder);
	}
	free(folder);
	return good;
}

static bool write_synced(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644), error = 0;

	while (fd >= 0 && !error && len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0) {
			error = errno == EINTR ? 0 : errno;
			continue;
		}
		bytes += n;
		len -= (size_t)n;
	}
	if (fd < 0 || (!error && fsync(fd)))
		error = errno;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	errno = error;
	return !error;
}

static char *put_file(const struct agent_config *c, const char *key, const char *bytes, size_t len)
{
	char *path = xformat("%s/%s", c->parquet_to, key), *part = xformat("%s.part", path);
	const size_t begin = strlen(c->parquet_to);
	const int host = (int)strcspn(key, "/");
	char *why = NULL;

	if (!make_folders(path, begin) || !write_synced(part, bytes, len) || rename(part, path) ||
	    !sync_folders(path, begin)) {
		/* Without the name of the window: a failure of the folder has one reason for all windows. */
		why = xformat("cannot write to %s/%.*s: %s; create the folder %s, let this user write to it, or free space",
			      c->parquet_to, host, key, strerror(errno), c->parquet_to);
		unlink(part);
	}
	free(part);
	free(path);
	return why;
}

static char *remove_file(const struct agent_config *c, const char *key)
{
	char *path = xformat("%s/%s", c->parquet_to, key), *why = NULL;

	if (unlink(path) && errno != ENOENT)
		why = xformat("cannot delete %s: %s", path, strerror(errno));
	free(path);
	return why;
}

bool store_is_url(const struct agent_config *c)
{
	return *c->parquet_to && *c->parquet_to != '/';
}

/* The object's URL.  What is signed is a path in which all but these characters are %XX; the settings may have some. */
static char *url_of(const struct agent_config *c, const char *key)
{
	static const char plain[] = "-._~/";
	const char *from = strchr(strstr(c->parquet_to, "://") + 3, '/');
	size_t len = strlen(from);
	char *path, *url, *at, *to;

	while (len && from[len - 1] == '/')
		len--;
	path = xformat("%.*s/%s", (int)len, from, key);
	to = url = xcalloc(strlen(c->parquet_to) + strlen(path) + 1, 3);
	to = mempcpy(to, c->parquet_to, (size_t)(from - c->parquet_to));
	for (at = path; *at; at++)
		to += sprintf(to, isalnum((unsigned char)*at) || strchr(plain, *at) || (*at == '%' && at < path + len) ?
			      "%c" : "%%%02X", (unsigned char)*at);
	free(path);
	return url;
}

static const char *advice(long status)
{
	switch (status) {
	case 301:
	case 307:
	case 400:
		return ": the bucket may be in another s3_region, or at another URL";
	case 401:
	case 403:
		return ": the server wants another s3_key_file or s3_region, or another time on this machine";
	case 404:
		return ": the server has no such bucket, see parquet_to";
	default:
		return "";
	}
}

/* PUT @bytes, or DELETE without. */
static char *request(const struct agent_config *c, const char *key, const char *bytes, size_t len, double *wait)
{
	char *url = url_of(c, key), *why;
	struct answer a;

	http_object(c, url, bytes, len, &a);
	why = a.error;
	*wait = a.wait;
	if (!why && (a.status < 200 || a.status >= 300) && (bytes || a.status != 404))
		why = xformat("HTTP status %ld%s", a.status, advice(a.status));
	free(a.bytes);
	free(url);
	return why;
}

char *store_put(const struct agent_config *c, const char *key, const char *bytes, size_t len, double *wait)
{
	return store_is_url(c) ? request(c, key, bytes, len, wait) : put_file(c, key, bytes, len);
}

char *store_remove(const struct agent_config *c, const char *key, double *wait)
{
	return store_is_url(c) ? request(c, key, NULL, 0, wait) : remove_file(c, key);
}
