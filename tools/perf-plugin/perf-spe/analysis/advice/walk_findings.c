// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "util/util.h"

/* Programs have few files, and successive samples are mostly in the same one. */
static struct walks_of *file_of(struct walks *w, const char *object)
{
	size_t i;

	for (i = w->nr; i-- > 0;)
		if (w->files[i].object == object)
			return &w->files[i];
	w->files = array_grow(w->files, w->nr, &w->room, sizeof(*w->files));
	w->files[w->nr] = (struct walks_of){ .object = object };
	return &w->files[w->nr++];
}

void walks_add(struct walks *w, const struct row_batch *b)
{
	uint64_t period = profile_period(b->rows->resolver.session, b->piece, &w->intervals);
	struct row row = batch_row(b);
	size_t k;

	for (k = 0; k < b->nr; k++) {
		const struct place *place = b->place[b->kept[k]];
		const uint32_t flags = batch_op(b, b->kept[k])->flags;
		struct walks_of *file;

		if (!place->dso || !(flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)))
			continue;
		file = file_of(w, place->object);
		if (!(flags & ARMSPE_OPF_LOAD))
			continue;
		batch_row_at(b, b->kept[k], &row);
		load_misses_add(&file->misses, &row, period ? period : 1);
	}
}

static void judge_load(const struct walks_of *file, const struct load_miss *load,
		       const struct stake_sums *hits, struct finding_list *to)
{
	struct stake stake = stake_of(&load->missed, load->hit.count < STAKE_BASE ? hits : &load->hit);
	struct stride stride;
	struct finding *f;

	if (!load_miss_stride(load, &stride) || !stride.bytes ||
	    !finding_counts(to, FINDING_STRIDE, load->missed.count, &stake))
		return;
	f = finding_add(to, FINDING_STRIDE, load->missed.count, &stake);
	f->verb = "pgo";
	f->object = xformat("%s", file->object);
	f->what = xformat("the load at 0x%" PRIx64 " of %s in %s, with a stride of %" PRId64
			  " bytes in %.0f%% of its steps", load->address,
			  load->symbol ? load->symbol : "[no symbol]", file->object, stride.bytes,
			  100 * stride.regular);
	f->filter = xformat("object_address == 0x%" PRIx64, load->address);
	finding_row_add(f, load->misses, load_miss_latency(load),
			xformat("0x%" PRIx64 " %s stride %" PRId64, load->address,
				load->symbol ? load->symbol : "[no symbol]", stride.bytes));
}

void walk_findings(struct walks *w, const struct stake_sums *hits, struct finding_list *to)
{
	size_t i, j;

	for (i = 0; i < w->nr; i++) {
		load_misses_end(&w->files[i].misses);
		for (j = 0; j < w->files[i].misses.count; j++)
			judge_load(&w->files[i], w->files[i].misses.sorted[j], hits, to);
	}
}

void walks_free(struct walks *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		load_misses_free(&w->files[i].misses);
	free(w->files);
}
