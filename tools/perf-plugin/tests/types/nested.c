// SPDX-License-Identifier: GPL-2.0-only
/* Structures in structures, and pointers into them */
#include "witness.h"

struct vector {
	int32_t x, y, z;
};
struct box {
	struct vector low, high;
};
struct body {
	char kind;
	struct box bounds;
	struct {
		double drag;
		struct vector spin;
	} physics;
	struct body *parent;
	struct box parts[3];
};

struct world {
	struct body bodies[4];
	struct body *active;
	int32_t count;
};

static struct world world;
struct world *the_world = &world;

static void grow(struct vector *v, int by)
{
	LOCAL(v, struct vector *);
	LOCAL(by, int);
	v->x += by;
	v->y += by;
	v->z += by;
}

int volume(const struct box *b)
{
	LOCAL(b, const struct box *);
	return (b->high.x - b->low.x) * (b->high.y - b->low.y) * (b->high.z - b->low.z);
}

__attribute__((noinline)) static int all(const struct body *b)
{
	int total = 0, i;

	LOCAL(b, const struct body *);
	LOCAL(total, int);
	LOCAL(i, int);
	for (; b; b = b->parent) {
		total += volume(&b->bounds) + b->physics.spin.y;
		for (i = 0; i < 3; i++)
			total += b->parts[i].high.z + volume(&b->parts[i]);
	}
	return total;
}

void setup(struct world *w)
{
	int i;

	LOCAL(w, struct world *);
	LOCAL(i, int);
	for (i = 0; i < 4; i++) {
		struct body *b = &w->bodies[i];

		LOCAL(b, struct body *);
		b->kind = (char)i;
		b->physics.drag = i * 0.5;
		b->physics.spin.y = i;
		b->parent = w->active;
		grow(&b->bounds.high, i);
		grow(&b->parts[i % 3].high, 2);
		w->active = b;
		w->count++;
	}
}

int main(void)
{
	OBJECT(world, struct world);
	OBJECT(the_world, struct world *);
	MEMBER(struct vector, x, int32_t);
	MEMBER(struct vector, y, int32_t);
	MEMBER(struct vector, z, int32_t);
	MEMBER(struct box, low, struct vector);
	MEMBER(struct box, high, struct vector);
	MEMBER(struct body, kind, char);
	MEMBER(struct body, bounds, struct box);
	MEMBER(struct body, physics.drag, double);
	MEMBER(struct body, physics.spin, struct vector);
	MEMBER(struct body, parent, struct body *);
	MEMBER(struct body, parts, struct box[3]);
	MEMBER(struct world, bodies, struct body[4]);
	MEMBER(struct world, active, struct body *);
	MEMBER(struct world, count, int32_t);
	setup(the_world);
	printf("# %d %d\n", all(the_world->active), the_world->count);
	return 0;
}
