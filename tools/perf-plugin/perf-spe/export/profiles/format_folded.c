// SPDX-License-Identifier: GPL-2.0-only
/*
 * One line for each stack: its frames from the root, with semicolons between, a
 * blank and the value.  flamegraph.pl and stackcollapse-perf.pl of Brendan Gregg's
 * FlameGraph define this form.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/callers/callers.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "util/util.h"

struct folded {
	struct profile profile;
	struct writer *w;
	uint32_t *path;		/* frames of a stack, the innermost first */
	size_t room;
};

/* A semicolon ends a frame and a line break a stack. */
static void put_frame(const char *name, FILE *to)
{
	put_name_without(';', ":", name, to);
}

static void put_function(const struct folded *f, uint32_t number, FILE *to)
{
	const struct frame *frame = &f->profile.frames.frames[number];
	const struct frame_function *function =
		&f->profile.frames.functions[frame->function];

	putc_unlocked(';', to);
	put_frame(profile_file_name(function), to);
	if (!frame->line)
		return;
	putc_unlocked(';', to);
	put_frame(path_short(function->file), to);
	fprintf(to, ":%d", frame->line);
}

static void put_sum(void *context, const struct profile_sum *sum)
{
	struct folded *f = context;
	const struct profile *p = &f->profile;
	const struct profile_thread *thread = &p->threads[sum->thread];
	uint64_t value = sum->value[f->w->value];
	FILE *to = f->w->to;
	size_t depth = 0;
	uint32_t stack;
	char *owner;

	if (!value)
		return;
	owner = profile_file_process(&p->processes[thread->process]);
	put_frame(owner, to);
	free(owner);
	putc_unlocked(';', to);
	owner = profile_file_thread(thread);
	put_frame(owner, to);
	free(owner);
	for (stack = sum->stack; stack != NO_STACK;
	     stack = p->frames.stacks[stack].caller) {
		f->path = array_grow(f->path, depth, &f->room,
				     sizeof(*f->path));
		f->path[depth++] = p->frames.stacks[stack].frame;
	}
	while (depth)
		put_function(f, f->path[--depth], to);
	fprintf(to, " %" PRIu64 "\n", value);
}

static int folded_begin(struct writer *w)
{
	struct folded *f;

	if (profile_file_check(w) < 0)
		return -1;
	f = xcalloc(1, sizeof(*f));
	f->w = w;
	profile_begin(&f->profile, w->rows,
		      FRAMES_OBJECTS | FRAMES_LEAF_LINE, 0);
	w->state = f;
	return 0;
}

static void folded_batch(struct writer *w, const struct row_batch *b)
{
	struct folded *f = w->state;

	profile_add(&f->profile, b);
}

static int folded_end(struct writer *w)
{
	struct folded *f = w->state;
	int rc;

	profile_finish(&f->profile);
	rc = profile_file_failed(profile_each(&f->profile, put_sum, f));
	profile_free(&f->profile);
	free(f->path);
	free(f);
	return rc;
}

const struct format format_folded = {
	.name = "folded", .suffix = "folded", .profile = PROFILE_ONE_VALUE,
	.begin = folded_begin, .batch = folded_batch, .end = folded_end,
};
