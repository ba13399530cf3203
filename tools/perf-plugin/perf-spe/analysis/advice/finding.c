// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "util/util.h"

static const char *const names[NR_FINDING] = {
	[FINDING_TLB] = "tlb-walks",
	[FINDING_MISPREDICTED] = "mispredicted",
	[FINDING_MISALIGNED] = "misaligned",
	[FINDING_REMOTE] = "remote",
	[FINDING_SHARING] = "false-sharing",
	[FINDING_ATOMICS] = "contended-atomics",
	[FINDING_MISSES] = "cache-misses",
	[FINDING_STRIDE] = "strides",
};

const char *finding_name(unsigned int kind)
{
	return kind < NR_FINDING ? names[kind] : NULL;
}

double finding_least_share(enum finding_kind kind)
{
	/*
	 * The SPE model's TLB sees sampled accesses only, unless it has spe-hierarchy=full.  So page
	 * table walks are 10% to 11% in its recordings of programs that have hardly any.
	 */
	return kind == FINDING_TLB ? 0.15 : 0.05;
}

static double share_of(const struct finding_list *l, const struct stake *stake)
{
	return l->cycles > 0 ? stake->cycles / l->cycles : 0;
}

bool finding_counts(const struct finding_list *l, enum finding_kind kind, uint64_t samples,
		    const struct stake *stake)
{
	return samples >= l->limits.samples && stake->cycles > 0 &&
	       share_of(l, stake) >= l->limits.share[kind] &&
	       interval_normal(stake->cycles, sqrt(stake->variance)).low > 0;
}

struct finding *finding_add(struct finding_list *l, enum finding_kind kind, uint64_t samples,
			    const struct stake *stake)
{
	struct interval i = interval_normal(stake->cycles, sqrt(stake->variance));
	struct finding *f;

	l->all = array_grow(l->all, l->nr, &l->room, sizeof(*l->all));
	f = &l->all[l->nr++];
	*f = (struct finding){
		.kind = kind, .samples = samples, .latency = "total", .verb = "report",
		.cycles = stake->cycles * l->weight,
		.interval = { .low = i.low * l->weight_low, .high = i.high * l->weight_high },
		.share = share_of(l, stake),
	};
	return f;
}

void finding_row_add(struct finding *f, uint64_t count, double mean, char *name)
{
	f->rows = array_grow(f->rows, f->nr_rows, &f->room_rows, sizeof(*f->rows));
	f->rows[f->nr_rows++] = (struct finding_row){ count, mean, name };
}

static int by_cycles(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->cycles < y->cycles || x->cycles > y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->filter, y->filter);
}

void finding_sort(struct finding_list *l)
{
	if (l->nr)
		qsort(l->all, l->nr, sizeof(*l->all), by_cycles);
}

void finding_free(struct finding_list *l)
{
	size_t i, j;

	for (i = 0; i < l->nr; i++) {
		for (j = 0; j < l->all[i].nr_rows; j++)
			free(l->all[i].rows[j].name);
		free(l->all[i].rows);
		free(l->all[i].what);
		free(l->all[i].filter);
		free(l->all[i].object);
	}
	free(l->all);
	free(l->scattered);
}
