// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/types/types.h"
#include "util/util.h"

#define ROWS_SHOWN	5
/*
 * An instruction with fewer misses counts in no finding.  While a program starts, hundreds of
 * instructions miss a few times each, and no change of the program avoids that.
 */
#define SITE_LEAST	8
/*
 * Reading code takes long, so types and strides of loops are sought only for instructions that have this
 * share of all cycles at stake.
 */
#define READ_SHARE	0.005

/* A load or store with misses */
struct site {
	const struct walks_of *file;
	const struct load_miss *at;
	bool store;
	bool strided, looped;		/* a stride that the samples show, or the code alone */
	bool read;			/* the code was */
	int64_t stride;			/* 0: the program computes it */
	struct instance type;		/* of what it accesses; type.type NULL: unknown */
	struct stake stake, outer;	/* of all misses, and of those that an outer cache served */
	enum miss_pattern pattern;
};

/* The sums over all sites of one pattern */
struct miss_sum {
	struct stake stake;
	uint64_t samples, near, last, walks, snooped;
	size_t sites[2];		/* loads, stores */
};

struct sites {
	struct site *all;
	size_t nr, room;
	struct miss_sum few;		/* of instructions with fewer misses than SITE_LEAST */
};

static void find_type(struct site *s)
{
	struct instance i = { .dso = s->at->split.global };
	struct access_span span = { 0 };

	if (i.dso && s->file->dso)
		span = operand_span(s->file->dso, s->at->address);
	if (i.dso && global_type(s->at->split.global_address, span, &i)) {
		s->type = i;
		return;
	}
	i.dso = s->file->dso;
	if (i.dso && operand_type(s->at->address, &i))
		s->type = i;
}

/* The line that most misses of the instruction access, or NULL */
static const struct line *lead_line(const struct lines *lines, const struct miss_split *m)
{
	const struct line_id id = { m->line.address, m->line.process, m->line.physical };

	return m->line.lead ? lines_with(lines, &id) : NULL;
}

/*
 * Whether the misses of a store are most likely those of @line, and other CPUs had it when loads missed it:
 * a store has no data source that tells.
 */
static bool line_moves(const struct line *line, const struct miss_split *m)
{
	uint64_t misses = 0, snooped = 0, stores = 0;
	size_t i;

	for (i = 0; line && i < line->nr_accesses; i++) {
		const struct access *a = &line->accesses[i];

		if (a->store) {
			stores += a->count;
		} else {
			misses += a->count - a->hit.count - a->atomic.count;
			snooped += a->snooped;
		}
	}
	return 2 * stores > m->misses && misses >= STAKE_BASE && 2 * snooped > misses;
}

/*
 * Whether it is a member that could be elsewhere in its structure.  An element of an array is where its
 * index says, and the members of a union that is in no structure are all in one place.
 */
static bool is_field(const struct instance *i)
{
	const char *path = i->field, *end, *dot;

	for (; *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, "|");
		dot = memrchr(path, '.', (size_t)(end - path));
		if ((end > path && end[-1] == ']') || (i->type->class == CLASS_UNION && !dot))
			return false;
	}
	return i->field[0];
}

static enum miss_pattern pattern_of(const struct site *s, const struct walks *w, const struct line *line)
{
	const struct miss_split *m = &s->at->split;

	if (2 * m->snooped > m->misses)
		return MISS_SHARED;
	if (s->strided || s->looped)
		return MISS_STRIDE;
	if (s->store && line_moves(line, m))
		return MISS_SHARED;
	/* One miss of the last cache costs more than several that an outer one serves. */
	if (w->leveled && 2 * s->outer.cycles > s->stake.cycles)
		return MISS_NEAR;
	return s->type.type && is_field(&s->type) ? MISS_FIELDS : MISS_OTHER;
}

static void find_stride(struct site *s)
{
	struct stride seen;

	if (load_miss_stride(s->at, &seen) && seen.bytes) {
		s->strided = true;
		s->stride = seen.bytes;
	} else if (s->read && s->file->dso) {
		s->looped = loop_stride(s->file->dso, s->file->of, s->at, &s->stride);
	}
}

static void miss_sum_add(struct miss_sum *to, const struct site *s, const struct stake *stake)
{
	const struct miss_split *m = &s->at->split;

	to->stake.cycles += stake->cycles;
	to->stake.variance += stake->variance;
	to->samples += m->misses;
	to->near += m->near;
	to->last += m->last;
	to->walks += m->walks;
	to->snooped += m->snooped;
	to->sites[s->store]++;
}

static void add_site(struct sites *to, const struct walks *w, const struct lines *lines,
		     const struct site *of, const struct stake_sums *hits,
		     const struct finding_list *l)
{
	const struct load_miss *at = of->at;
	const struct stake_sums *hit = at->split.hit.count < STAKE_BASE ? hits : &at->split.hit;
	const struct line *line = lead_line(lines, &at->split);
	struct stake stake;
	struct site *s;

	if (at->split.found || (line && line_flaw(line) != NR_FINDING))
		return;
	stake = stake_of(&at->split.local, hit);
	if (at->split.misses < SITE_LEAST) {
		miss_sum_add(&to->few, of, &stake);
		return;
	}
	to->all = array_grow(to->all, to->nr, &to->room, sizeof(*to->all));
	s = &to->all[to->nr++];
	*s = *of;
	s->stake = stake;
	s->outer = stake_of(&at->split.outer, hit);
	s->read = s->stake.cycles > READ_SHARE * l->cycles;
	if (s->read)
		find_type(s);
	find_stride(s);
	s->pattern = pattern_of(s, w, line);
}

static void collect(struct sites *to, const struct walks *w, const struct lines *lines,
		    const struct stake_sums *hits, const struct finding_list *l)
{
	size_t i, j;
	int store;

	for (i = 0; i < w->nr; i++)
		for (store = 0; store < 2; store++)
			for (j = 0; j < w->files[i].of[store].count; j++) {
				const struct site site = {
					.file = &w->files[i], .store = store,
					.at = w->files[i].of[store].sorted[j],
				};

				add_site(to, w, lines, &site, &hits[store], l);
			}
}

static int by_cycles(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	if (x->stake.cycles < y->stake.cycles || x->stake.cycles > y->stake.cycles)
		return x->stake.cycles > y->stake.cycles ? -1 : 1;
	return x->at->address < y->at->address ? -1 : x->at->address > y->at->address;
}

static struct miss_sum sum_of(const struct sites *s, enum miss_pattern pattern)
{
	struct miss_sum sum = { 0 };
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->all[i].pattern == pattern)
			miss_sum_add(&sum, &s->all[i], &s->all[i].stake);
	return sum;
}

/*
 * Cores hide the latency of an outer cache best, so such misses need more cycles at stake than
 * others to be worth a change.
 */
static bool is_enough(const struct finding_list *l, enum miss_pattern pattern,
		      const struct miss_sum *sum)
{
	struct stake part = sum->stake;

	if (pattern == MISS_NEAR)
		part.cycles /= FINDING_NEAR_TIMES;
	return finding_counts(l, FINDING_MISSES, sum->samples, &sum->stake) &&
	       part.cycles >= l->limits.share[FINDING_MISSES] * l->cycles;
}

/* Patterns that are too small for a finding each may be enough together. */
static void join_small(struct sites *s, const struct finding_list *l)
{
	unsigned int pattern;
	size_t i;

	for (pattern = 0; pattern < MISS_OTHER; pattern++) {
		struct miss_sum sum = sum_of(s, pattern);

		if (pattern == MISS_NEAR || is_enough(l, pattern, &sum))
			continue;
		for (i = 0; i < s->nr; i++)
			if (s->all[i].pattern == pattern)
				s->all[i].pattern = MISS_OTHER;
	}
}

/* ", 45% needed a page table walk", or "" for less than a half percent */
static char *part_text(uint64_t part, uint64_t all, const char *what)
{
	return part && 200 * part >= all ? xformat(", %.0f%% %s", 100 * (double)part / (double)all, what) :
		      xformat("%s", "");
}

/* "93% missed the last cache, 45% needed a page table walk" */
static char *split_text(const struct walks *w, const struct miss_sum *m)
{
	char *walks = part_text(m->walks, m->samples, "needed a page table walk");
	char *snooped = part_text(m->snooped, m->samples, "came from another CPU's cache");
	double all = (double)m->samples / 100;
	char *level = w->last ? xformat("%.0f%% missed the last cache", (double)m->last / all) :
		      w->leveled ? xformat("%.0f%% hit the second cache", (double)m->near / all) :
				   xformat("level unknown");
	char *text = xformat("%s%s%s", level, walks, snooped);

	free(level);
	free(snooped);
	free(walks);
	return text;
}

/* Text to append: which part of the answer the recording does not have */
static char *unknown_text(const struct walks *w)
{
	return xformat("%s%s%s", w->last ? "" :
		       "; unknown: whether they missed the last cache, as no sample has an event of it",
		       w->sourced ? "" :
		       "; unknown: which cache or memory served the loads, as no load has a known data source",
		       w->addressed ? "" :
		       "; unknown: strides and data, as no sample has a data address");
}

/* What it accesses: ", struct node.next, table in prog" */
static char *memory_text(const struct site *s)
{
	const struct miss_split *m = &s->at->split;
	struct data_place place = m->memory;
	char *type, *memory, *text;

	type = s->type.type ? xformat(", %s%s%s", s->type.type->name, s->type.field[0] ? "." : "",
				      s->type.field) : xformat("%s", "");
	/* Samples differ in the byte that they access, so name the whole variable. */
	place.base = m->at;
	place.has_base = place.symbol;
	memory = m->memory.object ? data_place_text(&place, m->at) : NULL;
	text = xformat("%s%s%s%s", type, memory ? ", " : "", memory ? memory : "",
		       m->several ? " and others" : "");
	free(memory);
	free(type);
	return text;
}

static char *stride_text(const struct site *s)
{
	if (s->strided || (s->looped && s->stride))
		return xformat("stride %" PRId64 "%s", s->stride, s->looped ? " in its loop" : "");
	return xformat("%s", s->looped ? "a stride that the program computes" :
		       !s->read || s->at->strides.count < STRIDES_LEAST ? "stride unknown" : "no stride seen");
}

/* " at list.c:12", and for code that was put into the function " at list.h:7, inlined at list.c:12" */
static char *source_text(struct dso *dso, uint64_t address)
{
	const char *file, *own;
	int line, own_line;
	char *text;

	if (!dso || !srcline_find(dso, address, &file, &line))
		return xformat("%s", "");
	text = xformat(" at %s:%d", path_short(file), line);
	if (inline_line(dso, address, &own, &own_line) && (own_line != line || strcmp(own, file)))
		text = xappend(text, ", inlined at %s:%d", path_short(own), own_line);
	return text;
}

/* "load 0x1820c find at list.c:12, struct node.next, [heap]: 93% missed ..., no stride seen" */
static char *row_text(const struct walks *w, const struct site *s)
{
	const struct load_miss *at = s->at;
	const struct miss_split *m = &at->split;
	const struct miss_sum sum = {
		.samples = m->misses, .near = m->near, .last = m->last, .walks = m->walks,
		.snooped = m->snooped,
	};
	char *data = memory_text(s), *split = split_text(w, &sum);
	char *stride = stride_text(s), *source = source_text(s->file->dso, at->address);
	char *text;

	text = xformat("%s 0x%" PRIx64 " %s%s%s: %s, %s", s->store ? "store" : "load", at->address,
		       at->symbol ? at->symbol : path_short(s->file->object), source,
		       data, split, stride);
	free(source);
	free(stride);
	free(split);
	free(data);
	return text;
}

/* Whether another file has a load or store at the same address in it */
static bool is_elsewhere(const struct walks *w, const struct site *s)
{
	size_t i, k, j;

	for (i = 0; i < w->nr; i++)
		for (k = 0; k < 2 && &w->files[i] != s->file && w->files[i].dso; k++)
			for (j = 0; j < w->files[i].of[k].count; j++)
				if (w->files[i].of[k].sorted[j]->address == s->at->address)
					return true;
	return false;
}

/* The filter of the rows shown; each instruction of a file by its address there */
static void add_filter(const struct walks *w, struct finding *f, const struct site *s)
{
	const char *object = s->file->object;
	char quote = strchr(object, '\'') ? '"' : '\'', *only, *longer;

	/* A filter has no way to write a name with both kinds of quotes. */
	if (s->file->dso && !strchr(object, quote) && is_elsewhere(w, s))
		only = xformat("object == %c%s%c and ", quote, object, quote);
	else
		only = xformat("%s", "");
	longer = xformat("%s%s%s%s == 0x%" PRIx64, f->filter ? f->filter : "",
			 f->filter ? " or " : "", only, s->file->dso ? "object_address" : "pc",
			 s->at->address);
	f->by_pc |= !s->file->dso;
	free(only);
	free(f->filter);
	f->filter = longer;
}

static void judge_pattern(const struct walks *w, const struct sites *s, enum miss_pattern pattern,
			  struct finding_list *to)
{
	struct miss_sum sum = sum_of(s, pattern);
	char *split, *unknown, *sites;
	struct finding *f;
	size_t i;

	if (!is_enough(to, pattern, &sum))
		return;
	f = finding_add(to, FINDING_MISSES, sum.samples, &sum.stake);
	f->pattern = pattern;
	for (i = 0; i < s->nr && f->nr_rows < ROWS_SHOWN; i++) {
		const struct stake_sums *missed = &s->all[i].at->missed;

		if (s->all[i].pattern != pattern)
			continue;
		add_filter(w, f, &s->all[i]);
		finding_row_add(f, s->all[i].at->split.misses,
				missed->count ? missed->cycles / (double)missed->count : -1,
				row_text(w, &s->all[i]));
	}
	sites = f->filter;
	f->filter = xformat("(" MISSES_FILTER ") and (%s)", sites);
	free(sites);
	split = split_text(w, &sum);
	unknown = unknown_text(w);
	f->what = xformat("%zu load%s and %zu store%s; of their misses %s%s", sum.sites[0],
			  plural(sum.sites[0]), sum.sites[1], plural(sum.sites[1]), split, unknown);
	if (sum.sites[0] + sum.sites[1] > f->nr_rows)
		f->what = xappend(f->what, "; the evidence is of the %zu with most cycles at stake", f->nr_rows);
	free(unknown);
	free(split);
}

/* Misses that the findings leave out, if they would be one */
static void note_few(const struct miss_sum *few, struct finding_list *to)
{
	if (finding_counts(to, FINDING_MISSES, few->samples, &few->stake))
		to->scattered = xformat("%zu instructions with fewer than %d misses each have %" PRIu64 " of them and %.1f%% of the cycles at stake: record longer or with a shorter period; perf spe report --by symbol --filter '" MISSES_FILTER "' counts misses by function",
					few->sites[0] + few->sites[1], SITE_LEAST, few->samples,
					100 * few->stake.cycles / to->cycles);
}

void miss_findings(const struct walks *w, const struct lines *lines, const struct stake_sums *hits,
		   struct finding_list *to)
{
	struct sites sites = { 0 };
	unsigned int pattern;

	collect(&sites, w, lines, hits, to);
	if (sites.nr)
		qsort(sites.all, sites.nr, sizeof(*sites.all), by_cycles);
	join_small(&sites, to);
	for (pattern = 0; pattern < NR_MISS_PATTERN; pattern++)
		judge_pattern(w, &sites, pattern, to);
	note_few(&sites.few, to);
	free(sites.all);
}
