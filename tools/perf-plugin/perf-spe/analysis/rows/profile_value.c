// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"

static uint64_t interval_of(const struct row *row,
			    struct profile_intervals *in)
{
	size_t attr;

	if (row->piece == in->piece || !row->session)
		return in->interval;
	in->piece = row->piece;
	attr = spe_event_of_cpu(row->session, row->piece->cpu);
	in->interval = attr == PD_NO_ATTR ? 0 :
		spe_event_interval(&row->session->pd.attrs[attr]);
	return in->interval;
}

void profile_values(const struct row *row, struct profile_intervals *in,
		    uint64_t value[NR_PROFILE_VALUES])
{
	const struct armspe_record *rec = row->rec;

	value[PROFILE_SAMPLES] = 1;
	value[PROFILE_CYCLES] = rec->counter_valid >> SPE_COUNTER_TOTAL & 1 ?
		rec->counter[SPE_COUNTER_TOTAL] : 0;
	value[PROFILE_MISSES] = rec->valid & ARMSPE_HAS_EVENTS &&
		rec->events & PROFILE_MISS_EVENTS;
	value[PROFILE_PERIOD] = interval_of(row, in);
}

bool profile_has_period(const struct session *s)
{
	size_t i;

	for (i = 0; s && i < s->pd.nr_attrs; i++)
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
