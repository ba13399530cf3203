/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the general registers and of the frame's memory before an instruction. */
#ifndef PERF_SPE_REGISTER_STATE_H
#define PERF_SPE_REGISTER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/types/register_value.h"

/* Eight bytes of the frame at the CFA plus @offset, where a register was stored */
struct stack_slot {
	int64_t offset;
	struct register_value value;
};

struct register_state {
	struct register_value reg[32];	/* x0 to x30; A64_SP */
	struct stack_slot *slots;	/* by offset */
	size_t nr_slots, room;
	bool reached;			/* false: no path here is known yet */
};

/* Nothing is known.  The ids of the values are @id and those after it, up to 32. */
void register_state_any(struct register_state *s, uint32_t id);
void register_state_copy(struct register_state *to, const struct register_state *from);
void register_state_free(struct register_state *s);
/* Let @to hold what holds for both.  Returns whether @to has changed; ids as above. */
bool register_state_join(struct register_state *to, const struct register_state *from,
			 uint32_t id);

/* The value of eight bytes of the frame; NULL: not known */
const struct register_value *register_state_slot(const struct register_state *s,
						 int64_t offset);
/* @size bytes were written: forget the slots in them. */
void register_state_clear(struct register_state *s, int64_t offset, unsigned int size);
void register_state_spill(struct register_state *s, int64_t offset,
			  const struct register_value *value);

#endif
