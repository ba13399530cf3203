// SPDX-License-Identifier: GPL-2.0-only
/* Small functions that the compiler puts into their callers */
#include "witness.h"

struct event {
	uint64_t time;
	int32_t source, code;
};
struct ring {
	uint32_t head, tail;
	struct event events[8];
	uint64_t dropped;
};
struct bus {
	struct ring in, out;
	int32_t serial;
};

static struct bus bus;

static inline int ring_full(const struct ring *r)
{
	LOCAL(r, const struct ring *);
	return r->head - r->tail == 8;
}

static inline void ring_put(struct ring *r, const struct event *e)
{
	LOCAL(r, struct ring *);
	LOCAL(e, const struct event *);
	if (ring_full(r)) {
		r->dropped++;
		return;
	}
	r->events[r->head++ & 7] = *e;
}

static inline struct event *ring_get(struct ring *r)
{
	LOCAL(r, struct ring *);
	return r->head == r->tail ? NULL : &r->events[r->tail++ & 7];
}

static inline void stamp(struct event *e, int32_t *serial)
{
	LOCAL(e, struct event *);
	LOCAL(serial, int32_t *);
	e->time = (uint64_t)++*serial;
}

void produce(struct bus *b, int count)
{
	struct event e = { 0 };
	int i;

	LOCAL(b, struct bus *);
	LOCAL(count, int);
	LOCAL(i, int);
	OBJECT(e, struct event);
	for (i = 0; i < count; i++) {
		e.source = i;
		e.code = i * i;
		stamp(&e, &b->serial);
		ring_put(&b->in, &e);
	}
}

uint64_t move(struct bus *b)
{
	uint64_t total = 0;
	struct event *e;

	LOCAL(b, struct bus *);
	LOCAL(total, uint64_t);
	LOCAL(e, struct event *);
	while ((e = ring_get(&b->in))) {
		total += e->time + (uint64_t)e->code;
		ring_put(&b->out, e);
	}
	return total + b->in.dropped;
}

int main(void)
{
	uint64_t total = 0;
	int i;

	LOCAL(total, uint64_t);
	LOCAL(i, int);
	OBJECT(bus, struct bus);
	MEMBER(struct event, time, uint64_t);
	MEMBER(struct event, source, int32_t);
	MEMBER(struct event, code, int32_t);
	MEMBER(struct ring, head, uint32_t);
	MEMBER(struct ring, tail, uint32_t);
	MEMBER(struct ring, events, struct event[8]);
	MEMBER(struct ring, dropped, uint64_t);
	MEMBER(struct bus, in, struct ring);
	MEMBER(struct bus, out, struct ring);
	MEMBER(struct bus, serial, int32_t);
	for (i = 0; i < 3; i++) {
		produce(&bus, 4 * i + 1);
		total += move(&bus);
	}
	printf("# %d\n", (int)total);
	return 0;
}
