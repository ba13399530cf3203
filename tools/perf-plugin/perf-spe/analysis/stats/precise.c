// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
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

void precise_add(struct precise *p, size_t index, const struct row_batch *b, size_t i)
{
	struct precise_row *to = index < p->nr ? &p->rows[index] : NULL;

	p->sum.count++;
	lag_add_cycles(&p->chain, to ? &to->lag : &p->other, b->piece, batch_cycles(b, i));
	if (!to)
		return;
	to->count++;
	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		hist_add(&to->latency, b->total[i]);
}

void precise_skip(struct precise *p, const struct piece *piece)
{
	lag_skip(&p->chain, piece);
}

void precise_merge(struct precise *p, const struct precise *from)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		p->rows[i].count += from->rows[i].count;
		hist_merge(&p->rows[i].latency, &from->rows[i].latency);
		lag_merge(&p->rows[i].lag, &from->rows[i].lag);
	}
	lag_merge(&p->other, &from->other);
	lag_chain_merge(&p->chain, &from->chain);
	p->sum.count += from->sum.count;
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
