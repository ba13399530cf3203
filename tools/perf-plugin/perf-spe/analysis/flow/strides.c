// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

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

/* Blocks and instructions of a function, and instructions of a loop; larger ones are not read. */
#define LOOP_BLOCKS	2048
#define FUNCTION_WORDS	65536
#define LOOP_WORDS	4096

/* By how much a register advances in one turn of a loop */
struct advance {
	int64_t bytes;
	bool computed;		/* by more, which the program computes before the loop */
};

/* The innermost loop around an instruction, and the next one around that, or the whole function */
struct loop {
	const struct a64_code *code;
	struct graph graph;
	bool *in, *outer;		/* by block */
	uint32_t header, outer_header;	/* where each begins; GRAPH_OUTSIDE: there is no loop */
	bool *seen;			/* of the last walk() */
	uint32_t *stack;
	uint8_t *each_turn;		/* by block, of is_in_each_turn(): enum memo */
	struct {
		enum { ADVANCE_UNKNOWN, ADVANCE_ASKED, ADVANCE_KNOWN, ADVANCE_NONE } state;
		struct advance by;
	} reg[32];
};

static uint32_t loop_word(const struct loop *l, uint64_t address)
{
	uint32_t word = 0;

	a64_code_word(l->code, address, &word);
	return word;
}

/*
 * Mark the blocks of @in to which ways lead from block @from, or with @back those from which ways lead
 * to it, without the edges to @header and not through block @without
 */
static void walk(struct loop *l, const bool *in, uint32_t header, uint32_t from, bool back, uint32_t without)
{
	const struct graph *g = &l->graph;
	uint32_t count = 0, i;

	memset(l->seen, 0, g->nr_blocks * sizeof(*l->seen));
	l->stack[count++] = from;
	while (count) {
		const uint32_t b = l->stack[--count];
		const uint32_t first = back ? g->blocks[b].first_in : g->blocks[b].first_out;
		const uint32_t end = back ? g->blocks[b + 1].first_in : g->blocks[b + 1].first_out;

		for (i = first; i < end; i++) {
			const struct graph_edge *e = &g->edges[back ? g->in[i] : g->out[i]];
			const uint32_t to = back ? e->from : e->to;

			if (e->kind == EDGE_ENTRY || to == GRAPH_OUTSIDE || e->to == header || !in[to] ||
			    to == without || l->seen[to])
				continue;
			l->seen[to] = true;
			l->stack[count++] = to;
		}
	}
}

/* Whether ways from @block lead back to it, without the edges to @header */
static bool is_in_cycle(struct loop *l, const bool *in, uint32_t header, uint32_t block)
{
	walk(l, in, header, block, false, GRAPH_OUTSIDE);
	return l->seen[block];
}

/* Whether all ways from @header to @to, in @in, lead through @block */
static bool dominates(struct loop *l, const bool *in, uint32_t header, uint32_t block, uint32_t to)
{
	if (block == header)
		return true;
	/* Edges to the target count even if it is the header. */
	walk(l, in, GRAPH_OUTSIDE, header, false, block);
	return !l->seen[to];
}

/* The only block of the cycle @in at which ways from elsewhere enter it, or GRAPH_OUTSIDE */
static uint32_t entry_of(const struct graph *g, const bool *in)
{
	uint32_t entry = in[0] ? 0 : GRAPH_OUTSIDE;
	size_t i;

	for (i = 0; i < g->nr_edges; i++) {
		const struct graph_edge *e = &g->edges[i];

		if (e->kind == EDGE_ENTRY || e->from == GRAPH_OUTSIDE || e->to == GRAPH_OUTSIDE ||
		    in[e->from] || !in[e->to] || e->to == entry)
			continue;
		if (entry != GRAPH_OUTSIDE)
			return GRAPH_OUTSIDE;
		entry = e->to;
	}
	return entry;
}

/* Go from loop to loop inwards.  False if one is entered at several places. */
static bool find_loop(struct loop *l, uint32_t block)
{
	const size_t nr = l->graph.nr_blocks;
	bool *cycle;
	uint32_t i;

	l->header = l->outer_header = GRAPH_OUTSIDE;
	memset(l->in, true, nr * sizeof(*l->in));
	while (is_in_cycle(l, l->in, l->header, block)) {
		cycle = l->outer;
		l->outer = l->in;
		l->outer_header = l->header;
		memcpy(cycle, l->seen, nr * sizeof(*cycle));
		walk(l, l->outer, l->outer_header, block, true, GRAPH_OUTSIDE);
		for (i = 0; i < nr; i++)
			cycle[i] &= l->seen[i];
		l->in = cycle;
		l->header = entry_of(&l->graph, cycle);
		if (l->header == GRAPH_OUTSIDE)
			return false;
	}
	return l->header != GRAPH_OUTSIDE;
}

/* The block of the instruction at @address, which the function has */
static uint32_t block_of(const struct graph *g, uint64_t address)
{
	uint32_t b;

	lower_bound(b, g->nr_blocks, g->blocks[b].start <= address);
	return b ? b - 1 : GRAPH_OUTSIDE;
}

/* Whether each turn of the loop executes the block once */
static bool is_in_each_turn(struct loop *l, uint32_t block)
{
	if (l->each_turn[block] == MEMO_NONE)
		l->each_turn[block] = dominates(l, l->in, l->header, block, l->header) &&
				      !is_in_cycle(l, l->in, l->header, block) ? MEMO_YES : MEMO_NO;
	return l->each_turn[block] == MEMO_YES;
}

/* A mask of at least so many low bits lets an index begin anew; one of fewer makes it alternate. */
#define RING_BITS	8

/*
 * Whether the word is an AND that lets an index begin anew at the end of an array: with a number of
 * low bits alone, or of a register with another one.  Then @v is a move of the first operand.
 */
static bool is_ring(uint32_t word, struct a64_value *v)
{
	const bool wide = word >> 31, number = (word & 0x7f800000) == 0x12000000;
	const uint32_t ones = (word >> 10 & 63) + 1;

	*v = (struct a64_value){
		.operation = A64_MOVE, .to = word & 31, .first = word >> 5 & 31,
		.second = number ? A64_NO_REGISTER : word >> 16 & 31, .wide = wide,
	};
	if (v->to == 31 || v->first == 31 || v->second == 31)
		return false;
	if (number)
		return (word >> 22 & 1) == wide && !(word >> 16 & 63) && ones >= RING_BITS && (wide || ones <= 32);
	/* Which bits a register has is not known: what is counted up in it itself may be an index. */
	return (word & 0x7f200000) == 0x0a000000 && !(word >> 10 & 63) && v->to == v->first;
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

static bool reg_advance(struct loop *l, uint8_t reg, struct advance *by);

static bool is_constant(struct loop *l, uint8_t reg)
{
	struct advance by;

	return reg_advance(l, reg, &by) && !by.bytes && !by.computed;
}

/* What registers hold wraps around. */
static int64_t shifted(int64_t value, uint8_t shift)
{
	return (int64_t)((uint64_t)value << (shift & 63));
}

static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* By how much the result of @v advances, which is not of the register that it changes */
static bool result_advance(struct loop *l, const struct a64_value *v, struct advance *by)
{
	struct advance second = { 0 };

	*by = second;
	switch (v->operation) {
	case A64_SET:
	case A64_PLACE:
	case A64_THREAD:
		return true;
	case A64_MOVE:
		return is_constant(l, v->second) && reg_advance(l, v->first, by);
	case A64_EXTEND:
	case A64_ADD_NUMBER:
		return reg_advance(l, v->first, by);
	case A64_ADD:
	case A64_SUBTRACT:
		if (!reg_advance(l, v->first, by) || !reg_advance(l, v->second, &second))
			return false;
		second.bytes = shifted(second.bytes, v->shift);
		if (v->operation == A64_SUBTRACT)
			second.bytes = (int64_t)-(uint64_t)second.bytes;
		by->bytes = sum(by->bytes, second.bytes);
		by->computed |= second.computed;
		return true;
	case A64_SHIFT:
		if (!reg_advance(l, v->first, by))
			return false;
		by->bytes = shifted(by->bytes, v->shift);
		return true;
	case A64_MULTIPLY_ADD:
		if (!reg_advance(l, v->third, by))
			return false;
		if (is_constant(l, v->first) && is_constant(l, v->second))
			return true;
		by->computed = true;
		return (is_constant(l, v->first) && reg_advance(l, v->second, &second)) ||
		       (is_constant(l, v->second) && reg_advance(l, v->first, &second));
	default:
		return false;
	}
}

/* What the instructions of a loop do to a register */
struct changes_of {
	struct advance by;		/* the steps together */
	unsigned int steps, others;
	struct a64_value other;		/* the last one that is no step */
};

/* Add what the instruction at @address, in @block, does; false: nothing constant */
static bool add_change(struct loop *l, uint64_t address, uint32_t block, uint8_t reg, struct changes_of *c)
{
	const struct a64_value v = value_left(l, address, reg);
	const bool of_itself = v.first == reg;

	if (v.operation == A64_NO_RESULT ||
	    (v.operation == A64_MOVE && of_itself && is_constant(l, v.second)))
		return true;
	if (v.operation == A64_ANY_RESULT || !is_in_each_turn(l, block))
		return false;
	if (of_itself && v.operation == A64_ADD_NUMBER) {
		c->by.bytes = sum(c->by.bytes, v.number);
		c->steps++;
	} else if (of_itself && (v.operation == A64_ADD || v.operation == A64_SUBTRACT)) {
		c->by.computed = true;
		c->steps++;
		return is_constant(l, v.second);
	} else {
		c->other = v;
		c->others++;
	}
	return true;
}

/*
 * Whether the loop around this one steps the register on other ways.  Compilers make several loops, with a
 * begin of its own each, of one whose turns differ.
 */
static bool steps_outside(const struct loop *l, uint8_t reg)
{
	const struct graph *g = &l->graph;
	uint64_t at;
	uint32_t b;

	for (b = 0; b < g->nr_blocks && l->outer_header != GRAPH_OUTSIDE; b++)
		for (at = g->blocks[b].start; l->outer[b] && !l->in[b] && at <= g->blocks[b].last; at += 4) {
			const struct a64_value v = value_left(l, at, reg);

			if (v.first == reg && (v.operation == A64_ADD_NUMBER || v.operation == A64_ADD ||
					       v.operation == A64_SUBTRACT))
				return true;
		}
	return false;
}

static bool find_advance(struct loop *l, uint8_t reg, struct advance *by)
{
	const struct graph *g = &l->graph;
	struct changes_of c = { 0 };
	uint64_t at;
	uint32_t b;

	for (b = 0; b < g->nr_blocks; b++)
		for (at = g->blocks[b].start; l->in[b] && at <= g->blocks[b].last; at += 4)
			if (!add_change(l, at, b, reg, &c))
				return false;
	if (c.others)
		return c.others == 1 && !c.steps && result_advance(l, &c.other, by);
	*by = c.by;
	return !c.steps || !steps_outside(l, reg);
}

/* By how much @reg advances from one turn of the loop to the next; false: by nothing constant */
static bool reg_advance(struct loop *l, uint8_t reg, struct advance *by)
{
	*by = (struct advance){ 0 };
	if (reg == A64_NO_REGISTER)
		return true;
	/* A register that is made of itself in another way is asked for twice. */
	if (l->reg[reg].state == ADVANCE_UNKNOWN) {
		l->reg[reg].state = ADVANCE_ASKED;
		l->reg[reg].state = find_advance(l, reg, &l->reg[reg].by) ? ADVANCE_KNOWN : ADVANCE_NONE;
	}
	*by = l->reg[reg].by;
	return l->reg[reg].state == ADVANCE_KNOWN;
}

static bool access_advance(struct loop *l, uint64_t address, struct advance *by)
{
	struct a64_access a;
	struct advance index = { 0 };

	if (!a64_access(loop_word(l, address), &a) || a.mode == A64_LITERAL || !reg_advance(l, a.base, by))
		return false;
	if (a.mode == A64_OFFSET && a.index != A64_NO_REGISTER && !reg_advance(l, a.index, &index))
		return false;
	by->bytes = sum(by->bytes, shifted(index.bytes, a.shift));
	by->computed |= index.computed;
	return by->bytes || by->computed;
}

/* A loop that usually ends in its first turn, as a search in a hash table does, advances rarely. */
#define TURNS_LEAST	2
/* So many samples tell how often a loop begins. */
#define TURNS_SAMPLES	8

/* The most samples of a load or store in the block */
static uint64_t samples_in(const struct graph_block *block, const struct load_misses of[2])
{
	uint64_t at, one, most = 0;

	for (at = block->start; at <= block->last; at += 4) {
		one = load_misses_samples(&of[0], at) + load_misses_samples(&of[1], at);
		if (one > most)
			most = one;
	}
	return most;
}

/* Whether the samples of an access that precedes each begin of the loop say that it has few turns */
static bool has_few_turns(struct loop *l, const struct load_misses of[2], uint64_t samples)
{
	const uint32_t begin = l->outer_header == GRAPH_OUTSIDE ? 0 : l->outer_header;
	uint64_t before;
	uint32_t b;

	for (b = 0; b < l->graph.nr_blocks; b++) {
		if (!l->outer[b] || l->in[b])
			continue;
		before = samples_in(&l->graph.blocks[b], of);
		if (before >= TURNS_SAMPLES && samples < TURNS_LEAST * before &&
		    dominates(l, l->outer, begin, b, l->header) &&
		    !is_in_cycle(l, l->outer, l->outer_header, b))
			return true;
	}
	return false;
}

/* Whether the function is small enough to be read, and all ways through it are known */
static bool is_readable(const struct graph *g)
{
	uint32_t b;

	for (b = 0; b < g->nr_blocks; b++)
		if (g->blocks[b].branch.kind == A64_INDIRECT_JUMP)
			return false;	/* it may go anywhere */
	return g->nr_blocks <= LOOP_BLOCKS;
}

static bool read_stride(struct loop *l, const struct load_misses of[2], const struct load_miss *access,
			struct advance *by)
{
	const struct graph *g = &l->graph;
	const uint32_t block = block_of(g, access->address);
	size_t words = 0;
	uint32_t b;

	if (block == GRAPH_OUTSIDE || !is_readable(g))
		return false;
	l->in = xcalloc(g->nr_blocks, sizeof(*l->in));
	l->outer = xcalloc(g->nr_blocks, sizeof(*l->outer));
	l->seen = xcalloc(g->nr_blocks, sizeof(*l->seen));
	l->stack = xcalloc(g->nr_blocks + 1, sizeof(*l->stack));
	l->each_turn = xcalloc(g->nr_blocks, sizeof(*l->each_turn));
	if (!find_loop(l, block))
		return false;
	for (b = 0; b < g->nr_blocks; b++)
		words += l->in[b] ? (g->blocks[b].last - g->blocks[b].start) / 4 + 1 : 0;
	return words <= LOOP_WORDS && access_advance(l, access->address, by) &&
	       !has_few_turns(l, of, access->samples);
}

bool loop_stride(const struct dso *dso, const struct load_misses of[2], const struct load_miss *access,
		 int64_t *bytes)
{
	const struct symbol *function = symtab_find(&dso->symtab, access->address);
	const struct flow_list none = { 0 };
	struct loop l = { 0 };
	struct advance by = { 0 };
	struct a64_code code;
	bool found;

	/* Behind the last instruction there must be an address. */
	if (!function || function->unsized || function->end > UINT64_MAX - 4 ||
	    (function->end - function->start) / 4 > FUNCTION_WORDS)
		return false;
	elf_lock();
	if (!a64_code_open(&code, dso)) {
		elf_unlock();
		return false;
	}
	l.code = &code;
	found = graph_make(&l.graph, &code, function->start, function->end, &none, NULL, 0) &&
		read_stride(&l, of, access, &by);
	graph_free(&l.graph);
	free(l.in);
	free(l.outer);
	free(l.seen);
	free(l.stack);
	free(l.each_turn);
	a64_code_close(&code);
	elf_unlock();
	*bytes = by.computed ? 0 : by.bytes;
	return found;
}
