// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

static const struct hash_kind load_table = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct load_miss, address) },
};

static const struct hash_kind latest_table = {
	HASH_SLOTS(struct load_latest, used),
	.key = {
		HASH_NUMBER(struct load_latest, instruction), HASH_NUMBER(struct load_latest, tid),
		HASH_NUMBER(struct load_latest, cpu),
	},
};

struct load_miss *load_misses_at(struct load_misses *m, const struct row_batch *b, size_t i)
{
	const struct place *place = b->place[i];
	const uint64_t address = place_address(place, b->pc[i]);
	struct load_miss **slot;

	if (!(batch_op(b, i)->flags & (m->stores ? ARMSPE_OPF_STORE : ARMSPE_OPF_LOAD)))
		return NULL;
	slot = hash_table_add(&m->loads, &load_table, &address);
	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->address = address;
		(*slot)->symbol = place->symbol;
	}
	return *slot;
}

/* The top byte of a pointer may be a tag, which is no part of the address. */
static int64_t step_between(uint64_t from, uint64_t to)
{
	return (int64_t)((to - from) << 8) / 256;
}

/* The latest sample of @load becomes that of another thread or CPU. */
static void switch_latest(struct load_misses *m, struct load_miss *load, int32_t tid, int32_t cpu)
{
	struct load_latest key = { .instruction = load->address, .tid = tid, .cpu = cpu }, *slot;

	if (load->latest.used) {
		slot = hash_table_add(&m->last, &latest_table, &load->latest);
		*slot = load->latest;
	}
	slot = hash_table_find(&m->last, &latest_table, &key);
	load->latest = slot ? *slot : key;
}

static void add_step(struct load_misses *m, struct load_miss *load, const struct row_batch *b,
		     size_t i)
{
	const int32_t tid = batch_owner(b, i)->tid, cpu = b->piece->cpu;
	struct load_latest *latest = &load->latest;

	if (!(b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1))
		return;
	if (latest->tid != tid || latest->cpu != cpu || !latest->used)
		switch_latest(m, load, tid, cpu);
	if (latest->used)
		strides_add(&load->strides, step_between(latest->data, b->va[i]));
	latest->data = b->va[i];
	latest->used = true;
}

void load_misses_add(struct load_misses *m, struct load_miss *load, const struct row_batch *b,
		     size_t i, uint64_t weight)
{
	const bool missed = batch_events(b, i) & PROFILE_MISS_EVENTS;

	load->samples++;
	load->loads += weight;
	add_step(m, load, b, i);
	if (missed)
		load->misses += weight;
	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		stake_add(missed ? &load->missed : &load->hit, b->total[i]);
}

/* By misses, then by address, so that the order is defined */
static int miss_order(const void *a, const void *b)
{
	const struct load_miss *x = *(struct load_miss *const *)a;
	const struct load_miss *y = *(struct load_miss *const *)b;

	if (x->misses != y->misses)
		return x->misses > y->misses ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

void load_misses_end(struct load_misses *m)
{
	struct load_miss **slot = NULL;

	m->sorted = xcalloc(m->loads.count + 1, sizeof(struct load_miss *));
	while ((slot = hash_table_next(&m->loads, &load_table, slot)))
		if ((*slot)->misses)
			m->sorted[m->count++] = *slot;
	if (m->count)
		qsort(m->sorted, m->count, sizeof(struct load_miss *), miss_order);
}

double load_miss_latency(const struct load_miss *load)
{
	return load->missed.count ? load->missed.cycles / (double)load->missed.count : 0;
}

bool load_miss_stride(const struct load_miss *load, struct stride *to)
{
	double between = (double)load->loads / (double)load->samples;

	if (!strides_find(&load->strides, to))
		return false;
	/*
	 * A sample of an event with an interval stands for as many executions as there are
	 * between two samples.  Twice of them allow for random intervals and lost samples.
	 */
	return load->loads == load->samples ||
	       to->mean <= 2 * between * (double)llabs(to->bytes);
}

uint64_t load_misses_samples(const struct load_misses *m, uint64_t address)
{
	struct load_miss **slot = hash_table_find(&m->loads, &load_table, &address);

	return slot ? (*slot)->samples : 0;
}

void load_misses_free(struct load_misses *m)
{
	struct load_miss **slot = NULL;

	while ((slot = hash_table_next(&m->loads, &load_table, slot))) {
		strides_free(&(*slot)->strides);
		free(*slot);
	}
	hash_table_free(&m->loads);
	hash_table_free(&m->last);
	free(m->sorted);
}
