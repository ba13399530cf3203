// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches of all kinds, for perf spe pgo: a compiler cannot know which way most of them
 * go.  Loops with few and many rounds, a switch with a jump table, calls through pointers,
 * recursion, early returns, and code for errors that never occur.
 * usage: branchy ROUNDS.  Each round executes exactly the same instructions, and prints
 * nothing.  At the end the program prints one number, which depends on all of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLD __attribute__((cold, noinline))
#define OWN __attribute__((noinline))

static uint32_t seed;

static uint32_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

COLD static void die(const char *why)
{
	fprintf(stderr, "branchy: %s\n", why);
	exit(2);
}

/* A machine with one register and a stack: the switch is a jump table. */
enum op { PUSH, ADD, SUB, XOR, SHIFT, JUMP_IF_ODD, DUP, DROP, SWAP, STOP };

struct insn {
	uint8_t op;
	int8_t value;
};

OWN static uint32_t interpret(const struct insn *code, size_t len, uint32_t value)
{
	uint32_t stack[16], top = value, swap;
	size_t depth = 0, at = 0, steps = 0;

	while (at < len) {
		const struct insn *i = &code[at++];

		if (++steps > 10000)
			die("the program does not stop");
		switch ((enum op)i->op) {
		case PUSH:
			if (depth == 16)
				die("the stack is full");
			stack[depth++] = top;
			top = (uint32_t)i->value;
			break;
		case ADD:
			top += depth ? stack[depth - 1] : 1;
			break;
		case SUB:
			top -= (uint32_t)i->value;
			break;
		case XOR:
			top ^= 0x9e3779b9u;
			break;
		case SHIFT:
			top = top << 7 | top >> 25;
			break;
		case JUMP_IF_ODD:
			if (top & 1)
				at += (size_t)i->value;
			break;
		case DUP:
			if (depth == 16)
				die("the stack is full");
			stack[depth++] = top;
			break;
		case DROP:
			if (depth)
				top ^= stack[--depth];
			break;
		case SWAP:
			if (!depth)
				break;
			swap = stack[depth - 1];
			stack[depth - 1] = top;
			top = swap;
			break;
		case STOP:
			return top;
		default:
			die("unknown operation");
		}
	}
	return top;
}

static const struct insn program[] = {
	{ PUSH, 3 }, { XOR, 0 }, { DUP, 0 }, { SHIFT, 0 }, { JUMP_IF_ODD, 2 }, { ADD, 0 },
	{ SUB, 5 }, { SWAP, 0 }, { SHIFT, 0 }, { JUMP_IF_ODD, 1 }, { DROP, 0 }, { XOR, 0 },
	{ ADD, 0 }, { DROP, 0 }, { SUB, 1 }, { JUMP_IF_ODD, 3 }, { SHIFT, 0 }, { XOR, 0 },
	{ ADD, 0 }, { STOP, 0 },
};

/* A sort that calls through a pointer, with a loop that is short for small parts */
typedef int (*order_fn)(uint32_t a, uint32_t b);

static int upwards(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_low_bits(uint32_t a, uint32_t b)
{
	uint32_t x = a & 0xfff, y = b & 0xfff;

	if (x == y)
		return upwards(a, b);
	return x < y ? -1 : 1;
}

OWN static void sort(uint32_t *v, int len, order_fn order)
{
	int i, j, left = 0, right = len - 1;
	uint32_t pivot, swap;

	if (len < 8) {
		for (i = 1; i < len; i++)
			for (j = i; j && order(v[j], v[j - 1]) < 0; j--) {
				swap = v[j];
				v[j] = v[j - 1];
				v[j - 1] = swap;
			}
		return;
	}
	pivot = v[len / 2];
	while (left <= right) {
		while (order(v[left], pivot) < 0)
			left++;
		while (order(v[right], pivot) > 0)
			right--;
		if (left > right)
			break;
		swap = v[left];
		v[left++] = v[right];
		v[right--] = swap;
	}
	sort(v, right + 1, order);
	sort(v + left, len - left, order);
}

/* Counts words, numbers and errors of a text. */
struct counts {
	uint32_t words, numbers, lines, other;
};

OWN static uint32_t scan(const char *text, struct counts *c)
{
	uint32_t hash = 5381;

	while (*text) {
		if (*text == '\n') {
			c->lines++;
			text++;
		} else if ((*text >= 'a' && *text <= 'z') || *text == '_') {
			c->words++;
			for (; (*text >= 'a' && *text <= 'z') || *text == '_'; text++)
				hash = hash * 33 + (uint8_t)*text;
		} else if (*text >= '0' && *text <= '9') {
			uint32_t n = 0;

			c->numbers++;
			for (; *text >= '0' && *text <= '9'; text++) {
				if (n > UINT32_MAX / 10 - 1)
					die("the number is too large");
				n = n * 10 + (uint32_t)(*text - '0');
			}
			hash ^= n;
		} else {
			if (*text == '\\')
				die("no escapes here");
			c->other++;
			text++;
		}
	}
	return hash;
}

/* A search tree of the sorted values */
struct node {
	struct node *child[2];
	uint32_t key, hits;
};

OWN static struct node *insert(struct node **root, struct node *fresh)
{
	struct node **at = root;

	while (*at) {
		if ((*at)->key == fresh->key) {
			(*at)->hits++;
			return *at;
		}
		at = &(*at)->child[fresh->key > (*at)->key];
	}
	*at = fresh;
	return fresh;
}

OWN static uint32_t depth_sum(const struct node *n, uint32_t depth)
{
	if (!n)
		return 0;
	return depth + n->hits + depth_sum(n->child[0], depth + 1) +
	       depth_sum(n->child[1], depth + 1);
}

#define VALUES	512

/* Volatile, so that only a profile can tell which function sort() calls. */
static volatile order_fn orders[] = { by_low_bits, upwards };

OWN static uint32_t one_round(void)
{
	static const char text[] =
		"while (count < 4096) { total += table[count & 255]; count++; }\n"
		"if (total == 0) return -1;\n"
		"for (index = 0; index < 17; index++) mix_words(index, 99, 1234);\n";
	static uint32_t values[VALUES];
	static struct node nodes[VALUES];
	struct counts counts = { 0 };
	struct node *root = NULL;
	uint32_t sum = 0;
	int i;

	seed = 2463534242u;
	memset(nodes, 0, sizeof(nodes));
	for (i = 0; i < VALUES; i++) {
		values[i] = next_random();
		nodes[i].key = values[i] >> 23;
		insert(&root, &nodes[i]);
		if (i % 4 == 0)
			sum += interpret(program, sizeof(program) / sizeof(*program), values[i]);
	}
	sort(values, VALUES, orders[0]);
	sum ^= values[VALUES / 3];
	sort(values, VALUES, orders[1]);
	sum ^= values[VALUES / 5] + depth_sum(root, 0);
	for (i = 0; i < 8; i++)
		sum += scan(text, &counts);
	return sum ^ counts.words ^ counts.numbers << 8 ^ counts.other << 16 ^ counts.lines;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0, i;
	uint32_t sum = 0;

	if (rounds < 1)
		die("usage: branchy ROUNDS");
	for (i = 0; i < rounds; i++)
		sum = sum * 31 + one_round();
	printf("%08x\n", sum);
	return 0;
}
