// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "input/input.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/*
 * A cell below this part of all samples and of all cycles would be narrower than a
 * pixel of most screens.  Such cells of one parent become one cell.
 */
#define LEAST_PART	2000

/* The kind of a cell that stands for several small ones; page.css colours it as .k6. */
#define KIND_SMALL	6

struct names {
	char **list;
	size_t nr, room;
};

struct drawing {
	FILE *to;
	const char *id;			/* its elements' ids begin with it */
	const struct flame *flame;
	const struct groups *groups;
	size_t limit;
	const struct session *session;
	struct names names;
	FILE *more;			/* JSON: of each cell the samples by slice of time, or the old ones */
	uint64_t cells, left_out;
	bool threads;			/* some cells are of threads */
};

static size_t add_name(struct names *n, char *name)
{
	size_t i;

	/* Neighbours and their children often have the same names. */
	for (i = n->nr; i-- > 0 && n->nr - i < 64;)
		if (!strcmp(n->list[i], name)) {
			free(name);
			return i;
		}
	n->list = array_grow(n->list, n->nr, &n->room, sizeof(*n->list));
	n->list[n->nr] = name;
	return n->nr++;
}

/* @number is an owner_number(). */
static char *process_name(const struct drawing *d, uint32_t number)
{
	const struct process *p = d->session ?
		processes_numbered(&d->session->processes, owner_host(number)) : NULL;
	int32_t pid = p ? p->pid : owner_pid(number);
	const char *guest = owner_is_guest(number) ? "guest of " : "";

	if (pid == NO_ID)
		return xformat("%s(process not known)", guest);
	if (!pid)
		return xformat("idle, pid 0");
	return xformat("%s%s, pid %d", guest, p && p->comm ? p->comm : "process", pid);
}

/* A thread that has the name of its process needs no other. */
static char *thread_name(const struct drawing *d, const struct flame_node *n)
{
	const struct process *p = d->session && n->parent->kind == FLAME_PROCESS ?
		processes_numbered(&d->session->processes, owner_host((uint32_t)n->parent->id)) : NULL;
	const char *name = p ? processes_last_name(&d->session->processes, n->id, p) : NULL;

	if (!name || text_same(name, p->comm))
		return xformat("thread %d", n->id);
	return xformat("%s, tid %d", name, n->id);
}

static char *node_name(const struct drawing *d, const struct flame_node *n)
{
	switch (n->kind) {
	case FLAME_ALL:
		return xformat("all");
	case FLAME_PROCESS:
		if (n->name)
			return xformat("%s", n->name);
		return process_name(d, (uint32_t)n->id);
	case FLAME_THREAD:
		return thread_name(d, n);
	case FLAME_OBJECT:
		return xformat("%s", path_short(n->name));
	default:
		return xformat("%s", n->name ? n->name : NO_SYMBOL);
	}
}

/* The row of the table of functions, or -1 */
static long row_of(const struct drawing *d, const struct flame_node *n)
{
	size_t i;

	if (n->kind != FLAME_FUNCTION || !n->name || !d->groups)
		return -1;
	for (i = 0; i < d->groups->nr_sorted && i < d->limit; i++) {
		const struct place *p = &d->groups->sorted[i]->place;

		if (p->symbol && !strcmp(p->symbol, n->name) &&
		    !strcmp(p->object, n->object))
			return (long)i;
	}
	return -1;
}

/* Samples and cycles of the old recording, or of slices with samples: how many slices further first */
static void put_more(struct drawing *d, const struct flame_node *n)
{
	unsigned int i, last = 0;
	bool any = false;

	if (d->flame->compares) {
		fprintf(d->more, "%s[%" PRIu64 ",%" PRIu64 "]", d->cells ? ",\n" : "\n",
			n->old.count, n->old.cycles);
		return;
	}
	fputs(d->cells ? ",\n[" : "\n[", d->more);
	for (i = 0; n->slices && i < TIME_SLICES; i++) {
		if (!n->slices[i].count)
			continue;
		fprintf(d->more, "%s%u,%" PRIu64 ",%" PRIu64, any ? "," : "", i - last,
			n->slices[i].count, n->slices[i].cycles);
		last = i;
		any = true;
	}
	putc(']', d->more);
}

static void put_node(struct drawing *d, unsigned int depth, char *name, int kind, long row,
		     const struct flame_node *n)
{
	fprintf(d->to, "%s%u,%zu,%d,%ld,%" PRIu64 ",%" PRIu64,
		d->cells ? ",\n" : "\n", depth, add_name(&d->names, name), kind,
		row, n->count, n->cycles);
	put_more(d, n);
	d->cells++;
}

static void add_up(struct flame_node *to, const struct flame_node *n)
{
	unsigned int i;

	to->count += n->count;
	to->cycles += n->cycles;
	to->old.count += n->old.count;
	to->old.cycles += n->old.cycles;
	for (i = 0; n->slices && i < TIME_SLICES; i++) {
		to->slices[i].count += n->slices[i].count;
		to->slices[i].cycles += n->slices[i].cycles;
	}
}

static bool is_little(uint64_t part, uint64_t whole)
{
	return !part || part * LEAST_PART < whole;
}

static bool is_small(const struct drawing *d, const struct flame_node *n)
{
	const struct flame_node *all = d->flame->all;

	return is_little(n->count, all->count) && is_little(n->cycles, all->cycles) &&
	       is_little(n->old.count, all->old.count) && is_little(n->old.cycles, all->old.cycles);
}

/* The thread of a process that has only one says nothing. */
static bool is_only_thread(const struct flame_node *process)
{
	const struct flame_node *child = process->child;

	return process->kind == FLAME_PROCESS && child && !child->next &&
	       child->kind == FLAME_THREAD;
}

/* Whether a cell of put_tree() is of a thread */
static bool has_threads(const struct drawing *d)
{
	const struct flame_node *process, *child;

	for (process = d->flame->all->child; process; process = process->next) {
		if (is_small(d, process) || is_only_thread(process))
			continue;
		for (child = process->child; child; child = child->next)
			if (child->kind == FLAME_THREAD && !is_small(d, child))
				return true;
	}
	return false;
}

static void put_tree(struct drawing *d, const struct flame_node *n,
		     unsigned int depth)
{
	struct call_sum slices[TIME_SLICES] = { { 0 } };
	struct flame_node together = { .slices = slices };
	const struct flame_node *child;
	uint64_t small = 0;

	put_node(d, depth, node_name(d, n), (int)n->kind, row_of(d, n), n);
	child = n->child;
	if (is_only_thread(n))
		child = child->child;
	for (; child; child = child->next) {
		if (is_small(d, child)) {
			small++;
			add_up(&together, child);
		} else {
			put_tree(d, child, depth + 1);
		}
	}
	if (small)
		put_node(d, depth + 1, xformat("(%" PRIu64 " smaller)", small),
			 KIND_SMALL, -1, &together);
	d->left_out += small;
}

static void put_data(struct drawing *d)
{
	char *more = NULL;
	size_t i, len;

	d->more = open_memstream(&more, &len);
	if (!d->more) {
		say("out of memory: reduce what the page shows with --limit or --filter");
		exit(EXIT_INPUT);
	}

	fprintf(d->to, "<script type=\"application/json\" id=\"%s-data\">{\"nodes\":[", d->id);
	put_tree(d, d->flame->all, 0);
	fprintf(d->to, "],\n\"cycles\":%" PRIu64 ",\"names\":[",
		d->flame->all->cycles + d->flame->all->old.cycles);
	for (i = 0; i < d->names.nr; i++) {
		fputs(i ? ",\n" : "\n", d->to);
		json_script_text(d->names.list[i], d->to);
		free(d->names.list[i]);
	}
	free(d->names.list);
	fclose(d->more);
	fprintf(d->to, "],\n\"%s\":[%s]}</script>\n", d->flame->compares ? "old" : "slices", more);
	free(more);
}

static const char thread_legend[] = "<li><i class=\"k2\"></i>thread</li>";
static const char legend[] =
	"<li><i class=\"k1\"></i>process</li>%s<li><i class=\"k3\"></i>object</li><li><i class=\"k4\"></i>function</li><li><i class=\"k4 kernel\"></i>kernel</li><li><i class=\"k5\"></i>inlined</li><li><i class=\"k6\"></i>several small ones</li>";
static const char change_legend[] =
	"<li><i class=\"more\"></i>a larger share than in the old recording</li><li><i class=\"same\"></i>the same</li><li><i class=\"less\"></i>a smaller one</li>";

static const char sides[] =
	"<span class=\"group\" role=\"group\" aria-label=\"Recording that sets the width\"><button type=\"button\" data-side=\"new\" aria-pressed=\"true\">New</button><button type=\"button\" data-side=\"old\" aria-pressed=\"false\">Old</button></span>\n";

static void put_tools(const struct drawing *d)
{
	const char *id = d->id;
	const bool compares = d->flame->compares;

	fprintf(d->to, "<noscript><p class=\"note\">The flame graph needs JavaScript. %s</p></noscript>\n",
		compares ? "The table has the changes of the functions." :
		"The table of functions above has their numbers, without callers.");
	fprintf(d->to, "<div class=\"scripted\" data-graph=\"%s\">\n<div class=\"tools\"><span class=\"group\" role=\"group\" aria-label=\"Width of cells\"><button type=\"button\" data-measure=\"cycles\" aria-pressed=\"true\">Cycles</button><button type=\"button\" data-measure=\"count\" aria-pressed=\"false\">Samples</button></span>\n%s", id,
		compares ? sides : "");
	fprintf(d->to, "<span class=\"group\"><button type=\"button\" id=\"%s-back\" disabled>Back</button><button type=\"button\" id=\"%s-reset\" disabled>All</button></span>\n<label>Search <input type=\"search\" id=\"%s-search\" autocomplete=\"off\" spellcheck=\"false\"></label> <span id=\"%s-found\" role=\"status\"></span></div>\n", id, id, id, id);
	fprintf(d->to, "<p class=\"soft keys\">Keys: arrows move between cells, Enter zooms into a cell, Escape goes back.</p>\n<div class=\"flame\" id=\"%s-cells\" role=\"tree\" aria-label=\"Flame graph: processes, objects, functions\"></div>\n<ul class=\"legend\">", id);
	if (compares)
		fputs(change_legend, d->to);
	else
		fprintf(d->to, legend, d->threads ? thread_legend : "");
	fputs("</ul>\n", d->to);
	fprintf(d->to, "<p><span class=\"path\" id=\"%s-path\"></span> <a id=\"%s-code\" href=\"#code\" hidden>Show its code</a></p>\n</div>\n", id, id);
}

static const char stacks_note[] =
	"<p>Call stacks come from a second event, sampled at the same time; the top of the page says how many samples have one. Samples without one are below [no stack].</p>\n";

void page_flame(FILE *to, const char *id, const struct flame *f, const struct groups *g,
		size_t limit, const struct session *s)
{
	struct drawing d = {
		.to = to, .id = id, .flame = f, .groups = g, .limit = limit, .session = s,
	};

	d.threads = has_threads(&d);
	if (f->stacks)
		fputs(stacks_note, to);
	else
		fprintf(to, "<p>SPE records no callers. A function is below its process%s and object, and an inlined one below the function that it was inlined into. <code>perf spe record --stacks</code> adds callers.</p>\n",
			d.threads ? ", thread" : "");
	put_tools(&d);
	put_data(&d);
	if (d.left_out)
		fprintf(to, "<p class=\"soft\">%" PRIu64 " cell%s with less than one in %d of the samples and of the cycles %s not drawn one by one.</p>\n",
			d.left_out, plural(d.left_out), LEAST_PART,
			d.left_out == 1 ? "is" : "are");
}
