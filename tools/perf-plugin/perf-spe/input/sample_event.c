// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <string.h>

#include "input/perfdata.h"
#include "input/sample_event.h"

/* The header of the build machine may be older than the recording's kernel. */
#define SAMPLE_AUX		(UINT64_C(1) << 20)
#define SAMPLE_CGROUP		(UINT64_C(1) << 21)
#define SAMPLE_DATA_PAGE_SIZE	(UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE_SIZE	(UINT64_C(1) << 23)
#define SAMPLE_WEIGHT_STRUCT	(UINT64_C(1) << 24)
#define FORMAT_LOST		(UINT64_C(1) << 4)
#define BRANCH_HW_INDEX		(UINT64_C(1) << 17)
#define BRANCH_COUNTERS		(UINT64_C(1) << 19)

/* What is left of the event; @bad: it was too short */
struct cursor {
	const uint8_t *at;
	uint64_t left;
	bool bad;
};

static const uint8_t *take(struct cursor *c, uint64_t bytes)
{
	const uint8_t *at = c->at;

	if (c->bad || bytes > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += bytes;
	c->left -= bytes;
	return at;
}

static uint64_t take64(struct cursor *c)
{
	const uint8_t *at = take(c, 8);

	return at ? pd_load64(at) : 0;
}

/* @count elements of @each bytes; a count that the event cannot hold is bad. */
static const uint8_t *take_array(struct cursor *c, uint64_t count, uint64_t each)
{
	if (count > c->left / each)
		c->bad = true;
	return take(c, count * each);
}

/* The fields that have 64 bits each, up to the period */
static void take_ids(struct cursor *c, uint64_t type, struct pd_sample *s)
{
	const uint8_t *at;

	if (type & PERF_SAMPLE_IDENTIFIER)
		take64(c);
	if (type & PERF_SAMPLE_IP)
		take64(c);
	if (type & PERF_SAMPLE_TID && (at = take(c, 8))) {
		s->has_tid = true;
		s->pid = (int32_t)pd_load32(at);
		s->tid = (int32_t)pd_load32(at + 4);
	}
	if (type & PERF_SAMPLE_TIME) {
		s->has_time = true;
		s->time = take64(c);
	}
	if (type & PERF_SAMPLE_ADDR)
		take64(c);
	if (type & PERF_SAMPLE_ID)
		take64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		take64(c);
	if (type & PERF_SAMPLE_CPU && (at = take(c, 8))) {
		s->has_cpu = true;
		s->cpu = pd_load32(at);
	}
	if (type & PERF_SAMPLE_PERIOD)
		take64(c);
}

/* struct read_format: the values of the event, or of its group */
static void skip_read(struct cursor *c, uint64_t format)
{
	uint64_t count = 1, each = 8;

	if (format & PERF_FORMAT_GROUP)
		count = take64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		take64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		take64(c);
	if (format & PERF_FORMAT_ID)
		each += 8;
	if (format & FORMAT_LOST)
		each += 8;
	take_array(c, count, each);
}

static void skip_raw(struct cursor *c)
{
	const uint8_t *at = take(c, 4);

	take(c, at ? pd_load32(at) : 0);
}

static void skip_branches(struct cursor *c, uint64_t type)
{
	uint64_t count = take64(c);

	if (type & BRANCH_HW_INDEX)
		take64(c);
	take_array(c, count, 24);
	if (type & BRANCH_COUNTERS)
		take_array(c, count, 8);
}

/* Registers are there only if their ABI is not 0. */
static const uint8_t *take_registers(struct cursor *c, uint64_t mask)
{
	if (!take64(c))
		return NULL;
	return take_array(c, (uint64_t)__builtin_popcountll(mask), 8);
}

static void take_stack(struct cursor *c, struct pd_sample *s)
{
	uint64_t size = take64(c), valid;
	const uint8_t *at;

	if (!size)
		return;
	at = take(c, size);
	valid = take64(c);
	s->stack = at;
	s->stack_len = valid < size ? valid : size;
}

static unsigned int words_before_aux(uint64_t type)
{
	static const uint64_t words[] = {
		PERF_SAMPLE_PHYS_ADDR, SAMPLE_CGROUP, SAMPLE_DATA_PAGE_SIZE,
		SAMPLE_CODE_PAGE_SIZE,
	};
	unsigned int count = 0, i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		count += !!(type & words[i]);
	return count;
}

/* The order is that of perf_output_sample() in the kernel, for all bits that it has. */
bool sample_event_read(const struct pd_attr *attr, const struct pd_event *ev,
		       struct pd_sample *s)
{
	struct cursor c = { ev->body, ev->len, false };
	uint64_t type = attr->sample_type;

	memset(s, 0, sizeof(*s));
	take_ids(&c, type, s);
	if (type & PERF_SAMPLE_READ)
		skip_read(&c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->chain_len = take64(&c);
		s->chain = take_array(&c, s->chain_len, 8);
	}
	if (type & PERF_SAMPLE_RAW)
		skip_raw(&c);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&c, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER) {
		s->regs = take_registers(&c, attr->sample_regs_user);
		s->regs_mask = s->regs ? attr->sample_regs_user : 0;
	}
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(&c, s);
	if (type & (PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		take64(&c);
	if (type & PERF_SAMPLE_DATA_SRC)
		take64(&c);
	if (type & PERF_SAMPLE_TRANSACTION)
		take64(&c);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_registers(&c, attr->sample_regs_intr);
	take(&c, 8 * words_before_aux(type));
	if (type & SAMPLE_AUX) {
		s->aux_len = take64(&c);
		s->aux = take(&c, s->aux_len);
	}
	return !c.bad;
}

bool sample_event_register(const struct pd_sample *s, unsigned int number, uint64_t *value)
{
	uint64_t bit = UINT64_C(1) << number;

	if (!(s->regs_mask & bit))
		return false;
	*value = pd_load64(s->regs + 8 * __builtin_popcountll(s->regs_mask & (bit - 1)));
	return true;
}
