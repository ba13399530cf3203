// SPDX-License-Identifier: GPL-2.0-only
#include "export/profiles/profiles.h"

#ifdef HAVE_PROTOBUF_C

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "export/format/format.h"
#include "perfetto.pb-c.h"
#include "util/util.h"

static void put(struct perfetto_intern *in, Perfetto__Interned *interned,
		uint32_t flags)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	Perfetto__Packet packet = PERFETTO__PACKET__INIT, *packets = &packet;

	packet.has_sequence = true;
	packet.sequence = PERFETTO_SEQUENCE;
	packet.has_sequence_flags = true;
	packet.sequence_flags = flags;
	packet.interned = interned;
	trace.n_packet = 1;
	trace.packet = &packets;
	proto_put(in->file, &trace.base);
}

void perfetto_intern_begin(struct perfetto_intern *in,
			   const struct frames *frames,
			   struct proto_file *file,
			   const char *const *annotations, size_t count)
{
	Perfetto__Name *names = xcalloc(count, sizeof(*names));
	Perfetto__Name **list = xcalloc(count, sizeof(*list));
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	size_t i;

	memset(in, 0, sizeof(*in));
	in->frames = frames;
	in->file = file;
	for (i = 0; i < count; i++) {
		names[i] = (Perfetto__Name)PERFETTO__NAME__INIT;
		names[i].has_iid = true;
		names[i].iid = i + 1;
		names[i].name = (char *)annotations[i];
		list[i] = &names[i];
	}
	interned.n_annotation_name = count;
	interned.annotation_name = list;
	put(in, &interned, 1);
	free(names);
	free(list);
}

static Perfetto__Text text_of(uint64_t iid, const void *bytes, size_t len)
{
	Perfetto__Text text = PERFETTO__TEXT__INIT;

	text.has_iid = true;
	text.iid = iid;
	text.has_bytes = true;
	text.bytes.data = (uint8_t *)bytes;
	text.bytes.len = len;
	return text;
}

/* The id's bytes, from hex */
static size_t id_bytes(const char *hex, uint8_t *bytes, size_t room)
{
	size_t len = 0;
	unsigned int byte;

	while (hex && len < room && sscanf(hex + 2 * len, "%2x", &byte) == 1)
		bytes[len++] = (uint8_t)byte;
	return len;
}

/* The iid of a function's object; writes its mapping if it is new. */
static uint64_t intern_object(struct perfetto_intern *in,
			      const struct frame_function *f)
{
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings = &mapping;
	Perfetto__Text path, id, *paths = &path, *ids = &id;
	const size_t before = in->objects.count;
	uint64_t iid = dictionary_number(&in->objects, f->object) + UINT64_C(1);
	uint8_t bytes[64];
	char *hex;

	if (in->objects.count == before)
		return iid;
	hex = profile_file_build_id(f);
	path = text_of(iid, f->object, strlen(f->object));
	id = text_of(iid, bytes, id_bytes(hex, bytes, sizeof(bytes)));
	free(hex);
	mapping.has_iid = true;
	mapping.iid = iid;
	mapping.n_path_iid = 1;
	mapping.path_iid = &iid;
	if (id.bytes.len) {
		mapping.has_build_id_iid = true;
		mapping.build_id_iid = iid;
		interned.n_build_id = 1;
		interned.build_id = &ids;
	}
	interned.n_mapping_path = 1;
	interned.mapping_path = &paths;
	interned.n_mapping = 1;
	interned.mapping = &mappings;
	put(in, &interned, 2);
	return iid;
}

/* The iid of a function's file, 0: it has none */
static uint64_t intern_source(struct perfetto_intern *in,
			      const struct frame_function *f)
{
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	Perfetto__Text text, *texts = &text;
	const size_t before = in->sources.count;
	uint64_t iid;

	if (!f->file)
		return 0;
	iid = dictionary_number(&in->sources, f->file) + UINT64_C(1);
	if (in->sources.count == before)
		return iid;
	text = text_of(iid, f->file, strlen(f->file));
	interned.n_source_path = 1;
	interned.source_path = &texts;
	put(in, &interned, 2);
	return iid;
}

/* The function's name, for frames and for events */
static void intern_function(struct perfetto_intern *in, size_t number)
{
	const struct frame_function *f = &in->frames->functions[number];
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	Perfetto__Name event = PERFETTO__NAME__INIT, *events = &event;
	Perfetto__Text text, *texts = &text;
	char *name = utf8_text(profile_file_name(f));

	text = text_of(number + 1, name, strlen(name));
	event.has_iid = true;
	event.iid = number + 1;
	event.name = name;
	interned.n_event_name = 1;
	interned.event_name = &events;
	interned.n_function_name = 1;
	interned.function_name = &texts;
	put(in, &interned, 2);
	free(name);
}

static void intern_frame(struct perfetto_intern *in, size_t number)
{
	const struct frame *from = &in->frames->frames[number];
	const struct frame_function *f = &in->frames->functions[from->function];
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames = &frame;

	frame.has_iid = true;
	frame.iid = number + 1;
	frame.has_function_name_iid = true;
	frame.function_name_iid = from->function + UINT64_C(1);
	frame.has_mapping_iid = true;
	frame.mapping_iid = intern_object(in, f);
	frame.has_address = true;
	frame.address = from->address;
	frame.source_path_iid = intern_source(in, f);
	frame.has_source_path_iid = frame.source_path_iid;
	frame.has_line = from->line;
	frame.line = (uint32_t)from->line;
	interned.n_frame = 1;
	interned.frame = &frames;
	put(in, &interned, 2);
}

static void intern_callstack(struct perfetto_intern *in, uint32_t stack)
{
	Perfetto__Interned interned = PERFETTO__INTERNED__INIT;
	Perfetto__Callstack callstack = PERFETTO__CALLSTACK__INIT;
	Perfetto__Callstack *callstacks = &callstack;
	uint32_t at;
	size_t depth = 0, i;

	for (at = stack; at != NO_STACK; at = in->frames->stacks[at].caller) {
		in->path = array_grow(in->path, depth, &in->room_path,
				      sizeof(*in->path));
		in->path[depth++] = in->frames->stacks[at].frame;
	}
	for (i = 0; i < depth; i++) {
		in->iids = array_grow(in->iids, i, &in->room_iids,
				      sizeof(*in->iids));
		in->iids[i] = in->path[depth - 1 - i] + UINT64_C(1);
	}
	callstack.has_iid = true;
	callstack.iid = stack + UINT64_C(1);
	callstack.n_frame_iid = depth;
	callstack.frame_iid = in->iids;
	interned.n_callstack = 1;
	interned.callstack = &callstacks;
	put(in, &interned, 2);
}

void perfetto_intern_stack(struct perfetto_intern *in, uint32_t stack)
{
	while (stack >= in->room) {
		size_t room = in->room;

		in->written = array_grow(in->written, room, &in->room,
					 sizeof(*in->written));
		memset(in->written + room, 0, in->room - room);
	}
	if (in->written[stack])
		return;
	in->written[stack] = true;
	while (in->nr_functions < in->frames->nr_functions)
		intern_function(in, in->nr_functions++);
	while (in->nr_frames < in->frames->nr_frames)
		intern_frame(in, in->nr_frames++);
	intern_callstack(in, stack);
}

void perfetto_intern_free(struct perfetto_intern *in)
{
	dictionary_free(&in->objects);
	dictionary_free(&in->sources);
	free(in->written);
	free(in->path);
	free(in->iids);
}

#endif
