// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"

uint64_t profile_period(const struct session *s, const struct piece *piece,
			struct profile_intervals *in)
{
	size_t attr;

	if (piece == in->piece || !s)
		return in->interval;
	in->piece = piece;
	attr = spe_event_of_cpu(s, piece->cpu);
	in->interval = attr == PD_NO_ATTR ? 0 : spe_event_interval(&s->pd.attrs[attr]);
	return in->interval;
}

void profile_values(const struct row_batch *b, size_t i, struct profile_intervals *in,
		    uint64_t value[NR_PROFILE_VALUES])
{
	value[PROFILE_SAMPLES] = 1;
	value[PROFILE_CYCLES] = b->counter_valid[i] >> SPE_COUNTER_TOTAL & 1 ? b->total[i] : 0;
	value[PROFILE_MISSES] = b->valid[i] & ARMSPE_HAS_EVENTS &&
		b->events[i] & PROFILE_MISS_EVENTS;
	value[PROFILE_PERIOD] = profile_period(b->rows->resolver.session, b->piece, in);
}

bool profile_has_period(const struct session *s)
{
	size_t i;

	for (i = 0; s && !s->overwritten && i < s->pd.nr_attrs; i++)
		if (spe_event_is(s, i) && spe_event_interval(&s->pd.attrs[i]))
			return true;
	return false;
}

uint64_t profile_one_period(const struct session *s)
{
	uint64_t one = 0, interval;
	size_t i;

	for (i = 0; s && i < s->pd.nr_attrs; i++) {
		if (!spe_event_is(s, i))
			continue;
		interval = spe_event_interval(&s->pd.attrs[i]);
		if (!interval || (one && one != interval))
			return 0;
		one = interval;
	}
	return one;
}

static const struct {
	const char *name, *unit;
} values[NR_PROFILE_VALUES] = {
	[PROFILE_SAMPLES] = { "samples", "count" },
	[PROFILE_CYCLES] = { "cycles", "cycles" },
	[PROFILE_MISSES] = { "misses", "count" },
	[PROFILE_PERIOD] = { "period", "operations" },
};

const char *profile_value_name(unsigned int value)
{
	return value < NR_PROFILE_VALUES ? values[value].name : NULL;
}

const char *profile_value_unit(enum profile_value value)
{
	return values[value].unit;
}
