// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files by their build id: from the cache that perf record fills and perf
 * archive carries to other machines, then from the servers that DEBUGINFOD_URLS
 * names.  The library that asks these is loaded only then.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/buildid.h"
#include "util/memory.h"
#include "util/message.h"

#define ID_MAX 20

/* As text; false where there is no id. */
static bool id_text(const uint8_t *id, size_t len, char *text)
{
	size_t i;

	/* Shorter ones are recorded with zeros behind. */
	while (len && !id[len - 1] && len > 16)
		len--;
	for (i = 0; i < len && i < ID_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return len;
}

/* PERF_BUILDID_DIR, or where perf has it without that */
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

/* What of libdebuginfod is called; the client is its own. */
static struct server {
	void *(*begin)(void);
	void (*end)(void *client);
	int (*program)(void *client, const unsigned char *id, int len,
		       char **path);
	int (*debug)(void *client, const unsigned char *id, int len,
		     char **path);
	bool tried;
} server;

/* Once, and for good: what the library keeps is its own. */
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
	/* A length of 0 says that the id is text. */
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
