// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "input/input.h"
#include "util/util.h"

bool map_is_anonymous(const struct map *map)
{
	return !strcmp(map->file, "//anon") || !strncmp(map->file, "[anon", 5) ||
	       !strncmp(map->file, "/anon_hugepage", 14);
}

void process_map_add(struct process *p, const struct map *map)
{
	if (map->end <= map->start)
		return;
	p->maps = array_grow(p->maps, p->nr_maps, &p->room_maps,
			     sizeof(*p->maps));
	p->maps[p->nr_maps] = *map;
	p->maps[p->nr_maps++].seq = p->added++;
	p->sorted = false;
}

static int map_order(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Set each subtree root's reach: the largest end in its subtree [low, high). */
static uint64_t maps_reach(struct map *maps, size_t low, size_t high)
{
	size_t mid = low + (high - low) / 2;
	uint64_t reach, below;

	if (low == high)
		return 0;
	reach = maps[mid].end;
	below = maps_reach(maps, low, mid);
	reach = below > reach ? below : reach;
	below = maps_reach(maps, mid + 1, high);
	maps[mid].reach = below > reach ? below : reach;
	return maps[mid].reach;
}

void process_sort(struct process *p)
{
	if (p->data)
		process_sort(p->data);
	if (p->sorted || !p->nr_maps)
		return;
	p->sorted = true;
	qsort(p->maps, p->nr_maps, sizeof(*p->maps), map_order);
	maps_reach(p->maps, 0, p->nr_maps);
}

/* A later mapping hides an earlier one. */
static bool map_hides(const struct map *map, const struct map *other)
{
	return map->time > other->time ||
	       (map->time == other->time && map->seq > other->seq);
}

/* The mapping in [low, high) at @address and @time, or @best if that hides it */
static const struct map *maps_search(const struct map *maps, size_t low,
				     size_t high, uint64_t address,
				     uint64_t time, const struct map *best)
{
	const struct map *map = &maps[low + (high - low) / 2];

	if (low == high || address >= map->reach)
		return best;
	best = maps_search(maps, low, (size_t)(map - maps), address, time,
			   best);
	if (address < map->start)
		return best;
	if (address < map->end && map->time <= time &&
	    (!best || map_hides(map, best)))
		best = map;
	return maps_search(maps, (size_t)(map - maps) + 1, high, address, time,
			   best);
}

const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time)
{
	if (!p->nr_maps)
		return NULL;
	return maps_search(p->maps, 0, p->nr_maps, address, time, NULL);
}

/*
 * Events name the inode of the file system below overlayfs, and /proc, which perf reads when it
 * begins, that of overlayfs, whose major number is 0: such two do not compare.
 */
bool map_other_file(const struct map *a, const struct map *b)
{
	uint32_t generation[2];

	if (a->build_id_len && b->build_id_len)
		return a->build_id_len != b->build_id_len ||
		       memcmp(a->build_id, b->build_id, a->build_id_len);
	if (!a->inode || !b->inode)
		return false;
	generation[0] = pd_load32(a->inode + 16);
	generation[1] = pd_load32(b->inode + 16);
	if ((!a->time != !b->time || !generation[0] != !generation[1]) &&
	    (!pd_load32(a->inode) || !pd_load32(b->inode)))
		return false;
	return memcmp(a->inode, b->inode, 16) ||
	       (generation[0] && generation[1] && generation[0] != generation[1]);
}

/* Dynamic loaders map a file's text twice, at the same addresses. */
bool map_same_bytes(const struct map *a, const struct map *b)
{
	if (!a->file || !b->file)
		return a->file == b->file;
	return a->start - a->pgoff == b->start - b->pgoff && !strcmp(a->file, b->file) &&
	       !map_other_file(a, b);
}

/* Whether @fits holds for all mappings in [low, high) with an address from @start to before @end */
static bool maps_all(const struct map *maps, size_t low, size_t high,
		     uint64_t start, uint64_t end, map_fn fits, void *context)
{
	const struct map *map;

	if (low == high)
		return true;
	map = &maps[low + (high - low) / 2];
	if (start >= map->reach)
		return true;
	if (!maps_all(maps, low, (size_t)(map - maps), start, end, fits, context))
		return false;
	if (end <= map->start)
		return true;
	if (start < map->end && !fits(context, map))
		return false;
	return maps_all(maps, (size_t)(map - maps) + 1, high, start, end, fits,
			context);
}

static bool process_all(const struct process *p, uint64_t address, map_fn fits, void *context)
{
	return maps_all(p->maps, 0, p->nr_maps, address, address + 1, fits, context);
}

static bool same_as_first(void *context, const struct map *map)
{
	const struct map **one = context;

	if (*one && !map_same_bytes(*one, map))
		return false;
	/* Whether it is known that they are the same does not follow from one to the next. */
	if (!*one)
		*one = map;
	return true;
}

bool process_map_always(const struct process *p, uint64_t address, const struct map **one)
{
	*one = NULL;
	return process_all(p, address, same_as_first, one);
}

static bool same_range(const struct map *a, const struct map *b)
{
	return a->start == b->start && a->end == b->end;
}

bool process_forget_maps(struct process *p)
{
	bool forgot = p->data && process_forget_maps(p->data);
	size_t i, to = 0;

	for (i = 0; i < p->nr_maps; i++) {
		struct map *map = &p->maps[i];

		if (!to || !same_range(&p->maps[to - 1], map))
			p->maps[to++] = *map;
		else if (map->time > p->maps[to - 1].time ||
			 (map->time == p->maps[to - 1].time &&
			  map->seq > p->maps[to - 1].seq))
			p->maps[to - 1] = *map;
	}
	if (to == p->nr_maps)
		return forgot;
	p->nr_maps = to;
	p->sorted = false;
	return true;
}

static void copy_maps(struct process *child, const struct process *parent)
{
	size_t i;

	for (i = 0; i < parent->nr_maps; i++)
		process_map_add(child, &parent->maps[i]);
	for (i = 0; parent->data && i < parent->data->nr_maps; i++)
		process_data_add(child, &parent->data->maps[i]);
}

/* A parent that has no mapping yet has only those of its own parent. */
void process_inherit(struct process *child, const struct process *parent, uint64_t time,
		     bool copy)
{
	child->comm = parent->comm;
	if (copy) {
		copy_maps(child, parent);
		return;
	}
	child->parent = parent;
	child->inherited = time;
	if (!parent->nr_maps && !parent->data && parent->parent) {
		child->parent = parent->parent;
		child->inherited = parent->inherited;
	}
}

void process_data_add(struct process *p, const struct map *map)
{
	if (!p->data)
		p->data = xcalloc(1, sizeof(*p->data));
	process_map_add(p->data, map);
}

void process_free_maps(struct process *p)
{
	if (p->data)
		free(p->data->maps);
	free(p->data);
	free(p->maps);
	p->data = NULL;
	p->maps = NULL;
	p->nr_maps = p->room_maps = 0;
}

/* ns; on a busy machine the thread may have to wait for a CPU in between */
#define RIGHT_BEFORE	UINT64_C(100000000)

/*
 * Thread libraries reserve memory without access, and then permit access to all but
 * guard pages at its start.  The C library does both for each new stack, right before
 * the kernel starts the thread.
 */
const struct map *process_name_stack(struct process *p, int32_t parent, const char *name,
				     uint64_t time)
{
	const struct map *reserve;
	struct map *stack;
	size_t i = p->data ? p->data->nr_maps : 0;

	while (i && p->data->maps[i - 1].tid != parent)
		i--;
	if (i < 2)
		return NULL;
	stack = &p->data->maps[i - 1];
	reserve = stack - 1;
	if (!(stack->prot == (PROT_READ | PROT_WRITE) && reserve->prot == PROT_NONE &&
	    reserve->tid == parent && reserve->start < stack->start &&
	    stack->end == reserve->end && map_is_anonymous(stack) &&
	    map_is_anonymous(reserve) && time - reserve->time < RIGHT_BEFORE))
		return NULL;
	stack->file = name;
	return stack;
}

/* The same, executable or not: of two, the later one */
static const struct map *any_find(const struct process *p, uint64_t address, uint64_t time)
{
	const struct map *code = process_map_find(p, address, time);
	const struct map *data = p->data ?
		process_map_find(p->data, address, time) : NULL;

	/* Of two at one time, as in /proc/PID/maps, at most one is at the address. */
	return !code || (data && data->time > code->time) ? data : code;
}

bool process_any_all(const struct process *p, uint64_t address, map_fn fits,
		     void *context)
{
	return process_all(p, address, fits, context) &&
	       (!p->data || process_all(p->data, address, fits, context));
}

typedef const struct map *(*find_fn)(const struct process *p, uint64_t address, uint64_t time);

static const struct map *find_inherited(const struct process *p, uint64_t address,
					uint64_t time, find_fn find)
{
	const struct map *map = NULL;

	for (; p && !map; p = p->parent) {
		map = find(p, address, time);
		/* The child does not have what its parent mapped after the fork. */
		if (p->parent && p->inherited < time)
			time = p->inherited;
	}
	return map;
}

const struct map *process_code_at(const struct process *p, uint64_t address, uint64_t time)
{
	return find_inherited(p, address, time, process_map_find);
}

const struct map *process_memory_at(const struct process *p, uint64_t address, uint64_t time)
{
	return find_inherited(p, address, time, any_find);
}

struct below {
	uint64_t time;
	bool (*hidden)(const struct map *map);
	const struct map *best;
};

static bool take_below(void *context, const struct map *map)
{
	struct below *b = context;

	if (map->time <= b->time && !b->hidden(map) && (!b->best || map_hides(map, b->best)))
		b->best = map;
	return true;
}

const struct map *process_code_below(const struct process *p, uint64_t address, uint64_t time,
				     bool (*hidden)(const struct map *map))
{
	struct below b = { .time = time, .hidden = hidden };

	for (; p && !b.best; p = p->parent) {
		process_all(p, address, take_below, &b);
		if (p->parent && p->inherited < b.time)
			b.time = p->inherited;
	}
	return b.best;
}

bool process_code_only(const struct process *p, uint64_t address, const struct map **map)
{
	const struct map *before;

	if (!process_map_always(p, address, map))
		return false;
	before = p->parent ? process_code_at(p->parent, address, p->inherited) : NULL;
	if (!*map)
		*map = before;
	return !before || map_same_bytes(before, *map);
}

/* Whether two mappings name the same memory; anonymous memory has no bytes of its own. */
static bool same_memory(const struct map *a, const struct map *b)
{
	return map_same_bytes(a, b) || (!strcmp(a->file, b->file) &&
					(*a->file != '/' || map_is_anonymous(a)));
}

static bool one_memory(void *context, const struct map *map)
{
	const struct map **one = context;

	/* Threads' stacks and heaps are first reserved, which no sample can access. */
	if (map->prot == PROT_NONE && map_is_anonymous(map))
		return true;
	if (*one && !same_memory(*one, map))
		return false;
	*one = map;
	return true;
}

bool process_memory_only(const struct process *p, uint64_t address, const struct map **map)
{
	const struct map *before;

	*map = NULL;
	if (!process_any_all(p, address, one_memory, map))
		return false;
	before = p->parent ? process_memory_at(p->parent, address, p->inherited) : NULL;
	if (!*map)
		*map = before;
	return !before || same_memory(before, *map);
}

/* Whether a cache may take the mappings for one; *one becomes the earliest. */
static bool is_identical(void *context, const struct map *map)
{
	const struct map **one = context, *first = *one;

	if (first && (!map_same_bytes(first, map) || first->build_id_len != map->build_id_len ||
		      (first->build_id_len && map_other_file(first, map)) ||
		      !first->inode != !map->inode ||
		      (first->inode && memcmp(first->inode, map->inode, 24))))
		return false;
	if (!first || map->time < first->time)
		*one = map;
	return true;
}

bool process_code_always(const struct process *p, uint64_t address, uint64_t *from)
{
	const struct map *before, *map = NULL;

	if (!process_all(p, address, is_identical, &map))
		return false;
	before = p->parent ? process_code_at(p->parent, address, p->inherited) : NULL;
	if (before && !is_identical(&map, before))
		return false;
	if (!map || !map->file)
		return false;
	*from = before ? 0 : map->time;
	return true;
}

struct page {
	uint64_t start, end;
	const struct map *map;		/* the earliest */
};

static bool fills_page(void *context, const struct map *map)
{
	struct page *page = context;

	return map->start <= page->start && map->end >= page->end && map->file &&
	       is_identical(&page->map, map);
}

const struct map *process_code_page(const struct process *p, uint64_t address, uint64_t *from)
{
	struct page page = { address, address + PROCESS_PAGE, NULL };
	const struct process *at;

	for (at = p; at; at = at->parent)
		if (!maps_all(at->maps, 0, at->nr_maps, page.start, page.end, fills_page, &page))
			return NULL;
	if (!page.map || !process_code_always(p, address, from))
		return NULL;
	return page.map;
}
