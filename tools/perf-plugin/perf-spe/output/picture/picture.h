/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_PICTURE_PICTURE_H
#define PERF_SPE_OUTPUT_PICTURE_PICTURE_H

#include <stdint.h>
#include <stdio.h>

/*
 * canvas.c: What pictures are drawn on: rectangles and lines of text, as canvas_svg or as
 * canvas_png.
 * Lengths are pixels of the SVG; a PNG has twice as many.
 */

#define TEXT_WIDTH	6u	/* of text, a character */

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct canvas {
	const struct canvas_kind *kind;
	FILE *to;
	unsigned int width, height;
	uint8_t *pixels;	/* PNG: red, green, blue, from the top left */
};

/* Colours are 0xRRGGBB.  @about is what a pointer on it shows, or NULL. */
struct canvas_kind {
	int (*begin)(struct canvas *c, const char *title);
	void (*rect)(struct canvas *c, unsigned int x, unsigned int y,
		     unsigned int width, unsigned int height, uint32_t colour,
		     const char *about);
	/* @y is where the letters stand on. */
	void (*text)(struct canvas *c, unsigned int x, unsigned int y,
		     enum anchor anchor, const char *text);
	int (*end)(struct canvas *c);
};

/* 0, or -1 after a message. */
int canvas_begin(struct canvas *c, const struct canvas_kind *kind, FILE *to,
		 unsigned int width, unsigned int height, const char *title);
void canvas_rect(struct canvas *c, unsigned int x, unsigned int y,
		 unsigned int width, unsigned int height, uint32_t colour,
		 const char *about);
void canvas_text(struct canvas *c, unsigned int x, unsigned int y,
		 enum anchor anchor, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Writes what is not written yet, and lets go of everything but the file. */
int canvas_end(struct canvas *c);

/* How warm @part of 0 to 1 is: dark violet over red to pale yellow */
uint32_t canvas_heat(double part);

/* canvas_png.c: Pictures as PNG, two of whose pixels are one of the canvas. */

struct canvas_kind;

/* Without libpng its begin() fails after a message. */
extern const struct canvas_kind canvas_png;

/* canvas.c: Pictures as SVG. */

struct canvas_kind;

extern const struct canvas_kind canvas_svg;

#endif
