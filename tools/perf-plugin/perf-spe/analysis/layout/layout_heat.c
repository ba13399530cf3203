// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/types/types.h"
#include "util/util.h"

/* Rows that one access may touch; a pair of registers has 32 bytes. */
#define TOUCHED_MAX	64

/* The instance of the type that the row accesses; false: other data */
static bool own_instance(const struct layout_heat *heat, const struct row *row, struct instance *i)
{
	return row_instance(row, i) && layout_types_of(heat->types, i->type) == heat->type;
}

static uint64_t address_of(const struct row *row)
{
	return armspe_addr_virtual(row->rec->addr[SPE_ADDR_DATA_VA]);
}

/* Accesses count as of the same code if they are to the same member of the same instance. */
static void name_access(void *context, const struct row *row, struct access *access)
{
	struct layout_heat *heat = context;
	struct data_place place;
	struct instance i;
	size_t touched;

	access->object = access->symbol = NULL;
	access->pc = 0;
	if (!own_instance(heat, row, &i)) {
		if (row_data(row, &place))
			access->symbol = place.symbol;
		return;
	}
	access->object = heat->layout->name;
	access->pc = address_of(row) - i.offset;
	if (layout_touched(heat->layout, &i, &touched, 1))
		access->symbol = heat->layout->rows[touched].path;
}

const struct layout_row *layout_heat_row(const struct layout_heat *heat, const struct access *access)
{
	size_t i;

	if (access->object != heat->layout->name || !access->symbol)
		return NULL;
	for (i = 0; i < heat->layout->nr; i++)
		if (heat->layout->rows[i].path == access->symbol)
			return &heat->layout->rows[i];
	return NULL;
}

void layout_heat_begin(struct layout_heat *heat, const struct layout_types *types,
		       const struct layout_type *type, unsigned int bytes)
{
	heat->types = types;
	heat->type = type;
	heat->layout = type->layout;
	heat->rows = xcalloc(type->layout->nr, sizeof(*heat->rows));
	heat->lines.bytes = bytes;
	heat->lines.name = name_access;
	heat->lines.context = heat;
}

static void add_who(struct layout_sums *s, const struct row *row, bool writes)
{
	if (row->piece->cpu != NO_ID)
		id_set_add(&s->cpus[writes], row->piece->cpu);
	if (row->owner.tid != NO_ID)
		id_set_add(&s->threads[writes], row->owner.tid);
}

static void count(struct layout_heat *heat, struct layout_sums *s, const struct row *row)
{
	bool store = row->op.flags & ARMSPE_OPF_STORE;

	if (s->last == heat->all.samples)
		return;
	s->last = heat->all.samples;
	if (s != &heat->all)
		s->samples++;
	s->loads += !store && row->op.flags & ARMSPE_OPF_LOAD;
	s->stores += store;
	if (row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1)
		hist_add(&s->total, row->rec->counter[SPE_COUNTER_TOTAL]);
	/* An atomic operation reads and writes, whichever of both its packet says. */
	if (!store || row->op.flags & ARMSPE_OPF_AT)
		add_who(s, row, false);
	if (store || row->op.flags & ARMSPE_OPF_AT)
		add_who(s, row, true);
}

static void add(void *context, const struct row *row)
{
	struct layout_heat *heat = context;
	size_t touched[TOUCHED_MAX], nr, i;
	struct instance instance;

	if (!own_instance(heat, row, &instance))
		return;
	heat->all.samples++;
	count(heat, &heat->all, row);
	if (heat->also)
		count(heat, &heat->also[heat->layout->nr], row);
	heat->astride += (address_of(row) - instance.offset) % heat->lines.bytes != 0;
	nr = layout_touched(heat->layout, &instance, touched, TOUCHED_MAX);
	heat->unknown += !nr;
	for (i = 0; i < nr; i++) {
		int at = (int)touched[i];

		for (; at >= 0; at = heat->layout->rows[at].parent) {
			count(heat, &heat->rows[at], row);
			if (heat->also)
				count(heat, &heat->also[at], row);
		}
	}
}

void layout_heat_add(void *context, const struct row_batch *b)
{
	struct layout_heat *heat = context;

	lines_add(&heat->lines, b);
	batch_each(b, add, heat);
}

void layout_sums_free(struct layout_sums *s)
{
	int i;

	hist_free(&s->total);
	for (i = 0; i < 2; i++) {
		id_set_free(&s->cpus[i]);
		id_set_free(&s->threads[i]);
	}
}

void layout_heat_free(struct layout_heat *heat)
{
	size_t i;

	for (i = 0; heat->rows && i < heat->layout->nr; i++)
		layout_sums_free(&heat->rows[i]);
	layout_sums_free(&heat->all);
	free(heat->rows);
	lines_free(&heat->lines);
	memset(heat, 0, sizeof(*heat));
}
