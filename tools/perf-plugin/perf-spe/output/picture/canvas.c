// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/picture/picture.h"
#include "output/text/text.h"

int canvas_begin(struct canvas *c, const struct canvas_kind *kind, FILE *to,
		 unsigned int width, unsigned int height, const char *title)
{
	c->kind = kind;
	c->to = to;
	c->width = width;
	c->height = height;
	c->pixels = NULL;
	return kind->begin(c, title);
}

void canvas_rect(struct canvas *c, unsigned int x, unsigned int y,
		 unsigned int width, unsigned int height, uint32_t colour,
		 const char *about)
{
	c->kind->rect(c, x, y, width, height, colour, about);
}

void canvas_text(struct canvas *c, unsigned int x, unsigned int y,
		 enum anchor anchor, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	c->kind->text(c, x, y, anchor, text);
}

int canvas_end(struct canvas *c)
{
	return c->kind->end(c);
}

uint32_t canvas_heat(double part)
{
	static const unsigned char stops[][3] = {
		{ 52, 24, 110 }, { 120, 32, 120 }, { 190, 50, 90 },
		{ 235, 100, 50 }, { 250, 170, 50 }, { 255, 245, 170 },
	};
	const unsigned int last = sizeof(stops) / sizeof(stops[0]) - 1;
	double at = part * last;
	unsigned int from = at >= last ? last - 1 : (unsigned int)at, i;
	uint32_t colour = 0;

	for (i = 0; i < 3; i++) {
		double low = stops[from][i], high = stops[from + 1][i];

		colour = colour << 8 |
			 (uint32_t)(low + (high - low) * (at - from) + 0.5);
	}
	return colour;
}

static int svg_begin(struct canvas *c, const char *title)
{
	fprintf(c->to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"monospace\" font-size=\"10\">\n<title>",
		c->width, c->height, c->width, c->height);
	put_escaped(title, c->to);
	fprintf(c->to, "</title>\n<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n",
		c->width, c->height);
	return 0;
}

static void svg_rect(struct canvas *c, unsigned int x, unsigned int y,
		     unsigned int width, unsigned int height, uint32_t colour,
		     const char *about)
{
	fprintf(c->to, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%06x\"",
		x, y, width, height, colour);
	if (!about) {
		fputs("/>\n", c->to);
		return;
	}
	fputs("><title>", c->to);
	put_escaped(about, c->to);
	fputs("</title></rect>\n", c->to);
}

static void svg_text(struct canvas *c, unsigned int x, unsigned int y,
		     enum anchor anchor, const char *text)
{
	static const char *const names[] = {
		[ANCHOR_START] = "start", [ANCHOR_MIDDLE] = "middle",
		[ANCHOR_END] = "end",
	};

	fprintf(c->to, "<text x=\"%u\" y=\"%u\" text-anchor=\"%s\">", x, y,
		names[anchor]);
	put_escaped(text, c->to);
	fputs("</text>\n", c->to);
}

static int svg_end(struct canvas *c)
{
	fputs("</svg>\n", c->to);
	return 0;
}

const struct canvas_kind canvas_svg = {
	.begin = svg_begin, .rect = svg_rect, .text = svg_text, .end = svg_end,
};
