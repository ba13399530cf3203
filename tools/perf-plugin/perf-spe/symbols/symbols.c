// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the file that holds the symbols of a mapping.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"
#include "symbols/types/types.h"
#include "util/util.h"

/* Without --symfs this machine's files count only if it made the recording. */
static bool recorded_here(const struct session *s)
{
	struct utsname uts;

	return s && s->pd.osrelease && s->pd.arch && !uname(&uts) &&
	       !strcmp(uts.release, s->pd.osrelease) &&
	       !strcmp(uts.machine, s->pd.arch);
}

static int listed_order(const void *a, const void *b)
{
	const struct listed_id *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = x->id < y->id ? -1 : x->id > y->id;
	return order;
}

/* perf record lists the build ids of all sampled files after the events. */
static void read_listed_ids(struct symbols *syms)
{
	struct perfdata *pd = &syms->session->pd;
	uint64_t pos = pd->build_ids;
	struct listed_id l;
	size_t room = 0;

	while (perfdata_next_build_id(pd, &pos, &l.id, &l.len, &l.name) > 0) {
		syms->listed = array_grow(syms->listed, syms->nr_listed, &room,
					  sizeof(*syms->listed));
		syms->listed[syms->nr_listed++] = l;
	}
	if (syms->nr_listed)
		qsort(syms->listed, syms->nr_listed, sizeof(*syms->listed),
		      listed_order);
	syms->listed_read = true;
}

/* The first entry that perf listed for @name, or NULL */
static const struct listed_id *listed_find(struct symbols *syms,
					   const char *name)
{
	size_t low;

	if (!syms->listed_read)
		read_listed_ids(syms);
	lower_bound(low, syms->nr_listed, strcmp(syms->listed[low].name, name) < 0);
	if (low == syms->nr_listed || strcmp(syms->listed[low].name, name))
		return NULL;
	return &syms->listed[low];
}

int symbols_init(struct symbols *syms, const struct symbol_options *opt,
		 struct session *s)
{
	const struct listed_id *l;

	memset(syms, 0, sizeof(*syms));
	syms->opt = *opt;
	syms->session = s;
	syms->names = s && s->live ? &s->strings : &syms->own_names;
	syms->here = recorded_here(s);
	if (opt->symfs && access(opt->symfs, R_OK | X_OK)) {
		say("cannot search --symfs %s: %s; name a folder that you may read",
		    opt->symfs, strerror(errno));
		return -1;
	}
	if (opt->guests.nr && !(s && s->guests))
		say_once("not using the files of guests: the recording did not ask for samples of guests; record with 'perf spe record --guests'");
	if (guests_init(&syms->guests, &opt->guests, opt->mangled_names) < 0)
		return -1;
	l = s ? listed_find(syms, "[kernel.kallsyms]") : NULL;
	return kernel_init(&syms->kernel, opt, s, l ? l->id : NULL,
			   l ? l->len : 0, syms->here);
}

/* Two containers may have two files of one name. */
struct dso_key {
	const char *name;	/* first, as in struct dso */
	const uint8_t *id;	/* from a mapping */
	size_t len;		/* 0: it has none */
	const uint8_t *inode;	/* if it tells files of this name apart, otherwise NULL */
};

static bool same_object(const void *element, const void *key)
{
	const struct dso *dso = element;
	const struct dso_key *k = key;

	return k->len == (dso->listed ? 0 : dso->build_id_len) && !k->inode == !dso->inode &&
	       (!k->inode || !memcmp(k->inode, dso->inode, 24)) &&
	       (!k->len || !memcmp(k->id, dso->build_id, k->len));
}

static const struct hash_kind dso_table = {
	HASH_POINTERS, .key = { HASH_TEXT(struct dso, name) }, .same = same_object,
};

static void dso_free(struct dso *dso)
{
	symtab_free(&dso->symtab);
	symtab_free(&dso->data);
	free(dso->complaint);
	cfi_free(dso->cfi);
	operands_free(dso->operands);
	globals_free(dso->globals);
	inlines_free(dso->inlines);
	srclines_free(dso->lines);
	free(dso->segments);
	free(dso->path);
	free(dso->debug_path);
}

void symbols_free(struct symbols *syms)
{
	struct dso **slot = NULL;

	while ((slot = hash_table_next(&syms->dsos, &dso_table, slot))) {
		dso_free(*slot);
		free(*slot);
	}
	hash_table_free(&syms->dsos);
	kernel_free(&syms->kernel);
	guests_free(&syms->guests);
	string_set_free(&syms->own_names);
	free(syms->no_map);
	free(syms->listed);
	same_names_free(&syms->same_names);
	memset(syms, 0, sizeof(*syms));
}

char *id_path(const uint8_t *id, size_t len, const char *end)
{
	char hex[41] = "";
	size_t i;

	for (i = 0; i < len && i < 20; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	return xformat("usr/lib/debug/.build-id/%.2s/%s%s", hex, hex + (len > 1 ? 2 : 0), end);
}

/* The file of a build id, where distributions install it and archives have it; NULL: none */
static char *installed(const struct symbols *syms, const uint8_t *id, size_t len, const char *end)
{
	char *name = id_path(id, len, end);
	char *path = xformat("%s/%s", syms->opt.symfs ? syms->opt.symfs : "", name);

	free(name);
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static void load_debug_file(struct symbols *syms, struct dso *dso)
{
	const char *why;
	char *path;

	/* The file is the recorded one, and has its id even if the recording has none. */
	if (!dso->file_id_len)
		return;
	path = installed(syms, dso->file_id, dso->file_id_len, ".debug");
	if (!path)
		path = buildid_debug(dso->file_id, dso->file_id_len);
	if (path && !elf_load(path, dso, &why))
		dso->debug_path = path;
	else
		free(path);
}

/*
 * A file of this machine may differ from the recorded file of the same name.  It
 * is safe to use only if its build id matches or this machine recorded.
 */
static bool may_be_elsewhere(struct symbols *syms, struct dso *dso)
{
	if (syms->opt.symfs || syms->here || dso->build_id_len)
		return false;
	if (deleted_len(dso->name)) {
		dso->lack = LACK_DELETED;
		return true;
	}
	if (!syms->warned_elsewhere)
		say("cannot use this machine's programs for %s: it is of another machine or kernel and has no build ids; point --symfs at that machine's files",
		    perfdata_name(&syms->session->pd));
	syms->warned_elsewhere = true;
	return true;
}

/* The path if its file is the recorded one; or NULL, and the path is freed */
static char *if_recorded(const struct dso *dso, char *path)
{
	if (path && elf_same_build_id(path, dso->build_id, dso->build_id_len) > 0)
		return path;
	free(path);
	return NULL;
}

/* Find a file of the recorded build id in an archive, in caches and on servers, or NULL. */
static char *file_by_id(const struct symbols *syms, const struct dso *dso)
{
	char *path;

	if (!dso->build_id_len)
		return NULL;
	path = if_recorded(dso, installed(syms, dso->build_id, dso->build_id_len, ""));
	return path ? path : if_recorded(dso, buildid_program(dso->build_id, dso->build_id_len));
}

/* Give names to the code that the symbols read so far do not cover. */
static void complete(struct dso *dso, const char *path)
{
	const char *why;
	int fd;
	Elf *elf = elf_open(path, &fd, &why);

	if (!elf) {
		symtab_finish(&dso->symtab);
		return;
	}
	plt_add(&dso->symtab, elf);
	unnamed_add(&dso->symtab, elf, dso->name);
	elf_close(elf, fd);
	symtab_tell(&dso->symtab, path);
}

/* Whether the file @path is the one that was mapped; @loose: its device may have another number */
static bool is_mapped(const char *path, const struct map *map, bool loose)
{
	struct stat st;

	/* Where stat(2) tells another device than mappings have, as on overlayfs and btrfs */
	return loose ? !stat(path, &st) && st.st_ino == pd_load64(map->inode + 8) : inode_is(path, map);
}

/*
 * Where a process has the deleted file of @map now, to be freed: the loader splits what it maps, so the
 * range of the event may be none of /proc/PID/maps.  NULL: nowhere
 */
static char *map_files_path(const struct map *map)
{
	char *path = xformat("/proc/%" PRId32 "/maps", map->tid), *found = NULL, *line = NULL;
	FILE *maps = fopen(path, "re");
	uint64_t start, end, inode;
	size_t room = 0;
	int name;

	free(path);
	while (maps && !found && getline(&line, &room, maps) > 0) {
		line[strcspn(line, "\n")] = '\0';
		name = 0;
		/* Of two replaced versions that are both still mapped, the inode tells which one is meant. */
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64 " %n", &start, &end, &inode, &name) == 3 &&
		    name && inode == pd_load64(map->inode + 8) && !strcmp(line + name, map->file))
			found = xformat("/proc/%" PRId32 "/map_files/%" PRIx64 "-%" PRIx64, map->tid, start, end);
	}
	free(line);
	if (maps)
		fclose(maps);
	return found;
}

/*
 * The path of the file that a process has mapped, to be freed: in a container, the machine's file of this
 * name may be another one, and one that was deleted has a path in /proc alone.  @sure: it is this process,
 * so the number of the inode is enough.  NULL: none can be found
 */
static char *mapped_path(const struct map *map, bool sure)
{
	const bool deleted = deleted_len(map->file);
	char *paths[] = {
		xformat("%s", map->file),
		xformat("/proc/%" PRId32 "/root%s", map->tid, map->file),
		deleted ? xformat("/proc/%" PRId32 "/exe", map->tid) : NULL,
		deleted ? map_files_path(map) : NULL,
	};
	const size_t nr = sizeof(paths) / sizeof(paths[0]);
	char *found = NULL;
	size_t i;
	int loose;

	for (loose = 0; loose <= sure; loose++)
		for (i = 0; i < nr && !found; i++)
			if (paths[i] && is_mapped(paths[i], map, loose))
				found = paths[i];
	for (i = 0; i < nr; i++)
		if (paths[i] != found)
			free(paths[i]);
	return found;
}

/* The path of a deleted file that any process still has; NULL: none can be found */
static char *running_path(const struct symbols *syms, const struct map *map)
{
	const struct processes *all = &syms->session->processes;
	struct map at = *map;
	char *path = NULL;
	size_t i;

	for (i = 0; i < all->nr && !path; i++) {
		at.tid = all->all[i]->pid;
		path = mapped_path(&at, false);
	}
	return path;
}

/* Where the recorded file should be, to be freed; NULL: another one is there. */
static char *path_of(const struct symbols *syms, const struct dso *dso, const struct map *map)
{
	const bool live = syms->session && syms->session->live;
	char *path = NULL;

	if (syms->opt.symfs)
		return path_below(syms->opt.symfs, dso->name);
	if (live && map->inode)
		path = mapped_path(map, true);
	/* The program that was recorded may still run. */
	if (!path && (live || syms->here) && map->inode && deleted_len(dso->name))
		path = running_path(syms, map);
	/* Where no file has the name, the message says so. */
	return path || (live && map->inode && !access(dso->name, F_OK)) ? path : xformat("%s", dso->name);
}

/* The file that has the name of a deleted one now, if it has its build id too: to be freed, else NULL */
static char *put_back(const struct symbols *syms, const struct dso *dso)
{
	char *name = xstrndup(dso->name, deleted_len(dso->name));
	char *path = *name && dso->build_id_len ?
		     if_recorded(dso, path_below(syms->opt.symfs ? syms->opt.symfs : "", name)) : NULL;

	free(name);
	return path;
}

static void dso_load(struct symbols *syms, struct dso *dso, const struct map *map)
{
	const char *why;
	char *path, *other;
	int same = 1;

	dso->loaded = true;
	/* "[vdso]", "[heap]" and "//anon" are not files. */
	if (dso->name[0] != '/' || dso->name[1] == '/' ||
	    may_be_elsewhere(syms, dso))
		return;
	path = path_of(syms, dso, map);
	if (!path) {
		dso->lack = LACK_SAME;
		return;
	}
	if (dso->build_id_len)
		same = elf_same_build_id(path, dso->build_id,
					 dso->build_id_len);
	other = same > 0 ? NULL : put_back(syms, dso);
	if (same <= 0 && !other)
		other = file_by_id(syms, dso);
	if (other) {
		free(path);
		path = other;
		same = 1;
	}
	if (!same) {
		dso->lack = LACK_SAME;
	} else if (access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR)) {
		dso->lack = deleted_len(dso->name) ? LACK_DELETED : LACK_FILE;
	} else if (elf_load(path, dso, &why) < 0) {
		dso->complaint = xformat("cannot read %s: %s; addresses stay without symbols unless --symfs finds the file",
					 path, why);
	} else {
		load_debug_file(syms, dso);
		dso->path = path;
		complete(dso, path);
	}
	if (!dso->path)
		free(path);
}

/* The id that perf listed for this name; false, and a complaint, if it listed several. */
static bool dso_listed_build_id(struct symbols *syms, struct dso *dso)
{
	const struct listed_id *l = listed_find(syms, dso->name), *next;

	/* perf reads the id when it ends, from the file that has the name then. */
	if (dso->inode) {
		dso->lack = LACK_WHICH;
		return false;
	}
	if (!l)
		return true;
	for (next = l; next < syms->listed + syms->nr_listed && !strcmp(next->name, l->name); next++) {
		if (next->len == l->len && !memcmp(next->id, l->id, l->len))
			continue;
		dso->complaint = xformat("the recording lists several build ids for %s, and its mappings have none: its code has no symbols; record with --buildid-mmap",
					 dso->name);
		return false;
	}
	dso->build_id = l->id;
	dso->build_id_len = l->len;
	dso->listed = true;
	return true;
}

/* The object of this key; the caller loads a new one. */
static struct dso *dso_get(struct symbols *syms, const struct dso_key *key, bool *new)
{
	struct dso **slot = hash_table_add(&syms->dsos, &dso_table, key);

	*new = !*slot;
	if (*new) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->name = string_set_add(syms->names, key->name);
		(*slot)->number = (uint32_t)syms->dsos.count;
		(*slot)->build_id = key->id;
		(*slot)->build_id_len = key->len;
		(*slot)->inode = key->inode;
		(*slot)->symtab.mangled_names = syms->opt.mangled_names;
	}
	return *slot;
}

void symbols_each(struct symbols *syms, dso_fn fn, void *context)
{
	struct dso **slot = NULL;

	while ((slot = hash_table_next(&syms->dsos, &dso_table, slot)))
		fn(context, *slot);
}

enum dso_lack symbols_lack(struct symbols *syms, const char *name)
{
	struct dso **slot = NULL;

	while ((slot = hash_table_next(&syms->dsos, &dso_table, slot)))
		if ((*slot)->lack != LACK_NOTHING && !strcmp((*slot)->name, name))
			return (*slot)->lack;
	return LACK_NOTHING;
}

struct lacking {
	const char *name;
	enum dso_lack lack;
};

static const struct hash_kind lacking_kind = {
	HASH_SLOTS(struct lacking, name), .key = { HASH_TEXT(struct lacking, name) },
};

enum dso_lack *symbols_lacks(const struct symbols *syms, const char *const *names, size_t count)
{
	enum dso_lack *lacks = xcalloc(count, sizeof(*lacks));
	struct hash_table table = { 0 };
	struct dso **slot = NULL;
	struct lacking *l;
	size_t i;

	while ((slot = hash_table_next(&syms->dsos, &dso_table, slot))) {
		if ((*slot)->lack == LACK_NOTHING)
			continue;
		l = hash_table_add(&table, &lacking_kind, &(*slot)->name);
		if (!l->name)
			*l = (struct lacking){ (*slot)->name, (*slot)->lack };
	}
	for (i = 0; i < count; i++) {
		l = hash_table_find(&table, &lacking_kind, &names[i]);
		lacks[i] = l ? l->lack : LACK_NOTHING;
	}
	hash_table_free(&table);
	return lacks;
}

const char *symbols_moved(struct symbols *syms, const struct dso *dso)
{
	char *text = xformat("%s (moved)", dso->name);
	const char *name = string_set_add(syms->names, text);

	free(text);
	return name;
}

struct dso *symbols_jit(struct symbols *syms, int32_t pid)
{
	struct dso_key key = { 0 };
	struct dso *dso;
	bool new, live;
	uid_t owner;
	char *name;

	if (!syms->here && !syms->opt.symfs)
		return NULL;
	name = xformat("perf-%" PRId32 ".map", pid);
	key.name = name;
	dso = dso_get(syms, &key, &new);
	free(name);
	if (!new)
		return dso;
	dso->loaded = true;
	live = syms->session && syms->session->live && !syms->opt.symfs;
	owner = live ? jit_owner_now(pid) : geteuid();
	dso->path = live ? jit_path_now(pid) : NULL;
	if (!dso->path)
		dso->path = xformat("%s/tmp/%s", syms->opt.symfs ? syms->opt.symfs : "", dso->name);
	if (!jit_load(dso->path, syms->opt.symfs ? NULL : &owner, &dso->symtab))
		dso->lack = LACK_MAP;
	return dso;
}

#define HUGE_PAGE	(UINT64_C(2) << 20)

bool symbols_may_be_moved(struct symbols *syms, int32_t pid, const struct map *map,
			  const struct map *below)
{
	struct dso *dso = NULL;

	/* Compilers name their memory; programs move their code to memory without a name. */
	if (!strncmp(map->file, "/memfd:", 7))
		return false;
	/* Programs copy a part of their code, or round it up to whole huge pages. */
	if ((map->start < below->start || map->end > below->end) &&
	    (map->start | map->end) & (HUGE_PAGE - 1))
		return false;
	elf_lock();
	if (pid != NO_ID)
		dso = symbols_jit(syms, pid);
	elf_unlock();
	return !dso || !dso->symtab.count;
}

void symbols_need_jit(struct symbols *syms, int32_t pid)
{
	struct dso *dso = symbols_jit(syms, pid);

	if (!dso || dso->lack != LACK_MAP)
		return;
	dso->lack = LACK_NOTHING;
	syms->no_map = array_grow(syms->no_map, syms->nr_no_map, &syms->room_no_map,
				  sizeof(*syms->no_map));
	syms->no_map[syms->nr_no_map++] = pid;
}

static struct dso *find_mapped(struct symbols *syms, const struct map *map)
{
	struct dso_key key = { map->file, map->build_id, map->build_id_len, NULL };
	struct dso *dso;
	bool new;

	if (syms->session && (syms->session->live || name_is_shared(&syms->same_names, syms->session, map)))
		key.inode = map->inode;
	dso = dso_get(syms, &key, &new);
	if (!new)
		return dso;
	/* The kernel names some memory like a file. */
	dso->loaded = !dso->build_id_len && jit_is_code(map) && !map->hugetlb;
	/* This machine's file of the name may be the one. */
	if (!dso->loaded && !dso->build_id_len && syms->session && !syms->session->live &&
	    !(key.inode && syms->here && !syms->opt.symfs && inode_is(map->file, map)))
		dso->loaded = !dso_listed_build_id(syms, dso);
	if (!dso->loaded)
		dso_load(syms, dso, map);
	return dso;
}

/* Any file may be mapped as data, so it is no error if it is no ELF file. */
struct dso *symbols_mapped(struct symbols *syms, const struct map *map)
{
	struct mapped_dso *known = &syms->mapped[hash_mix((uintptr_t)map) % MAPPED_DSOS];

	/* Mappings of a live session move. */
	if (known->map != map || !syms->session || syms->session->live)
		*known = (struct mapped_dso){ map, find_mapped(syms, map) };
	return known->dso;
}

struct dso *symbols_dso(struct symbols *syms, const struct map *map)
{
	struct dso *dso = symbols_mapped(syms, map);

	if (dso->complaint)
		say("%s", dso->complaint);
	free(dso->complaint);
	dso->complaint = NULL;
	return dso;
}

static int dso_order(const void *a, const void *b)
{
	return strcmp((*(struct dso *const *)a)->name, (*(struct dso *const *)b)->name);
}

struct dso **symbols_all(const struct symbols *syms, size_t *count)
{
	struct dso **all = xcalloc(syms->dsos.count + 1, sizeof(*all)), **slot = NULL;

	*count = 0;
	while ((slot = hash_table_next(&syms->dsos, &dso_table, slot)))
		all[(*count)++] = *slot;
	qsort(all, *count, sizeof(*all), dso_order);
	return all;
}

/* The file with this last part of its name; NULL if there is none, or several, or it has no build id */
static const struct dso *dso_named(const struct symbols *syms, const char *name, size_t len)
{
	const struct dso *found = NULL;
	struct dso **dso = NULL;

	while ((dso = hash_table_next(&syms->dsos, &dso_table, dso))) {
		const char *own = path_short((*dso)->name);

		if (strlen(own) != len || memcmp(own, name, len) || !(*dso)->symtab.count)
			continue;
		if (found || !(*dso)->file_id_len)
			return NULL;
		found = *dso;
	}
	return found;
}

bool symbols_alike(const struct symbols *a, const struct symbols *b, const char *name, size_t len)
{
	const struct dso *x = dso_named(a, name, len), *y = dso_named(b, name, len);

	return x && y && x->file_id_len == y->file_id_len && !memcmp(x->file_id, y->file_id, x->file_id_len);
}

const char *symbols_unlike(const struct symbols *lacks, const struct symbols *has)
{
	const struct kernel *k[2] = { &lacks->kernel, &has->kernel };
	struct string_set named = { 0 };
	const char *found = NULL;
	struct dso **dso = NULL;

	if (k[0]->used && k[1]->used && !k[0]->symtab.count && k[1]->symtab.count)
		return "[kernel]";
	while ((dso = hash_table_next(&has->dsos, &dso_table, dso)))
		if ((*dso)->symtab.count)
			string_set_add(&named, path_short((*dso)->name));
	while (!found && (dso = hash_table_next(&lacks->dsos, &dso_table, dso)))
		if (!(*dso)->symtab.count && string_set_has(&named, path_short((*dso)->name)))
			found = (*dso)->name;
	string_set_free(&named);
	return found;
}

const struct symtab *symbols_data(struct symbols *syms, struct dso *dso)
{
	const char *why;

	if (dso->data_loaded)
		return &dso->data;
	dso->data_loaded = true;
	dso->data.mangled_names = syms->opt.mangled_names;
	if (dso->path)
		elf_load_data(dso->path, &dso->data, &why);
	if (dso->debug_path)
		elf_load_data(dso->debug_path, &dso->data, &why);
	symtab_finish(&dso->data);
	if (dso->path)
		symtab_tell(&dso->data, dso->path);
	return &dso->data;
}
