// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/types/types.h"
#include "symbols/types/types_private.h"
#include "util/util.h"

/* What a load or store accesses */
struct operand {
	uint64_t address;	/* of the instruction; 0: the slot is unused */
	const struct data_type *type;
	uint64_t offset;
	unsigned int bytes;
	const char *field, *last;
};

struct operands {
	const struct dso *dso;
	struct a64_code code;
	bool readable;
	struct globals *globals;
	struct function_index functions;
	bool *analysed;			/* by part of a function */
	struct hash_table known;	/* struct operand */
};

static const struct hash_kind operand_kind = {
	HASH_SLOTS(struct operand, address),
	.key = { HASH_NUMBER(struct operand, address) },
};

/* struct data_flow's */
static const struct data_type *returned(void *context, uint64_t address)
{
	struct operands *o = context;
	const struct function_part *part = function_index_find(&o->functions, address);
	Dwarf_Die die;

	if (!part || part->low != address)
		return NULL;
	die = part->die;
	return data_type_of(globals_types(o->globals), &die);
}

static struct access_span span_at(const struct operands *o, uint64_t address)
{
	struct a64_access access;

	if (!o->readable || !a64_code_access(&o->code, address, &access))
		return (struct access_span){ 0 };
	return (struct access_span){ access.size * access.count, access.size };
}

/* The same */
static void found(void *context, uint64_t address, const struct type_spot *spot)
{
	struct operands *o = context;
	struct data_types *types = globals_types(o->globals);
	struct instance i;
	struct operand *operand = hash_table_add(&o->known, &operand_kind, &address);

	instance_at(types, spot->type, spot->offset, span_at(o, address), &i);
	*operand = (struct operand){
		address, i.type, i.offset, i.bytes, string_set_add(&types->names, i.field),
		string_set_add(&types->names, i.last),
	};
}

static void analyse(struct operands *o, Dwarf_Die *function)
{
	struct scope_variables variables = { 0 };
	struct function_code code = { 0 };
	struct data_flow flow = {
		.code = &code, .variables = &variables, .globals = o->globals,
		.dso = o->dso, .types = globals_types(o->globals), .returned = returned,
		.found = found, .context = o,
	};

	if (function_code_read(&code, &o->code, function)) {
		scope_variables_read(&variables, flow.types, function);
		function_flow(&flow);
		scope_variables_free(&variables);
	}
	function_code_free(&code);
}

static struct operands *operands_read(struct dso *dso)
{
	struct operands *o = xcalloc(1, sizeof(*o));

	o->dso = dso;
	o->readable = a64_code_open(&o->code, dso);
	if (!o->readable)
		return o;
	o->globals = globals_of(dso);
	function_index_read(&o->functions, srclines_dwarf(dso));
	o->analysed = xcalloc(o->functions.count + 1, sizeof(*o->analysed));
	return o;
}

static const struct operand *find(struct operands *o, uint64_t address)
{
	const struct function_part *part = function_index_find(&o->functions, address);
	Dwarf_Die die;

	if (!part)
		return NULL;
	if (!o->analysed[part - o->functions.list]) {
		o->analysed[part - o->functions.list] = true;
		die = part->die;
		analyse(o, &die);
	}
	return hash_table_find(&o->known, &operand_kind, &address);
}

static bool answer(struct operands *o, uint64_t address, struct instance *i)
{
	const struct operand *operand = find(o, address);

	if (!operand)
		return false;
	i->type = operand->type;
	i->offset = operand->offset;
	i->bytes = operand->bytes;
	strcpy(i->field, operand->field);
	strcpy(i->last, operand->last);
	return true;
}

static struct operands *operands_of(struct dso *dso)
{
	if (!dso->operands)
		dso->operands = operands_read(dso);
	return dso->operands;
}

bool operand_type(uint64_t address, struct instance *i)
{
	bool found;

	elf_lock();
	found = answer(operands_of(i->dso), address, i);
	elf_unlock();
	return found;
}

struct access_span operand_span(struct dso *dso, uint64_t address)
{
	struct access_span span;

	elf_lock();
	span = span_at(operands_of(dso), address);
	elf_unlock();
	return span;
}

void operands_free(struct operands *o)
{
	if (!o)
		return;
	if (o->readable)
		a64_code_close(&o->code);
	function_index_free(&o->functions);
	hash_table_free(&o->known);
	free(o->analysed);
	free(o);
}
