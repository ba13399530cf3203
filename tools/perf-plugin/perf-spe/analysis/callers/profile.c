// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* Sums of a run that are read at once */
#define RUN_BLOCK	256

struct number_slot {
	uint32_t id;		/* owner_number() */
	int32_t tid;		/* the thread's in its table */
	const struct cgroup *group;	/* of profile_group() */
	uint32_t number;	/* plus 1 */
};

static const struct hash_kind numbers = {
	HASH_SLOTS(struct number_slot, number),
	.key = { HASH_NUMBER(struct number_slot, id), HASH_NUMBER(struct number_slot, tid),
		 HASH_NUMBER(struct number_slot, group) },
};

static const struct hash_kind sum_table = {
	HASH_SLOTS(struct profile_sum, value[PROFILE_SAMPLES]),
	.key = {
		HASH_NUMBER(struct profile_sum, thread), HASH_NUMBER(struct profile_sum, stack),
		HASH_NUMBER(struct profile_sum, slice),
	},
};

void profile_begin(struct profile *p, const struct rows *r, unsigned int flags, uint32_t slices)
{
	const char *most = getenv("PERF_SPE_SUMS");
	const struct session *s = r->resolver.session;
	struct filter_time time = { 0 };

	memset(p, 0, sizeof(*p));
	p->frames.flags = flags;
	p->period = profile_one_period(s);
	if (s) {
		time = filter_time(r->filter, s, NO_ID, s->first, s->last);
		p->duration = time.ns;
		p->before_end = s->last - time.begin;
	}
	p->most = most ? strtoul(most, NULL, 10) : PROFILE_SUMS;
	if (!p->most)
		p->most = PROFILE_SUMS;
	if (!slices || !s || s->last <= s->first)
		return;
	p->slices = slices;
	p->from = s->first;
	p->width = (s->last - s->first) / slices + 1;
}

static uint32_t process_number(struct profile *p, const struct owner *owner)
{
	const struct number_slot key = { .id = owner_host(owner_number(*owner)) };
	struct number_slot *slot = hash_table_add(&p->process_table, &numbers, &key);
	const struct process *process = owner_process(owner);

	if (!slot->number) {
		p->processes = array_grow(p->processes, p->nr_processes,
					  &p->room_processes,
					  sizeof(*p->processes));
		p->processes[p->nr_processes++] = (struct profile_process){
			owner->pid, process ? process->comm : NULL,
		};
		*slot = key;
		slot->number = (uint32_t)p->nr_processes;
	}
	return slot->number - 1;
}

uint32_t profile_thread(struct profile *p, const struct session *s, const struct owner *owner)
{
	/* A guest runs in a thread of the host, as the viewers show it. */
	const struct number_slot key = { .id = owner_host(owner_number(*owner)), .tid = owner->tid };
	const struct process *process = owner_process(owner);
	const char *comm = NULL;
	struct number_slot *slot;

	slot = hash_table_add(&p->thread_table, &numbers, &key);
	if (!slot->number) {
		/* A viewer has one name for a thread. */
		if (s)
			comm = processes_last_name(&s->processes, key.tid, process);
		if (!comm)
			comm = owner->comm;
		if (comm && process && process->comm && !strcmp(comm, process->comm))
			comm = NULL;
		p->threads = array_grow(p->threads, p->nr_threads,
					&p->room_threads, sizeof(*p->threads));
		p->threads[p->nr_threads++] = (struct profile_thread){
			key.tid, process_number(p, owner), comm, owner->group,
		};
		*slot = key;
		slot->number = (uint32_t)p->nr_threads;
	}
	if (p->threads[slot->number - 1].group != owner->group)
		p->threads[slot->number - 1].group = NULL;
	return slot->number - 1;
}

uint32_t profile_group(struct profile *p, const struct cgroup *group)
{
	const struct number_slot key = { .tid = NO_ID, .group = group };
	struct number_slot *slot = hash_table_add(&p->thread_table, &numbers, &key);
	struct owner nobody = OWNER_UNKNOWN;

	if (!slot->number) {
		p->threads = array_grow(p->threads, p->nr_threads, &p->room_threads, sizeof(*p->threads));
		p->threads[p->nr_threads++] = (struct profile_thread){
			NO_ID, process_number(p, &nobody), NULL, group,
		};
		*slot = key;
		slot->number = (uint32_t)p->nr_threads;
	}
	return slot->number - 1;
}

static uint32_t slice_of(const struct profile *p, const struct row_batch *b, size_t i)
{
	uint64_t time, slice;

	if (!p->slices || !(b->valid[i] & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(b->rows->resolver.session, b->timestamp[i], &time) ||
	    time < p->from)
		return 0;
	slice = (time - p->from) / p->width;
	return slice < p->slices ? (uint32_t)slice : p->slices - 1;
}

void profile_add_sum(struct profile *p, const struct profile_sum *sum)
{
	struct profile_sum *slot = hash_table_add(&p->sums, &sum_table, sum);
	unsigned int i;

	if (!slot->value[PROFILE_SAMPLES]) {
		*slot = *sum;
		return;
	}
	for (i = 0; i < NR_PROFILE_VALUES; i++)
		slot->value[i] += sum->value[i];
}

static int sum_order(const void *a, const void *b)
{
	const struct profile_sum *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->slice != y->slice)
		return x->slice < y->slice ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

/* Move all sums from the table to a sorted array, which the caller frees. */
static struct profile_sum *take_sums(struct profile *p, size_t *count)
{
	struct profile_sum *sums = xcalloc(p->sums.count, sizeof(*sums));
	struct profile_sum *slot = NULL;

	*count = 0;
	while ((slot = hash_table_next(&p->sums, &sum_table, slot)))
		sums[(*count)++] = *slot;
	if (*count)
		qsort(sums, *count, sizeof(*sums), sum_order);
	hash_table_clear(&p->sums, &sum_table);
	return sums;
}

/* Make slices twice as long. */
static void merge_slices(struct profile *p)
{
	size_t count, i;
	struct profile_sum *sums = take_sums(p, &count);

	for (i = 0; i < count; i++) {
		sums[i].slice /= 2;
		profile_add_sum(p, &sums[i]);
	}
	free(sums);
	p->slices = (p->slices + 1) / 2;
	p->width *= 2;
}

static FILE *spill_open(void)
{
	char *path = temporary_path();
	int fd = mkostemp(path, O_CLOEXEC);
	FILE *to = NULL;

	if (fd >= 0) {
		unlink(path);
		to = fdopen(fd, "w+");
		if (!to)
			close(fd);
	}
	free(path);
	return to;
}

static void write_run(struct profile *p)
{
	size_t count;
	struct profile_sum *sums = take_sums(p, &count);

	if (!p->spill && !p->failed)
		p->spill = spill_open();
	if (!p->failed && (!p->spill || fwrite(sums, sizeof(*sums), count, p->spill) != count))
		p->failed = strerror(errno);
	p->runs = array_grow(p->runs, p->nr_runs, &p->room_runs,
			     sizeof(*p->runs));
	p->runs[p->nr_runs++] = count;
	free(sums);
}

/* There are too many sums: make room. */
static void shrink(struct profile *p)
{
	while (p->slices > 1 && 2 * p->sums.count > p->most)
		merge_slices(p);
	if (p->sums.count >= p->most)
		write_run(p);
}

void profile_add(struct profile *p, const struct row_batch *b)
{
	size_t k, last = SIZE_MAX;
	uint32_t thread = 0;
	unsigned int n;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];
		const struct place_list list = frames_places(b, i);
		struct profile_sum sum;

		if (b->owner[i] != last)
			thread = profile_thread(p, b->rows->resolver.session, batch_owner(b, i));
		last = b->owner[i];
		sum = (struct profile_sum){
			.thread = thread, .slice = slice_of(p, b, i),
			.stack = frames_stack(&p->frames, &list, &b->place[i]->hint),
		};
		profile_values(b, i, &p->intervals, sum.value);
		for (n = 0; n < NR_PROFILE_VALUES; n++)
			p->total[n] += sum.value[n];
		profile_add_sum(p, &sum);
		if (p->sums.count >= p->most)
			shrink(p);
	}
}

void profile_finish(struct profile *p)
{
	p->sorted = take_sums(p, &p->nr_sorted);
	hash_table_free(&p->sums);
	if (p->spill && !p->failed && fflush(p->spill))
		p->failed = strerror(errno);
}

/* A run that is being read, a block at a time */
struct run {
	struct profile_sum *block;
	size_t at, len;		/* in the block */
	size_t left;		/* sums in the file */
	off_t offset;		/* of them */
};

/* The run's next sum, or NULL at its end or after an error */
static const struct profile_sum *run_peek(struct profile *p, struct run *r)
{
	size_t want = r->left < RUN_BLOCK ? r->left : RUN_BLOCK;
	ssize_t got;

	if (r->at < r->len)
		return &r->block[r->at];
	if (!want)
		return NULL;
	got = pread(fileno(p->spill), r->block, want * sizeof(*r->block),
		    r->offset);
	if (got != (ssize_t)(want * sizeof(*r->block))) {
		p->failed = got < 0 ? strerror(errno) :
				      "the temporary file is too short";
		r->left = 0;
		return NULL;
	}
	r->offset += got;
	r->left -= want;
	r->at = 0;
	r->len = want;
	return r->block;
}

static struct run *runs_begin(const struct profile *p)
{
	struct run *runs = xcalloc(p->nr_runs + 1, sizeof(*runs));
	off_t offset = 0;
	size_t i;

	for (i = 0; i < p->nr_runs; i++) {
		runs[i].block = xcalloc(RUN_BLOCK, sizeof(*runs[i].block));
		runs[i].left = p->runs[i];
		runs[i].offset = offset;
		offset += (off_t)(p->runs[i] * sizeof(struct profile_sum));
	}
	/* The last run is in memory. */
	runs[i].block = p->sorted;
	runs[i].len = p->nr_sorted;
	return runs;
}

/* The smallest next sum of all runs, NULL at the end; each run that has it moves on. */
static bool next_sum(struct profile *p, struct run *runs,
		     struct profile_sum *sum)
{
	const struct profile_sum *least = NULL, *next;
	unsigned int n;
	size_t i;

	for (i = 0; i <= p->nr_runs; i++) {
		next = run_peek(p, &runs[i]);
		if (next && (!least || sum_order(next, least) < 0))
			least = next;
	}
	if (!least)
		return false;
	*sum = *least;
	memset(sum->value, 0, sizeof(sum->value));
	for (i = 0; i <= p->nr_runs; i++) {
		next = run_peek(p, &runs[i]);
		if (!next || sum_order(next, sum))
			continue;
		for (n = 0; n < NR_PROFILE_VALUES; n++)
			sum->value[n] += next->value[n];
		runs[i].at++;
	}
	return true;
}

const char *profile_each(struct profile *p, profile_fn fn, void *context)
{
	struct run *runs = runs_begin(p);
	struct profile_sum sum;
	size_t i;

	while (!p->failed && next_sum(p, runs, &sum))
		fn(context, &sum);
	for (i = 0; i < p->nr_runs; i++)
		free(runs[i].block);
	free(runs);
	return p->failed;
}

void profile_free(struct profile *p)
{
	frames_free(&p->frames);
	free(p->processes);
	free(p->threads);
	free(p->sorted);
	free(p->runs);
	hash_table_free(&p->process_table);
	hash_table_free(&p->thread_table);
	hash_table_free(&p->sums);
	if (p->spill)
		fclose(p->spill);
	memset(p, 0, sizeof(*p));
}
