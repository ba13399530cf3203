/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of objects that a program printed, and which answers are right for an access. */
#ifndef TYPES_JUDGE_H
#define TYPES_JUDGE_H

#include <stdint.h>

#define NO_FRAME	(-1)	/* not on the stack */

struct access {
	uint64_t address, time;
	int64_t frame;		/* NO_FRAME; 0: on the stack, above all frames that are known */
};

void table_read(const char *path);
/* The program told of the object at @address, the next one of the table. */
void table_object(uint64_t address, int64_t frame, uint64_t time);
void table_forget(uint64_t address, uint64_t time);
/* Print the answers that are right for all of these accesses. */
void table_answers(const struct access *at, unsigned int count);

#endif
