// SPDX-License-Identifier: GPL-2.0-only
/* Tables of functions, as drivers have them */
#include "witness.h"

struct device;
typedef int (*action)(struct device *, int);

struct operations {
	const char *name;
	action open, read;
};
struct device {
	const struct operations *ops;
	int32_t opened, total;
	void *private;
};
struct state {
	int32_t last;
	uint8_t history[4];
};

static struct device devices[4];

static int open_one(struct device *d, int flags)
{
	struct state *s = calloc(1, sizeof(*s));

	LOCAL(d, struct device *);
	LOCAL(flags, int);
	LOCAL(s, struct state *);
	OBJECT(*s, struct state);
	s->last = flags;
	d->private = s;
	return ++d->opened;
}

static int read_up(struct device *d, int count)
{
	struct state *s = d->private;

	LOCAL(d, struct device *);
	LOCAL(count, int);
	LOCAL(s, struct state *);
	s->history[count & 3]++;
	d->total += count + s->last;
	return d->total;
}

static int read_down(struct device *d, int count)
{
	struct state *s = d->private;

	LOCAL(d, struct device *);
	LOCAL(count, int);
	LOCAL(s, struct state *);
	s->last -= count;
	return s->last + s->history[0];
}

const struct operations up = { "up", open_one, read_up };
const struct operations down = { "down", open_one, read_down };

int use(struct device *d)
{
	int i, total = d->ops->open(d, 5);

	LOCAL(d, struct device *);
	LOCAL(i, int);
	LOCAL(total, int);
	for (i = 0; i < 6; i++)
		total += d->ops->read(d, i);
	return total + d->ops->name[0];
}

int main(void)
{
	int i, total = 0;

	LOCAL(i, int);
	LOCAL(total, int);
	OBJECT(devices, struct device[4]);
	OBJECT(up, const struct operations);
	OBJECT(down, const struct operations);
	OBJECTS(up.name, 3, const char);
	OBJECTS(down.name, 5, const char);
	MEMBER(struct operations, name, const char *);
	MEMBER(struct operations, open, action);
	MEMBER(struct operations, read, action);
	MEMBER(struct device, ops, const struct operations *);
	MEMBER(struct device, opened, int32_t);
	MEMBER(struct device, total, int32_t);
	MEMBER(struct device, private, void *);
	MEMBER(struct state, last, int32_t);
	MEMBER(struct state, history, uint8_t[4]);
	for (i = 0; i < 4; i++)
		devices[i].ops = i & 1 ? &down : &up;
	for (i = 0; i < 4; i++)
		total += use(&devices[i]);
	printf("# %d\n", total);
	return 0;
}
