// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* Lines are stored in 16 bits. */
static uint32_t offset_of(int line, const struct inline_frame *frame)
{
	return (uint32_t)(line - frame->line) & 0xffff;
}

/*
 * LLVM stores several numbers in a discriminator (DILocation.h, "base discriminator").  The
 * first one is 0 if bit 0 is set, and else has 5 bits, or, with bit 6 set, 12 bits around
 * that bit.
 */
static uint32_t base_of(const struct source_profile *p, uint32_t discriminator)
{
	uint32_t value = discriminator >> 1;

	if (!p->llvm)
		return discriminator;
	if (discriminator & 1)
		return 0;
	return value & 0x20 ? (value & 0x1f) | (value >> 1 & 0xfe0) : value & 0x1f;
}

static struct source_function *function_of(struct source_function *in, const char *name,
					   uint32_t offset, uint32_t discriminator)
{
	struct source_function *f;
	size_t i;

	for (i = in->nr_inlined; i-- > 0; ) {
		f = &in->inlined[i];
		if (f->offset == offset && f->discriminator == discriminator &&
		    !strcmp(f->name, name))
			return f;
	}
	in->inlined = array_grow(in->inlined, in->nr_inlined, &in->room_inlined,
				 sizeof(*in->inlined));
	f = &in->inlined[in->nr_inlined++];
	*f = (struct source_function){
		.name = name, .offset = offset, .discriminator = discriminator,
	};
	return f;
}

static struct source_line *line_of(struct source_function *f, uint32_t offset,
				   uint32_t discriminator)
{
	size_t i;

	for (i = f->nr_lines; i-- > 0; )
		if (f->lines[i].offset == offset &&
		    f->lines[i].discriminator == discriminator)
			return &f->lines[i];
	f->lines = array_grow(f->lines, f->nr_lines, &f->room_lines, sizeof(*f->lines));
	f->lines[f->nr_lines] = (struct source_line){
		.offset = offset, .discriminator = discriminator,
	};
	return &f->lines[f->nr_lines++];
}

/*
 * Add the count of the instruction at @address.  Returns its line, valid until the next
 * call; NULL without DWARF for it.
 */
static struct source_line *add_count(struct source_profile *p, struct dso *dso,
				     uint64_t address, uint64_t count)
{
	struct inline_frame frames[INLINE_DEPTH];
	size_t n = inline_find(dso, address, frames, INLINE_DEPTH), i;
	struct source_function *f = &p->root;
	unsigned int discriminator;
	struct source_line *line;
	int number;

	if (!n || !srcline_block(dso, address, &number, &discriminator))
		return NULL;
	for (i = n; i-- > 0; ) {
		const struct inline_frame *outer = i + 1 < n ? &frames[i + 1] : NULL;

		if (!frames[i].name)
			return NULL;
		f = function_of(f, frames[i].name,
				outer ? offset_of(frames[i].call_line, outer) : 0,
				outer ? base_of(p, frames[i].call_discriminator) : 0);
	}
	line = line_of(f, offset_of(number, &frames[0]), base_of(p, discriminator));
	if (p->sum == SOURCE_SUM)
		line->count += count;
	else if (line->count < count)
		line->count = count;
	return line;
}

static void add_call(struct source_line *line, const char *callee, uint64_t count)
{
	size_t i;

	for (i = 0; i < line->nr_calls; i++)
		if (!strcmp(line->calls[i].callee, callee))
			break;
	if (i == line->nr_calls) {
		line->calls = array_grow(line->calls, line->nr_calls, &line->room_calls,
					 sizeof(*line->calls));
		line->calls[line->nr_calls++] = (struct source_call){ callee, 0 };
	}
	line->calls[i].count += count;
}

/* A change of the count, at an address */
struct change {
	uint64_t address;
	int64_t count;
};

static int change_order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void add_ranges(struct source_profile *p, struct dso *dso,
		       const struct flow_list *list)
{
	struct change *changes = xcalloc(2 * flow_nr(list, FLOW_RANGE) + 1,
					 sizeof(*changes));
	const struct flow *flow;
	int64_t count = 0;
	size_t n = 0, i;

	flow_each(flow, list, FLOW_RANGE) {
		changes[n++] = (struct change){ flow->from, (int64_t)flow->count };
		changes[n++] = (struct change){ flow->to + 4, -(int64_t)flow->count };
	}
	qsort(changes, n, sizeof(*changes), change_order);
	for (i = 0; i + 1 < n; i++) {
		uint64_t at = changes[i].address;

		count += changes[i].count;
		for (; count > 0 && at < changes[i + 1].address; at += 4)
			add_count(p, dso, at, (uint64_t)count);
	}
	free(changes);
}

static void add_branch(struct source_profile *p, struct dso *dso,
		       const struct a64_code *code, const struct flow *flow)
{
	const struct symbol *to = symtab_find(&dso->symtab, flow->to);
	struct inline_frame frames[INLINE_DEPTH];
	struct source_line *line;
	uint32_t word;
	size_t n;

	if (!to || to->start != flow->to || !a64_code_word(code, flow->from, &word) ||
	    a64_branch(word, flow->from).kind == A64_RETURN)
		return;
	n = inline_find(dso, flow->to, frames, INLINE_DEPTH);
	if (n && frames[n - 1].name)
		function_of(&p->root, frames[n - 1].name, 0, 0)->head += flow->count;
	line = a64_is_call(a64_branch(word, flow->from).kind) ?
		add_count(p, dso, flow->from, 0) : NULL;
	if (line)
		add_call(line, to->name, flow->count);
}

void source_profile_flows(struct source_profile *p, struct dso *dso,
			  const struct flow_list *list)
{
	const struct flow *flow;
	struct a64_code code;

	add_ranges(p, dso, list);
	if (!a64_code_open(&code, dso))
		return;
	flow_each(flow, list, FLOW_BRANCH)
		add_branch(p, dso, &code, flow);
	a64_code_close(&code);
}

static int place_order(uint32_t a, uint32_t a2, uint32_t b, uint32_t b2)
{
	if (a != b)
		return a < b ? -1 : 1;
	return a2 < b2 ? -1 : a2 > b2;
}

static int line_order(const void *a, const void *b)
{
	const struct source_line *x = a, *y = b;

	return place_order(x->offset, x->discriminator, y->offset, y->discriminator);
}

static int function_order(const void *a, const void *b)
{
	const struct source_function *x = a, *y = b;
	int order = place_order(x->offset, x->discriminator, y->offset,
				y->discriminator);

	return order ? order : strcmp(x->name, y->name);
}

static int call_order(const void *a, const void *b)
{
	return strcmp(((const struct source_call *)a)->callee,
		      ((const struct source_call *)b)->callee);
}

static void finish(struct source_function *f)
{
	size_t i;

	f->total = 0;
	for (i = 0; i < f->nr_lines; i++) {
		f->total += f->lines[i].count;
		if (f->lines[i].nr_calls)
			qsort(f->lines[i].calls, f->lines[i].nr_calls,
			      sizeof(*f->lines[i].calls), call_order);
	}
	for (i = 0; i < f->nr_inlined; i++) {
		finish(&f->inlined[i]);
		f->total += f->inlined[i].total;
	}
	if (f->nr_lines)
		qsort(f->lines, f->nr_lines, sizeof(*f->lines), line_order);
	if (f->nr_inlined)
		qsort(f->inlined, f->nr_inlined, sizeof(*f->inlined), function_order);
}

void source_profile_finish(struct source_profile *p)
{
	finish(&p->root);
}

static void free_function(struct source_function *f)
{
	size_t i;

	for (i = 0; i < f->nr_lines; i++)
		free(f->lines[i].calls);
	for (i = 0; i < f->nr_inlined; i++)
		free_function(&f->inlined[i]);
	free(f->lines);
	free(f->inlined);
}

void source_profile_free(struct source_profile *p)
{
	free_function(&p->root);
}
