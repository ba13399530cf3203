// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

void precise_init(struct precise *p, size_t nr, size_t limit)
{
	memset(p, 0, sizeof(*p));
	p->nr = nr < limit ? nr : limit;
	p->rows = xcalloc(p->nr + 1, sizeof(*p->rows));
	p->sum.chain = &p->chain;
}

void precise_part_of(struct measured_all *sum, const struct rows *rows)
{
	const struct session *session = rows->resolver.session;

	sum->seen = rows->kept != rows->seen ? rows->seen : 0;
	sum->chosen = session && spe_event_chosen(session);
}

void precise_add(struct precise *p, size_t index, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct precise_row *to = index < p->nr ? &p->rows[index] : NULL;

	p->sum.count++;
	lag_add(&p->chain, to ? &to->lag : &p->other, row);
	if (!to)
		return;
	to->count++;
	if (rec->counter_valid >> SPE_COUNTER_TOTAL & 1)
		hist_add(&to->latency, rec->counter[SPE_COUNTER_TOTAL]);
}

void precise_skip(struct precise *p, const struct row *row)
{
	lag_skip(&p->chain, row);
}

struct measured precise_measured(const struct precise *p, size_t index)
{
	const struct precise_row *row = &p->rows[index];

	return (struct measured){ row->count, &row->latency, &row->lag };
}

void precise_free(struct precise *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		hist_free(&p->rows[i].latency);
	free(p->rows);
	memset(p, 0, sizeof(*p));
}
