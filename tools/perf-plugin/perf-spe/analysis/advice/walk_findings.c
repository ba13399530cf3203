// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "analysis/advice/advice.h"
#include "util/util.h"

static void judge_load(const struct walks_of *file, struct load_miss *load,
		       const struct stake_sums *hits, struct finding_list *to)
{
	struct stake stake = stake_of(&load->missed, load->hit.count < STAKE_BASE ? hits : &load->hit);
	struct stride stride;
	struct finding *f;

	if (!load_miss_stride(load, &stride) || !stride.bytes ||
	    !finding_counts(to, FINDING_STRIDE, load->missed.count, &stake))
		return;
	load->split.found = true;
	f = finding_add(to, FINDING_STRIDE, load->missed.count, &stake);
	f->verb = "pgo";
	f->object = xformat("%s", file->object);
	f->what = xformat("the load at 0x%" PRIx64 " of %s in %s, with a stride of %" PRId64
			  " bytes in %.0f%% of its steps", load->address,
			  load->symbol ? load->symbol : "[no symbol]", file->object, stride.bytes,
			  100 * stride.regular);
	f->filter = xformat("object_address == 0x%" PRIx64, load->address);
	finding_row_add(f, load->missed.count, load_miss_latency(load),
			xformat("0x%" PRIx64 " %s stride %" PRId64, load->address,
				load->symbol ? load->symbol : "[no symbol]", stride.bytes));
}

void walk_findings(struct walks *w, const struct stake_sums *hits, struct finding_list *to)
{
	size_t i, j;

	for (i = 0; i < w->nr; i++)
		for (j = 0; w->files[i].dso && j < w->files[i].of[0].count; j++)
			judge_load(&w->files[i], w->files[i].of[0].sorted[j], hits, to);
}
