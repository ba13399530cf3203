// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "armspe.h"
#include "util/util.h"

#define EVENT(bit)	(UINT64_C(1) << (bit))

/* Programs have few files, and successive samples are mostly in the same one. */
static struct walks_of *file_of(struct walks *w, const struct place *place)
{
	size_t i;

	for (i = w->nr; i-- > 0;)
		if (w->files[i].object == place->object && w->files[i].dso == place->dso)
			return &w->files[i];
	w->files = array_grow(w->files, w->nr, &w->room, sizeof(*w->files));
	w->files[w->nr] = (struct walks_of){
		.object = place->object, .dso = place->dso, .of[1].stores = true,
	};
	return &w->files[w->nr++];
}

static void vote(struct line_vote *v, const struct line_id *id)
{
	if (!v->lead)
		*v = (struct line_vote){ id->address, id->process, id->physical, 0 };
	v->lead += v->address == id->address && v->process == id->process &&
		   v->physical == id->physical ? 1 : -UINT64_C(1);
}

/*
 * Whose memory the misses access.  Finding a name takes time, so only misses number 1, 2, 4, 8 ...
 * get one: that is enough to see whether there are several.
 */
static void name_memory(struct miss_split *s, const struct row_batch *b, size_t i)
{
	struct data_names *names = b->rows->data;
	struct data_place place;

	if (s->misses & (s->misses - 1))
		return;
	if (!batch_memory(b, i, &place) || !place.object)
		return;
	if (!s->global && names)
		data_names_file(names, batch_owner(b, i), b->va[i], b->time[i], &s->global,
				&s->global_address);
	if (!s->memory.object) {
		s->memory = place;
		s->at = armspe_addr_virtual(b->va[i]);
	}
	s->several |= place.object != s->memory.object || place.symbol != s->memory.symbol;
}

/*
 * Which cache served a miss; true for an outer one.  A core without an event for accesses to the
 * last cache has an event for its misses.
 */
static bool add_level(struct walks *w, struct miss_split *s, uint64_t events)
{
	const uint64_t last = EVENT(SPE_EVENT_LLC_ACCESS) | EVENT(SPE_EVENT_LLC_MISS);
	const uint64_t second = EVENT(SPE_EVENT_L2D_ACCESS) | EVENT(SPE_EVENT_L2D_MISS);

	w->leveled += (events & (last | second)) != 0;
	w->last += (events & last) != 0;
	if (events & EVENT(SPE_EVENT_LLC_MISS)) {
		s->last++;
		return false;
	}
	if (!(events & EVENT(SPE_EVENT_LLC_ACCESS)) && events & EVENT(SPE_EVENT_L2D_MISS))
		return false;
	s->near++;
	return true;
}

static void add_untranslated(struct stake_sums *to, const struct row_batch *b, size_t i)
{
	double walk = batch_has(b, i, SPE_COUNTER_XLAT) ? b->xlat[i] : 0;

	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		stake_add(to, b->total[i] > walk ? b->total[i] - walk : 0);
}

static void add_miss(struct walks *w, struct lines *l, struct miss_split *s,
		     const struct row_batch *b, size_t i)
{
	const uint64_t events = batch_events(b, i);
	struct line_id line;

	s->misses++;
	if (add_level(w, s, events))
		add_untranslated(&s->outer, b, i);
	s->walks += (events & EVENT(SPE_EVENT_TLB_WALK)) != 0;
	s->snooped += lines_snooped(l, b, i);
	if (lines_id(l, b, i, &line))
		vote(&s->line, &line);
	add_untranslated(&s->local, b, i);
	name_memory(s, b, i);
	w->misses++;
	w->addressed += b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1;
}

/* Another socket's memory is a finding of its own. */
static bool is_remote(struct walks *w, struct lines *l, const struct row_batch *b, size_t i)
{
	const struct lines_source *source = lines_source(l, b, i);

	if (!source || !(batch_op(b, i)->flags & ARMSPE_OPF_LOAD))
		return false;
	w->sourced++;
	return source->flags & ARMSPE_SOURCE_REMOTE;
}

/* What walks_at() found for a place */
struct walks_known {
	const struct place *place;	/* NULL: empty */
	struct load_miss *at;
	size_t file;			/* in walks.files */
	uint32_t epoch;			/* valid only if it is that of the places */
	bool store;
};

#define KNOWN	4096			/* a power of two */

static const struct walks_known *walks_at(struct walks *w, const struct row_batch *b, size_t i,
					  bool store)
{
	const struct place *place = b->place[i];
	struct walks_known *known = &w->known[hash_mix((uintptr_t)place + store) & (KNOWN - 1)];
	struct walks_of *file;

	if (known->place != place || known->epoch != b->rows->places->epoch ||
	    known->store != store) {
		file = file_of(w, place);
		*known = (struct walks_known){
			.place = place, .at = load_misses_at(&file->of[store], b, i),
			.file = (size_t)(file - w->files), .epoch = b->rows->places->epoch,
			.store = store,
		};
	}
	return known;
}

void walks_add(struct walks *w, struct lines *l, const struct row_batch *b)
{
	uint64_t period = profile_period(b->rows->resolver.session, b->piece, &w->intervals);
	size_t k;

	if (!w->known)
		w->known = xcalloc(KNOWN, sizeof(*w->known));
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		const uint32_t flags = batch_op(b, i)->flags;
		const bool store = !(flags & ARMSPE_OPF_LOAD);
		const struct walks_known *known;

		if (!(flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)) || !b->place[i]->has_address)
			continue;
		known = walks_at(w, b, i, store);
		load_misses_add(&w->files[known->file].of[store], known->at, b, i,
				period ? period : 1);
		if (!(batch_events(b, i) & PROFILE_MISS_EVENTS))
			add_untranslated(&known->at->split.hit, b, i);
		else if (!is_remote(w, l, b, i))
			add_miss(w, l, &known->at->split, b, i);
	}
}

bool walks_in_files(const struct walks *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (w->files[i].dso)
			return true;
	return false;
}

void walks_finish(struct walks *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++) {
		load_misses_end(&w->files[i].of[0]);
		load_misses_end(&w->files[i].of[1]);
	}
}

void walks_free(struct walks *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++) {
		load_misses_free(&w->files[i].of[0]);
		load_misses_free(&w->files[i].of[1]);
	}
	free(w->files);
	free(w->known);
}

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
