// SPDX-License-Identifier: GPL-2.0-only
/* A priority queue in an array of the heap that is reallocated */
#include "witness.h"

struct job {
	int32_t priority;
	uint16_t owner;
	uint64_t deadline;
};
struct queue {
	struct job *jobs;
	size_t count, room;
};

static struct queue queue;

static void swap(struct job *a, struct job *b)
{
	struct job t = *a;

	LOCAL(a, struct job *);
	LOCAL(b, struct job *);
	LOCAL(t, struct job);
	*a = *b;
	*b = t;
}

void push(struct queue *q, struct job job)
{
	size_t i;

	LOCAL(q, struct queue *);
	LOCAL(job, struct job);
	LOCAL(i, size_t);
	if (q->count == q->room) {
		if (q->jobs)
			witness_forget(q->jobs);
		q->room = q->room ? 2 * q->room : 2;
		q->jobs = realloc(q->jobs, q->room * sizeof(*q->jobs));
		OBJECTS(q->jobs, q->room, struct job);
	}
	i = q->count++;
	q->jobs[i] = job;
	for (; i && q->jobs[(i - 1) / 2].priority < q->jobs[i].priority; i = (i - 1) / 2)
		swap(&q->jobs[i], &q->jobs[(i - 1) / 2]);
}

uint64_t pop(struct queue *q)
{
	uint64_t deadline = q->jobs[0].deadline;
	size_t i = 0, child;

	LOCAL(q, struct queue *);
	LOCAL(deadline, uint64_t);
	LOCAL(i, size_t);
	LOCAL(child, size_t);
	q->jobs[0] = q->jobs[--q->count];
	while ((child = 2 * i + 1) < q->count) {
		if (child + 1 < q->count &&
		    q->jobs[child + 1].priority > q->jobs[child].priority)
			child++;
		if (q->jobs[i].priority >= q->jobs[child].priority)
			break;
		swap(&q->jobs[i], &q->jobs[child]);
		i = child;
	}
	return deadline;
}

int main(void)
{
	uint64_t total = 0;
	int i;

	LOCAL(total, uint64_t);
	LOCAL(i, int);
	OBJECT(queue, struct queue);
	MEMBER(struct job, priority, int32_t);
	MEMBER(struct job, owner, uint16_t);
	MEMBER(struct job, deadline, uint64_t);
	MEMBER(struct queue, jobs, struct job *);
	MEMBER(struct queue, count, size_t);
	MEMBER(struct queue, room, size_t);
	for (i = 0; i < 12; i++)
		push(&queue, (struct job){ i * 5 % 12, (uint16_t)i, (uint64_t)i * 10 });
	while (queue.count)
		total = total * 3 + pop(&queue);
	printf("# %d\n", (int)total);
	return 0;
}
