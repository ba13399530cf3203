// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "armspe.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* Mappings begin and end at multiples of this on every arm64 kernel. */
#define PAGE UINT64_C(4096)
/* The largest page.  .bss begins in the last page that a segment has of the file. */
#define PAGE_MAX UINT64_C(65536)

/* The place of all addresses from @low to @high - 1, in one cache line */
struct answer {
	uint64_t low, high;
	uint32_t owner;			/* owner_number(); KERNEL */
	uint32_t epoch;			/* valid only if it is the cache's */
	uint64_t from;			/* and only from this time on */
	struct data_place place;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct answer) == 64, "one line of a cache");

#define ANSWERS 16384		/* a power of two */
/* No process has this number. */
#define KERNEL	0

struct data_names {
	const struct resolver *resolver;
	struct images images;
	struct data_kernel kernel;
	void *memory;
	struct answer *answers;		/* in it, aligned */
	uint32_t epoch;
	/* The latest question, which several users ask of one sample, and its answer; place NULL: none */
	struct {
		uint64_t address, time;
		uint32_t owner;
		const struct data_place *place;
		struct data_place room;	/* of a place that is not in @answers */
	} latest;
	struct data_place of_guest;	/* of the latest address of a guest */
	bool doubts[NR_DOUBTS];		/* of addresses so far */
};

/* calloc() maps large blocks lazily: unused entries take no memory. */
struct data_names *data_names_new(const struct resolver *r)
{
	struct data_names *n = xcalloc(1, sizeof(*n));

	n->resolver = r;
	n->memory = xcalloc(ANSWERS + 1, sizeof(*n->answers));
	n->answers = (struct answer *)
		(((uintptr_t)n->memory + sizeof(*n->answers) - 1) &
		 ~(uintptr_t)(sizeof(*n->answers) - 1));
	n->epoch = 1;
	return n;
}

void data_names_free(struct data_names *n)
{
	if (!n)
		return;
	images_free(&n->images);
	free(n->memory);
	free(n);
}

void data_names_forget(struct data_names *n)
{
	images_free(&n->images);
	n->latest.place = NULL;
	if (!++n->epoch) {
		memset(n->answers, 0, ANSWERS * sizeof(*n->answers));
		n->epoch = 1;
	}
}

const bool *data_names_doubts(const struct data_names *n)
{
	return n->doubts;
}

const char *data_names_missing(const struct resolver *r)
{
	return !r->session || r->session->data_maps ? NULL :
	       "heap, stacks and mapped files have none, because the recording has no mappings of data; record with 'perf spe record' or perf record -d";
}

/* Whether an address of @image is in memory that the loader mapped as @map */
static bool image_has(const struct image *image, const struct map *map,
		      uint64_t address)
{
	const struct segment *s = image_segment(image, address);
	uint64_t bss;

	if (!s)
		return false;
	if (!strcmp(map->file, image->dso->name))
		return !map_other_file(map, &image->map);
	/* .bss has no bytes in the file; the kernel may join it with the heap. */
	bss = image->bias + s->vaddr + s->filesz;
	return (map_is_anonymous(map) || !strcmp(map->file, "[heap]")) &&
	       !(map->prot & PROT_EXEC) &&
	       address >= bss && map->start + PAGE_MAX > bss;
}

/* What is known of an address before its names are looked up */
struct found {
	uint64_t address;
	const struct image *image;	/* NULL: in none */
	const struct map *map;		/* NULL: none is known */
};

static void find_memory(struct data_names *n, const struct process *p,
			uint64_t time, struct found *f)
{
	const struct resolver *r = n->resolver;

	f->map = time != UINT64_MAX ? process_memory_at(p, f->address, time) : NULL;
	/* Nothing has a time: all mappings must agree. */
	if (time == UINT64_MAX && !process_memory_only(p, f->address, &f->map)) {
		n->doubts[process_is_crowded(p, f->address) ? DOUBT_CROWD : DOUBT_TIME] = true;
		f->map = NULL;
		f->image = NULL;
		return;
	}
	if (!f->map && process_is_cut(p))
		n->doubts[DOUBT_FORKS] = true;
	f->image = images_find(&n->images, r->symbols, p, f->address, time);
	if (f->image && (f->map ? !image_has(f->image, f->map, f->address) :
				  !image_segment(f->image, f->address)))
		f->image = NULL;
}

/* The names in a program or library; sets the part of @a that has the same name. */
static void name_image(const struct data_names *n, const struct image *image,
		       uint64_t address, struct answer *a)
{
	const struct segment *s = image_segment(image, address);
	uint64_t own = address - image->bias;
	const struct symtab *t;
	const struct symbol *symbol;

	a->place.kind = !s->written || s->code ? DATA_RODATA :
			own - s->vaddr < s->filesz ? DATA_DATA : DATA_BSS;
	a->place.object = image->dso->name;
	a->place.has_base = true;
	a->place.base = image->bias;
	elf_lock();
	t = symbols_data(n->resolver->symbols, image->dso);
	elf_unlock();
	symbol = symtab_find(t, own);
	/* Code has constants of its own, between the instructions. */
	if (!symbol && a->place.kind == DATA_RODATA) {
		t = &image->dso->symtab;
		symbol = symtab_find(t, own);
		if (symbol && symbol->rank == RANK_UNNAMED)
			symbol = NULL;
	}
	if (!symbol)
		return;
	a->place.symbol = symtab_name(t, symbol);
	a->place.base = symbol->start + image->bias;
	a->low = a->place.base;
	a->high = symbol->end + image->bias;
}

static void name_map(const struct map *map, struct answer *a)
{
	struct data_place *place = &a->place;

	place->object = map->file;
	a->low = 0;
	a->high = UINT64_MAX;
	if (map_is_anonymous(map)) {
		place->kind = DATA_ANONYMOUS;
		place->object = "[anon]";
	} else if (!strcmp(map->file, "[heap]")) {
		place->kind = DATA_HEAP;
	} else if (!strncmp(map->file, "[stack", 6)) {
		place->kind = DATA_STACK;
	} else if (!strncmp(map->file, "[v", 2)) {
		place->kind = DATA_VDSO;
	} else {
		place->kind = DATA_FILE;
		place->has_base = true;
		place->base = map->start - map->pgoff;
	}
}

/* A map_fn: whether the answer would be the same with @map */
static bool fits(void *context, const struct map *map)
{
	const struct found *f = context;
	const struct map *one = f->map;

	if (f->image)
		return image_has(f->image, map, f->address);
	if (!one)
		return false;
	if (strcmp(map->file, one->file))
		return false;
	return map->file[0] != '/' || map_is_anonymous(map) ||
	       map->start - map->pgoff == one->start - one->pgoff;
}

/* Whether the answer is the same from *@from on */
static bool is_stable(struct data_names *n, const struct process *p, struct found *f,
		      uint64_t *from)
{
	if (!images_stable(&n->images, n->resolver->symbols, p, f->address, from) ||
	    (*from && !f->image))
		return false;
	if (f->map && f->map->time > *from)
		*from = f->map->time;
	while (p && process_any_all(p, f->address, fits, f))
		p = p->parent;
	return !p;
}

/* Fills @a; false if it must not be kept. */
static bool name_user(struct data_names *n, const struct process *p, uint64_t address,
		      uint64_t time, struct answer *a)
{
	struct found f = { .address = address };

	if (!p)
		return false;
	find_memory(n, p, time, &f);
	if (f.image)
		name_image(n, f.image, address, a);
	else if (f.map)
		name_map(f.map, a);
	return is_stable(n, p, &f, &a->from);
}

static struct answer *answer_at(const struct data_names *n, uint32_t owner,
				uint64_t key)
{
	return &n->answers[hash_add(owner, key) & (ANSWERS - 1)];
}

static bool answers(const struct data_names *n, const struct answer *a, uint32_t owner,
		    uint64_t address, uint64_t time)
{
	return a->epoch == n->epoch && a->owner == owner && address >= a->low &&
	       address < a->high && time >= a->from;
}

/* Keep an answer for its page if it holds there, or else for 8 bytes. */
static void keep(struct data_names *n, struct answer *a, uint64_t address)
{
	uint64_t page = address & ~(PAGE - 1);
	bool whole = a->low <= page && a->high - page >= PAGE;

	a->epoch = n->epoch;
	/* In the next page another mapping may begin. */
	if (a->low < page)
		a->low = page;
	if (a->high - page > PAGE)
		a->high = page + PAGE;
	*answer_at(n, a->owner, whole ? page : address >> 3 | UINT64_C(1) << 63) = *a;
}

static const struct data_place *find(struct data_names *n, const struct owner *owner,
				     uint32_t number, uint64_t address, uint64_t time)
{
	const struct answer *at = answer_at(n, number, address & ~(PAGE - 1));
	struct answer a = { .low = address, .high = address + 1, .owner = number };
	bool stable;

	if (answers(n, at, number, address, time))
		return &at->place;
	at = answer_at(n, number, address >> 3 | UINT64_C(1) << 63);
	if (answers(n, at, number, address, time))
		return &at->place;
	stable = address >> 63 ?
		data_kernel_find(&n->kernel, n->resolver, address, &a.low, &a.high, &a.place) :
		name_user(n, owner->process, address, time, &a);
	n->latest.room = a.place;
	if (stable)
		keep(n, &a, address);
	return &n->latest.room;
}

/* The host's kernel and mappings are not the guest's. */
static const struct data_place *find_of_guest(struct data_names *n, const struct owner *owner, uint64_t address)
{
	struct data_place *place = &n->of_guest;
	struct guest_variable v;

	*place = (struct data_place){ 0 };
	if (address >> 63 && guests_variable(&n->resolver->symbols->guests, owner, address, &v))
		*place = (struct data_place){
			.kind = v.module ? DATA_MODULE : DATA_KERNEL, .has_base = true,
			.object = v.object, .symbol = v.name, .base = v.start,
		};
	return place;
}

const struct data_place *data_names_find(struct data_names *n, const struct owner *owner,
					 uint64_t raw, uint64_t time)
{
	const uint64_t address = armspe_addr_virtual(raw);
	const uint32_t number = address >> 63 ? KERNEL : owner_number(*owner);

	if (owner->guest)
		return find_of_guest(n, owner, address);
	if (n->latest.place && n->latest.address == address && n->latest.owner == number &&
	    n->latest.time == time)
		return n->latest.place;
	n->latest.address = address;
	n->latest.owner = number;
	n->latest.time = time;
	n->latest.place = find(n, owner, number, address, time);
	return n->latest.place;
}

bool data_names_file(struct data_names *n, const struct owner *owner, uint64_t raw, uint64_t time,
		     struct dso **dso, uint64_t *address)
{
	const enum data_kind kind = data_names_find(n, owner, raw, time)->kind;
	struct found f = { .address = armspe_addr_virtual(raw) };

	/* The cache has no room for the file. */
	if (kind != DATA_DATA && kind != DATA_BSS && kind != DATA_RODATA)
		return false;
	find_memory(n, owner->process, time, &f);
	if (!f.image)
		return false;
	*dso = f.image->dso;
	*address = f.address - f.image->bias;
	return true;
}

const char *data_kind_name(enum data_kind kind)
{
	static const char *const names[] = {
		[DATA_UNKNOWN] = "unknown", [DATA_HEAP] = "heap",
		[DATA_STACK] = "stack", [DATA_ANONYMOUS] = "anonymous",
		[DATA_FILE] = "file", [DATA_VDSO] = "vdso", [DATA_DATA] = "data",
		[DATA_BSS] = "bss", [DATA_RODATA] = "rodata",
		[DATA_KERNEL] = "kernel", [DATA_MODULE] = "module",
		[DATA_LINEAR] = "linear-map", [DATA_VMALLOC] = "vmalloc",
		[DATA_VMEMMAP] = "vmemmap", [DATA_FIXMAP] = "fixmap",
		[DATA_PCI_IO] = "pci-io",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == NR_DATA_KINDS,
		       "a name for each kind");
	return names[kind];
}

static const char *short_name(const char *object)
{
	const char *slash = object[0] == '/' ? strrchr(object, '/') : NULL;

	return slash && slash[1] ? slash + 1 : object;
}

char *data_place_text(const struct data_place *place, uint64_t address)
{
	const char *in = place->block ? "from" : "in";
	uint64_t offset = address - place->base;

	if (!place->object)
		return xformat("%s", "");
	if (place->symbol && offset)
		return xformat("%s+0x%" PRIx64 " %s %s", place->symbol, offset, in,
			       short_name(place->object));
	if (place->symbol)
		return xformat("%s %s %s", place->symbol, in, short_name(place->object));
	if (!place->has_base)
		return xformat("%s", short_name(place->object));
	return xformat("%s+0x%" PRIx64 "%s%s", short_name(place->object), offset,
		       place->kind == DATA_FILE ? "" : ", ",
		       place->kind == DATA_FILE ? "" : data_kind_name(place->kind));
}
