// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

static const struct hash_kind page_table = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct tier_page, address), HASH_NUMBER(struct tier_page, whose) },
};

static struct tier_page *page_get(struct tier *t, const struct tier_page *like)
{
	struct tier_page **slot = hash_table_add(&t->table, &page_table, like);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->address = like->address;
		(*slot)->whose = like->whose;
		(*slot)->pid = like->pid;
		(*slot)->comm = like->comm;
		(*slot)->node = NODE_UNKNOWN;
	}
	return *slot;
}

static struct tier_user *user_get(struct tier_page *page, int32_t node)
{
	struct tier_user *user;
	size_t i;

	for (i = 0; i < page->nr_users; i++)
		if (page->users[i].node == node)
			return &page->users[i];
	page->users = array_grow(page->users, page->nr_users, &page->room_users, sizeof(*user));
	user = &page->users[page->nr_users++];
	memset(user, 0, sizeof(*user));
	user->node = node;
	return user;
}

/* The same as add_node() of pages.c */
static void set_node(struct tier_page *page, int32_t node)
{
	if (page->node == NODE_UNKNOWN)
		page->node = node;
	else if (node != NODE_UNKNOWN && node != page->node)
		page->node = NODE_SEVERAL;
}

/* Whether the data of record @i came from another socket */
static bool from_afar(struct tier *t, const struct row_batch *b, size_t i)
{
	struct armspe_source source;
	uint64_t midr;

	if (batch_events(b, i) >> SPE_EVENT_REMOTE_ACCESS & 1) {
		t->told++;
		return true;
	}
	/* The packet of a store has no meaning. */
	if (!(b->valid[i] & ARMSPE_HAS_SOURCE) || batch_op(b, i)->flags & ARMSPE_OPF_STORE ||
	    !batch_midr(b, &midr) || !armspe_source_decode(midr, b->source[i], &source))
		return false;
	t->told++;
	return source.flags & ARMSPE_SOURCE_REMOTE;
}

/* nodes_add() counts more than a page needs, so this counts physical addresses itself. */
static void add(struct tier *t, const struct row_batch *b, size_t i)
{
	const struct owner *owner = batch_owner(b, i);
	struct tier_page key, *page;
	struct tier_user *user;
	uint64_t address;
	int32_t node, memory;

	if (!(b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1))
		return;
	address = armspe_addr_virtual(b->va[i]);
	t->samples++;
	/* The address of a guest of KVM is none of its VM's process. */
	if (address >> 63 || owner->pid == NO_ID || owner->guest)
		return;
	node = nodes_of_cpu(&t->nodes, b->piece->cpu);
	if (node == NODE_UNKNOWN)
		return;
	t->placed++;
	key = (struct tier_page){
		.address = address & ~(uint64_t)(PAGE_BYTES - 1), .whose = owner_number(*owner),
		.pid = owner->pid,
		.comm = owner->process ? owner->process->comm : owner->comm,
	};
	page = page_get(t, &key);
	user = user_get(page, node);
	user->samples++;
	memory = nodes_of_row(&t->nodes, b, i);
	t->nodes.physical += b->addr_valid[i] >> SPE_ADDR_DATA_PA & 1;
	set_node(page, memory);
	t->local += memory == node;
	/* Memory of this node, but another socket's cache had the line: it would not move. */
	if (!from_afar(t, b, i) || memory == node)
		return;
	user->far++;
	user->cycles += batch_cycles(b, i);
	t->far++;
}

void tier_add(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		add(context, b, b->kept[k]);
}

/* Add everything but the nodes of CPUs and memory. */
static void free_samples(void *tier)
{
	struct tier *t = tier;
	struct tier_page **slot = NULL;

	while ((slot = hash_table_next(&t->table, &page_table, slot))) {
		free((*slot)->users);
		free(*slot);
	}
	hash_table_free(&t->table);
	free(t->chosen);
}

static void part_begin(void *part, const void *like)
{
	const struct tier *of = like;
	const struct tier options = {
		.least = of->least, .share = of->share,
		.nodes = { .cpus = of->nodes.cpus, .memory = of->nodes.memory },
	};

	free_samples(part);
	*(struct tier *)part = options;
}

static void part_merge(void *whole, void *part)
{
	const struct tier *from = part;
	struct tier *t = whole;
	struct tier_page **slot = NULL;
	size_t i;

	while ((slot = hash_table_next(&from->table, &page_table, slot))) {
		const struct tier_page *other = *slot;
		struct tier_page *page = page_get(t, other);

		set_node(page, other->node);
		for (i = 0; i < other->nr_users; i++) {
			struct tier_user *user = user_get(page, other->users[i].node);

			user->samples += other->users[i].samples;
			user->far += other->users[i].far;
			user->cycles += other->users[i].cycles;
		}
	}
	t->samples += from->samples;
	t->placed += from->placed;
	t->told += from->told;
	t->local += from->local;
	t->far += from->far;
	t->nodes.physical += from->nodes.physical;
}

const struct row_parts tier_parts = {
	sizeof(struct tier), part_begin, part_merge, free_samples,
};

bool tier_unknown(const struct tier *t)
{
	const struct node_ranges *cpus = &t->nodes.cpus;
	size_t i;

	for (i = 1; i < cpus->nr && cpus->of[i].node == cpus->of[0].node; i++)
		;
	return !t->told && t->local < t->placed && i < cpus->nr;
}

/* By the cost of far samples */
static int by_heat(const void *a, const void *b)
{
	const struct tier_page *x = *(struct tier_page *const *)a;
	const struct tier_page *y = *(struct tier_page *const *)b;

	if (x->to->cycles != y->to->cycles)
		return x->to->cycles > y->to->cycles ? -1 : 1;
	if (x->to->far != y->to->far)
		return x->to->far > y->to->far ? -1 : 1;
	if (x->whose != y->whose)
		return x->whose < y->whose ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* The node with most far samples; of equal ones the lowest, in whatever order they came */
static void find_target(struct tier_page *page)
{
	size_t i;

	page->samples = 0;
	page->to = NULL;
	for (i = 0; i < page->nr_users; i++) {
		const struct tier_user *user = &page->users[i];

		page->samples += user->samples;
		if (user->far && (!page->to || user->far > page->to->far ||
				  (user->far == page->to->far && user->node < page->to->node)))
			page->to = user;
	}
}

void tier_finish(struct tier *t)
{
	struct tier_page **slot = NULL;

	t->chosen = xcalloc(t->table.count + 1, sizeof(struct tier_page *));
	while ((slot = hash_table_next(&t->table, &page_table, slot))) {
		struct tier_page *page = *slot;

		find_target(page);
		if (!page->to)
			continue;
		if (page->to->far < t->least)
			t->few++;
		else if (page->to->samples * 100 < page->samples * t->share)
			t->shared++;
		else
			t->chosen[t->nr_chosen++] = page;
	}
	qsort(t->chosen, t->nr_chosen, sizeof(struct tier_page *), by_heat);
}

void tier_free(struct tier *t)
{
	free_samples(t);
	nodes_free(&t->nodes);
	memset(t, 0, sizeof(*t));
}
