// SPDX-License-Identifier: GPL-2.0-only
/* Two bytes of a structure that a loop changes, as a well-known test of samplers does */
#include "witness.h"

struct buffer {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));

static struct buffer work = { .data1 = 1 };

__attribute__((noinline)) static int spin(int rounds)
{
	int i;

	LOCAL(rounds, int);
	LOCAL(i, int);
	for (i = 0; i < rounds; i++) {
		__asm__ volatile("" ::: "memory");
		work.data1++;
		if (work.data1 == 123)
			work.data1++;
		work.data2 = (char)(work.data2 + work.data1);
	}
	return work.data2;
}

int main(void)
{
	OBJECT(work, struct buffer);
	MEMBER(struct buffer, data1, char);
	MEMBER(struct buffer, reserved, char[55]);
	MEMBER(struct buffer, data2, char);
	printf("# %d\n", spin(30));
	return 0;
}
