// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

#define STRIDES_MOST	4096
/*
 * The common divisor of so many random multiples is the stride itself in 92% of all cases: the
 * inverse of Riemann's zeta function of 4.
 */
#define TOGETHER	4

void strides_add(struct strides *s, int64_t step)
{
	if (s->count == STRIDES_MOST)
		return;
	s->steps = array_grow(s->steps, s->count, &s->room, sizeof(*s->steps));
	s->steps[s->count++] = step;
}

void strides_free(struct strides *s)
{
	free(s->steps);
}

static uint64_t size_of(int64_t step)
{
	return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

static int number_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The number that is in the array most often; of several, the largest */
static uint64_t most_frequent(uint64_t *numbers, size_t count)
{
	size_t i, begin = 0, most = 0;
	uint64_t found = 0;

	qsort(numbers, count, sizeof(*numbers), number_order);
	for (i = 0; i < count; i++) {
		if (numbers[i] != numbers[begin])
			begin = i;
		if (i - begin + 1 >= most) {
			most = i - begin + 1;
			found = numbers[i];
		}
	}
	return found;
}

/* What most groups of @sizes have as common divisor; 0: there is no group */
static uint64_t usual_divisor(const uint64_t *sizes, size_t count)
{
	uint64_t *divisors = xcalloc(count / TOGETHER + 1, sizeof(*divisors)), usual;
	size_t groups = 0, i, j;

	for (i = 0; i + TOGETHER <= count; i += TOGETHER, groups++)
		for (j = i; j < i + TOGETHER; j++)
			divisors[groups] = common_divisor(divisors[groups], sizes[j]);
	usual = most_frequent(divisors, groups);
	free(divisors);
	return usual;
}

/* The sizes of the steps in the direction that most of them have */
static size_t main_steps(const struct strides *s, uint64_t *sizes, bool *down)
{
	size_t up = 0, negative = 0, count = 0, i;

	for (i = 0; i < s->count; i++) {
		up += s->steps[i] > 0;
		negative += s->steps[i] < 0;
	}
	*down = negative > up;
	for (i = 0; i < s->count; i++)
		if (s->steps[i] && (s->steps[i] < 0) == *down)
			sizes[count++] = size_of(s->steps[i]);
	return count;
}

bool strides_find(const struct strides *s, struct stride *to)
{
	uint64_t *sizes = xcalloc(s->count + 1, sizeof(*sizes)), divisor = 0;
	size_t count, multiples = 0, i;
	double sum = 0;
	bool down, found;

	count = main_steps(s, sizes, &down);
	found = s->count >= STRIDES_LEAST && 4 * count >= 3 * s->count;
	if (found) {
		divisor = usual_divisor(sizes, count);
		for (i = 0; i < count; i++) {
			multiples += !(sizes[i] % divisor);
			sum += (double)sizes[i];
		}
		found = 10 * multiples >= 9 * count;
	}
	free(sizes);
	if (!found)
		return false;
	to->bytes = down ? -(int64_t)divisor : (int64_t)divisor;
	to->regular = (double)multiples / (double)s->count;
	to->mean = sum / (double)count;
	return true;
}

/* Instructions of a loop; longer ones are not read. */
#define LOOP_WORDS	2048
/* How many results of other instructions an address may be made of */
#define LOOP_DEPTH	4

/* Instructions [first, last] of a function; the last one goes back to the first. */
struct loop {
	uint64_t first, last;
	uint32_t words[LOOP_WORDS];
};

/* By how much a register advances in one turn of a loop */
struct advance {
	int64_t bytes;
	bool computed;		/* by more, which the program computes before the loop */
};

static uint32_t loop_word(const struct loop *l, uint64_t address)
{
	return l->words[(address - l->first) / 4];
}

/* Where a direct branch other than a call goes; 0: the word is none */
static uint64_t jump_target(uint32_t word, uint64_t address)
{
	struct a64_branch b = a64_branch(word, address);

	return b.direct && (b.kind == A64_JUMP || b.kind == A64_CONDITIONAL) ? b.target : 0;
}

/* The innermost loop of the function [low, high) around @address: its first instruction comes last. */
static bool read_loop(struct loop *l, const struct a64_code *code, uint64_t address, uint64_t low,
		      uint64_t high)
{
	uint64_t at, to;
	uint32_t word;

	l->first = l->last = 0;
	for (at = address; at < high && a64_code_word(code, at, &word); at += 4) {
		to = jump_target(word, at);
		if (to < low || to > address || to < l->first)
			continue;
		l->first = to;
		l->last = at;
	}
	if (!l->first || (l->last - l->first) / 4 >= LOOP_WORDS)
		return false;
	for (at = l->first; at <= l->last; at += 4)
		if (!a64_code_word(code, at, &l->words[(at - l->first) / 4]))
			return false;
	return true;
}

/* Whether each turn of the loop executes the instruction at @address once */
static bool is_in_each_turn(const struct loop *l, uint64_t address)
{
	uint64_t at, to;

	for (at = l->first; at <= l->last; at += 4) {
		to = jump_target(loop_word(l, at), at);
		if (to < l->first || to > l->last || (at == l->last && to == l->first))
			continue;
		if (to > at ? at < address && address < to :
		    to == l->first ? at < address : to <= address && address <= at)
			return false;
	}
	return true;
}

/*
 * Whether the word is an AND that lets an index begin anew at the end of an array: with a number of
 * low bits alone, or with a register.  Then @v is a move of the first operand.
 */
static bool is_ring(uint32_t word, struct a64_value *v)
{
	const bool wide = word >> 31, number = (word & 0x7f800000) == 0x12000000;

	if (number ? (word >> 22 & 1) != wide || word >> 16 & 63 || (!wide && word & 0x8000) :
		     (word & 0x7f200000) != 0x0a000000 || (word >> 10 & 63))
		return false;
	*v = (struct a64_value){
		.operation = A64_MOVE, .to = word & 31, .first = word >> 5 & 31,
		.second = number ? A64_NO_REGISTER : word >> 16 & 31, .wide = wide,
	};
	return v->to != 31 && v->first != 31 && v->second != 31;
}

/* What an instruction that is no load or store leaves in @reg */
static struct a64_value value_in(uint32_t word, uint64_t address, uint8_t reg)
{
	const struct a64_value any = { .operation = A64_ANY_RESULT, .to = reg };
	struct a64_value ring;

	if (reg < A64_SP && a64_clobbers(word) >> reg & 1)
		return any;
	return is_ring(word, &ring) ? ring : a64_value(word, address);
}

/* The same of a load or store */
static struct a64_value value_of_access(const struct a64_access *a, uint8_t reg)
{
	struct a64_value v = { .operation = A64_NO_RESULT, .to = reg, .first = reg };
	bool loads = a->load && !a->store && !a->simd && reg != A64_SP;

	if (a->base == reg && (a->mode == A64_PRE || a->mode == A64_POST)) {
		v.operation = a->index == A64_NO_REGISTER ? A64_ADD_NUMBER : A64_ADD;
		v.second = a->index;
		v.number = a->offset;
	}
	if ((loads && (a->data[0] == reg || (a->count == 2 && a->data[1] == reg))) || a->status == reg ||
	    a->old == reg || (a->old != A64_NO_REGISTER && a->count == 2 && a->old + 1 == reg))
		v.operation = A64_ANY_RESULT;
	return v;
}

static struct a64_value value_left(const struct loop *l, uint64_t at, uint8_t reg)
{
	struct a64_access access;
	struct a64_value v;

	v = a64_access(loop_word(l, at), &access) ? value_of_access(&access, reg) :
						    value_in(loop_word(l, at), at, reg);
	if (v.to != reg)
		v.operation = A64_NO_RESULT;
	return v;
}

static bool reg_advance(const struct loop *l, uint8_t reg, unsigned int depth, struct advance *by);

static bool is_constant(const struct loop *l, uint8_t reg, unsigned int depth)
{
	struct advance by;

	return reg_advance(l, reg, depth, &by) && !by.bytes && !by.computed;
}

/* By how much the result of @v advances, which is not of the register that it changes */
static bool result_advance(const struct loop *l, const struct a64_value *v, unsigned int depth,
			   struct advance *by)
{
	struct advance second = { 0 };

	switch (v->operation) {
	case A64_SET:
	case A64_PLACE:
	case A64_THREAD:
		*by = (struct advance){ 0 };
		return true;
	case A64_MOVE:
		return is_constant(l, v->second, depth) && reg_advance(l, v->first, depth, by);
	case A64_EXTEND:
	case A64_ADD_NUMBER:
		return reg_advance(l, v->first, depth, by);
	case A64_ADD:
	case A64_SUBTRACT:
		if (!reg_advance(l, v->first, depth, by) || !reg_advance(l, v->second, depth, &second))
			return false;
		second.bytes = (int64_t)((uint64_t)second.bytes << v->shift);
		by->bytes += v->operation == A64_ADD ? second.bytes : -second.bytes;
		by->computed |= second.computed;
		return true;
	case A64_SHIFT:
		if (!reg_advance(l, v->first, depth, by))
			return false;
		by->bytes = (int64_t)((uint64_t)by->bytes << v->shift);
		return true;
	case A64_MULTIPLY_ADD:
		if (!reg_advance(l, v->third, depth, by))
			return false;
		if (is_constant(l, v->first, depth) && is_constant(l, v->second, depth))
			return true;
		by->computed = true;
		return (is_constant(l, v->first, depth) && reg_advance(l, v->second, depth, &second)) ||
		       (is_constant(l, v->second, depth) && reg_advance(l, v->first, depth, &second));
	default:
		return false;
	}
}

/* By how much @reg advances from one turn of the loop to the next; false: by nothing constant */
static bool reg_advance(const struct loop *l, uint8_t reg, unsigned int depth, struct advance *by)
{
	struct a64_value other = { 0 };
	unsigned int others = 0, steps = 0;
	uint64_t at;

	*by = (struct advance){ 0 };
	for (at = l->first; reg != A64_NO_REGISTER && at <= l->last; at += 4) {
		const struct a64_value v = value_left(l, at, reg);

		if (v.operation == A64_NO_RESULT)
			continue;
		if (v.operation == A64_MOVE && v.first == reg && depth && is_constant(l, v.second, depth - 1))
			continue;
		if (v.first != reg || (v.operation != A64_ADD_NUMBER && v.operation != A64_ADD &&
				       v.operation != A64_SUBTRACT)) {
			other = v;
			others++;
			continue;
		}
		steps++;
		if (!is_in_each_turn(l, at))
			return false;
		if (v.operation == A64_ADD_NUMBER) {
			by->bytes += v.number;
			continue;
		}
		by->computed = true;
		if (!depth || !is_constant(l, v.second, depth - 1))
			return false;
	}
	if (!others)
		return true;
	return others == 1 && !steps && depth && result_advance(l, &other, depth - 1, by);
}

static bool access_advance(const struct loop *l, uint64_t address, struct advance *by)
{
	struct a64_access a;
	struct advance index = { 0 };

	if (!a64_access(loop_word(l, address), &a) || a.mode == A64_LITERAL ||
	    !reg_advance(l, a.base, LOOP_DEPTH, by))
		return false;
	if (a.mode == A64_OFFSET && a.index != A64_NO_REGISTER &&
	    !reg_advance(l, a.index, LOOP_DEPTH, &index))
		return false;
	by->bytes += (int64_t)((uint64_t)index.bytes << a.shift);
	by->computed |= index.computed;
	return by->bytes || by->computed;
}

bool loop_stride(const struct dso *dso, uint64_t address, int64_t *bytes)
{
	const struct symbol *function = symtab_find(&dso->symtab, address);
	struct advance by = { 0 };
	struct a64_code code;
	struct loop *loop;
	bool found;

	if (!function)
		return false;
	elf_lock();
	if (!a64_code_open(&code, dso)) {
		elf_unlock();
		return false;
	}
	loop = xcalloc(1, sizeof(*loop));
	found = read_loop(loop, &code, address, function->start, function->end) &&
		access_advance(loop, address, &by);
	a64_code_close(&code);
	elf_unlock();
	free(loop);
	*bytes = by.computed ? 0 : by.bytes;
	return found;
}
