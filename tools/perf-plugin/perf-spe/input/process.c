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

static void add_map(struct process *p, const struct map *map)
{
	if (map->end <= map->start)
		return;
	p->maps = array_grow(p->maps, p->nr_maps, &p->room_maps,
			     sizeof(*p->maps));
	p->maps[p->nr_maps] = *map;
	p->maps[p->nr_maps++].seq = p->added++;
	p->sorted = false;
}

/* Linux on arm64 lets the heap begin at most so far behind the program (arch_randomize_brk()). */
#define HEAP_GAP	(UINT64_C(1) << 30)
/* The segments of a program are nearer to each other; a program may map its file once more elsewhere. */
#define SEGMENT_GAP	(UINT64_C(2) << 20)

static void extend_program(struct process *p, const struct map *map)
{
	if (p->program.file && !strcmp(map->file, p->program.file) && map->end > p->program.end &&
	    (!p->program.end || map->start <= p->program.end + SEGMENT_GAP))
		p->program.end = map->end;
}

void process_map_add(struct process *p, const struct map *map)
{
	add_map(p, map);
	if (!map->file)
		return;
	if (!strcmp(map->file, "[vdso]") && p->program.file)
		p->program.amid |= map->start - p->program.end + HEAP_GAP <= 2 * HEAP_GAP;
	if (*map->file != '/' || map_is_anonymous(map))
		return;
	if (!p->program.file)
		p->program.file = map->file;
	extend_program(p, map);
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

/* What may hold for all mappings at an address; see all_from() */
enum always { SAME_BYTES, IDENTICAL, NR_ALWAYS };

/* Mappings that cover an address: if they are more, the tree of starts takes too long. */
#define DEEP	64u

/*
 * The mappings by address and time, where many overlap.  Node n of a segment tree has those that
 * cover all addresses of its leaves, but not those of its parent, sorted so that each hides those
 * before it.  A leaf is the addresses between two neighbouring starts or ends.
 */
struct map_index {
	uint64_t *bounds;		/* sorted; leaf i is from bounds[i] on */
	size_t leaves;
	size_t *first;			/* by node: of @maps; one more for the end */
	uint32_t *maps;
	struct leaf_memo {
		uint8_t known;		/* enum memo */
		const struct map *one;
	} *memos[NR_ALWAYS];		/* by leaf: what all_from() said */
};

static void index_free(struct map_index *x)
{
	if (!x)
		return;
	free(x->memos[SAME_BYTES]);
	free(x->memos[IDENTICAL]);
	free(x->bounds);
	free(x->first);
	free(x->maps);
	free(x);
}

static int number_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Whether more than DEEP sorted mappings cover one address */
static bool is_deep(const struct map *maps, size_t nr)
{
	uint64_t *ends;
	size_t i, ended = 0;
	bool deep = false;

	if (nr <= DEEP)
		return false;
	ends = xcalloc(nr, sizeof(*ends));
	for (i = 0; i < nr; i++)
		ends[i] = maps[i].end;
	qsort(ends, nr, sizeof(*ends), number_order);
	for (i = 0; i < nr && !deep; i++) {
		while (ends[ended] <= maps[i].start)
			ended++;
		deep = i + 1 - ended > DEEP;
	}
	free(ends);
	return deep;
}

static size_t leaf_of(const struct map_index *x, uint64_t address)
{
	size_t low;

	lower_bound(low, x->leaves, x->bounds[low] <= address);
	return low;		/* 0: before the first one, otherwise one more than the leaf */
}

/* Add the mapping to the nodes that it fills, or count it there: @maps is NULL. */
static void index_add(const struct map_index *x, const struct map *map, size_t *at, uint32_t *maps,
		      uint32_t number)
{
	size_t low = leaf_of(x, map->start) - 1 + x->leaves, high = leaf_of(x, map->end) - 1 + x->leaves;

	for (; low < high; low /= 2, high /= 2) {
		if (low & 1) {
			if (maps)
				maps[at[low]] = number;
			at[low++]++;
		}
		if (high & 1) {
			high--;
			if (maps)
				maps[at[high]] = number;
			at[high]++;
		}
	}
}

static bool map_hides(const struct map *map, const struct map *other);

static int hiding_order(const void *a, const void *b)
{
	const struct map *const *x = a, *const *y = b;

	return map_hides(*x, *y) ? 1 : -map_hides(*y, *x);
}

static struct map_index *index_new(const struct map *maps, size_t nr)
{
	const struct map **order = xcalloc(nr, sizeof(*order));
	struct map_index *x = xcalloc(1, sizeof(*x));
	size_t i, to = 0, *at, sum = 0;

	x->bounds = xcalloc(2 * nr, sizeof(*x->bounds));
	for (i = 0; i < nr; i++) {
		x->bounds[2 * i] = maps[i].start;
		x->bounds[2 * i + 1] = maps[i].end;
		order[i] = &maps[i];
	}
	qsort(x->bounds, 2 * nr, sizeof(*x->bounds), number_order);
	for (i = 1; i < 2 * nr; i++)
		if (x->bounds[i] != x->bounds[to])
			x->bounds[++to] = x->bounds[i];
	x->leaves = to + 1;
	for (i = 0; i < NR_ALWAYS; i++)
		x->memos[i] = xcalloc(x->leaves + 1, sizeof(*x->memos[i]));
	qsort(order, nr, sizeof(*order), hiding_order);
	x->first = xcalloc(2 * x->leaves + 1, sizeof(*x->first));
	for (i = 0; i < nr; i++)
		index_add(x, order[i], x->first, NULL, 0);
	for (i = 0; i <= 2 * x->leaves; i++) {
		size_t count = x->first[i];

		x->first[i] = sum;
		sum += count;
	}
	x->maps = xcalloc(sum, sizeof(*x->maps));
	at = xcalloc(2 * x->leaves, sizeof(*at));
	memcpy(at, x->first, 2 * x->leaves * sizeof(*at));
	for (i = 0; i < nr; i++)
		index_add(x, order[i], at, x->maps, (uint32_t)(order[i] - maps));
	free(at);
	free(order);
	return x;
}

/* As maps_search() */
static const struct map *index_search(const struct map_index *x, const struct map *maps,
				      uint64_t address, uint64_t time)
{
	const struct map *best = NULL, *map;
	size_t node = leaf_of(x, address), low;

	if (!node)
		return NULL;
	for (node += x->leaves - 1; node; node /= 2) {
		const uint32_t *of = x->maps + x->first[node];

		lower_bound(low, x->first[node + 1] - x->first[node], maps[of[low]].time <= time);
		map = low ? &maps[of[low - 1]] : NULL;
		if (map && (!best || map_hides(map, best)))
			best = map;
	}
	return best;
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
	index_free(p->index);
	p->index = is_deep(p->maps, p->nr_maps) ? index_new(p->maps, p->nr_maps) : NULL;
	hash_table_free(&p->last);
	p->nr_last = 0;
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
	if (p->index)
		return index_search(p->index, p->maps, address, time);
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

/*
 * As long as there are so many mappings at an address, a question is asked for each; for one that
 * all_from() remembers for as many addresses as it can, for more of them.
 */
#define ASKED		512u
#define ASKED_ONCE	4096u

struct walk {
	uint64_t start, end;		/* which addresses */
	map_fn fits;
	void *context;
	unsigned int left;		/* how many mappings it may ask for */
};

/*
 * Whether @fits holds for all mappings in [low, high) with an address from @start to before @end.
 * False also if they are more than @left.
 */
static bool maps_all(const struct map *maps, size_t low, size_t high, struct walk *w)
{
	const struct map *map;

	if (low == high)
		return true;
	map = &maps[low + (high - low) / 2];
	if (w->start >= map->reach)
		return true;
	if (!maps_all(maps, low, (size_t)(map - maps), w))
		return false;
	if (w->end <= map->start)
		return true;
	if (w->start < map->end && (!w->left-- || !w->fits(w->context, map)))
		return false;
	return maps_all(maps, (size_t)(map - maps) + 1, high, w);
}

static bool process_all(const struct process *p, uint64_t address, map_fn fits, void *context,
			unsigned int left)
{
	struct walk w = { address, address + 1, fits, context, left };

	return maps_all(p->maps, 0, p->nr_maps, &w);
}

/*
 * Whether @fits, which must be the one of @what, holds for all mappings at @address, and which of them
 * it chose.  Where many overlap it is asked once for all addresses between two bounds.
 */
static bool all_from(const struct process *p, uint64_t address, enum always what, map_fn fits,
		     const struct map **one)
{
	struct leaf_memo *m = p->index ? &p->index->memos[what][leaf_of(p->index, address)] : NULL;
	uint8_t known = m ? __atomic_load_n(&m->known, __ATOMIC_ACQUIRE) : MEMO_NONE;

	*one = NULL;
	if (known != MEMO_NONE) {
		*one = __atomic_load_n(&m->one, __ATOMIC_RELAXED);
		return known == MEMO_YES;
	}
	known = process_all(p, address, fits, one, ASKED_ONCE) ? MEMO_YES : MEMO_NO;
	if (m) {
		/* Other threads write the same. */
		__atomic_store_n(&m->one, *one, __ATOMIC_RELAXED);
		__atomic_store_n(&m->known, known, __ATOMIC_RELEASE);
	}
	return known == MEMO_YES;
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
	return all_from(p, address, SAME_BYTES, same_as_first, one);
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
	p->makes_code = p->owns_jit = MEMO_NONE;
	p->sorted = false;
	hash_table_free(&p->last);
	p->nr_last = 0;
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

/* A search visits all these ancestors.  Mappings of older ones are unknown: DOUBT_FORKS. */
#define GENERATIONS	256u

/* A parent that has no mapping yet has only those of its own parent. */
void process_inherit(struct process *child, const struct process *parent, uint64_t time,
		     bool copy)
{
	child->comm = parent->comm;
	if (copy) {
		copy_maps(child, parent);
		return;
	}
	if (parent->generation >= GENERATIONS) {
		child->cut = true;
		return;
	}
	child->parent = parent;
	child->generation = parent->generation + 1;
	child->inherited = time;
	if (!parent->nr_maps && !parent->data && parent->parent) {
		child->parent = parent->parent;
		child->generation = parent->generation;
		child->inherited = parent->inherited;
	}
}

bool process_is_cut(const struct process *p)
{
	while (p->parent)
		p = p->parent;
	return p->cut;
}

/*
 * Whether the mapping is the heap, although the event does not say so: Linux calls it [heap] from
 * the second brk() on, because the event of the first one comes before the heap has an end.  Memory
 * directly behind the program is its .bss.
 */
static bool begins_heap(const struct process *p, const struct map *map)
{
	if (strcmp(map->file, "//anon") || map->prot != (PROT_READ | PROT_WRITE) || !map->time)
		return false;
	while (!p->program.file && p->parent)
		p = p->parent;
	return p->program.file && !p->program.amid && map->start > p->program.end &&
	       map->start - p->program.end <= HEAP_GAP;
}

void process_data_add(struct process *p, const struct map *map)
{
	struct map named = *map;

	if (begins_heap(p, map))
		named.file = "[heap]";
	extend_program(p, map);
	if (!p->data)
		p->data = xcalloc(1, sizeof(*p->data));
	add_map(p->data, &named);
}

void process_free_maps(struct process *p)
{
	if (p->data)
		process_free_maps(p->data);
	free(p->data);
	free(p->maps);
	index_free(p->index);
	p->index = NULL;
	hash_table_free(&p->last);
	p->nr_last = 0;
	p->data = NULL;
	p->maps = NULL;
	p->nr_maps = p->room_maps = 0;
	memset(&p->program, 0, sizeof(p->program));
}

/* The last mapping of a thread */
struct last_map {
	int32_t tid;
	size_t end;		/* behind it in the process's; 0: the slot is unused */
};

static const struct hash_kind last_kind = {
	HASH_SLOTS(struct last_map, end), .key = { HASH_NUMBER(struct last_map, tid) },
};

/* How many mappings there are up to the last one of thread @tid; 0: it has none */
static size_t last_of(struct process *p, int32_t tid)
{
	const struct last_map *last;

	for (; p->nr_last < p->nr_maps; p->nr_last++) {
		int32_t by = p->maps[p->nr_last].tid;

		*(struct last_map *)hash_table_add(&p->last, &last_kind, &by) =
			(struct last_map){ by, p->nr_last + 1 };
	}
	last = hash_table_find(&p->last, &last_kind, &tid);
	return last ? last->end : 0;
}

/* ns; on a busy machine the thread may have to wait for a CPU in between */
#define RIGHT_BEFORE	UINT64_C(100000000)

/* Other mappings that the library may make before it starts the thread, as for its variables */
#define BETWEEN		4u
#define SEARCHED	64u		/* with those of other threads */

/*
 * Thread libraries reserve memory without access, and then permit access to all but
 * guard pages at its start.  The kernel tells of the reservation with what it merges with: the guard
 * pages of the stack that was reserved before, at its end.
 */
static bool is_stack(const struct map *stack, const struct map *reserve, int32_t parent)
{
	const uint64_t guard = stack->start - reserve->start, rest = reserve->end - stack->end;

	return stack->tid == parent && reserve->tid == parent &&
	       stack->prot == (PROT_READ | PROT_WRITE) && reserve->prot == PROT_NONE &&
	       reserve->start < stack->start && stack->end <= reserve->end && (!rest || rest == guard) &&
	       map_is_anonymous(stack) && map_is_anonymous(reserve);
}

/* The C library does both for each new stack, right before the kernel starts the thread. */
const struct map *process_name_stack(struct process *p, int32_t parent, const char *name,
				     uint64_t time)
{
	size_t i = p->data ? last_of(p->data, parent) : 0, others = 0, searched = 0;

	for (; i >= 2 && others <= BETWEEN && searched < SEARCHED; i--, searched++) {
		struct map *stack = &p->data->maps[i - 1];

		if (time - stack[-1].time >= RIGHT_BEFORE)
			return NULL;
		if (is_stack(stack, stack - 1, parent)) {
			stack->file = name;
			return stack;
		}
		others += stack->tid == parent;
	}
	return NULL;
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
	return process_all(p, address, fits, context, ASKED) &&
	       (!p->data || process_all(p->data, address, fits, context, ASKED));
}

static bool any_map(void *context, const struct map *map)
{
	(void)context;
	(void)map;
	return true;
}

bool process_is_crowded(const struct process *p, uint64_t address)
{
	while (p && process_any_all(p, address, any_map, NULL))
		p = p->parent;
	return p;
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
		if (!process_all(p, address, take_below, &b, ASKED))
			return NULL;
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

	if (!all_from(p, address, IDENTICAL, is_identical, &map))
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
	struct walk w = { page.start, page.end, fills_page, &page, ASKED };

	for (at = p; at; at = at->parent)
		if (!maps_all(at->maps, 0, at->nr_maps, &w))
			return NULL;
	if (!page.map || !process_code_always(p, address, from))
		return NULL;
	return page.map;
}
