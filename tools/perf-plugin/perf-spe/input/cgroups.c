// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

static const struct hash_kind groups = {
	HASH_POINTERS, .key = { HASH_NUMBER(struct cgroup, id), HASH_TEXT(struct cgroup, name) },
};

const struct cgroup cgroup_several;

#define HEX		"0123456789abcdef"
#define CONTAINER_LEN	64u

/*
 * What the runtimes put before a container's id: Docker, containerd, CRI-O and Podman.  A group with
 * "conmon" has the process that watches the container, which is not in it.
 */
static const char *const before_id[] = {
	"", "docker-", "cri-containerd-", "crio-", "libpod-",
};

/* The container's id in a part of a path: "docker-ID.scope", "ID"; to be freed, or NULL */
static char *find_container(const char *part)
{
	const char *colon = strrchr(part, ':'), *id;
	size_t i;

	/* runc makes this of a slice that it is told in the form of a path: "SLICE:cri-containerd:ID" */
	part = colon ? colon + 1 : part;
	for (i = 0; i < sizeof(before_id) / sizeof(before_id[0]); i++) {
		size_t skip = strlen(before_id[i]);

		id = part + skip;
		if (!strncmp(part, before_id[i], skip) && strspn(id, HEX) == CONTAINER_LEN &&
		    (!id[CONTAINER_LEN] || !strcmp(id + CONTAINER_LEN, ".scope")))
			return xstrndup(id, CONTAINER_LEN);
	}
	return NULL;
}

/*
 * The pod's id in a part of a path: "podID" or "kubepods-...-podID.slice", in which "_" is in place
 * of "-".  To be freed, or NULL
 */
static char *find_pod(const char *part)
{
	const char *at = part, *slice = strstr(part, "kubepods-");
	char *id, *dash;
	size_t len;

	for (; (at = strstr(at, "pod")); at++) {
		if (at != part && !(slice && at > slice && at[-1] == '-'))
			continue;
		len = strspn(at + 3, HEX "-_");
		/* A UUID; a static pod has a checksum. */
		if ((len != 36 && len != 32) || (at[3 + len] && strncmp(at + 3 + len, ".slice", 6)))
			continue;
		id = xstrndup(at + 3, len);
		while ((dash = strchr(id, '_')))
			*dash = '-';
		return id;
	}
	return NULL;
}

/* The innermost of each counts. */
static void take_part(struct cgroup *g, const char *part)
{
	char *container = find_container(part), *pod = find_pod(part);

	if (container) {
		free(g->container);
		g->container = container;
	}
	if (pod) {
		free(g->pod);
		g->pod = pod;
	}
}

const struct cgroup *cgroup_add(struct hash_table *t, uint64_t id, const char *name)
{
	const struct cgroup key = { .id = id, .name = name };
	struct cgroup **slot = hash_table_add(t, &groups, &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->id = id;
		(*slot)->name = name;
		if (name)
			cgroup_set_path(*slot, name);
	}
	return *slot;
}

void cgroup_set_path(const struct cgroup *group, const char *path)
{
	struct cgroup *g = (struct cgroup *)group;
	const char *from, *to;

	/* The first name stays: a group keeps its number, and only the old hierarchies can rename one. */
	if (g->path)
		return;
	g->path = path;
	for (from = path; *from; from = *to ? to + 1 : to) {
		char *part;

		to = strchrnul(from, '/');
		part = xstrndup(from, (size_t)(to - from));
		take_part(g, part);
		free(part);
	}
}

void cgroups_free(struct hash_table *t)
{
	struct cgroup **slot = NULL;

	while ((slot = hash_table_next(t, &groups, slot))) {
		free((*slot)->pod);
		free((*slot)->container);
		free(*slot);
	}
	hash_table_free(t);
}
