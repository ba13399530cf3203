// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of functions of a compilation unit becomes a sorted array of segments:
 * each begins at an address and names the innermost function there.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

#define NO_NODE		UINT32_MAX
/* DWARF's extension of GCC and LLVM; dwarf.h does not name it. */
#define AT_GNU_DISCRIMINATOR	0x2136

/* A function, or one that was inlined into its parent */
struct node {
	uint32_t parent;	/* NO_NODE: a function of its own */
	struct inline_frame frame;
};

/* [low, high) belongs to a node or to a unit. */
struct span {
	uint64_t low, high;
	uint32_t of;
};

struct segment_start {
	uint64_t address;	/* up to the next one */
	uint32_t node;		/* NO_NODE: no function */
};

struct unit {
	Dwarf_Off die;
	bool read;
	struct node *nodes;
	struct segment_start *segments;
	size_t nr_nodes, nr_segments;
};

struct inlines {
	struct unit *units;
	struct span *ranges;	/* of units, by address */
	size_t nr_units, nr_ranges;
	struct string_set names;
	bool mangled;
};

/* A unit that is being read */
struct reader {
	struct inlines *in;
	struct unit *unit;
	Dwarf_Files *files;
	size_t nr_files;
	struct span *ranges;
	size_t nr_ranges, room_ranges, room_nodes, room_segments;
};

static void add_ranges(Dwarf_Die *die, uint32_t of, struct span **ranges,
		       size_t *count, size_t *room)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		*ranges = array_grow(*ranges, *count, room, sizeof(**ranges));
		(*ranges)[(*count)++] = (struct span){ low, high, of };
	}
}

/* By address; of ranges that begin together the largest, which is the outermost */
static int range_order(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

static const char *name_of(struct inlines *in, Dwarf_Die *die)
{
	const char *linkage = linkage_name(die), *name;
	char *plain;

	if (linkage && in->mangled)
		return linkage;
	plain = linkage ? demangle(linkage) : NULL;
	if (!plain)
		return dwarf_diename(die);
	name = string_set_add(&in->names, plain);
	free(plain);
	return name;
}

static void read_call(const struct reader *r, Dwarf_Die *die,
		      struct inline_frame *frame)
{
	Dwarf_Word file, line;
	Dwarf_Attribute attr;

	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) &&
	    file < r->nr_files)
		frame->call_file = dwarf_filesrc(r->files, file, NULL, NULL);
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) &&
	    line <= INT32_MAX)
		frame->call_line = (int)line;
	if (!dwarf_formudata(dwarf_attr(die, AT_GNU_DISCRIMINATOR, &attr), &line) &&
	    line <= UINT32_MAX)
		frame->call_discriminator = (unsigned int)line;
}

static uint32_t add_node(struct reader *r, Dwarf_Die *die, uint32_t parent)
{
	struct unit *unit = r->unit;
	struct node *node;

	unit->nodes = array_grow(unit->nodes, unit->nr_nodes, &r->room_nodes,
				 sizeof(*unit->nodes));
	node = &unit->nodes[unit->nr_nodes];
	*node = (struct node){ .parent = parent };
	node->frame.name = name_of(r->in, die);
	node->frame.file = die_file(die);
	if (dwarf_decl_line(die, &node->frame.line))
		node->frame.line = 0;
	if (parent != NO_NODE)
		read_call(r, die, &node->frame);
	add_ranges(die, (uint32_t)unit->nr_nodes, &r->ranges, &r->nr_ranges,
		   &r->room_ranges);
	return (uint32_t)unit->nr_nodes++;
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

static void walk(struct reader *r, Dwarf_Die *parent, uint32_t inside,
		 unsigned int depth)
{
	Dwarf_Die die;
	int more;

	if (depth == DIE_DEEPEST)
		return;
	for (more = dwarf_child(parent, &die); !more;
	     more = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (has_code(&die))
				walk(r, &die, add_node(r, &die, NO_NODE),
				     depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			if (inside != NO_NODE && has_code(&die))
				walk(r, &die, add_node(r, &die, inside),
				     depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
			walk(r, &die, inside, depth + 1);
			break;
		default:
			break;
		}
	}
}

static void add_segment(struct reader *r, uint64_t address, uint32_t node)
{
	struct unit *unit = r->unit;

	if (unit->nr_segments &&
	    unit->segments[unit->nr_segments - 1].address == address)
		unit->nr_segments--;
	unit->segments = array_grow(unit->segments, unit->nr_segments,
				    &r->room_segments,
				    sizeof(*unit->segments));
	unit->segments[unit->nr_segments++] =
		(struct segment_start){ address, node };
}

/*
 * Ranges nest.  Go over them by address and keep those that have not ended on a
 * stack; where one ends, the next one below is the innermost again.
 */
static void flatten(struct reader *r)
{
	struct span *stack = xcalloc(r->nr_ranges, sizeof(*stack));
	size_t depth = 0, i;

	if (r->nr_ranges)
		qsort(r->ranges, r->nr_ranges, sizeof(*r->ranges), range_order);
	for (i = 0; i <= r->nr_ranges; i++) {
		struct span next = { UINT64_MAX, UINT64_MAX, NO_NODE };

		if (i < r->nr_ranges)
			next = r->ranges[i];
		while (depth && stack[depth - 1].high <= next.low) {
			depth--;
			add_segment(r, stack[depth].high,
				    depth ? stack[depth - 1].of : NO_NODE);
		}
		/* Damaged DWARF: a range does not outlast the one around it. */
		if (depth && next.high > stack[depth - 1].high)
			next.high = stack[depth - 1].high;
		if (i == r->nr_ranges || next.low >= next.high)
			continue;
		stack[depth++] = next;
		add_segment(r, next.low, next.of);
	}
	free(stack);
}

static void unit_read(struct inlines *in, struct unit *unit, Dwarf *dwarf)
{
	struct reader r = { .in = in, .unit = unit };
	Dwarf_Die die;

	unit->read = true;
	if (!dwarf_offdie(dwarf, unit->die, &die))
		return;
	if (dwarf_getsrcfiles(&die, &r.files, &r.nr_files))
		r.nr_files = 0;
	walk(&r, &die, NO_NODE, 0);
	flatten(&r);
	free(r.ranges);
}

static struct inlines *inlines_new(Dwarf *dwarf, bool mangled)
{
	struct inlines *in = xcalloc(1, sizeof(*in));
	size_t header, room = 0, room_ranges = 0;
	Dwarf_Off at = 0, next;

	in->mangled = mangled;
	for (; dwarf && !dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL,
				      NULL); at = next) {
		Dwarf_Die die;

		if (!dwarf_offdie(dwarf, at + header, &die) ||
		    dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		in->units = array_grow(in->units, in->nr_units, &room,
				       sizeof(*in->units));
		in->units[in->nr_units] =
			(struct unit){ .die = dwarf_dieoffset(&die) };
		add_ranges(&die, (uint32_t)in->nr_units++, &in->ranges,
			   &in->nr_ranges, &room_ranges);
	}
	if (in->nr_ranges)
		qsort(in->ranges, in->nr_ranges, sizeof(*in->ranges),
		      range_order);
	return in;
}

static struct unit *unit_find(const struct inlines *in, uint64_t address)
{
	size_t low = 0, high = in->nr_ranges;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (in->ranges[mid].low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || address >= in->ranges[low - 1].high)
		return NULL;
	return &in->units[in->ranges[low - 1].of];
}

static uint32_t node_find(const struct unit *unit, uint64_t address)
{
	size_t low;

	lower_bound(low, unit->nr_segments, unit->segments[low].address <= address);
	return low ? unit->segments[low - 1].node : NO_NODE;
}

static size_t copy_frames(const struct unit *unit, uint32_t node,
			  struct inline_frame *frames, size_t room)
{
	size_t count = 0;

	while (node != NO_NODE && count < room) {
		/* The last place is for the function that has a symbol. */
		while (count == room - 1 && unit->nodes[node].parent != NO_NODE)
			node = unit->nodes[node].parent;
		frames[count++] = unit->nodes[node].frame;
		node = unit->nodes[node].parent;
	}
	return count;
}

size_t inline_find(struct dso *dso, uint64_t address,
		   struct inline_frame *frames, size_t room)
{
	struct unit *unit;
	size_t count = 0;
	Dwarf *dwarf;

	elf_lock();
	dwarf = srclines_dwarf(dso);
	if (!dso->inlines)
		dso->inlines = inlines_new(dwarf, dso->symtab.mangled_names);
	unit = unit_find(dso->inlines, address);
	if (unit && !unit->read)
		unit_read(dso->inlines, unit, dwarf);
	if (unit)
		count = copy_frames(unit, node_find(unit, address), frames,
				    room);
	elf_unlock();
	return count;
}

bool inline_line(struct dso *dso, uint64_t address, const char **file, int *line)
{
	struct inline_frame in[INLINE_DEPTH];
	const size_t count = inline_find(dso, address, in, INLINE_DEPTH);

	if (count < 2)
		return srcline_find(dso, address, file, line);
	*file = in[count - 2].call_file;
	*line = in[count - 2].call_line;
	return *file && *line;
}

void inlines_free(struct inlines *in)
{
	size_t i;

	if (!in)
		return;
	for (i = 0; i < in->nr_units; i++) {
		free(in->units[i].nodes);
		free(in->units[i].segments);
	}
	free(in->units);
	free(in->ranges);
	string_set_free(&in->names);
	free(in);
}
