// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "symbols/types/types_private.h"
#include "util/util.h"

#define SLOT_SIZE	8
/* A function with more has its further ones forgotten. */
#define SLOTS_MAX	256u

void register_state_any(struct register_state *s, uint32_t id)
{
	uint32_t i;

	s->nr_slots = 0;
	s->reached = true;
	for (i = 0; i < 32; i++)
		s->reg[i] = value_any(id + i);
}

void register_state_copy(struct register_state *to, const struct register_state *from)
{
	struct stack_slot *slots = to->slots;
	size_t room = to->room;

	if (room < from->nr_slots) {
		room = from->nr_slots;
		slots = xrealloc(slots, room * sizeof(*slots));
	}
	*to = *from;
	to->slots = slots;
	to->room = room;
	if (from->nr_slots)
		memcpy(slots, from->slots, from->nr_slots * sizeof(*slots));
}

void register_state_free(struct register_state *s)
{
	free(s->slots);
}

static bool join_slots(struct register_state *to, const struct register_state *from)
{
	size_t i, kept = 0;
	bool changed = false;

	for (i = 0; i < to->nr_slots; i++) {
		struct stack_slot *slot = &to->slots[i];
		const struct register_value *other = register_state_slot(from, slot->offset);
		struct register_value both;

		if (!other)
			continue;
		both = value_join(slot->value, *other, 0);
		/* A number of which nothing is known is no better than no slot. */
		if (both.kind == VALUE_NUMBER && both.stride == 1)
			continue;
		changed |= !value_same(&both, &slot->value);
		to->slots[kept++] = (struct stack_slot){ slot->offset, both };
	}
	changed |= kept != to->nr_slots;
	to->nr_slots = kept;
	return changed;
}

bool register_state_join(struct register_state *to, const struct register_state *from,
			 uint32_t id)
{
	bool changed;
	uint32_t i;

	if (!to->reached) {
		register_state_copy(to, from);
		return true;
	}
	changed = join_slots(to, from);
	for (i = 0; i < 32; i++) {
		struct register_value both = value_join(to->reg[i], from->reg[i], id + i);

		changed |= !value_same(&both, &to->reg[i]);
		to->reg[i] = both;
	}
	return changed;
}

/* The first slot at @offset or behind it */
static size_t slot_from(const struct register_state *s, int64_t offset)
{
	size_t low;

	lower_bound(low, s->nr_slots, s->slots[low].offset < offset);
	return low;
}

const struct register_value *register_state_slot(const struct register_state *s,
						 int64_t offset)
{
	size_t at = slot_from(s, offset);

	return at < s->nr_slots && s->slots[at].offset == offset ? &s->slots[at].value : NULL;
}

void register_state_clear(struct register_state *s, int64_t offset, unsigned int size)
{
	size_t from = slot_from(s, offset - SLOT_SIZE + 1), to = slot_from(s, offset + size);

	if (from == to)
		return;
	memmove(&s->slots[from], &s->slots[to], (s->nr_slots - to) * sizeof(*s->slots));
	s->nr_slots -= to - from;
}

void register_state_spill(struct register_state *s, int64_t offset,
			  const struct register_value *value)
{
	size_t at;

	register_state_clear(s, offset, SLOT_SIZE);
	if (s->nr_slots == SLOTS_MAX)
		return;
	s->slots = array_grow(s->slots, s->nr_slots, &s->room, sizeof(*s->slots));
	at = slot_from(s, offset);
	memmove(&s->slots[at + 1], &s->slots[at], (s->nr_slots - at) * sizeof(*s->slots));
	s->slots[at] = (struct stack_slot){ offset, *value };
	s->nr_slots++;
}
