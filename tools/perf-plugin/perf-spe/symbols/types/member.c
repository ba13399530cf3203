// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "symbols/types/types.h"

/* No type is larger, so that its bits can be counted. */
#define TYPE_SIZE_MAX	(UINT64_C(1) << 56)

static bool number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (dwarf_formudata(dwarf_attr(die, name, &attr), &word))
		return false;
	*value = word;
	return true;
}

/* The byte where a member begins; DWARF 2 and 3 give it as an expression. */
static bool byte_offset(Dwarf_Die *die, uint64_t *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t count;

	*offset = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;
	if (number(die, DW_AT_data_member_location, offset))
		return *offset < TYPE_SIZE_MAX;
	if (dwarf_getlocation(&attr, &ops, &count) || count != 1 ||
	    ops[0].atom != DW_OP_plus_uconst)
		return false;
	*offset = ops[0].number;
	return *offset < TYPE_SIZE_MAX;
}

/* DWARF 3 counts the bits from the most significant one of the storage unit. */
static bool bits_of(struct member *m)
{
	uint64_t byte, size, bits, at;

	if (!byte_offset(&m->die, &byte))
		return false;
	m->low = byte * 8;
	m->bit_field = number(&m->die, DW_AT_bit_size, &bits);
	if (!m->bit_field) {
		m->high = m->low + m->type->size * 8;
		return m->type->size < TYPE_SIZE_MAX;
	}
	if (number(&m->die, DW_AT_data_bit_offset, &at)) {
		m->low = at;
	} else if (number(&m->die, DW_AT_bit_offset, &at)) {
		if (!number(&m->die, DW_AT_byte_size, &size))
			size = m->type->size;
		m->low += size * 8 - at - bits;
	}
	m->high = m->low + bits;
	return m->low < m->high;
}

bool member_next(struct data_types *types, const struct data_type *record, struct member *m)
{
	Dwarf_Die die = record->die;

	while (!(m->die.addr ? dwarf_siblingof(&m->die, &m->die) :
			       dwarf_child(&die, &m->die))) {
		int tag = dwarf_tag(&m->die);

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_hasattr(&m->die, DW_AT_declaration) ||
		    dwarf_hasattr(&m->die, DW_AT_external))
			continue;
		m->type = data_type_of(types, &m->die);
		m->name = tag == DW_TAG_member ? dwarf_diename(&m->die) : NULL;
		if (m->type && bits_of(m))
			return true;
	}
	return false;
}

/* A path that grows; @full: there was no room. */
struct path {
	char *text;
	size_t len;
	bool full;
};

static void append(struct path *p, const char *text)
{
	size_t len = strlen(text);

	if (p->len + len >= MEMBER_PATH) {
		p->full = true;
		return;
	}
	memcpy(p->text + p->len, text, len + 1);
	p->len += len;
}

static void append_name(struct path *p, const char *name)
{
	if (!name)
		return;
	if (p->len && p->text[p->len - 1] != '|')
		append(p, ".");
	append(p, name);
}

static bool overlaps(const struct member *m, uint64_t low, uint64_t high)
{
	return m->low < high && m->high > low;
}

/* A class without data, as a base class may be; its byte belongs to others. */
static bool is_empty(struct data_types *types, const struct data_type *type, int depth)
{
	struct member m = { 0 };

	if (type->class != CLASS_RECORD || depth == TYPE_DEPTH)
		return false;
	while (member_next(types, type, &m))
		if (m.bit_field || !is_empty(types, m.type, depth + 1))
			return false;
	return true;
}

/* The overlapping member that begins first or last, if there is one */
static bool at_end(struct data_types *types, const struct data_type *record, uint64_t low,
		   uint64_t high, bool last, struct member *found)
{
	struct member m = { 0 };
	bool any = false;

	while (member_next(types, record, &m)) {
		if (!overlaps(&m, low, high) || is_empty(types, m.type, 0) ||
		    (any && (last ? m.low < found->low : m.low >= found->low)))
			continue;
		*found = m;
		any = true;
	}
	return any;
}

/* Damaged DWARF could let a search go on for ever. */
#define STEPS	10000u

struct search {
	struct data_types *types;
	/* The element of the access that has the byte: its bits (0: unknown), and those before the byte */
	uint64_t element, before;
	unsigned int left;	/* types that may still be looked at */
};

/* Whether a number or pointer begins and ends where the access does */
static const struct data_type *exact(struct search *s, const struct data_type *type,
				     uint64_t low, uint64_t high, int depth);

static const struct data_type *exact_member(struct search *s,
					    const struct data_type *type, uint64_t low,
					    uint64_t high, int depth)
{
	const struct data_type *found = NULL, *one;
	struct member m = { 0 };

	while (member_next(s->types, type, &m)) {
		if (m.bit_field || low < m.low || high > m.high)
			continue;
		one = exact(s, m.type, low - m.low, high - m.low, depth + 1);
		if (one && found && found->name != one->name)
			return NULL;
		if (one)
			found = one;
	}
	return found;
}

static const struct data_type *exact(struct search *s, const struct data_type *type,
				     uint64_t low, uint64_t high, int depth)
{
	const struct data_type *element;

	if (depth == TYPE_DEPTH || !s->left)
		return NULL;
	s->left--;
	switch (type->class) {
	case CLASS_SCALAR:
	case CLASS_POINTER:
		return low == 0 && high == type->size * 8 ? type : NULL;
	case CLASS_ARRAY:
		element = data_type_element(s->types, type);
		if (!element || !element->size || element->size >= TYPE_SIZE_MAX)
			return NULL;
		return exact(s, element, low % (element->size * 8),
			     high - low + low % (element->size * 8), depth + 1);
	case CLASS_RECORD:
	case CLASS_UNION:
		return exact_member(s, type, low, high, depth);
	default:
		return NULL;
	}
}

static void walk(struct search *s, const struct data_type *type, uint64_t low,
		 uint64_t high, bool last, int depth, struct path *p);

static void walk_member(struct search *s, const struct member *m, uint64_t low,
			uint64_t high, bool last, int depth, struct path *p)
{
	append_name(p, m->name);
	if (!m->bit_field)
		walk(s, m->type, low > m->low ? low - m->low : 0,
		     (high < m->high ? high : m->high) - m->low, last, depth + 1, p);
}

/* Whether the byte is in this member of a union, and in @fit whether just its element is one */
static bool touches(struct search *s, const struct member *m, uint64_t low, uint64_t high, int depth,
		    bool *fit)
{
	const uint64_t start = low - s->before;

	*fit = s->element && !m->bit_field && low >= m->low + s->before && overlaps(m, low, high) &&
	       exact(s, m->type, start - m->low, start - m->low + s->element, depth + 1);
	return overlaps(m, low, high) && !is_empty(s->types, m->type, 0);
}

/* The paths of those that fit, or else of all that the access touches */
static void walk_union(struct search *s, const struct data_type *type, uint64_t low,
		       uint64_t high, bool last, int depth, struct path *p)
{
	/* Each path begins with this.  An outer union may have written other paths before it. */
	const char *others = strrchr(p->text, '|');
	char before[MEMBER_PATH];
	struct member m = { 0 };
	bool fits = false, any = false, fit;

	strcpy(before, others ? others + 1 : p->text);
	while (member_next(s->types, type, &m)) {
		touches(s, &m, low, high, depth, &fit);
		fits |= fit;
	}
	for (m = (struct member){ 0 }; member_next(s->types, type, &m);) {
		if (!touches(s, &m, low, high, depth, &fit) || (fits && !fit))
			continue;
		if (any) {
			append(p, "|");
			append(p, before);
		}
		any = true;
		walk_member(s, &m, low, high, last, depth, p);
	}
	if (!any)
		append_name(p, "(padding)");
}

static void walk(struct search *s, const struct data_type *type, uint64_t low,
		 uint64_t high, bool last, int depth, struct path *p)
{
	const struct data_type *element;
	struct member m;
	uint64_t bits, at;

	if (depth == TYPE_DEPTH || !s->left)
		return;
	s->left--;
	switch (type->class) {
	case CLASS_ARRAY:
		element = data_type_element(s->types, type);
		append(p, "[]");
		if (!element || !element->size || element->size >= TYPE_SIZE_MAX)
			return;
		bits = element->size * 8;
		at = (last ? high - 1 : low) / bits * bits;
		walk(s, element, low > at ? low - at : 0,
		     high - at < bits ? high - at : bits, last, depth + 1, p);
		return;
	case CLASS_RECORD:
		if (at_end(s->types, type, low, high, last, &m))
			walk_member(s, &m, low, high, last, depth, p);
		else
			append_name(p, "(padding)");
		return;
	case CLASS_UNION:
		walk_union(s, type, low, high, last, depth, p);
		return;
	default:
		return;
	}
}

/* The path of the byte at @at of the type, in an element of the access that begins @before bytes before it */
static bool byte_path(struct data_types *types, const struct data_type *type, uint64_t at,
		      uint64_t before, uint64_t element, char path[MEMBER_PATH])
{
	struct search s = { types, element * 8, before * 8, STEPS };
	char end[MEMBER_PATH];
	struct path first = { .text = path }, last = { .text = end };

	path[0] = end[0] = '\0';
	walk(&s, type, at * 8, at * 8 + 8, false, 0, &first);
	walk(&s, type, at * 8, at * 8 + 8, true, 0, &last);
	if (strcmp(path, end) != 0) {
		append(&first, "..");
		append(&first, end);
	}
	return first.len && !first.full && !last.full && s.left;
}

static bool is_record(const struct data_type *type)
{
	return type && (type->class == CLASS_RECORD || type->class == CLASS_UNION) && type->size;
}

void instance_at(struct data_types *types, const struct data_type *type, uint64_t offset,
		 struct access_span span, struct instance *i)
{
	const struct data_type *element = data_type_element(types, type);

	i->type = type;
	i->offset = offset;
	if (type->class == CLASS_ARRAY && is_record(element)) {
		i->type = element;
		i->offset %= element->size;
	}
	i->bytes = span.bytes;
	i->field[0] = i->last[0] = '\0';
	if (!is_record(i->type) || i->type->size >= TYPE_SIZE_MAX || i->offset >= i->type->size)
		return;
	/* The rest of a longer access is of what follows: the next element, or another variable. */
	if (span.bytes > i->type->size - i->offset)
		span.bytes = i->bytes = (unsigned int)(i->type->size - i->offset);
	if (span.element > span.bytes)
		span.element = span.bytes;
	if (!byte_path(types, i->type, i->offset, 0, span.element, i->field))
		i->field[0] = '\0';
	else if (span.bytes > 1 && !byte_path(types, i->type, i->offset + span.bytes - 1, span.element - 1,
					      span.element, i->last))
		i->last[0] = '\0';
}
