// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "analysis/flow/flow.h"
#include "armspe.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"

/* Whether the user named @object, by its path or its file name */
static bool is_object(const struct flow_collector *c, const char *object)
{
	const char *slash = strrchr(object, '/');

	return !strcmp(object, c->object) ||
	       (slash && !strcmp(slash + 1, c->object));
}

/* Whether record @i is of the collector's object */
static bool is_wanted(const struct flow_collector *c, const struct row_batch *b, size_t i)
{
	return b->place[i]->dso && is_object(c, b->place[i]->object);
}

/* The place of an address packet; false if there is none, or in no known file. */
static bool address_place(const struct flow_collector *c, const struct row_batch *b, size_t i,
			  unsigned int index, struct place *place)
{
	if (!(b->addr_valid[i] >> index & 1))
		return false;
	resolve_address(&c->rows->resolver, *batch_owner(b, i), b->cols.addr[index][i], b->time[i],
			place);
	return place->dso;
}

/* No straight code is longer; the record of a branch in between must be missing. */
#define RANGE_MAX 65536

/* From the previous branch's target to the sampled instruction the CPU ran in sequence. */
static void add_range(struct flow_collector *c, const struct row_batch *b, size_t i,
		      uint64_t weight)
{
	struct flow key = {
		.kind = FLOW_RANGE, .to = b->place[i]->file_address, .count = weight,
		.ends_in_branch = batch_op(b, i)->flags & ARMSPE_OPF_BRANCH,
	};
	struct place previous;

	if (!address_place(c, b, i, SPE_ADDR_PREV_TARGET, &previous) ||
	    previous.dso != b->place[i]->dso)
		return;
	key.from = previous.file_address;
	if (key.from <= key.to && key.to - key.from <= RANGE_MAX)
		flow_add(&c->table, &key);
}

static void add_branch(struct flow_collector *c, const struct row_batch *b, size_t i,
		       uint64_t weight)
{
	struct flow key = {
		.kind = FLOW_BRANCH, .from = b->place[i]->file_address, .count = weight,
	};
	const uint64_t events = batch_events(b, i);
	struct place target;

	if (events >> SPE_EVENT_NOT_TAKEN & 1) {
		key.kind = FLOW_STEP;
		key.to = key.from + 4;
	} else if (address_place(c, b, i, SPE_ADDR_TARGET, &target) &&
		   target.dso == b->place[i]->dso) {
		key.to = target.file_address;
		c->targets++;
	} else {
		key.kind = FLOW_AWAY;
	}
	if (events >> SPE_EVENT_MISPREDICTED & 1)
		key.mispredicted = weight;
	flow_add(&c->table, &key);
}

/* A branch of another file may go to the object. */
static void add_entry(struct flow_collector *c, const struct row_batch *b, size_t i,
		      uint64_t weight)
{
	struct flow key = { .kind = FLOW_ENTRY, .count = weight };
	struct place target;

	if (batch_events(b, i) >> SPE_EVENT_NOT_TAKEN & 1 ||
	    !address_place(c, b, i, SPE_ADDR_TARGET, &target) ||
	    !is_object(c, target.object))
		return;
	key.from = key.to = target.file_address;
	flow_add(&c->table, &key);
}

static void collect(struct flow_collector *c, const struct row_batch *b, size_t i, uint64_t weight)
{
	const uint32_t memory = ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE;
	const uint32_t flags = batch_op(b, i)->flags;
	struct flow key = { .kind = FLOW_ADDRESS, .count = weight };
	struct load_miss *load;

	if (!is_wanted(c, b, i)) {
		c->fileless += !b->place[i]->dso && is_object(c, b->place[i]->object);
		if (flags & ARMSPE_OPF_BRANCH)
			add_entry(c, b, i, weight);
		return;
	}
	c->samples++;
	c->weight += weight;
	if (!c->dso)
		c->dso = b->place[i]->dso;
	key.from = key.to = b->place[i]->file_address;
	flow_add(&c->table, &key);
	add_range(c, b, i, weight);
	load = c->misses ? load_misses_at(c->misses, b, i) : NULL;
	if (load)
		load_misses_add(c->misses, load, b, i, weight);
	if (flags & ARMSPE_OPF_BRANCH)
		add_branch(c, b, i, weight);
	else if (!(flags & memory))
		c->other_operations = true;
}

/* A sample stands for the operations of its interval, where that is known. */
void flow_collect(void *collector, const struct row_batch *b)
{
	struct flow_collector *c = collector;
	uint64_t period = profile_period(b->rows->resolver.session, b->piece, &c->intervals);
	size_t k;

	for (k = 0; k < b->nr; k++)
		collect(c, b, b->kept[k], period ? period : 1);
}

void flow_collect_end(struct flow_collector *c, struct flow_samples *to)
{
	memset(to, 0, sizeof(*to));
	flow_list_of(&to->list, &c->table);
	to->branches_only = !c->other_operations;
	to->unit = c->samples ? (double)c->weight / (double)c->samples : 1;
	flow_samples_index(to);
}
