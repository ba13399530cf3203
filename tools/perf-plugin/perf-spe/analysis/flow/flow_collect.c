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

static bool is_wanted(const struct flow_collector *c, const struct row *row)
{
	return row->place->dso && is_object(c, row->place->object);
}

/* The place of an address packet; false if there is none, or in no known file. */
static bool address_place(const struct flow_collector *c, const struct row *row,
			  unsigned int index, struct place *place)
{
	const struct armspe_record *rec = row->rec;

	if (!(rec->addr_valid >> index & 1))
		return false;
	resolve_address(&c->rows->resolver, row->owner, rec->addr[index], row->time, place);
	return place->dso;
}

/* No straight code is longer; the record of a branch in between must be missing. */
#define RANGE_MAX 65536

/* From the previous branch's target to the sampled instruction the CPU ran in sequence. */
static void add_range(struct flow_collector *c, const struct row *row, uint64_t weight)
{
	struct flow key = {
		.kind = FLOW_RANGE, .to = row->place->file_address, .count = weight,
		.ends_in_branch = row->op.flags & ARMSPE_OPF_BRANCH,
	};
	struct place previous;

	if (!address_place(c, row, SPE_ADDR_PREV_TARGET, &previous) ||
	    previous.dso != row->place->dso)
		return;
	key.from = previous.file_address;
	if (key.from <= key.to && key.to - key.from <= RANGE_MAX)
		flow_add(&c->table, &key);
}

static uint64_t events_of(const struct row *row)
{
	return row->rec->valid & ARMSPE_HAS_EVENTS ? row->rec->events : 0;
}

static void add_branch(struct flow_collector *c, const struct row *row, uint64_t weight)
{
	struct flow key = {
		.kind = FLOW_BRANCH, .from = row->place->file_address, .count = weight,
	};
	uint64_t events = events_of(row);
	struct place target;

	if (events >> SPE_EVENT_NOT_TAKEN & 1) {
		key.kind = FLOW_STEP;
		key.to = key.from + 4;
	} else if (address_place(c, row, SPE_ADDR_TARGET, &target) &&
		   target.dso == row->place->dso) {
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
static void add_entry(struct flow_collector *c, const struct row *row, uint64_t weight)
{
	struct flow key = { .kind = FLOW_ENTRY, .count = weight };
	struct place target;

	if (events_of(row) >> SPE_EVENT_NOT_TAKEN & 1 ||
	    !address_place(c, row, SPE_ADDR_TARGET, &target) ||
	    !is_object(c, target.object))
		return;
	key.from = key.to = target.file_address;
	flow_add(&c->table, &key);
}

/* A sample stands for the operations of its interval, where that is known. */
static uint64_t weight_of(struct flow_collector *c, const struct row *row)
{
	uint64_t period = profile_period(row->session, row->piece, &c->intervals);

	return period ? period : 1;
}

static void collect(void *collector, const struct row *row)
{
	struct flow_collector *c = collector;
	const uint32_t memory = ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE;
	uint64_t weight = weight_of(c, row);
	struct flow key = { .kind = FLOW_ADDRESS, .count = weight };

	if (!is_wanted(c, row)) {
		if (row->op.flags & ARMSPE_OPF_BRANCH)
			add_entry(c, row, weight);
		return;
	}
	c->samples++;
	c->weight += weight;
	if (!c->dso)
		c->dso = row->place->dso;
	key.from = key.to = row->place->file_address;
	flow_add(&c->table, &key);
	add_range(c, row, weight);
	if (c->misses)
		load_misses_add(c->misses, row, weight);
	if (row->op.flags & ARMSPE_OPF_BRANCH)
		add_branch(c, row, weight);
	else if (!(row->op.flags & memory))
		c->other_operations = true;
}

void flow_collect(void *collector, const struct row_batch *b)
{
	batch_each(b, collect, collector);
}

void flow_collect_end(struct flow_collector *c, struct flow_samples *to)
{
	memset(to, 0, sizeof(*to));
	flow_list_of(&to->list, &c->table);
	to->branches_only = !c->other_operations;
	to->unit = c->samples ? (double)c->weight / (double)c->samples : 1;
	flow_samples_index(to);
}
