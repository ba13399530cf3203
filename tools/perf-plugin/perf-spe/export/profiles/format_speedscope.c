// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own file format: a table of frames, and a profile for each value.  Its
 * schema is https://www.speedscope.app/file-format-schema.json.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "util/util.h"

struct speedscope {
	struct profile profile;
	FILE *to;
	enum profile_value value;	/* that is being written */
	size_t written;			/* sums of it */
	uint32_t *path;			/* frames of a stack, the innermost first */
	size_t room;
};

/*
 * A frame is a function, with the line where its declaration begins: speedscope adds
 * up by frame.  After the functions come the processes, then the threads.
 */
static void put_frames(const struct speedscope *s)
{
	const struct profile *p = &s->profile;
	size_t i;

	for (i = 0; i < p->frames.nr_frames; i++) {
		const struct frame_function *f =
			&p->frames.functions[p->frames.frames[i].function];

		fputs(i ? ",\n{\"name\":" : "{\"name\":", s->to);
		json_text(profile_file_name(f), s->to);
		if (f->file || f->is_object) {
			fputs(",\"file\":", s->to);
			json_text(f->is_object ? f->object : f->file, s->to);
		}
		if (f->line)
			fprintf(s->to, ",\"line\":%d", f->line);
		putc('}', s->to);
	}
	for (i = 0; i < p->nr_processes + p->nr_threads; i++) {
		char *name = i < p->nr_processes ?
			profile_file_process(&p->processes[i]) :
			profile_file_thread(&p->threads[i - p->nr_processes]);

		fputs(",\n{\"name\":", s->to);
		json_text(name, s->to);
		putc('}', s->to);
		free(name);
	}
}

static void put_stack(void *context, const struct profile_sum *sum)
{
	struct speedscope *s = context;
	const struct profile *p = &s->profile;
	const size_t processes = p->frames.nr_frames;
	size_t depth = 0;
	uint32_t stack;

	if (!sum->value[s->value])
		return;
	fprintf(s->to, "%s[%zu,%zu", s->written++ ? ",\n" : "",
		processes + p->threads[sum->thread].process,
		processes + p->nr_processes + sum->thread);
	for (stack = sum->stack; stack != NO_STACK;
	     stack = p->frames.stacks[stack].caller) {
		s->path = array_grow(s->path, depth, &s->room,
				     sizeof(*s->path));
		s->path[depth++] = p->frames.stacks[stack].frame;
	}
	while (depth)
		fprintf(s->to, ",%" PRIu32, s->path[--depth]);
	putc_unlocked(']', s->to);
}

static void put_weight(void *context, const struct profile_sum *sum)
{
	struct speedscope *s = context;

	if (sum->value[s->value])
		fprintf(s->to, "%s%" PRIu64, s->written++ ? "," : "",
			sum->value[s->value]);
}

static const char *put_profile(struct speedscope *s)
{
	const char *why;

	fprintf(s->to, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"none\",\"startValue\":0,\"endValue\":%" PRIu64 ",\n\"samples\":[",
		profile_value_name(s->value), s->profile.total[s->value]);
	s->written = 0;
	why = profile_each(&s->profile, put_stack, s);
	fputs("],\n\"weights\":[", s->to);
	s->written = 0;
	if (!why)
		why = profile_each(&s->profile, put_weight, s);
	fputs("]}", s->to);
	return why;
}

static const char *put_file(const struct writer *w, struct speedscope *s)
{
	bool period = profile_has_period(w->rows->resolver.session);
	const char *why = NULL;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"perf-spe\",\"name\":",
	      s->to);
	json_text(w->rows->src.path ? w->rows->src.path : "SPE", s->to);
	fprintf(s->to, ",\"activeProfileIndex\":%d,\n\"shared\":{\"frames\":[",
		w->value);
	put_frames(s);
	fputs("]},\n\"profiles\":[", s->to);
	for (s->value = 0; s->value < NR_PROFILE_VALUES && !why; s->value++) {
		if (s->value == PROFILE_PERIOD && !period)
			continue;
		fputs(s->value ? ",\n" : "", s->to);
		why = put_profile(s);
	}
	fputs("]}\n", s->to);
	return why;
}

static int speedscope_begin(struct writer *w)
{
	struct speedscope *s;

	if (profile_file_check(w) < 0)
		return -1;
	s = xcalloc(1, sizeof(*s));
	s->to = w->to;
	profile_begin(&s->profile, w->rows, FRAMES_OBJECTS,
		      0);
	w->state = s;
	return 0;
}

static void speedscope_batch(struct writer *w, const struct row_batch *b)
{
	struct speedscope *s = w->state;

	profile_add(&s->profile, b);
}

static int speedscope_end(struct writer *w)
{
	struct speedscope *s = w->state;
	int rc;

	profile_finish(&s->profile);
	rc = profile_file_failed(put_file(w, s));
	profile_free(&s->profile);
	free(s->path);
	free(s);
	return rc;
}

const struct format format_speedscope = {
	.name = "speedscope", .suffix = "speedscope.json",
	.profile = PROFILE_VALUES,
	.begin = speedscope_begin, .batch = speedscope_batch,
	.end = speedscope_end,
};
