// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/picture/picture.h"
#include "util/util.h"

#define COLOUR_AGAIN	0x5b7fb5
#define COLOUR_FRESH	0xeb6432
#define COLOUR_FRAME	0xf2f2f2

void working_set_draw(const struct working_set *w, struct canvas *c, unsigned int left,
	       unsigned int top, unsigned int width, unsigned int height)
{
	struct working_set_step steps[WORKING_SET_STEPS];
	unsigned int i, each = width / WORKING_SET_STEPS, bottom = top + height;
	uint64_t most = 1;

	working_set_steps(w, steps, WORKING_SET_STEPS);
	for (i = 0; i < WORKING_SET_STEPS; i++)
		if (steps[i].pages > most)
			most = steps[i].pages;
	canvas_rect(c, left, top, width, height, COLOUR_FRAME, NULL);
	for (i = 0; i < WORKING_SET_STEPS; i++) {
		const struct working_set_step *s = &steps[i];
		unsigned int all = (unsigned int)(s->pages * height / most);
		unsigned int fresh = (unsigned int)(s->fresh * height / most);
		char *about = xformat("%" PRIu64 " KiB, %" PRIu64 " KiB of them for the first time, %" PRIu64 " samples",
				      s->pages * PAGE_BYTES / 1024,
				      s->fresh * PAGE_BYTES / 1024, s->samples);

		if (all)
			canvas_rect(c, left + i * each, bottom - all, each - 1,
				    all, COLOUR_AGAIN, about);
		if (fresh)
			canvas_rect(c, left + i * each, bottom - fresh,
				    each - 1, fresh, COLOUR_FRESH, about);
		free(about);
	}
	canvas_text(c, left - 6, top + 8, ANCHOR_END, "%" PRIu64 " KiB",
		    most * PAGE_BYTES / 1024);
	canvas_text(c, left - 6, bottom, ANCHOR_END, "0");
	canvas_rect(c, left + width + 14, top, 8, 8, COLOUR_AGAIN, NULL);
	canvas_text(c, left + width + 26, top + 8, ANCHOR_START, "pages");
	canvas_rect(c, left + width + 14, top + 14, 8, 8, COLOUR_FRESH, NULL);
	canvas_text(c, left + width + 26, top + 22, ANCHOR_START, "new ones");
}
