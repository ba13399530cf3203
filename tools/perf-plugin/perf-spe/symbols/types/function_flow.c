// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "symbols/code/code.h"
#include "symbols/types/types_private.h"
#include "util/util.h"

/* Each round joins all blocks that have changed; real code needs fewer. */
#define ROUNDS		64u
#define IDS		32u	/* ids that belong to an instruction or a block */

struct run {
	const struct data_flow *flow;
	struct register_state *entry;	/* by block */
	bool *pending;			/* the same */
	struct register_state now;
	bool final;			/* nothing changes any more: tell what is found */
};

static void set(struct run *r, uint8_t reg, struct register_value value)
{
	if (reg != A64_NO_REGISTER)
		r->now.reg[reg & 31] = value;
}

/* Data registers: 31 is the zero register, which stays what it is. */
static void set_data(struct run *r, uint8_t reg, struct register_value value)
{
	if (reg != 31)
		set(r, reg, value);
}

/* The value that a load of a whole number or pointer leaves */
static struct register_value loaded(const struct data_flow_point *p, const struct a64_access *access,
				    const struct register_value *at, const struct type_spot *spot)
{
	const struct data_type *target;
	const struct register_value *slot = NULL;

	if (access->size == 8 && value_is_exact(at, VALUE_STACK) && spot->type == &spot_stack) {
		target = flow_pointed(p, at->offset);
		if (target)
			return value_pointer(target, 0);
		slot = register_state_slot(p->state, at->offset);
	}
	if (slot)
		return *slot;
	if (access->size != 8 || !spot->exact || access->simd)
		return value_any(p->id);
	target = data_type_target(p->flow->types, spot->exact);
	return spot->exact->class == CLASS_POINTER && target && target->size ?
	       value_pointer(target, 0) : value_any(p->id);
}

/* Of a pair that loads two members, each has its own type. */
static struct register_value loaded_element(const struct data_flow_point *p,
					    const struct a64_access *access,
					    struct register_value at, unsigned int element)
{
	struct a64_access one = *access;
	struct type_spot spot = { 0 };

	one.count = 1;
	at = value_add(at, value_number(element * access->size), p->id);
	if (!operand_spot(p, &one, &at, &spot))
		return value_any(p->id + element);
	return loaded(p, &one, &at, &spot);
}

static void store(struct run *r, const struct data_flow_point *p, const struct a64_access *access,
		  const struct register_value *at)
{
	unsigned int i, bytes = (unsigned int)access->size * access->count;
	struct register_value data[2];

	if (!value_is_exact(at, VALUE_STACK))
		return;
	for (i = 0; i < 2 && i < access->count; i++)
		data[i] = access->data[i] == 31 ? value_number(0) :
			  flow_register(p, access->data[i]);
	register_state_clear(&r->now, at->offset, bytes);
	for (i = 0; i < 2 && i < access->count; i++)
		if (access->size == 8 && !access->simd && access->data[i] != A64_NO_REGISTER)
			register_state_spill(&r->now, at->offset + 8 * i, &data[i]);
}

/* The address of the access, by a variable in the base register or else by the state */
static bool find_operand(const struct data_flow_point *p, const struct a64_access *access,
			 struct register_value *at, struct type_spot *spot)
{
	const struct scope_variables *list = p->flow->variables;
	const struct scope_variable *v = NULL;
	struct register_value base = { 0 };
	bool plain = access->mode != A64_LITERAL;

	if (plain)
		base = flow_register(p, access->base);
	*at = operand_address(p, access, base);
	if (operand_spot(p, access, at, spot))
		return true;
	/* Another variable may be the same address, such as that of the structure around. */
	while (plain && base.kind == VALUE_POINTER && access->base < A64_SP &&
	       (v = scope_variables_pointer(list, p->address, access->base, v))) {
		if (!flow_variable(p, v, &base))
			continue;
		*at = operand_address(p, access, base);
		if (operand_spot(p, access, at, spot))
			return true;
	}
	if (!plain)
		return false;
	*at = operand_address(p, access, flow_state(p, access->base));
	return operand_spot(p, access, at, spot);
}

static void write_back(struct run *r, const struct data_flow_point *p, const struct a64_access *access)
{
	struct register_value base = flow_register(p, access->base), step;

	if (access->mode != A64_PRE && access->mode != A64_POST)
		return;
	step = access->index == A64_NO_REGISTER || access->index == 31 ?
	       value_number(access->offset) : flow_state(p, access->index);
	set(r, access->base, value_add(base, step, p->id + IDS - 1));
}

static void access_memory(struct run *r, const struct data_flow_point *p,
			  const struct a64_access *access)
{
	struct register_value at, data[2] = { { 0 } };
	struct type_spot spot;
	unsigned int i;

	if (find_operand(p, access, &at, &spot) && r->final)
		p->flow->found(p->flow->context, p->address, &spot);
	for (i = 0; access->load && i < 2 && i < access->count; i++)
		data[i] = loaded_element(p, access, at, i);
	if (access->store)
		store(r, p, access, &at);
	write_back(r, p, access);
	if (access->simd)
		return;
	if (access->load && !access->store)
		for (i = 0; i < 2 && i < access->count; i++)
			set_data(r, access->data[i], data[i]);
	set_data(r, access->old, access->load ? data[0] : value_any(p->id + 2));
	/* Of CASP, two registers */
	if (access->load && access->store && access->count == 2 && access->old < 30)
		set_data(r, access->old + 1, data[1]);
	set_data(r, access->status, value_any(p->id + 3));
}

static void clobber(struct run *r, const struct data_flow_point *p, uint32_t word)
{
	uint32_t changed = a64_clobbers(word);
	uint8_t i;

	for (i = 0; changed; i++, changed >>= 1)
		if (changed & 1)
			set(r, i, value_any(p->id + i));
}

/* What the function returns; it has changed registers. */
static void call(struct run *r, const struct data_flow_point *p, const struct a64_branch *branch)
{
	const struct data_type *type = NULL, *target;

	if (branch->direct && p->flow->returned)
		type = p->flow->returned(p->flow->context, branch->target);
	if (!type || type->class != CLASS_POINTER)
		return;
	target = data_type_target(p->flow->types, type);
	if (target && target->size)
		set(r, 0, value_pointer(target, 0));
}

static struct register_value narrow(struct register_value value, bool wide, uint32_t id)
{
	if (wide)
		return value;
	if (value.kind != VALUE_NUMBER)
		return value_any(id);
	if (!value.stride)
		value.offset &= 0xffffffff;
	return value;
}

static struct register_value computed(const struct data_flow_point *p, const struct a64_value *v)
{
	struct register_value first = flow_register(p, v->first);
	struct register_value second = flow_register(p, v->second);

	switch (v->operation) {
	case A64_SET:
		return value_number(v->number);
	case A64_PLACE:
		return value_address(v->number);
	case A64_MOVE:
	case A64_EXTEND:
		return first;
	case A64_ADD_NUMBER:
		return value_add(first, value_number(v->number), p->id);
	case A64_ADD:
		return value_add(first, value_shift(second, v->shift, p->id), p->id);
	case A64_SUBTRACT:
		return value_subtract(first, value_shift(second, v->shift, p->id), p->id);
	case A64_MULTIPLY_ADD:
		return value_add(flow_register(p, v->third),
				 value_multiply(first, second, p->id), p->id);
	case A64_SHIFT:
		return value_shift(first, v->shift, p->id);
	case A64_SELECT:
		return value_join(first, second, p->id);
	default:
		return value_any(p->id);
	}
}

static struct register_value inserted(struct register_value old, const struct a64_value *v,
				      uint32_t id)
{
	uint64_t mask = UINT64_C(0xffff) << v->shift;

	if (!value_is_exact(&old, VALUE_NUMBER))
		return value_any(id);
	return value_number((int64_t)(((uint64_t)old.offset & ~mask) | (uint64_t)v->number));
}

static void compute(struct run *r, const struct data_flow_point *p, uint32_t word)
{
	struct a64_value v = a64_value(word, p->address);
	struct register_value result;

	if (v.operation == A64_NO_RESULT)
		return;
	result = v.operation == A64_INSERT ? inserted(flow_state(p, v.to), &v, p->id) :
		 computed(p, &v);
	if (v.operation == A64_EXTEND && result.kind != VALUE_NUMBER)
		result = value_any(p->id);
	set(r, v.to, narrow(result, v.wide, p->id));
}

/* A variable that begins here says what its register points to. */
static void begin_variables(struct run *r, const struct data_flow_point *p)
{
	const struct scope_variables *list = p->flow->variables;
	const struct scope_variable *v = scope_variables_start(list, p->address);

	for (; v < list->starts + list->first[32] && v->low == p->address; v++) {
		struct register_value *now = &r->now.reg[v->reg], value;

		if (value_is_exact(now, VALUE_STACK) || value_is_exact(now, VALUE_ADDRESS) ||
		    !flow_variable(p, v, &value) ||
		    (now->kind == VALUE_POINTER && now->type->name == value.type->name))
			continue;
		*now = value;
	}
}

static void step(struct run *r, uint32_t index)
{
	const struct code_word *w = &r->flow->code->words[index];
	struct a64_branch branch = a64_branch(w->word, w->address);
	struct data_flow_point p = {
		.flow = r->flow, .state = &r->now, .address = w->address,
		.id = (index + 1) * 2 * IDS,
	};
	struct a64_access access;

	begin_variables(r, &p);
	clobber(r, &p, w->word);
	if (a64_is_call(branch.kind))
		call(r, &p, &branch);
	else if (a64_access(w->word, &access))
		access_memory(r, &p, &access);
	else if (branch.kind == A64_NO_BRANCH)
		compute(r, &p, w->word);
}

static void leave_to(struct run *r, uint32_t block)
{
	uint32_t id = (r->flow->code->blocks[block].first + 1) * 2 * IDS + IDS;

	if (block != NO_BLOCK && register_state_join(&r->entry[block], &r->now, id))
		r->pending[block] = true;
}

/* A jump by a table goes to the blocks that nothing else leads to. */
static void leave(struct run *r, uint32_t block)
{
	const struct function_code *code = r->flow->code;
	const struct code_word *last = &code->words[code->blocks[block].end - 1];
	struct a64_branch branch = a64_branch(last->word, last->address);
	uint32_t next = function_code_next(code, block), i;

	if (next != NO_BLOCK)
		leave_to(r, next);
	if (branch.direct && !a64_is_call(branch.kind)) {
		next = function_code_block(code, branch.target);
		if (next != NO_BLOCK)
			leave_to(r, next);
	}
	for (i = 0; branch.kind == A64_INDIRECT_JUMP && i < code->nr_blocks; i++)
		if (!code->blocks[i].entered)
			leave_to(r, i);
}

static void run_block(struct run *r, uint32_t block)
{
	const struct code_block *b = &r->flow->code->blocks[block];
	uint32_t i;

	register_state_copy(&r->now, &r->entry[block]);
	if (!r->now.reached)
		register_state_any(&r->now, b->first * 2 * IDS + IDS);
	for (i = b->first; i < b->end; i++)
		step(r, i);
}

static bool settle(struct run *r)
{
	const struct function_code *code = r->flow->code;
	unsigned int round;
	bool more = true;
	uint32_t i;

	register_state_any(&r->entry[code->entry], 1);
	r->entry[code->entry].reg[A64_SP] = value_stack(0);
	r->pending[code->entry] = true;
	for (round = 0; more && round < ROUNDS; round++) {
		more = false;
		for (i = 0; i < code->nr_blocks; i++) {
			if (!r->pending[i])
				continue;
			more = true;
			r->pending[i] = false;
			run_block(r, i);
			leave(r, i);
		}
	}
	return !more;
}

void function_flow(const struct data_flow *flow)
{
	size_t count = flow->code->nr_blocks;
	struct run r = { .flow = flow };
	uint32_t i;

	r.entry = xcalloc(count, sizeof(*r.entry));
	r.pending = xcalloc(count, sizeof(*r.pending));
	r.final = settle(&r);
	for (i = 0; r.final && i < count; i++)
		run_block(&r, i);
	for (i = 0; i < count; i++)
		register_state_free(&r.entry[i]);
	register_state_free(&r.now);
	free(r.entry);
	free(r.pending);
}
