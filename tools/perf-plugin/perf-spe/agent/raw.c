// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of a window as they were sampled.  Each sample is chosen with the probability of the
 * setting raw_share.  Once there are raw_rows of them, the n-th that is chosen takes the place of
 * one of these with the probability raw_rows / n (Vitter's Algorithm R), so that all samples of the
 * window are equally likely to stay, however many there are.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "armspe.h"

/* SplitMix64: all 64 bits are usable, and any seed is good. */
static uint64_t draw(struct reservoir *r)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

struct raw_row *reservoir_next(struct reservoir *r)
{
	uint64_t at;

	/* The factor is 2^-53. */
	if ((double)(draw(r) >> 11) * 0x1p-53 >= r->share)
		return NULL;
	r->chosen++;
	if (r->nr < r->most) {
		r->rows = array_grow(r->rows, r->nr, &r->room, sizeof(*r->rows));
		return &r->rows[r->nr++];
	}
	at = draw(r) % r->chosen;
	return at < r->most ? &r->rows[at] : NULL;
}

void reservoir_add(struct reservoir *r, const struct row_batch *b, size_t i, const struct sum *s)
{
	struct raw_row *row = r->share > 0 ? reservoir_next(r) : NULL;
	const struct owner *owner;

	if (!row)
		return;
	owner = batch_owner(b, i);
	*row = (struct raw_row){
		.sum = s, .cpu = b->piece->cpu, .pid = owner->pid, .tid = owner->tid,
		.op = batch_has_op(b, i) ?
		      vocabulary_op(vocabulary_op_index(batch_op(b, i)->flags)) : NULL,
		.counters = b->counter_valid[i],
		.cycles = b->total[i], .issue = b->issue[i], .xlat = b->xlat[i],
		.has_address = b->place[i]->has_address,
		.has_data = b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1,
	};
	row->has_time = batch_time(b, i, &row->time);
	if (row->has_address)
		row->address = place_address(b->place[i], b->pc[i]);
	if (row->has_data)
		row->data = (int64_t)armspe_addr_virtual(b->va[i]);
	if (owner->comm)
		snprintf(row->comm, sizeof(row->comm), "%s", owner->comm);
}

/* Of the same sum together, and in the order of time */
static int by_sum(const void *a, const void *b)
{
	const struct raw_row *x = a, *y = b;

	if (x->sum != y->sum)
		return (uintptr_t)x->sum < (uintptr_t)y->sum ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

void reservoir_sort(struct reservoir *r)
{
	if (r->nr)
		qsort(r->rows, r->nr, sizeof(*r->rows), by_sum);
}

static void put_counter(const struct raw_row *row, unsigned int counter, const char *name,
			uint16_t cycles, FILE *to)
{
	if (row->counters >> counter & 1)
		fprintf(to, ",\"%s\":%u", name, cycles);
}

static void put_row(const struct raw_row *row, FILE *to)
{
	fprintf(to, "{\"cpu\":%" PRId32, row->cpu);
	if (row->has_time)
		fprintf(to, ",\"time_ns\":%" PRIu64, row->time);
	if (row->pid != NO_ID)
		fprintf(to, ",\"pid\":%" PRId32, row->pid);
	if (row->tid != NO_ID)
		fprintf(to, ",\"tid\":%" PRId32, row->tid);
	if (*row->comm) {
		fputs(",\"comm\":", to);
		json_text(row->comm, to);
	}
	if (row->op)
		fprintf(to, ",\"op\":\"%s\"", row->op);
	if (row->has_address)
		fprintf(to, ",\"address\":\"0x%" PRIx64 "\"", row->address);
	if (row->has_data)
		fprintf(to, ",\"va\":%" PRId64, row->data);
	put_counter(row, SPE_COUNTER_TOTAL, "cycles", row->cycles, to);
	put_counter(row, SPE_COUNTER_ISSUE, "issue", row->issue, to);
	put_counter(row, SPE_COUNTER_XLAT, "xlat", row->xlat, to);
	putc('}', to);
}

void reservoir_print(const struct reservoir *r, const struct sum *s, FILE *to)
{
	const char *before = ",\"rows\":[";
	size_t i;

	lower_bound(i, r->nr, (uintptr_t)r->rows[i].sum < (uintptr_t)s);
	if (i == r->nr || r->rows[i].sum != s)
		return;
	for (; i < r->nr && r->rows[i].sum == s; i++, before = ",") {
		fputs(before, to);
		put_row(&r->rows[i], to);
	}
	putc(']', to);
}
