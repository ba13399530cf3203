// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <string.h>

#include "input/input.h"

/* The header of the build machine may be older than the recording's kernel. */
#define SAMPLE_AUX		(UINT64_C(1) << 20)
#define SAMPLE_CGROUP		(UINT64_C(1) << 21)
#define SAMPLE_DATA_PAGE_SIZE	(UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE_SIZE	(UINT64_C(1) << 23)
#define SAMPLE_WEIGHT_STRUCT	(UINT64_C(1) << 24)
#define WORDS_BEFORE_AUX	(SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE)
#define FORMAT_LOST		(UINT64_C(1) << 4)
#define BRANCH_HW_INDEX		(UINT64_C(1) << 17)
#define BRANCH_COUNTERS		(UINT64_C(1) << 19)

/* The fields that have 64 bits each, up to the period */
static void take_ids(struct cursor *c, uint64_t type, struct pd_sample *s)
{
	const uint8_t *at;

	s->has_id = type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID);
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cursor_u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(c);
	if (type & PERF_SAMPLE_TID && (at = cursor_take(c, 8))) {
		s->has_tid = true;
		s->pid = (int32_t)pd_load32(at);
		s->tid = (int32_t)pd_load32(at + 4);
	}
	if (type & PERF_SAMPLE_TIME) {
		s->has_time = true;
		s->time = cursor_u64(c);
	}
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		s->id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	if (type & PERF_SAMPLE_CPU && (at = cursor_take(c, 8))) {
		s->has_cpu = true;
		s->cpu = pd_load32(at);
	}
	if (type & PERF_SAMPLE_PERIOD)
		cursor_u64(c);
}

/* struct read_format: the values of the event, or of its group */
static void skip_read(struct cursor *c, uint64_t format)
{
	uint64_t count = 1, each = 8;

	if (format & PERF_FORMAT_GROUP)
		count = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cursor_u64(c);
	if (format & PERF_FORMAT_ID)
		each += 8;
	if (format & FORMAT_LOST)
		each += 8;
	cursor_array(c, count, each);
}

static void take_raw(struct cursor *c, struct pd_sample *s)
{
	s->raw_len = cursor_u32(c);
	s->raw = cursor_take(c, s->raw_len);
}

static void skip_branches(struct cursor *c, uint64_t type)
{
	uint64_t count = cursor_u64(c);

	if (type & BRANCH_HW_INDEX)
		cursor_u64(c);
	cursor_array(c, count, 24);
	if (type & BRANCH_COUNTERS)
		cursor_array(c, count, 8);
}

/* Registers are there only if their ABI is not 0. */
static const uint8_t *take_registers(struct cursor *c, uint64_t mask)
{
	if (!cursor_u64(c))
		return NULL;
	return cursor_array(c, (uint64_t)__builtin_popcountll(mask), 8);
}

static void take_stack(struct cursor *c, struct pd_sample *s)
{
	uint64_t size = cursor_u64(c), valid;
	const uint8_t *at;

	if (!size)
		return;
	at = cursor_take(c, size);
	valid = cursor_u64(c);
	s->stack = at;
	s->stack_len = valid < size ? valid : size;
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
		s->chain_len = cursor_u64(&c);
		s->chain = cursor_array(&c, s->chain_len, 8);
	}
	if (type & PERF_SAMPLE_RAW)
		take_raw(&c, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&c, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER) {
		s->regs = take_registers(&c, attr->sample_regs_user);
		s->regs_mask = s->regs ? attr->sample_regs_user : 0;
	}
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(&c, s);
	if (type & (PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		s->weight = cursor_u64(&c);
	s->weights = type & SAMPLE_WEIGHT_STRUCT;
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(&c);
	if (type & PERF_SAMPLE_TRANSACTION)
		cursor_u64(&c);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_registers(&c, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(&c);
	s->has_group = type & SAMPLE_CGROUP;
	if (s->has_group)
		s->group = cursor_u64(&c);
	cursor_take(&c, 8 * (uint64_t)__builtin_popcountll(type & WORDS_BEFORE_AUX));
	if (type & SAMPLE_AUX) {
		s->aux_len = cursor_u64(&c);
		s->aux = cursor_take(&c, s->aux_len);
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
