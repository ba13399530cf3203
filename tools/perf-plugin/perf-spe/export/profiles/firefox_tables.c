// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* While the tables are written; a number is an index. */
struct tables {
	const struct frames *f;
	FILE *to;
	struct dictionary *strings, *objects, *files;
	uint32_t *object_of, *file_of, *name_of;	/* by function */
	const struct frame_function **of_object;	/* the first function of each */
	size_t room_objects;
};

/* One element of a column */
typedef void (*put_fn)(const struct tables *t, size_t i);

static void column(const struct tables *t, const char *name, size_t count,
		   put_fn put)
{
	size_t i;

	fprintf(t->to, "\"%s\":[", name);
	for (i = 0; i < count; i++) {
		if (i)
			putc_unlocked(',', t->to);
		put(t, i);
	}
	fputs("],\n", t->to);
}

static void put_null(const struct tables *t, size_t i)
{
	(void)i;
	fputs("null", t->to);
}

static void put_false(const struct tables *t, size_t i)
{
	(void)i;
	fputs("false", t->to);
}

static void put_0(const struct tables *t, size_t i)
{
	(void)i;
	putc_unlocked('0', t->to);
}

static void put_1(const struct tables *t, size_t i)
{
	(void)i;
	putc_unlocked('1', t->to);
}

static void put_none(const struct tables *t, size_t i)
{
	(void)i;
	fputs("-1", t->to);
}

static void put_line(const struct tables *t, int line)
{
	if (line)
		fprintf(t->to, "%d", line);
	else
		fputs("null", t->to);
}


static void put_stack_frame(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->f->stacks[i].frame);
}

static void put_stack_caller(const struct tables *t, size_t i)
{
	uint32_t caller = t->f->stacks[i].caller;

	fprintf(t->to, "%zu", caller == NO_STACK ? 0 : i - caller);
}

static void put_frame_lib(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->object_of[t->f->frames[i].function]);
}

/* Of the categories in format_firefox.c, which give frames their colours */
enum { OTHER, USER, KERNEL, GUEST };

static int category_of(const char *object)
{
	/* Names in brackets that are none of the kernel and its modules, as in flame.js */
	static const char *const users[] = {
		"[heap", "[stack", "[vdso", "[vvar", "[anon", "[uprobes", "[sigpage", "[vectors",
	};
	size_t i;

	if (!object || !strcmp(object, "[unknown]"))
		return OTHER;
	if (!strncmp(object, "[guest.", strlen("[guest.")))
		return GUEST;
	for (i = 0; i < sizeof(users) / sizeof(*users); i++)
		if (!strncmp(object, users[i], strlen(users[i])))
			return USER;
	return *object == '[' ? KERNEL : USER;
}

static void put_frame_category(const struct tables *t, size_t i)
{
	fprintf(t->to, "%d", category_of(t->f->functions[t->f->frames[i].function].object));
}

static void put_frame_depth(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->f->frames[i].depth);
}

static void put_frame_function(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->f->frames[i].function);
}

static void put_frame_line(const struct tables *t, size_t i)
{
	put_line(t, t->f->frames[i].line);
}

static void put_function_name(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->name_of[i]);
}

static void put_function_object(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32, t->object_of[i]);
}

static void put_function_file(const struct tables *t, size_t i)
{
	if (t->file_of[i] == NO_NUMBER)
		fputs("null", t->to);
	else
		fprintf(t->to, "%" PRIu32, t->file_of[i]);
}

static void put_function_line(const struct tables *t, size_t i)
{
	put_line(t, t->f->functions[i].line);
}

/* The dictionary's text @i, to be freed */
static char *text_of(const struct dictionary *d, size_t i)
{
	int32_t from = i ? d->end[i - 1] : 0;

	return xstrndup(d->bytes + from, (size_t)(d->end[i] - from));
}

static void put_string(const struct tables *t, size_t i)
{
	char *text = text_of(t->strings, i);

	json_text(text, t->to);
	free(text);
}

static void put_object_name(const struct tables *t, size_t i)
{
	fprintf(t->to, "%" PRIu32,
		dictionary_number(t->strings,
				  path_short(t->of_object[i]->object)));
}

static void put_file_name(const struct tables *t, size_t i)
{
	char *text = text_of(t->files, i);

	fprintf(t->to, "%" PRIu32, dictionary_number(t->strings, text));
	free(text);
}

/*
 * Breakpad's form of a build id: 16 bytes as a GUID, whose first three parts are
 * little-endian numbers, and an age of 0.
 */
static void put_breakpad(const struct tables *t, const char *id)
{
	static const uint8_t order[] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	size_t len = id ? strlen(id) : 0, i;

	putc_unlocked('"', t->to);
	for (i = 0; len && i < sizeof(order); i++) {
		unsigned int byte = 0;

		if (2 * order[i] + 2u <= len)
			sscanf(id + 2 * order[i], "%2x", &byte);
		fprintf(t->to, "%02X", byte);
	}
	fputs(len ? "0\"" : "\"", t->to);
}

static void put_lib(const struct tables *t, size_t i)
{
	const char *path = t->of_object[i]->object, *name = path_short(path);
	char *id = profile_file_build_id(t->of_object[i]);

	fputs("{\"arch\":\"arm64\",\"name\":", t->to);
	json_text(name, t->to);
	fputs(",\"path\":", t->to);
	json_text(path, t->to);
	fputs(",\"debugName\":", t->to);
	json_text(name, t->to);
	fputs(",\"debugPath\":", t->to);
	json_text(path, t->to);
	fputs(",\"breakpadId\":", t->to);
	put_breakpad(t, id);
	fputs(",\"codeId\":", t->to);
	if (id)
		json_text(id, t->to);
	else
		fputs("null", t->to);
	putc('}', t->to);
	free(id);
}

static void name_all(struct tables *t)
{
	size_t i, n = t->f->nr_functions;

	t->strings = xcalloc(1, sizeof(*t->strings));
	t->objects = xcalloc(1, sizeof(*t->objects));
	t->files = xcalloc(1, sizeof(*t->files));
	t->object_of = xcalloc(n, sizeof(*t->object_of));
	t->file_of = xcalloc(n, sizeof(*t->file_of));
	t->name_of = xcalloc(n, sizeof(*t->name_of));
	for (i = 0; i < n; i++) {
		const struct frame_function *f = &t->f->functions[i];
		size_t objects = t->objects->count;

		t->name_of[i] = dictionary_number(t->strings,
						  profile_file_name(f));
		t->file_of[i] = f->file ?
			dictionary_number(t->files, f->file) : NO_NUMBER;
		t->object_of[i] = dictionary_number(t->objects, f->object);
		if (t->objects->count == objects)
			continue;
		t->of_object = array_grow(t->of_object, objects,
					  &t->room_objects,
					  sizeof(*t->of_object));
		t->of_object[objects] = f;
	}
}

static void put_frames(const struct tables *t)
{
	size_t n = t->f->nr_frames;

	fputs("\"frameTable\":{\n", t->to);
	column(t, "address", n, put_none);
	column(t, "lib", n, put_frame_lib);
	column(t, "inlineDepth", n, put_frame_depth);
	column(t, "category", n, put_frame_category);
	column(t, "subcategory", n, put_0);
	column(t, "func", n, put_frame_function);
	column(t, "nativeSymbol", n, put_null);
	column(t, "innerWindowID", n, put_0);
	column(t, "line", n, put_frame_line);
	column(t, "column", n, put_null);
	column(t, "originalLocation", n, put_null);
	fprintf(t->to, "\"length\":%zu},\n", n);
}

static void put_functions(const struct tables *t)
{
	size_t n = t->f->nr_functions;

	fputs("\"funcTable\":{\n", t->to);
	column(t, "name", n, put_function_name);
	column(t, "isJS", n, put_false);
	column(t, "relevantForJS", n, put_false);
	column(t, "resource", n, put_function_object);
	column(t, "source", n, put_function_file);
	column(t, "lineNumber", n, put_function_line);
	column(t, "columnNumber", n, put_null);
	column(t, "originalLocation", n, put_null);
	fprintf(t->to, "\"length\":%zu},\n", n);
}

static void put_sources(const struct tables *t)
{
	size_t n = t->files->count;

	fputs("\"sources\":{\n", t->to);
	column(t, "id", n, put_null);
	column(t, "filename", n, put_file_name);
	column(t, "startLine", n, put_1);
	column(t, "startColumn", n, put_1);
	column(t, "sourceMapURL", n, put_null);
	column(t, "content", n, put_null);
	fprintf(t->to, "\"length\":%zu},\n", n);
}

void firefox_tables(const struct frames *f, FILE *to)
{
	struct tables t = { .f = f, .to = to };

	name_all(&t);
	column(&t, "libs", t.objects->count, put_lib);
	fputs("\"shared\":{\n\"stackTable\":{\n", to);
	column(&t, "frame", f->nr_stacks, put_stack_frame);
	column(&t, "prefixOffset", f->nr_stacks, put_stack_caller);
	fprintf(to, "\"length\":%zu},\n", f->nr_stacks);
	put_frames(&t);
	put_functions(&t);
	fputs("\"resourceTable\":{\n", to);
	column(&t, "name", t.objects->count, put_object_name);
	column(&t, "host", t.objects->count, put_null);
	column(&t, "type", t.objects->count, put_1);
	fprintf(to, "\"length\":%zu},\n", t.objects->count);
	put_sources(&t);
	/* Complete only now: the tables above have added names. */
	column(&t, "stringArray", t.strings->count, put_string);
	fputs("\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},\n\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],\"length\":0}}",
	      to);
	dictionary_free(t.strings);
	dictionary_free(t.objects);
	dictionary_free(t.files);
	free(t.strings);
	free(t.objects);
	free(t.files);
	free(t.object_of);
	free(t.file_of);
	free(t.name_of);
	free(t.of_object);
}
