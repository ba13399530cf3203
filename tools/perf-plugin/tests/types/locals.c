// SPDX-License-Identifier: GPL-2.0-only
/* Structures and arrays on the stack, passed by pointers and by value */
#include "witness.h"

struct range {
	int64_t low, high;
};
struct options {
	struct range span;
	int32_t depth, flags;
	const char *name;
	short levels[6];
};

void widen(struct range *r, int64_t by)
{
	LOCAL(r, struct range *);
	LOCAL(by, int64_t);
	r->low -= by;
	r->high += by;
}

__attribute__((noinline)) static int64_t width(struct options o)
{
	OBJECT(o, struct options);
	return o.span.high - o.span.low + o.levels[2] + o.depth;
}

static void configure(struct options *o, int depth)
{
	int i;

	LOCAL(o, struct options *);
	LOCAL(depth, int);
	LOCAL(i, int);
	o->depth = depth;
	o->flags |= 1 << depth;
	for (i = 0; i < 6; i++)
		o->levels[i] = (short)(i * depth);
	widen(&o->span, depth);
}

int64_t histogram(const unsigned char *bytes, int count)
{
	int32_t counts[16] = { 0 };
	int64_t best = 0;
	int i;

	LOCAL(bytes, const unsigned char *);
	LOCAL(count, int);
	LOCAL(best, int64_t);
	LOCAL(i, int);
	OBJECT(counts, int32_t[16]);
	for (i = 0; i < count; i++)
		counts[bytes[i] & 15]++;
	for (i = 0; i < 16; i++)
		if (counts[i] > best)
			best = counts[i];
	return best;
}

int64_t deep(int level, struct range *outer)
{
	struct range mine = { outer->low, level };

	LOCAL(level, int);
	LOCAL(outer, struct range *);
	OBJECT(mine, struct range);
	widen(&mine, 1);
	if (level)
		mine.high += deep(level - 1, &mine);
	return mine.high - mine.low;
}

int main(void)
{
	unsigned char bytes[40];
	struct options o = { .name = "x" };
	int64_t total;
	int i;

	LOCAL(i, int);
	LOCAL(total, int64_t);
	OBJECT(bytes, unsigned char[40]);
	OBJECT(o, struct options);
	MEMBER(struct range, low, int64_t);
	MEMBER(struct range, high, int64_t);
	MEMBER(struct options, span, struct range);
	MEMBER(struct options, depth, int32_t);
	MEMBER(struct options, flags, int32_t);
	MEMBER(struct options, name, const char *);
	MEMBER(struct options, levels, short[6]);
	for (i = 0; i < 40; i++)
		bytes[i] = (unsigned char)(i * i);
	configure(&o, 3);
	total = width(o) + histogram(bytes, 40) + deep(4, &o.span);
	printf("# %d %d\n", (int)total, o.flags);
	return 0;
}
