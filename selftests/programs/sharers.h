/* SPDX-License-Identifier: GPL-2.0-only */
/* The patterns of sharers.c */
#ifndef SHARERS_H
#define SHARERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_ACTORS = 4 };

/* A thread that takes one step in each round */
struct actor {
	void (*step)(uint8_t *at, uint64_t round);
	unsigned int offset;		/* of its place, which begins a line if it is 0 */
	int cpu;
	int every;			/* a step in each such round only; 0: in all */
};

struct pattern {
	const char *name, *kind;
	struct actor actors[MAX_ACTORS];
	int nr_actors;
	int phases;			/* the actors work in turn, one a phase; 0: all at once */
	bool heap;			/* places of malloc() on one line */
	bool filled;			/* main() writes the first line before */
};

extern const struct pattern patterns[];
extern const size_t nr_patterns;

/* The step of main() that fills a line */
void fill(uint8_t *at, uint64_t round);

#endif
