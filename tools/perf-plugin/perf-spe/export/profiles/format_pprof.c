// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof's profile: gzip around the protobuf message of pprof.proto.  Each sample has
 * all values.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"

#if defined(HAVE_PROTOBUF_C) && defined(HAVE_ZLIB)

#include "input/input.h"
#include "pprof.pb-c.h"
#include "symbols/symbols.h"
#include "util/util.h"

struct pprof {
	struct profile profile;
	struct writer *w;
	struct proto_file *file;
	struct dictionary strings, objects;
	size_t nr_values;
	bool *located;			/* by frame: the location is written */
	const struct frame_function **of_object;
	bool *has_files;		/* by object */
	size_t room_objects;
	/* Of one sample */
	uint64_t *location;
	size_t room_location;
	Pprof__Line line[256], *lines[256];
};

static int64_t text(struct pprof *p, const char *string)
{
	return dictionary_number(&p->strings, string ? string : "");
}

static void put(struct pprof *p, const Pprof__Profile *part)
{
	proto_put(p->file, &part->base);
}

/* The location of @stack's innermost frames; returns the caller's stack. */
static uint32_t put_location(struct pprof *p, uint32_t stack)
{
	const struct frames *f = &p->profile.frames;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	const uint32_t innermost = f->stacks[stack].frame;
	const struct frame *frame;

	do {
		frame = &f->frames[f->stacks[stack].frame];
		stack = f->stacks[stack].caller;
		if (location.n_line == sizeof(p->lines) / sizeof(p->lines[0]))
			continue;
		p->line[location.n_line] = (Pprof__Line)PPROF__LINE__INIT;
		p->line[location.n_line].function = frame->function + 1;
		p->line[location.n_line].line = frame->line;
		p->lines[location.n_line] = &p->line[location.n_line];
		location.n_line++;
	} while (frame->depth && stack != NO_STACK);
	if (p->located[innermost])
		return stack;
	p->located[innermost] = true;
	location.id = innermost + 1;
	location.address = frame->address;
	location.mapping = dictionary_number(&p->objects,
		f->functions[frame->function].object) + 1;
	location.line = p->lines;
	part.n_location = 1;
	part.location = &locations;
	put(p, &part);
	return stack;
}

static void put_labels(struct pprof *p, Pprof__Sample *sample,
		       const struct profile_sum *sum)
{
	const struct profile_thread *t = &p->profile.threads[sum->thread];
	const struct profile_process *owner = &p->profile.processes[t->process];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Label label[6], *labels[6];
	size_t n = 0, i;

	for (i = 0; i < 6; i++) {
		label[i] = (Pprof__Label)PPROF__LABEL__INIT;
		labels[i] = &label[i];
	}
	if (owner->pid != NO_ID) {
		label[n].key = text(p, "pid");
		label[n++].number = owner->pid;
	}
	if (t->tid != NO_ID) {
		label[n].key = text(p, "tid");
		label[n++].number = t->tid;
	}
	if (t->comm || owner->comm) {
		label[n].key = text(p, "comm");
		label[n++].text = text(p, t->comm ? t->comm : owner->comm);
	}
	if (t->group && t->group->path) {
		label[n].key = text(p, "cgroup");
		label[n++].text = text(p, t->group->path);
	}
	if (t->group && t->group->pod) {
		label[n].key = text(p, "pod");
		label[n++].text = text(p, t->group->pod);
	}
	if (t->group && t->group->container) {
		label[n].key = text(p, "container");
		label[n++].text = text(p, t->group->container);
	}
	sample->n_label = n;
	sample->label = labels;
	part.n_sample = 1;
	part.sample = &sample;
	put(p, &part);
}

static void put_sum(void *context, const struct profile_sum *sum)
{
	struct pprof *p = context;
	Pprof__Sample sample = PPROF__SAMPLE__INIT;
	int64_t value[NR_PROFILE_VALUES];
	uint32_t stack = sum->stack;
	size_t i;

	for (i = 0; i < NR_PROFILE_VALUES; i++)
		value[i] = (int64_t)sum->value[i];
	while (stack != NO_STACK) {
		p->location = array_grow(p->location, sample.n_location,
					 &p->room_location,
					 sizeof(*p->location));
		p->location[sample.n_location++] =
			p->profile.frames.stacks[stack].frame + 1;
		stack = put_location(p, stack);
	}
	sample.location = p->location;
	sample.n_value = p->nr_values;
	sample.value = value;
	put_labels(p, &sample, sum);
}

static void put_function(struct pprof *p, uint32_t number)
{
	const struct frame_function *f = &p->profile.frames.functions[number];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	const size_t objects = p->objects.count;
	uint32_t object;

	function.id = number + 1;
	function.name = text(p, profile_file_name(f));
	function.linkage_name = function.name;
	function.file = text(p, f->file);
	function.start_line = f->line;
	part.n_function = 1;
	part.function = &functions;
	put(p, &part);
	object = dictionary_number(&p->objects, f->object);
	if (p->objects.count > objects) {
		size_t room = p->room_objects;

		p->of_object = array_grow(p->of_object, objects, &room,
					  sizeof(*p->of_object));
		p->has_files = array_grow(p->has_files, objects,
					  &p->room_objects,
					  sizeof(*p->has_files));
		p->of_object[object] = f;
		p->has_files[object] = false;
	}
	p->has_files[object] |= f->file != NULL;
}

static void put_mapping(struct pprof *p, size_t number)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
	char *id = profile_file_build_id(p->of_object[number]);

	mapping.id = number + 1;
	mapping.limit = UINT64_MAX;
	mapping.file = text(p, p->of_object[number]->object);
	mapping.build_id = text(p, id);
	mapping.has_functions = true;
	mapping.has_files = p->has_files[number];
	mapping.has_lines = p->has_files[number];
	mapping.has_inlines = p->has_files[number];
	part.n_mapping = 1;
	part.mapping = &mappings;
	put(p, &part);
	free(id);
}

/* pprof takes the first mapping for the program: a file that is no library, if there is one. */
static size_t of_program(const struct pprof *p)
{
	size_t i;

	for (i = 0; i < p->objects.count; i++) {
		const char *object = p->of_object[i]->object;
		const char *library = object ? strstr(object, ".so") : NULL;

		/* "lib.so" and "lib.so.1", but not "x.software" */
		if (object && *object == '/' && !jit_is_memory(object) &&
		    !(library && (!library[3] || library[3] == '.')))
			return i;
	}
	return 0;
}

static void put_mappings(struct pprof *p)
{
	const size_t first = of_program(p);
	size_t i;

	if (p->objects.count)
		put_mapping(p, first);
	for (i = 0; i < p->objects.count; i++)
		if (i != first)
			put_mapping(p, i);
}

static void put_types(struct pprof *p)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Value type[NR_PROFILE_VALUES], *types[NR_PROFILE_VALUES];
	Pprof__Value period = PPROF__VALUE__INIT;
	size_t i;

	for (i = 0; i < p->nr_values; i++) {
		type[i] = (Pprof__Value)PPROF__VALUE__INIT;
		type[i].type = text(p, profile_value_name((unsigned int)i));
		type[i].unit = text(p, profile_value_unit(i));
		types[i] = &type[i];
	}
	part.n_sample_type = p->nr_values;
	part.sample_type = types;
	part.default_sample_type = text(p, profile_value_name(p->w->value));
	part.period = (int64_t)p->profile.period;
	part.begin = (int64_t)p->profile.begin;
	if (part.begin)
		part.duration = (int64_t)p->profile.duration;
	period.type = text(p, "operations");
	period.unit = text(p, "count");
	if (part.period)
		part.period_type = &period;
	put(p, &part);
}

static void put_strings(struct pprof *p)
{
	int32_t from = 0;
	size_t i;

	for (i = 0; i < p->strings.count; i++) {
		Pprof__Profile part = PPROF__PROFILE__INIT;
		char *bytes = xstrndup(p->strings.bytes + from,
				       (size_t)(p->strings.end[i] - from));
		char *string = utf8_text(bytes);

		free(bytes);
		from = p->strings.end[i];
		part.n_strings = 1;
		part.strings = &string;
		put(p, &part);
		free(string);
	}
}

static int pprof_begin(struct writer *w)
{
	struct pprof *p;

	if (profile_file_check(w) < 0)
		return -1;
	p = xcalloc(1, sizeof(*p));
	p->file = proto_begin(w, true);
	p->w = w;
	profile_begin(&p->profile, w->rows,
		      FRAMES_LINES | FRAMES_ADDRESSES, 0);
	w->state = p;
	return 0;
}

static void pprof_batch(struct writer *w, const struct row_batch *b)
{
	struct pprof *p = w->state;

	profile_add(&p->profile, b);
}

static int pprof_end(struct writer *w)
{
	struct pprof *p = w->state;
	uint32_t i;
	int rc;

	profile_finish(&p->profile);
	p->nr_values = profile_has_period(w->rows->resolver.session) || p->profile.begin ?
		NR_PROFILE_VALUES : PROFILE_PERIOD;
	p->located = xcalloc(p->profile.frames.nr_frames, sizeof(*p->located));
	text(p, "");			/* number 0 */
	put_types(p);
	for (i = 0; i < p->profile.frames.nr_functions; i++)
		put_function(p, i);
	put_mappings(p);
	rc = profile_file_failed(profile_each(&p->profile, put_sum, p));
	put_strings(p);
	proto_end(p->file);
	profile_free(&p->profile);
	dictionary_free(&p->strings);
	dictionary_free(&p->objects);
	free(p->located);
	free(p->of_object);
	free(p->has_files);
	free(p->location);
	free(p);
	return rc;
}

const struct format format_pprof = {
	.name = "pprof", .suffix = "pb.gz", .profile = PROFILE_VALUES,
	.binary = true,
	.begin = pprof_begin, .batch = pprof_batch, .end = pprof_end,
};

#else

const struct format format_pprof = {
	.name = "pprof", .suffix = "pb.gz", .profile = PROFILE_VALUES,
	.missing = "export: cannot write pprof profiles: this perf-spe was built without protobuf-c and zlib; use --format speedscope or firefox",
};

#endif
