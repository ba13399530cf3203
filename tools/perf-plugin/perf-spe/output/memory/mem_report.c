// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "input/input.h"
#include "output/memory/memory.h"
#include "symbols/data/data.h"
#include "util/util.h"

void mem_zoomed_begin(struct mem_report *m, const struct region *range)
{
	size_t i;

	if (range)
		heat_of_range(&m->zoomed[m->nr_zoomed++], &m->pages, range,
			      PAGE_HEAT_ROWS, PAGE_HEAT_COLUMNS);
	else
		m->nr_zoomed = heat_of_owners(m->zoomed, MEM_PICTURES,
					      &m->pages, PAGE_HEAT_ROWS,
					      PAGE_HEAT_COLUMNS);
	for (i = 0; i < m->nr_zoomed; i++)
		m->zoomed[i].by_latency = m->by_latency;
}

bool mem_touch(struct mem_report *m, const struct row_batch *b, size_t i, struct touch *touch)
{
	struct heat_at *at = &m->waiting[m->walked % MEM_WAITING];
	size_t n;

	if (!pages_touch(&m->pages, b, i, &m->walked, touch))
		return false;
	heat_count(at);
	/* Each picture is of another owner. */
	for (n = 0; n < m->nr_zoomed && !heat_find(&m->zoomed[n], touch, at); n++)
		;
	touch->page = pages_find(&m->pages, touch->whose, touch->address);
	touchers_add(&m->touchers, b, i, touch);
	return true;
}

static void count_waiting(struct mem_report *m)
{
	size_t i;

	for (i = 0; i < MEM_WAITING; i++)
		heat_count(&m->waiting[i]);
}

void mem_touch_end(struct mem_report *m)
{
	count_waiting(m);
	touchers_finish(&m->touchers);
}

void mem_part_begin(struct mem_report *m, const struct mem_report *like)
{
	size_t i;

	if (m == like)
		touchers_free(&m->touchers);
	else
		*m = *like;
	m->touchers = (struct touchers){ 0 };
	m->walked = 0;
	memset(m->waiting, 0, sizeof(m->waiting));
	for (i = 0; i < m->nr_zoomed; i++)
		heat_twin(&m->zoomed[i], &like->zoomed[i]);
}

void mem_part_merge(struct mem_report *m, struct mem_report *from)
{
	size_t i;

	count_waiting(from);
	touchers_merge(&m->touchers, &from->touchers);
	for (i = 0; i < m->nr_zoomed; i++)
		heat_merge(&m->zoomed[i], &from->zoomed[i]);
}

void mem_part_free(struct mem_report *m)
{
	size_t i;

	touchers_free(&m->touchers);
	for (i = 0; i < m->nr_zoomed; i++)
		heat_free(&m->zoomed[i]);
}

static const struct process *process_of(const struct mem_report *m, uint32_t whose)
{
	const struct session *s = m->rows.resolver.session;

	return s && whose ? processes_numbered(&s->processes, owner_host(whose)) : NULL;
}

int32_t mem_pid(const struct mem_report *m, uint32_t whose)
{
	const struct process *p = process_of(m, whose);

	if (!whose)
		return NO_ID;
	return p ? p->pid : owner_pid(whose);
}

char *mem_whose(const struct mem_report *m, uint32_t whose, uint64_t address)
{
	const struct process *p = process_of(m, whose);
	int32_t pid = mem_pid(m, whose);

	if (pid != NO_ID)
		return xformat("%s%d %s", owner_is_guest(whose) ? "guest of " : "", pid,
			       p && p->comm ? p->comm : "");
	return xformat("%s", m->pages.physical ? "physical" :
		       address >> 63 ? "kernel" : "");
}

/* How many names a row shows; more are "..." */
#define NAMES 3

static char *name_of(const struct toucher *t)
{
	const struct data_place place = {
		.object = t->object, .symbol = t->symbol, .block = t->block,
	};

	return data_place_text(&place, 0);
}

char *mem_names(const struct mem_report *m, enum touched_kind kind, size_t index)
{
	struct toucher *const *end, *const *at;
	char *list = NULL;
	int count = 0;

	for (at = touchers_of(&m->touchers, kind, index, &end); at < end && count <= NAMES; at++) {
		const size_t len = list ? strlen(list) : 0;

		/* Two mappings of a file have one name, which the list takes once. */
		list = text_list_take(list, (*at)->object ? name_of(*at) : NULL);
		if (!list || strlen(list) == len || count++ < NAMES)
			continue;
		list[len] = '\0';
		list = text_list_take(list, xformat("..."));
	}
	return list ? list : xformat("%s", "");
}

char *mem_code(const struct mem_report *m, size_t page)
{
	uint64_t all = pages_touches(&m->pages.hot[page]->touched);
	struct toucher *const *end, *const *at;
	char *text = xformat("%s", "");
	int count = 0;

	for (at = touchers_of(&m->touchers, TOUCHED_BY, page, &end);
	     at < end && count < NAMES; at++) {
		const struct toucher *t = *at;

		if (!t->symbol && !strcmp(t->object, "[unknown]"))
			continue;
		text = xappend(text, "%s%s %.2f%%", count++ ? ", " : "",
			       t->symbol ? t->symbol : t->object,
			       percent(t->count, all));
	}
	return text;
}

/* "0x1000-0x2000", or how many ranges the picture has */
static char *title_ranges(const struct bands *b)
{
	if (b->count == 1 && !b->omitted)
		return xformat("0x%" PRIx64 "-0x%" PRIx64, b->band[0].start,
			       b->band[0].end);
	if (!b->omitted)
		return xformat("%zu ranges", b->count);
	return xformat("%zu range%s (%zu region%s with %" PRIu64 " sample%s not drawn)",
		       b->count, plural(b->count), b->omitted, plural(b->omitted),
		       b->omitted_samples, plural(b->omitted_samples));
}

char *heat_names(const struct heat *h, size_t index)
{
	const struct band_name *name = h->bands.name[index];
	const uint64_t all = h->bands.band[index].samples;
	char *text = xformat("%s", ""), *one;
	unsigned int i;

	for (i = 0; i < BAND_NAMES && percent(name[i].count, all) >= 1; i++) {
		struct data_place place = name[i].place;

		/* The whole variable, not a byte of it */
		place.has_base = place.symbol;
		one = data_place_text(&place, place.base);
		text = xappend(text, "%s%s %.0f%%", i ? ", " : "", one, fmin(percent(name[i].count, all), 100));
		free(one);
	}
	return text;
}

char *mem_title(const struct mem_report *m, const struct heat *h)
{
	char *who = mem_whose(m, h->whose, h->bands.band[0].start);
	char *ranges = title_ranges(&h->bands);
	char *title = xformat("%s by address and %s: %s%s%s",
			      m->by_latency ? "cycles" : "samples",
			      m->pages.timed ? "time" : "order", ranges,
			      *who ? " of " : "", who);

	free(ranges);
	free(who);
	return title;
}

char *mem_why_none(const struct mem_report *m)
{
	return m->pages.physical ?
	       rows_why_none(&m->rows, "has a physical address", "record again with --loads --stores --physical") :
	       rows_why_none(&m->rows, "has a virtual address", "record again with --loads --stores");
}
