/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of objects that a program printed, and which answers are right for an access. */
#ifndef TYPES_JUDGE_H
#define TYPES_JUDGE_H

#include <stdint.h>

#define NO_FRAME	(-1)	/* not on the stack */

struct access {
	uint64_t address, time;
	int64_t frame;		/* NO_FRAME; 0: on the stack, above all frames that are known */
	int64_t by;		/* the frame of the function that accesses it */
	unsigned int bytes;	/* of an element: of LDP one of two */
};

/* The constants of the program are at [low, high). */
void table_read(const char *path, uint64_t low, uint64_t high);
/* The program told of the object at a->address, the next one of the table. */
void table_object(const struct access *a);
void table_forget(uint64_t address, uint64_t time);
/* Print the answers that are right for all of these accesses. */
void table_answers(const struct access *at, unsigned int count);

#endif
