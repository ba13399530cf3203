// SPDX-License-Identifier: GPL-2.0-only
/*
 * libdw tells, in a file that is right, where the values of attributes are; then a value is
 * replaced in a copy, and the file keeps its form.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

struct walk {
	struct tree_file *file;
	const uint8_t *image;		/* what libdw reads */
	uint32_t unit;
	size_t room_values, room_dies;
};

static void *grown(void *list, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : 256;
	list = realloc(list, *room * size);
	if (!list)
		abort();
	return list;
}

/* Bytes of a value of this form, 1 where they depend on the value */
static uint32_t size_of(unsigned int form)
{
	switch (form) {
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_ref_addr:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_addr:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return 8;
	default:
		return 1;
	}
}

static int add_value(Dwarf_Attribute *attr, void *context)
{
	struct walk *w = context;
	struct tree_file *f = w->file;
	uintptr_t at = (uintptr_t)attr->valp - (uintptr_t)w->image;

	/* Of a compressed section, and of a form without a value, it is elsewhere. */
	if (!attr->valp || at >= f->content.len - 8 || attr->form == DW_FORM_flag_present ||
	    attr->form == DW_FORM_implicit_const)
		return DWARF_CB_OK;
	f->values = grown(f->values, f->nr_values, &w->room_values, sizeof(*f->values));
	f->values[f->nr_values++] = (struct die_value){
		(uint32_t)at, size_of(attr->form), (uint16_t)attr->form, w->unit,
	};
	return DWARF_CB_OK;
}

static void visit(struct walk *w, Dwarf_Die *die)
{
	uintptr_t at = (uintptr_t)die->addr - (uintptr_t)w->image;
	Dwarf_Die child;
	int more;

	if (at < w->file->content.len) {
		w->file->dies = grown(w->file->dies, w->file->nr_dies, &w->room_dies, sizeof(uint32_t));
		w->file->dies[w->file->nr_dies++] = (uint32_t)at;
	}
	dwarf_getattrs(die, add_value, w, 0);
	for (more = dwarf_child(die, &child); !more; more = dwarf_siblingof(&child, &child))
		visit(w, &child);
}

void dwarf_index(struct tree_file *f)
{
	struct walk w = { .file = f, .image = f->content.at };
	Elf *elf = elf_memory((char *)f->content.at, f->content.len);
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		/* Offsets of DIEs count from the header of their unit. */
		w.unit = (uint32_t)((uintptr_t)die.addr - (uintptr_t)w.image - dwarf_cuoffset(&die));
		visit(&w, &die);
	}
	dwarf_end(dwarf);
	elf_end(elf);
}

/* A number as long as the one that is there */
static void spoil_leb128(struct dice *d, uint8_t *at, const uint8_t *end)
{
	do {
		*at = (uint8_t)((*at & 0x80) | (draw_odd(d) & 0x7f));
	} while (*at & 0x80 && ++at < end);
}

/* A DWARF expression: other operations, other operands, another length */
static void spoil_expression(struct dice *d, uint8_t *at)
{
	static const uint8_t ops[] = {
		DW_OP_addr, DW_OP_deref, DW_OP_const8u, DW_OP_dup, DW_OP_plus_uconst, DW_OP_bra, DW_OP_skip,
		DW_OP_reg0, DW_OP_breg0, DW_OP_breg31, DW_OP_fbreg, DW_OP_piece, DW_OP_call_frame_cfa,
		DW_OP_stack_value, DW_OP_implicit_pointer, DW_OP_entry_value, DW_OP_regval_type, DW_OP_call4,
		DW_OP_GNU_entry_value, DW_OP_addrx, DW_OP_push_object_address, 0xff,
	};
	uint8_t len = at[0];

	if (one_in(d, 4) || !len || len >= 0x80)
		at[0] = (uint8_t)draw_odd(d);
	else if (one_in(d, 2))
		at[1] = ops[draw(d, sizeof(ops))];
	else
		at[1 + draw(d, len)] = (uint8_t)draw_odd(d);
}

static void spoil_value(struct dice *d, const struct tree_file *f, const struct die_value *v,
			uint8_t *bytes, size_t len)
{
	uint64_t odd = one_in(d, 2) ? draw_odd(d) : draw(d, 256);

	switch (v->form) {
	case DW_FORM_ref4:
	case DW_FORM_ref_addr:
		/* Another DIE: types become their own members. */
		if (f->nr_dies && !one_in(d, 4))
			odd = f->dies[draw(d, f->nr_dies)] - v->unit;
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		spoil_leb128(d, bytes + v->at, bytes + len);
		return;
	case DW_FORM_exprloc:
	case DW_FORM_block1:
		if (v->at + UINT64_C(1) + bytes[v->at] < len)
			spoil_expression(d, bytes + v->at);
		return;
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_strp:
		/* That of another attribute */
		if (one_in(d, 2)) {
			const struct die_value *other = &f->values[draw(d, f->nr_values)];

			memcpy(&odd, bytes + other->at, 4);
		}
		break;
	}
	memcpy(bytes + v->at, &odd, v->size);
}

bool dwarf_spoil(struct dice *d, const struct tree_file *file, struct bytes *content)
{
	const struct die_value *v;
	uint32_t die;

	if (!file->nr_values)
		return false;
	if (one_in(d, 8)) {
		/* The DIE gets another's abbreviation. */
		die = file->dies[draw(d, file->nr_dies)];
		if (die < content->len)
			content->at[die] = content->at[file->dies[draw(d, file->nr_dies)] % content->len];
		return true;
	}
	v = &file->values[draw(d, file->nr_values)];
	if (v->at + 8 < content->len)
		spoil_value(d, file, v, content->at, content->len);
	return true;
}
