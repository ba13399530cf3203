// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "input/input.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* The first mappings of a name: one that perf found when it began, and one of an event */
struct named_file {
	const char *name;
	const struct map *first[2];
	bool identified;		/* some mappings have build ids */
	bool several;
};

static const struct hash_kind named_table = {
	HASH_SLOTS(struct named_file, name),
	.key = { HASH_TEXT(struct named_file, name) },
};

static void take(struct same_names *all, const struct map *map)
{
	struct named_file *f;
	unsigned int i;

	if (!map->file || (!map->build_id_len && !map->inode))
		return;
	f = hash_table_add(&all->files, &named_table, &map->file);
	f->name = map->file;
	f->identified |= map->build_id_len;
	if (map->build_id_len)
		return;
	for (i = 0; i < 2; i++)
		f->several |= f->first[i] && map_other_file(f->first[i], map);
	if (!f->first[!map->time])
		f->first[!map->time] = map;
}

bool name_is_shared(struct same_names *all, const struct session *s, const struct map *map)
{
	const struct named_file *f;
	size_t i, j;

	for (i = 0; !all->read && i < s->processes.nr; i++) {
		const struct process *p = s->processes.all[i];

		for (j = 0; p && j < p->nr_maps; j++)
			take(all, &p->maps[j]);
	}
	all->read = true;
	if (map->build_id_len || !map->inode)
		return false;
	f = hash_table_find(&all->files, &named_table, &map->file);
	return f && (f->several || f->identified);
}

void same_names_free(struct same_names *all)
{
	hash_table_free(&all->files);
}

bool inode_is(const char *path, const struct map *map)
{
	uint32_t generation = pd_load32(map->inode + 16), now;
	const char *why;
	struct stat st;
	int fd = open_regular(path, &why);
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(fd, &st) && major(st.st_dev) == pd_load32(map->inode) &&
	       minor(st.st_dev) == pd_load32(map->inode + 4) &&
	       st.st_ino == pd_load64(map->inode + 8);
	/* A later file may have the inode's number; not all file systems tell. */
	if (same && generation && !ioctl(fd, FS_IOC_GETVERSION, &now))
		same = now == generation;
	close(fd);
	return same;
}
