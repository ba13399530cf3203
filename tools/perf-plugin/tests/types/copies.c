// SPDX-License-Identifier: GPL-2.0-only
/* Structures that are copied: by assignment, by memcpy, as results of functions */
#include "witness.h"

struct color {
	uint8_t red, green, blue, alpha;
};
struct pixel {
	struct color color;
	int32_t x, y;
	double depth;
};
struct frame {
	struct pixel pixels[4];
	struct pixel *brightest;
	uint64_t serial;
};

struct frame frames[3];
static struct pixel sprite = { { 1, 2, 3, 4 }, 5, 6, 0.5 };

__attribute__((noinline)) static struct pixel blend(const struct pixel *a, const struct pixel *b)
{
	struct pixel p = *a;

	LOCAL(a, const struct pixel *);
	LOCAL(b, const struct pixel *);
	OBJECT(p, struct pixel);
	p.color.red = (uint8_t)(a->color.red + b->color.red);
	p.color.blue = b->color.blue;
	p.depth = a->depth > b->depth ? a->depth : b->depth;
	return p;
}

void copy(struct frame *to, const struct frame *from)
{
	LOCAL(to, struct frame *);
	LOCAL(from, const struct frame *);
	memcpy(to->pixels, from->pixels, sizeof(to->pixels));
	to->serial = from->serial + 1;
	to->brightest = &to->pixels[from->brightest - from->pixels];
}

void draw(struct frame *f, int at)
{
	struct pixel mixed;

	LOCAL(f, struct frame *);
	LOCAL(at, int);
	OBJECT(mixed, struct pixel);
	mixed = blend(&f->pixels[at], &sprite);
	mixed.x++;
	f->pixels[at] = mixed;
	if (!f->brightest || f->brightest->color.red < mixed.color.red)
		f->brightest = &f->pixels[at];
}

int main(void)
{
	struct pixel last;
	int i;

	LOCAL(i, int);
	OBJECT(last, struct pixel);
	OBJECT(frames, struct frame[3]);
	OBJECT(sprite, struct pixel);
	MEMBER(struct color, red, uint8_t);
	MEMBER(struct color, green, uint8_t);
	MEMBER(struct color, blue, uint8_t);
	MEMBER(struct color, alpha, uint8_t);
	MEMBER(struct pixel, color, struct color);
	MEMBER(struct pixel, x, int32_t);
	MEMBER(struct pixel, y, int32_t);
	MEMBER(struct pixel, depth, double);
	MEMBER(struct frame, pixels, struct pixel[4]);
	MEMBER(struct frame, brightest, struct pixel *);
	MEMBER(struct frame, serial, uint64_t);
	for (i = 0; i < 4; i++)
		draw(&frames[0], i * 3 % 4);
	copy(&frames[1], &frames[0]);
	copy(&frames[2], &frames[1]);
	memcpy(&last, frames[2].brightest, sizeof(last));
	printf("# %d %d %d\n", last.color.red, last.x, (int)frames[2].serial);
	return 0;
}
