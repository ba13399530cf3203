// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find files by build id.  First in the cache that perf record fills and perf
 * archive copies to other machines, then on the servers of DEBUGINFOD_URLS.
 * libdebuginfod is loaded only if that variable is set.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/elf/elf.h"
#include "util/util.h"

#define ID_MAX 20

/* The id in hexadecimal; false if there is none */
static bool id_text(const uint8_t *id, size_t len, char *text)
{
	size_t i;

	/* perf pads ids shorter than 20 bytes with zeros. */
	while (len && !id[len - 1] && len > 16)
		len--;
	for (i = 0; i < len && i < ID_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return len;
}

/* Look in PERF_BUILDID_DIR, or in perf's default folder. */
static char *in_cache(const char *hex, const char *file)
{
	const char *dir = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");
	char *path;

	if (!dir && !home)
		return NULL;
	path = xformat("%s%s/.build-id/%.2s/%s/%s", dir ? dir : home,
		       dir ? "" : "/.debug", hex, hex + 2, file);
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* Functions of libdebuginfod */
static struct server {
	void *(*begin)(void);
	void (*end)(void *client);
	int (*program)(void *client, const unsigned char *id, int len,
		       char **path);
	int (*debug)(void *client, const unsigned char *id, int len,
		     char **path);
	bool tried;
} server;

/* Never unloaded, because libdebuginfod keeps state. */
static void server_load(void)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);

	server.tried = true;
	if (!library) {
		say("cannot ask the servers of DEBUGINFOD_URLS: libdebuginfod.so.1 is not installed; install it, or point --symfs at the files");
		return;
	}
	*(void **)&server.begin = dlsym(library, "debuginfod_begin");
	*(void **)&server.end = dlsym(library, "debuginfod_end");
	*(void **)&server.program =
		dlsym(library, "debuginfod_find_executable");
	*(void **)&server.debug = dlsym(library, "debuginfod_find_debuginfo");
}

static char *from_server(const char *hex, bool debug)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char *path = NULL;
	void *client;
	int fd = -1;

	if (!urls || !*urls)
		return NULL;
	if (!server.tried)
		server_load();
	if (!server.begin || !server.end || !server.program || !server.debug)
		return NULL;
	client = server.begin();
	if (!client)
		return NULL;
	/* A length of 0 tells libdebuginfod that the id is text. */
	fd = (debug ? server.debug : server.program)
		(client, (const unsigned char *)hex, 0, &path);
	server.end(client);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}

static char *find(const uint8_t *id, size_t len, const char *name, bool debug)
{
	char hex[2 * ID_MAX + 1], *path;

	if (!id_text(id, len, hex))
		return NULL;
	path = in_cache(hex, name);
	return path ? path : from_server(hex, debug);
}

char *buildid_program(const uint8_t *id, size_t len)
{
	return find(id, len, "elf", false);
}

char *buildid_debug(const uint8_t *id, size_t len)
{
	return find(id, len, "debug", true);
}

char *buildid_kallsyms(const uint8_t *id, size_t len)
{
	char hex[2 * ID_MAX + 1];

	return id_text(id, len, hex) ? in_cache(hex, "kallsyms") : NULL;
}
