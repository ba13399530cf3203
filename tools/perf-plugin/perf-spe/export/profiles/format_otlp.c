// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile of OpenTelemetry: the protobuf message of otlp.proto, which is also the body of a
 * request to a collector.  A profile there has one value for each sample, so the file has one
 * profile for each value, the one of --value first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"

#ifdef HAVE_PROTOBUF_C

#include "input/input.h"
#include "otlp.pb-c.h"
#include "util/util.h"

#define NS	1000000000u	/* in a second */

/* A table of the dictionary; each item's text in @keys tells it from the others */
struct otlp_table {
	struct dictionary keys;
	void **items;
	size_t nr, room;
};

struct otlp {
	struct profile profile;
	struct proto_file *file;
	struct otlp_table strings, functions, mappings, attributes, locations, stacks;
	uint32_t *location_of;		/* by frame; 0: not written yet */
	uint32_t *stack_of;		/* by stack; the same */
	struct otlp_table samples;	/* of one value */
	unsigned int value;
};

/* The number of the item with @key, which is freed.  A new item has @size bytes of zeros. */
static int32_t table_number(struct otlp_table *t, char *key, size_t size, bool *is_new)
{
	uint32_t number = dictionary_number(&t->keys, key);

	free(key);
	*is_new = number == t->nr;
	if (number == NO_NUMBER)	/* no room for more texts: none */
		return 0;
	if (*is_new) {
		t->items = array_grow(t->items, t->nr, &t->room, sizeof(*t->items));
		t->items[t->nr++] = xcalloc(1, size);
	}
	return (int32_t)number;
}

/* The same for a finished @item: the table keeps it, or frees it if it has one with @key. */
static int32_t table_keep(struct otlp_table *t, char *key, void *item)
{
	bool is_new;
	int32_t number = table_number(t, key, 0, &is_new);

	free(is_new ? t->items[number] : item);
	if (is_new)
		t->items[number] = item;
	return number;
}

/* Numbers with blanks between as a key */
struct number_key {
	char *text;
	size_t len, room;
};

static void key_add(struct number_key *k, int64_t number)
{
	k->text = array_grow(k->text, k->len + 24, &k->room, 1);
	k->len += (size_t)snprintf(k->text + k->len, 24, "%" PRIx64 " ", (uint64_t)number);
}

static void table_free(struct otlp_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->items[i]);
	free(t->items);
	dictionary_free(&t->keys);
	*t = (struct otlp_table){ 0 };
}

static int32_t text(struct otlp *o, const char *string)
{
	char *clean = utf8_text(string ? string : "");
	size_t len = strlen(clean) + 1;
	bool is_new;
	int32_t number = table_number(&o->strings, xformat("%s", clean), len, &is_new);

	if (is_new)
		memcpy(o->strings.items[number], clean, len);
	free(clean);
	return number;
}

/* The attribute @key with a text, or with @number if that is NULL */
static int32_t attribute(struct otlp *o, const char *key, const char *string, int64_t number)
{
	char *clean = string ? utf8_text(string) : NULL;
	size_t len = clean ? strlen(clean) + 1 : 0;
	int32_t key_at = text(o, key), at;
	Otlp__Attribute *a;
	Otlp__Value *value;
	bool is_new;

	at = table_number(&o->attributes, clean ? xformat("%s=%s", key, clean) :
			  xformat("%s %" PRId64, key, number), sizeof(*a) + sizeof(*value) + len, &is_new);
	a = o->attributes.items[at];
	if (is_new) {
		value = (Otlp__Value *)(a + 1);
		otlp__attribute__init(a);
		otlp__value__init(value);
		a->key_at = key_at;
		a->value = value;
		value->value_case = clean ? OTLP__VALUE__VALUE_TEXT : OTLP__VALUE__VALUE_NUMBER;
		if (clean)
			value->text = memcpy(value + 1, clean, len);
		else
			value->number = number;
	}
	free(clean);
	return at;
}

static int32_t function_at(struct otlp *o, const struct frame_function *f)
{
	const int32_t name = text(o, profile_file_name(f)), file = text(o, f->file);
	Otlp__Function *function;
	bool is_new;
	int32_t at = table_number(&o->functions, xformat("%d %d %d", name, file, f->line),
				  sizeof(*function), &is_new);

	function = o->functions.items[at];
	if (is_new) {
		otlp__function__init(function);
		function->name_at = name;
		function->linkage_name_at = name;
		function->file_at = file;
		function->line = f->line;
	}
	return at;
}

static int32_t mapping_at(struct otlp *o, const struct frame_function *f)
{
	char *id = profile_file_build_id(f);
	const int32_t file = text(o, f->object);
	const int32_t id_at = id ? attribute(o, "process.executable.build_id.gnu", id, 0) : 0;
	Otlp__Mapping *mapping;
	bool is_new;
	int32_t at = table_number(&o->mappings, xformat("%d %d", file, id_at),
				  sizeof(*mapping) + sizeof(int32_t), &is_new);

	mapping = o->mappings.items[at];
	if (is_new) {
		otlp__mapping__init(mapping);
		mapping->limit = UINT64_MAX;
		mapping->file_at = file;
		mapping->n_attribute_at = id_at != 0;
		mapping->attribute_at = (int32_t *)(mapping + 1);
		*mapping->attribute_at = id_at;
	}
	free(id);
	return at;
}

/* The location of *@stack's innermost frames; sets *@stack to the caller's. */
static int32_t location_at(struct otlp *o, uint32_t *stack)
{
	const struct frames *f = &o->profile.frames;
	const uint32_t innermost = f->stacks[*stack].frame;
	struct number_key key = { 0 };
	uint32_t at = *stack;
	Otlp__Location *location;
	Otlp__Line *lines;
	size_t n = 0, i;

	do {
		n++;
		i = f->stacks[at].frame;
		at = f->stacks[at].caller;
	} while (f->frames[i].depth && at != NO_STACK);
	if (!o->location_of[innermost]) {
		location = xcalloc(1, sizeof(*location) + n * (sizeof(lines) + sizeof(*lines)));
		otlp__location__init(location);
		location->mapping_at = mapping_at(o, &f->functions[f->frames[innermost].function]);
		location->address = f->frames[innermost].address;
		key_add(&key, location->mapping_at);
		key_add(&key, (int64_t)location->address);
		location->lines = (Otlp__Line **)(location + 1);
		lines = (Otlp__Line *)(location->lines + n);
		for (i = 0; i < n; i++, *stack = f->stacks[*stack].caller) {
			const struct frame *frame = &f->frames[f->stacks[*stack].frame];

			otlp__line__init(&lines[i]);
			lines[i].function_at = function_at(o, &f->functions[frame->function]);
			lines[i].line = frame->line;
			location->lines[i] = &lines[i];
			key_add(&key, lines[i].function_at);
			key_add(&key, lines[i].line);
		}
		location->n_lines = n;
		/* Names that differ may be equal as UTF-8. */
		o->location_of[innermost] = (uint32_t)table_keep(&o->locations, key.text, location);
	}
	*stack = at;
	return (int32_t)o->location_of[innermost];
}

static int32_t stack_at(struct otlp *o, uint32_t number)
{
	const struct frames *f = &o->profile.frames;
	struct number_key key = { 0 };
	uint32_t at = number;
	Otlp__Stack *stack;
	size_t n = 0;

	if (number == NO_STACK)
		return 0;
	if (o->stack_of[number])
		return (int32_t)o->stack_of[number];
	while (at != NO_STACK) {
		n++;
		at = f->stacks[at].caller;
	}
	stack = xcalloc(1, sizeof(*stack) + n * sizeof(int32_t));
	otlp__stack__init(stack);
	stack->location_at = (int32_t *)(stack + 1);
	for (at = number; at != NO_STACK; stack->n_location_at++) {
		stack->location_at[stack->n_location_at] = location_at(o, &at);
		key_add(&key, stack->location_at[stack->n_location_at]);
	}
	o->stack_of[number] = (uint32_t)table_keep(&o->stacks, key.text, stack);
	return (int32_t)o->stack_of[number];
}

/* A profile_fn: the sample of a sum, with the value of this profile */
static void add_sample(void *context, const struct profile_sum *sum)
{
	struct otlp *o = context;
	const struct profile_thread *t = &o->profile.threads[sum->thread];
	const struct profile_process *owner = &o->profile.processes[t->process];
	const char *comm = t->comm ? t->comm : owner->comm;
	struct number_key key = { 0 };
	int32_t stack, whose[6] = { 0 };
	Otlp__Sample *s;
	size_t n = 0, i;
	bool is_new;

	if (!sum->value[o->value])
		return;
	stack = stack_at(o, sum->stack);
	if (owner->pid != NO_ID)
		whose[n++] = attribute(o, "process.pid", NULL, owner->pid);
	if (t->tid != NO_ID)
		whose[n++] = attribute(o, "thread.id", NULL, t->tid);
	if (comm)
		whose[n++] = attribute(o, "thread.name", comm, 0);
	if (t->group && t->group->path)
		whose[n++] = attribute(o, "process.linux.cgroup", t->group->path, 0);
	if (t->group && t->group->pod)
		whose[n++] = attribute(o, "k8s.pod.uid", t->group->pod, 0);
	if (t->group && t->group->container)
		whose[n++] = attribute(o, "container.id", t->group->container, 0);
	key_add(&key, stack);
	for (i = 0; i < n; i++)
		key_add(&key, whose[i]);
	/* A program that another one of the same name replaced, or whose ids it has, is the same one here. */
	i = (size_t)table_number(&o->samples, key.text, sizeof(*s) + sizeof(int64_t) + sizeof(whose), &is_new);
	s = o->samples.items[i];
	if (is_new) {
		otlp__sample__init(s);
		s->stack_at = stack;
		s->n_values = 1;
		s->values = (int64_t *)(s + 1);
		s->attribute_at = (int32_t *)(s->values + 1);
		s->n_attribute_at = n;
		memcpy(s->attribute_at, whose, sizeof(whose));
	}
	*s->values += (int64_t)sum->value[o->value];
}

/* Who was recorded, by whom, and the profile */
static void put_profile(struct otlp *o, const struct writer *w, Otlp__Profile *profile)
{
	const struct session *s = w->rows->resolver.session;
	char *host = w->host ? xformat("%s", w->host) : s ? feature_hostname(&s->pd) : NULL;
	char *clean = utf8_text(host ? host : "");
	/* protobuf-c's texts are not const. */
	char keys[3][16] = { "os.type", "host.arch", "host.name" };
	char system[] = "linux", arch[] = "arm64", name[] = "perf-spe";
	char *texts[3] = { system, arch, clean };
	Otlp__Value values[3] = { OTLP__VALUE__INIT, OTLP__VALUE__INIT, OTLP__VALUE__INIT };
	Otlp__Fact facts[3] = { OTLP__FACT__INIT, OTLP__FACT__INIT, OTLP__FACT__INIT };
	Otlp__Fact *list[3] = { &facts[0], &facts[1], &facts[2] };
	Otlp__Resource resource = OTLP__RESOURCE__INIT;
	Otlp__Scope scope = OTLP__SCOPE__INIT;
	Otlp__OfScope of_scope = OTLP__OF_SCOPE__INIT, *scopes = &of_scope;
	Otlp__OfResource of_resource = OTLP__OF_RESOURCE__INIT, *resources = &of_resource;
	Otlp__Data data = OTLP__DATA__INIT;
	size_t i;

	for (i = 0; i < 3; i++) {
		values[i].value_case = OTLP__VALUE__VALUE_TEXT;
		values[i].text = texts[i];
		facts[i].key = keys[i];
		facts[i].value = &values[i];
	}
	resource.n_facts = host && *host ? 3 : 2;
	resource.facts = list;
	scope.name = name;
	of_scope.scope = &scope;
	of_scope.n_profiles = 1;
	of_scope.profiles = &profile;
	of_resource.resource = &resource;
	of_resource.n_of_scope = 1;
	of_resource.of_scope = &scopes;
	data.n_of_resource = 1;
	data.of_resource = &resources;
	proto_put(o->file, &data.base);
	free(clean);
	free(host);
}

/* The profile of one value, if a sample has it; -1 after a message */
static int write_value(struct otlp *o, const struct writer *w, unsigned int value)
{
	Otlp__Profile profile = OTLP__PROFILE__INIT;
	Otlp__Type type = OTLP__TYPE__INIT, period = OTLP__TYPE__INIT;
	static const uint8_t no_id[16];
	uint8_t id[16];
	int rc;

	o->value = value;
	rc = profile_file_failed(profile_each(&o->profile, add_sample, o));
	if (!rc && o->samples.nr) {
		type.type_at = text(o, profile_value_name(value));
		type.unit_at = text(o, profile_value_unit(value));
		profile.type = &type;
		profile.n_samples = o->samples.nr;
		profile.samples = (Otlp__Sample **)o->samples.items;
		profile.duration = o->profile.duration;
		profile.time = o->profile.begin;
		if (!profile.time && w->end > 0 && (uint64_t)w->end > o->profile.before_end / NS)
			profile.time = (uint64_t)w->end * NS - o->profile.before_end;
		profile.period = (int64_t)o->profile.period;
		if (memcmp(o->profile.id, no_id, sizeof(no_id))) {
			/* A profile for each value */
			memcpy(id, o->profile.id, sizeof(id));
			id[0] ^= (uint8_t)value;
			profile.id = (ProtobufCBinaryData){ sizeof(id), id };
		}
		if (profile.period) {
			period.type_at = text(o, "operations");
			period.unit_at = text(o, "count");
			profile.period_type = &period;
		}
		put_profile(o, w, &profile);
	}
	table_free(&o->samples);
	return rc;
}

static void put_dictionary(struct otlp *o)
{
	Otlp__Link none = OTLP__LINK__INIT, *links = &none;
	Otlp__Dictionary dictionary = OTLP__DICTIONARY__INIT;
	Otlp__Data data = OTLP__DATA__INIT;

	dictionary.n_mappings = o->mappings.nr;
	dictionary.mappings = (Otlp__Mapping **)o->mappings.items;
	dictionary.n_locations = o->locations.nr;
	dictionary.locations = (Otlp__Location **)o->locations.items;
	dictionary.n_functions = o->functions.nr;
	dictionary.functions = (Otlp__Function **)o->functions.items;
	dictionary.n_links = 1;
	dictionary.links = &links;
	dictionary.n_strings = o->strings.nr;
	dictionary.strings = (char **)o->strings.items;
	dictionary.n_attributes = o->attributes.nr;
	dictionary.attributes = (Otlp__Attribute **)o->attributes.items;
	dictionary.n_stacks = o->stacks.nr;
	dictionary.stacks = (Otlp__Stack **)o->stacks.items;
	data.dictionary = &dictionary;
	proto_put(o->file, &data.base);
}

/* The first item of each table is empty. */
static void begin_tables(struct otlp *o)
{
	bool is_new;

	text(o, "");
	table_number(&o->functions, xformat("%s", ""), sizeof(Otlp__Function), &is_new);
	otlp__function__init(o->functions.items[0]);
	table_number(&o->mappings, xformat("%s", ""), sizeof(Otlp__Mapping), &is_new);
	otlp__mapping__init(o->mappings.items[0]);
	table_number(&o->attributes, xformat("%s", ""), sizeof(Otlp__Attribute), &is_new);
	otlp__attribute__init(o->attributes.items[0]);
	table_number(&o->locations, xformat("%s", ""), sizeof(Otlp__Location), &is_new);
	otlp__location__init(o->locations.items[0]);
	table_number(&o->stacks, xformat("%s", ""), sizeof(Otlp__Stack), &is_new);
	otlp__stack__init(o->stacks.items[0]);
}

static int otlp_begin(struct writer *w)
{
	struct otlp *o;

	if (profile_file_check(w) < 0)
		return -1;
	o = xcalloc(1, sizeof(*o));
	o->file = proto_begin(w, w->compressed);
	profile_begin(&o->profile, w->rows, FRAMES_LINES | FRAMES_ADDRESSES, 0);
	w->state = o;
	return 0;
}

static void otlp_batch(struct writer *w, const struct row_batch *b)
{
	struct otlp *o = w->state;

	profile_add(&o->profile, b);
}

static int otlp_end(struct writer *w)
{
	struct otlp *o = w->state;
	const bool period = profile_has_period(w->rows->resolver.session) || o->profile.begin;
	unsigned int value;
	int rc;

	profile_finish(&o->profile);
	o->location_of = xcalloc(o->profile.frames.nr_frames, sizeof(*o->location_of));
	o->stack_of = xcalloc(o->profile.frames.nr_stacks, sizeof(*o->stack_of));
	begin_tables(o);
	rc = write_value(o, w, w->value);
	for (value = 0; !rc && value < NR_PROFILE_VALUES; value++)
		if (value != w->value && (value != PROFILE_PERIOD || period))
			rc = write_value(o, w, value);
	put_dictionary(o);
	proto_end(o->file);
	profile_free(&o->profile);
	table_free(&o->strings);
	table_free(&o->functions);
	table_free(&o->mappings);
	table_free(&o->attributes);
	table_free(&o->locations);
	table_free(&o->stacks);
	free(o->location_of);
	free(o->stack_of);
	free(o);
	return rc;
}

char *otlp_refusal(const uint8_t *bytes, size_t len)
{
	Otlp__Answer *answer = otlp__answer__unpack(NULL, len, bytes);
	char *why = NULL;

	if (answer && answer->partial && answer->partial->refused > 0)
		why = xformat("%" PRId64 " profile%s refused: %s", answer->partial->refused,
			      plural((uint64_t)answer->partial->refused), answer->partial->why);
	if (answer)
		otlp__answer__free_unpacked(answer, NULL);
	return why;
}

const struct format format_otlp = {
	.name = "otlp", .suffix = "otlp.pb", .profile = PROFILE_VALUES,
	.binary = true, .dated = true,
	.begin = otlp_begin, .batch = otlp_batch, .end = otlp_end,
};

#else

char *otlp_refusal(const uint8_t *bytes, size_t len)
{
	(void)bytes, (void)len;
	return NULL;
}

const struct format format_otlp = {
	.name = "otlp", .suffix = "otlp.pb", .profile = PROFILE_VALUES,
	.missing = "export: cannot write OpenTelemetry's profiles: this perf-spe was built without protobuf-c; use --format speedscope or firefox",
};

#endif
