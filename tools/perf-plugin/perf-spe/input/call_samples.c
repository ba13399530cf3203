// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/packet.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

#define LINK_REGISTER	30	/* PERF_REG_ARM64_LR of the kernel's asm/perf_regs.h */
#define CALL_BYTES	4	/* of each A64 instruction */

static uint64_t chain_hash(const struct call_chain *c)
{
	uint64_t hash = hash_add((uint32_t)c->pid, c->lr);
	uint32_t i;

	for (i = 0; i < c->count; i++)
		hash = hash_add(hash, c->address[i]);
	return hash;
}

static bool same_chain(const void *element, const void *key)
{
	const struct call_chain *a = element, *b = key;

	return a->pid == b->pid && a->count == b->count && a->lr == b->lr &&
	       !memcmp(a->address, b->address, a->count * sizeof(a->address[0]));
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

/* The words of the kernel's chain: addresses, between them the level of those that follow. */
static void take_chain(struct call_chain *chain, const struct pd_sample *s, bool user_too)
{
	bool first = true, known = false, kernel = false;
	uint64_t i, address;

	for (i = 0; i < s->chain_len; i++) {
		address = pd_load64(s->chain + 8 * i);
		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			/* What a guest did is no code of this machine. */
			if (address != (uint64_t)PERF_CONTEXT_KERNEL &&
			    address != (uint64_t)PERF_CONTEXT_USER)
				return;
			kernel = address == (uint64_t)PERF_CONTEXT_KERNEL;
			first = known = true;
			continue;
		}
		if (!known)
			kernel = address >> (SPE_ADDR_BITS - 1) & 1;
		if (!kernel && !user_too)
			return;
		if (!first)
			address -= CALL_BYTES;
		first = false;
		if (!kernel)
			chain->pid = s->pid;
		chain->address[chain->count++] = raw_address(address, kernel);
	}
}

/* The chain of @s, as it is stored; @user_too: with the user's part */
static const struct call_chain *chain_add(struct call_samples *c, const struct pd_sample *s,
					  bool user_too)
{
	size_t bytes = sizeof(*c->scratch) + s->chain_len * sizeof(c->scratch->address[0]);
	struct call_chain *chain, **slot;

	if (bytes > c->scratch_bytes) {
		c->scratch = xrealloc(c->scratch, bytes);
		c->scratch_bytes = bytes;
	}
	chain = c->scratch;
	*chain = (struct call_chain){ .pid = NO_ID };
	take_chain(chain, s, user_too);
	if (chain->pid != NO_ID && !sample_event_register(s, LINK_REGISTER, &chain->lr))
		chain->lr = 0;
	chain->hash = chain_hash(chain);
	slot = hash_table_add(&c->chains, &chains, chain);
	if (!*slot) {
		bytes = sizeof(*chain) + chain->count * sizeof(chain->address[0]);
		*slot = memcpy(xrealloc(NULL, bytes), chain, bytes);
	}
	return *slot;
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
	free(c->scratch);
	free(c->samples);
	memset(c, 0, sizeof(*c));
}
