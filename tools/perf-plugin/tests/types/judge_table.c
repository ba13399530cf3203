// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

#define LIST	65536
#define TEXT	512
#define ANSWERS	16

struct object {
	uint64_t address, size, from, to;	/* [from, to): when it was there */
	int64_t frame, by;
	char *type;
};

struct member {
	uint64_t offset, size;
	char *type, *name, *of;
};

static struct object objects[LIST];
static struct member members[LIST];
static unsigned int nr_objects, nr_members, told;
static uint64_t constants, constants_end;

/* Without "const ", which DWARF's names lack too */
static char *plain(const char *text)
{
	char *copy = calloc(1, strlen(text) + 1), *to = copy;

	while (*text) {
		if (!strncmp(text, "const ", 6))
			text += 6;
		else
			*to++ = *text++;
	}
	return copy;
}

void table_read(const char *path, uint64_t low, uint64_t high)
{
	FILE *f = fopen(path, "r");
	char line[TEXT], type[TEXT], name[TEXT], of[TEXT];
	struct object o = { .to = UINT64_MAX };
	struct member m = { 0 };

	constants = low;
	constants_end = high;
	if (!f)
		exit(1);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "object %" SCNx64 " %" SCNu64 " %511[^\n]", &o.address,
			   &o.size, type) == 3 && nr_objects < LIST) {
			o.type = plain(type);
			objects[nr_objects++] = o;
		} else if (sscanf(line, "member %" SCNu64 " %" SCNu64
				  " %511[^|]|%511[^|]|%511[^\n]", &m.offset, &m.size, type,
				  name, of) == 5 && nr_members < LIST) {
			m.type = plain(type);
			m.name = plain(name);
			m.of = plain(of);
			members[nr_members++] = m;
		}
	}
	fclose(f);
}

void table_object(const struct access *a)
{
	if (told == nr_objects || objects[told].address != a->address) {
		fprintf(stderr, "judge: the table and the log differ at object %u\n", told);
		exit(1);
	}
	objects[told].frame = a->frame;
	objects[told].by = a->by;
	objects[told++].from = a->time;
}

void table_forget(uint64_t address, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < told; i++)
		if (objects[i].address == address && objects[i].to == UINT64_MAX)
			objects[i].to = time;
}

/*
 * The object that was there last.  The program tells of a variable of the stack when its function
 * has begun, so that a later word counts if there is no earlier one.
 */
static const struct object *object_of(const struct access *a)
{
	const struct object *found = NULL;
	unsigned int i;

	for (i = 0; i < told; i++) {
		const struct object *o = &objects[i];

		if (o->frame != a->frame || a->address < o->address ||
		    a->address >= o->address + o->size || a->time >= o->to ||
		    (o->from > a->time && (found || o->frame == NO_FRAME)))
			continue;
		found = o;
	}
	return found;
}

struct answer {
	char type[TEXT], field[TEXT];
};

struct answers {
	struct answer list[ANSWERS];
	unsigned int count;
};

static void begin(struct answers *a, const char *type)
{
	if (a->count < ANSWERS)
		snprintf(a->list[a->count++].type, TEXT, "%s", type);
}

/* Bit-fields from the first to the last one, "a..c", are "in.a..in.c" in a structure "in". */
static void append(struct answers *a, unsigned int count, const char *between, const char *text)
{
	const char *range = strstr(text, "..");
	int first = range ? (int)(range - text) : (int)strlen(text);
	unsigned int i;

	for (i = 0; i < count; i++) {
		char *field = a->list[i].field, *longer;
		const char *dot = field[0] ? between : "";
		int len;

		if (range)
			len = asprintf(&longer, "%s%s%.*s..%s%s%s", field, dot, first, text,
				       field, dot, range + 2);
		else
			len = asprintf(&longer, "%s%s%s", field, dot, text);
		if (len < 0)
			exit(1);
		snprintf(field, TEXT, "%s", longer);
		free(longer);
	}
}

/* Split "struct point[3]" into the element's type and how many there are. */
static uint64_t elements(char *type)
{
	char *at = strchr(type, '(') ? NULL : strchr(type, '[');
	uint64_t count = 1;

	if (!at)
		return 1;
	*at = '\0';
	for (at++; at; at = strchr(at, '[') ? strchr(at, '[') + 1 : NULL)
		count *= strtoull(at, NULL, 10);
	while (*type && type[strlen(type) - 1] == ' ')
		type[strlen(type) - 1] = '\0';
	return count ? count : 1;
}

static bool has_members(const char *type)
{
	unsigned int i;

	for (i = 0; i < nr_members; i++)
		if (!strcmp(members[i].type, type))
			return true;
	return false;
}

/* Whether @bytes from there on are one number or pointer of the member */
static bool fits(const struct member *m, uint64_t offset, unsigned int bytes)
{
	char type[TEXT];
	uint64_t count;

	snprintf(type, sizeof(type), "%s", m->of);
	count = elements(type);
	return bytes && !has_members(type) && m->size / count == bytes && !((offset - m->offset) % bytes);
}

/* The members that have the byte: one, or those of a union as "u.a|u.b", if any fits only those */
static const struct member *name_byte(const char *type, uint64_t offset, unsigned int bytes,
				      char name[TEXT])
{
	const struct member *one = NULL;
	unsigned int i, count = 0;
	bool fit = false;

	name[0] = '\0';
	for (i = 0; i < nr_members; i++) {
		const struct member *m = &members[i];
		size_t len;
		bool better;

		if (strcmp(m->type, type) != 0 || offset < m->offset ||
		    offset >= m->offset + m->size)
			continue;
		better = fits(m, offset, bytes);
		if (fit && !better)
			continue;
		if (better && !fit) {
			count = 0;
			name[0] = '\0';
		}
		fit |= better;
		one = m;
		len = strlen(name);
		snprintf(name + len, TEXT - len, "%s%s%s", count ? "|" : "", m->name,
			 strchr(m->of, '[') ? "[]" : "");
		count++;
	}
	if (count == 1)
		snprintf(name, TEXT, "%s", one->name);
	return count == 1 ? one : NULL;
}

/* Byte @offset of @size bytes of @type: what it is, in this and each inner structure */
static void describe(struct answers *a, const char *of, uint64_t size, uint64_t offset,
		     unsigned int bytes)
{
	unsigned int outer = a->count;
	const struct member *m;
	char type[TEXT], name[TEXT];
	uint64_t count;

	snprintf(type, sizeof(type), "%s", of);
	count = elements(type);
	if (count > 1)
		append(a, outer, "", "[]");
	begin(a, type);
	if (!has_members(type))
		return;
	offset %= size / count;
	m = name_byte(type, offset, bytes, name);
	append(a, a->count, ".", name[0] ? name : "(padding)");
	if (m && strcmp(m->of, "bits") != 0)
		describe(a, m->of, m->size, offset - m->offset, bytes);
}

static void answers_of(struct answers *a, const struct access *at)
{
	const struct object *o = object_of(at);

	memset(a, 0, sizeof(*a));
	if (o)
		describe(a, o->type, o->size, at->address - o->address, at->bytes);
	else if (at->address >= constants && at->address < constants_end)
		begin(a, "(constant)");
	else
		begin(a, at->frame > 0 ? "(stack)" : "?");
	/* A caller has no variable for the copy that it passes as a parameter. */
	if (o && o->frame > 0 && o->frame == at->by && o->by != at->by)
		begin(a, "(stack)");
}

static bool has_answer(const struct answers *a, const struct answer *one)
{
	unsigned int i;

	for (i = 0; i < a->count; i++)
		if (!strcmp(a->list[i].type, one->type) && !strcmp(a->list[i].field, one->field))
			return true;
	return false;
}

void table_answers(const struct access *at, unsigned int count)
{
	static struct answers all, one;
	unsigned int i, j, kept;

	answers_of(&all, &at[0]);
	for (i = 1; i < count; i++) {
		answers_of(&one, &at[i]);
		for (j = kept = 0; j < all.count; j++)
			if (has_answer(&one, &all.list[j]))
				all.list[kept++] = all.list[j];
		all.count = kept;
	}
	for (j = 0; j < all.count; j++)
		printf("%s%s,%s", j ? ";" : "", all.list[j].type, all.list[j].field);
}
