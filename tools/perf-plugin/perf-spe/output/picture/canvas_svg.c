// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "output/picture/picture.h"
#include "output/text/text.h"

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
