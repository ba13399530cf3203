// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/packet.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

#define LINK_REGISTER	30	/* PERF_REG_ARM64_LR of the kernel's asm/perf_regs.h */
#define CALL_BYTES	4	/* of each A64 instruction */

static bool same_chain(const void *element, const void *key)
{
	const struct call_chain *a = element, *b = key;

	return a->pid == b->pid && a->nr_words == b->nr_words && a->lr == b->lr &&
	       (!a->nr_words || !memcmp(a->words, b->words, 8 * a->nr_words));
}

static const struct hash_kind chains = {
	HASH_POINTERS, .hashed = true, .key = { HASH_NUMBER(struct call_chain, hash) },
	.same = same_chain,
};

static void own(struct call_samples *c, void *block)
{
	c->blocks = array_grow(c->blocks, c->nr_blocks, &c->room_blocks, sizeof(*c->blocks));
	c->blocks[c->nr_blocks++] = block;
}

static uint64_t raw_address(uint64_t address, bool kernel)
{
	return (address & SPE_ADDR_MASK) |
	       (uint64_t)(SPE_ADDR_NS | (kernel ? 1 << SPE_ADDR_EL_SHIFT : 0)) << SPE_ADDR_TOP_SHIFT;
}

/* Where in the words of a chain we are: addresses, between them the level of those that follow */
struct level {
	bool known, kernel;
};

/*
 * Whether the word @word is an address, whose level is then in *@l.  *@end: what follows is no code
 * of this machine but of a guest.
 */
static inline bool is_address(struct level *l, uint64_t word, bool *end)
{
	if (word < (uint64_t)PERF_CONTEXT_MAX) {
		if (!l->known)
			l->kernel = word >> (SPE_ADDR_BITS - 1) & 1;
		return true;
	}
	l->known = true;
	l->kernel = word == (uint64_t)PERF_CONTEXT_KERNEL;
	*end = !l->kernel && word != (uint64_t)PERF_CONTEXT_USER;
	return false;
}

/* How many words the kernel's part of a chain has, which is before the user's */
static uint64_t kernel_words(const struct pd_sample *s)
{
	struct level level = { false, false };
	bool end = false;
	uint64_t i;

	for (i = 0; i < s->chain_len && !end; i++)
		if (is_address(&level, pd_load64(s->chain + 8 * i), &end) && !level.kernel)
			break;
	return i;
}

/* @s as a chain whose words are those of the event; without the user's if @user_too is not set */
static struct call_chain chain_of(const struct pd_sample *s, bool user_too)
{
	struct call_chain chain = {
		.pid = NO_ID, .words = s->chain, .nr_words = user_too ? s->chain_len : kernel_words(s),
	};
	uint64_t hash = 0, word = UINT64_MAX, i;

	for (i = 0; i < chain.nr_words; i++) {
		word = pd_load64(s->chain + 8 * i);
		hash = hash_mix(hash + word);
	}
	/* The outermost address is the user's if any is. */
	if (user_too && !(word >> (SPE_ADDR_BITS - 1) & 1)) {
		chain.pid = s->pid;
		if (!sample_event_register(s, LINK_REGISTER, &chain.lr))
			chain.lr = 0;
	}
	chain.hash = hash_add(hash_add(hash, (uint32_t)chain.pid), chain.lr);
	return chain;
}

size_t call_chain_addresses(const struct call_chain *chain, uint64_t *raw)
{
	struct level level = { false, false };
	bool first = true, end = false;
	size_t i, count = 0;

	for (i = 0; i < chain->nr_words && !end; i++) {
		uint64_t word = pd_load64(chain->words + 8 * i);

		if (!is_address(&level, word, &end)) {
			first = true;
			continue;
		}
		raw[count++] = raw_address(first ? word : word - CALL_BYTES, level.kernel);
		first = false;
	}
	return count;
}

/* The chain of @s, as it is stored */
static const struct call_chain *chain_add(struct call_samples *c, const struct pd_sample *s,
					  bool user_too)
{
	const struct call_chain key = chain_of(s, user_too);
	struct call_chain **slot = hash_table_add(&c->chains, &chains, &key), *chain;

	if (*slot)
		return *slot;
	*slot = chain = xrealloc(NULL, sizeof(*chain) + 8 * key.nr_words);
	*chain = key;
	chain->words = (void *)(chain + 1);
	/* A chain without words has no place to copy from. */
	if (key.nr_words)
		memcpy(chain + 1, key.words, 8 * key.nr_words);
	return chain;
}

static const uint8_t *kept(struct call_samples *c, const uint8_t *bytes, uint64_t len)
{
	uint8_t *copy;

	if (!len || !c->copies)
		return bytes;
	copy = memcpy(xrealloc(NULL, len), bytes, len);
	own(c, copy);
	return copy;
}

static const struct user_stack *user_stack_add(struct call_samples *c, const struct pd_sample *s)
{
	struct user_stack *u = xcalloc(1, sizeof(*u));

	own(c, u);
	u->regs_mask = s->regs_mask;
	u->regs = kept(c, s->regs,
		       8 * (uint64_t)__builtin_popcountll(s->regs_mask));
	u->stack = kept(c, s->stack, s->stack_len);
	u->stack_len = s->stack_len;
	return u;
}

void call_samples_add(struct call_samples *c, size_t attr, const struct pd_sample *s)
{
	bool dwarf = s->stack && s->regs;
	struct call_sample *sample;

	if (!s->has_tid || !s->has_time || (!s->chain_len && !dwarf))
		return;
	if (!c->nr)
		c->attr = attr;
	else if (c->attr != attr)
		c->attr = PD_NO_ATTR;
	c->samples = array_grow(c->samples, c->nr, &c->room, sizeof(*c->samples));
	sample = &c->samples[c->nr++];
	*sample = (struct call_sample){ .time = s->time, .pid = s->pid, .tid = s->tid };
	sample->chain = chain_add(c, s, !dwarf);
	if (dwarf)
		sample->user_stack = user_stack_add(c, s);
}

void call_samples_forget(struct call_samples *c, uint64_t time)
{
	struct hash_table all = c->chains;
	struct call_chain **slot = NULL, **kept;
	const struct call_chain *chain;
	size_t i, to = 0;

	c->drops++;
	memset(&c->chains, 0, sizeof(c->chains));
	for (i = 0; i < c->nr; i++) {
		if (c->samples[i].time < time)
			continue;
		c->samples[to++] = c->samples[i];
		chain = c->samples[i].chain;
		slot = hash_table_find(&all, &chains, chain);
		*(struct call_chain **)hash_table_add(&c->chains, &chains, chain) = *slot;
	}
	c->nr = to;
	slot = NULL;
	while ((slot = hash_table_next(&all, &chains, slot))) {
		kept = hash_table_find(&c->chains, &chains, *slot);
		if (!kept)
			free(*slot);
	}
	hash_table_free(&all);
}

void call_samples_free(struct call_samples *c)
{
	struct call_chain **slot = NULL;

	while ((slot = hash_table_next(&c->chains, &chains, slot)))
		free(*slot);
	hash_table_free(&c->chains);
	while (c->nr_blocks)
		free(c->blocks[--c->nr_blocks]);
	free(c->blocks);
	free(c->samples);
	memset(c, 0, sizeof(*c));
}
