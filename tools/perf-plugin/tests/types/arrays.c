// SPDX-License-Identifier: GPL-2.0-only
/* Arrays of structures: global, on the heap, and of odd sizes */
#include "witness.h"

struct particle {
	double x, y, z;
	float mass;
	int32_t cell;
};
struct odd {
	char name[11];
	short rank;
	int32_t hits;
};

struct particle particles[16];
static struct odd odds[8];
int32_t cells[16];

void move(struct particle *p, int count, double step)
{
	int i;

	LOCAL(p, struct particle *);
	LOCAL(count, int);
	LOCAL(step, double);
	LOCAL(i, int);
	for (i = 0; i < count; i++) {
		p[i].x += step * p[i].y;
		p[i].z -= step;
		cells[p[i].cell]++;
	}
}

__attribute__((noinline)) static int rank(int from)
{
	int i, best = from;

	LOCAL(from, int);
	LOCAL(i, int);
	LOCAL(best, int);
	for (i = from + 1; i < 8; i++)
		if (odds[i].rank > odds[best].rank || odds[i].name[3] == 'q')
			best = i;
	odds[best].hits += 2;
	return best;
}

struct particle *heaviest(struct particle *p, struct particle *end)
{
	struct particle *best = p;

	LOCAL(p, struct particle *);
	LOCAL(end, struct particle *);
	LOCAL(best, struct particle *);
	for (; p < end; p++)
		if (p->mass > best->mass)
			best = p;
	return best;
}

int main(void)
{
	struct particle *more = calloc(5, sizeof(*more)), *best;
	int i, total = 0;

	LOCAL(more, struct particle *);
	LOCAL(best, struct particle *);
	LOCAL(i, int);
	LOCAL(total, int);
	OBJECT(particles, struct particle[16]);
	OBJECT(odds, struct odd[8]);
	OBJECT(cells, int32_t[16]);
	OBJECTS(more, 5, struct particle);
	MEMBER(struct particle, x, double);
	MEMBER(struct particle, y, double);
	MEMBER(struct particle, z, double);
	MEMBER(struct particle, mass, float);
	MEMBER(struct particle, cell, int32_t);
	MEMBER(struct odd, name, char[11]);
	MEMBER(struct odd, rank, short);
	MEMBER(struct odd, hits, int32_t);
	for (i = 0; i < 16; i++) {
		particles[i].y = i;
		particles[i].mass = (float)(i * 7 % 16);
		particles[i].cell = 15 - i;
	}
	for (i = 0; i < 8; i++) {
		odds[i].rank = (short)(i * 5 % 8);
		odds[i].name[i] = 'x';
	}
	for (i = 0; i < 5; i++)
		more[i] = particles[3 * i];
	move(particles, 16, 0.25);
	move(more, 5, 0.5);
	for (i = 0; i < 8; i++)
		total += rank(i);
	best = heaviest(particles, particles + 16);
	total += best->cell + heaviest(more, more + 5)->cell + odds[7].hits + cells[3];
	printf("# %d\n", total);
	return 0;
}
