// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* All images that a process ever had; a process is known by its number */
struct owned {
	uint32_t process;
	struct image *image;
	size_t count, room;
};

static const struct hash_kind owned_table = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct owned, process) },
};

/*
 * The segment that an executable mapping begins in.  Pages of a file that two segments
 * share are mapped for each, so the code segment comes first.
 */
static const struct segment *mapped_segment(const struct dso *dso,
					    const struct map *map)
{
	const struct segment *found = NULL;
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];

		if (s->offset >= map->pgoff + (map->end - map->start) ||
		    s->offset + s->filesz <= map->pgoff)
			continue;
		if (!found || (s->code && !found->code))
			found = s;
	}
	return found;
}

static void add_image(struct owned *o, struct symbols *syms, const struct map *map)
{
	struct image image = { .map = *map, .start = UINT64_MAX };
	const struct segment *s;
	size_t i;

	if (map->file[0] != '/' || map->file[1] == '/')
		return;
	elf_lock();
	image.dso = symbols_mapped(syms, map);
	elf_unlock();
	s = mapped_segment(image.dso, map);
	if (!s)
		return;
	image.bias = map->start - map->pgoff + s->offset - s->vaddr;
	for (i = 0; i < image.dso->nr_segments; i++) {
		s = &image.dso->segments[i];
		if (image.bias + s->vaddr < image.start)
			image.start = image.bias + s->vaddr;
		if (image.bias + s->vaddr + s->memsz > image.end)
			image.end = image.bias + s->vaddr + s->memsz;
	}
	o->image = array_grow(o->image, o->count, &o->room, sizeof(*o->image));
	o->image[o->count++] = image;
}

/* Add the images of @p, and of its parents from before it began. */
static void add_all(struct owned *o, struct symbols *syms, const struct process *p)
{
	uint64_t until = UINT64_MAX;
	size_t i;

	for (; p; p = p->parent) {
		for (i = 0; i < p->nr_maps; i++)
			if (p->maps[i].time <= until)
				add_image(o, syms, &p->maps[i]);
		if (p->inherited < until)
			until = p->inherited;
	}
}

static int image_order(const void *a, const void *b)
{
	const struct image *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static const struct owned *images_of(struct images *all, struct symbols *syms,
				     const struct process *p)
{
	struct owned **slot = hash_table_add(&all->by_process, &owned_table, &p->number);
	struct owned *o;

	if (*slot)
		return *slot;
	o = xcalloc(1, sizeof(*o));
	o->process = p->number;
	*slot = o;
	add_all(o, syms, p);
	if (o->count)
		qsort(o->image, o->count, sizeof(*o->image), image_order);
	return o;
}

/* Huge pages may have taken the place of the file's. */
static bool is_mapped(struct symbols *syms, const struct process *p, const struct image *image,
		      uint64_t time)
{
	const struct map *now = process_code_at(p, image->map.start, time), *below;

	if (now && now->file && jit_is_code(now)) {
		below = process_code_below(p, image->map.start, time, jit_is_code);
		now = below && symbols_may_be_moved(syms, p->pid, now, below) ? below : NULL;
	}
	return now && map_same_bytes(now, &image->map);
}

/* The only image that ever was at @address; *@several: there were others */
static const struct image *only_image(const struct owned *o, uint64_t address, bool *several)
{
	const struct image *found = NULL;
	size_t i;

	*several = false;
	for (i = 0; i < o->count && o->image[i].start <= address; i++) {
		const struct image *image = &o->image[i];

		if (address >= image->end)
			continue;
		if (found && (found->dso != image->dso || found->bias != image->bias)) {
			*several = true;
			return NULL;
		}
		if (!found || image->map.time < found->map.time)
			found = image;
	}
	return found;
}

const struct image *images_find(struct images *all, struct symbols *syms,
				const struct process *p, uint64_t address,
				uint64_t time)
{
	const struct owned *o = images_of(all, syms, p);
	const struct image *found = NULL;
	bool several;
	size_t i;

	if (time == UINT64_MAX)
		return only_image(o, address, &several);
	for (i = 0; i < o->count && o->image[i].start <= address; i++) {
		const struct image *image = &o->image[i];

		if (address < image->end && image->map.time <= time &&
		    (!found || image->map.time >= found->map.time) && is_mapped(syms, p, image, time))
			found = image;
	}
	return found;
}

bool images_stable(struct images *all, struct symbols *syms, const struct process *p,
		   uint64_t address, uint64_t *from)
{
	const struct owned *o = images_of(all, syms, p);
	const struct image *one;
	bool several;

	*from = 0;
	one = only_image(o, address, &several);
	return !several && (!one || process_code_always(p, one->map.start, from));
}

const struct segment *image_segment(const struct image *image, uint64_t address)
{
	size_t i;

	for (i = 0; i < image->dso->nr_segments; i++) {
		const struct segment *s = &image->dso->segments[i];

		if (address - image->bias - s->vaddr < s->memsz)
			return s;
	}
	return NULL;
}

void images_free(struct images *all)
{
	struct owned **slot = NULL;

	while ((slot = hash_table_next(&all->by_process, &owned_table, slot))) {
		free((*slot)->image);
		free(*slot);
	}
	hash_table_free(&all->by_process);
}
