// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's handle on the AUX buffer, and what the unit is given of it.
 *
 * Everything here runs on the CPU concerned with interrupts disabled, and
 * after a drain (regs.h), so that PMBPTR and PMBSR are settled.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/ratelimit.h>
#include <linux/string.h>

#include "buffer.h"
#include "compat.h"
#include "regs.h"
#include "trace.h"

/* perf's flag for each kind of loss, and its counter. */
void spe_buffer_flag(struct spe_cpu *c, unsigned int loss)
{
	u64 flags = 0;

	if (loss & SPE_LOSS_COLLISION) {
		flags |= PERF_AUX_FLAG_COLLISION;
		c->stats.collisions++;
	}
	if (loss & SPE_LOSS_PARTIAL) {
		flags |= PERF_AUX_FLAG_PARTIAL;
		c->stats.partial++;
	}
	if (loss & SPE_LOSS_TRUNCATED) {
		flags |= PERF_AUX_FLAG_TRUNCATED;
		c->stats.truncated++;
	}
	/* In discard mode there is no record to carry a flag: the counters do. */
	if (flags && c->aux)
		perf_aux_output_flag(&c->handle, flags);
}

void spe_buffer_program(struct spe_cpu *c)
{
	c->counted = c->mark;
	spe_write(c->plan.base + c->plan.start, PMBPTR);
	spe_write((c->plan.base + c->plan.limit) | c->aux->enable, PMBLIMITR);
}

/* Zeroes decode as padding packets (D18.2.9). */
void spe_buffer_pad(struct spe_cpu *c, u64 position, u64 bytes)
{
	if (!bytes)
		return;
	memset(c->aux->base + position % c->aux->size, 0, bytes);
	c->stats.padding += bytes;
	trace_arm_spe_padding(position, bytes);
}

/*
 * The last record is not whole (PMBSR_EL1.DL): a decoder would make one of its
 * packets and the next record's.  Its bytes become padding where it is known
 * to begin at a multiple of Align, which records do (D18.1), the largest included.
 */
void spe_buffer_blank(struct spe_cpu *c, u64 head)
{
	u64 cut = head & (c->pmu->caps.align - 1);

	if (c->pmu->caps.align != c->pmu->caps.record_size || cut > head - c->mark)
		return;
	spe_buffer_pad(c, head - cut, cut);
}

struct spe_plan spe_buffer_plan(struct spe_cpu *c, u64 head, u64 size, u64 wakeup, bool saved)
{
	struct spe_space space = {
		.head = head,
		.size = size,
		.wakeup = wakeup,
		.watermark = c->aux->watermark,
		.bufsize = c->aux->size,
		.pieces = c->aux->pieces,
		.nr_pieces = c->aux->nr_pieces,
		.most = spe_steer_most(c),
		.page = PAGE_SIZE,
		.record = c->pmu->caps.record_size,
		.align = c->pmu->caps.align,
		.saved = saved,
		.overwrite = c->aux->overwrite,
	};
	struct spe_plan plan = spe_limit_plan(&space);

	trace_arm_spe_limit(head, size, wakeup, &plan);
	return plan;
}

/*
 * A task that comes back mostly finds the buffer as it left it.  Where a
 * frequency is wanted each plan has a size of its own.
 */
static void spe_buffer_plan_first(struct spe_cpu *c, u64 head, bool saved)
{
	struct spe_aux *aux = c->aux;

	c->plan = aux->plan;
	if (!c->rate && !aux->overwrite &&
	    spe_limit_continue(&c->plan, aux->mark, head, c->handle.size, c->handle.wakeup,
			       c->pmu->caps.record_size, c->pmu->caps.align)) {
		trace_arm_spe_limit(head, c->handle.size, c->handle.wakeup, &c->plan);
		return;
	}
	c->plan = spe_buffer_plan(c, head, c->handle.size, c->handle.wakeup, saved);
}

/*
 * Closes the handle.  A truncated record means that perf disables the event,
 * until the reader has read and enables it; kernels forget that on some CPUs.
 */
void spe_buffer_end(struct spe_cpu *c, u64 size)
{
	struct perf_event *event = c->handle.event;
	bool truncated = c->handle.aux_flags & PERF_AUX_FLAG_TRUNCATED;

	c->aux = NULL;
	perf_aux_output_end(&c->handle, size);
	if (truncated)
		spe_compat_disable(event);
}

/* Opens a handle for a session that goes on, with what it was given. */
bool spe_buffer_reopen(struct spe_cpu *c)
{
	c->aux = perf_aux_output_begin(&c->handle, c->event);
	if (!c->aux)
		return false;
	c->end = c->handle.head + c->handle.size;
	return true;
}

/*
 * Opens a handle and programs the buffer at perf's head.  Where too little is
 * free, the handle ends in a truncated record: perf then wakes the reader and
 * disables the event until the reader has made room.
 */
bool spe_buffer_begin(struct spe_cpu *c, struct perf_event *event, bool saved)
{
	u64 head;

	c->aux = perf_aux_output_begin(&c->handle, event);
	if (!c->aux) {
		/* No record can say so. */
		if (c->event)
			c->stats.truncated++;
		else
			c->stats.unstarted++;
		return false;
	}
	head = c->handle.head;
	spe_buffer_plan_first(c, head, saved);
	if (!c->plan.run) {
		spe_buffer_flag(c, SPE_LOSS_TRUNCATED);
		spe_buffer_end(c, 0);
		return false;
	}
	spe_buffer_pad(c, head, c->plan.pad);
	/* Of an overwritten buffer perf knows no space, and so skips none. */
	if (c->plan.pad && !c->aux->overwrite)
		perf_aux_output_skip(&c->handle, c->plan.pad);
	c->mark = head + c->plan.pad;
	c->end = c->handle.head + c->handle.size;
	spe_buffer_program(c);
	return true;
}

/* Closes the handle with all that lies below position head. */
void spe_buffer_publish(struct spe_cpu *c, u64 head)
{
	u64 size = head - c->handle.head;

	if (c->aux->overwrite) {
		/* One record tells of all that is still there. */
		c->handle.head = head;
		size = min(size, c->aux->size);
	}
	c->aux->plan = c->plan;
	c->aux->mark = c->mark;
	trace_arm_spe_publish(head, size);
	spe_buffer_end(c, size);
}

/*
 * The position up to which the unit has written.  False, and flagged, where
 * the write pointer is not to be believed.
 */
bool spe_buffer_head(struct spe_cpu *c, u64 *head)
{
	u64 offset = spe_read(PMBPTR) - c->plan.base;

	if (!spe_limit_advance(c->mark, c->plan.start, c->plan.limit, offset, head)) {
		pr_warn_ratelimited("CPU %d: PMBPTR_EL1 left the buffer (offset %#llx of %#llx..%#llx)\n",
				    smp_processor_id(), offset, c->plan.start, c->plan.limit);
		c->stats.strays++;
		spe_buffer_flag(c, SPE_LOSS_PARTIAL | SPE_LOSS_TRUNCATED);
		return false;
	}
	c->stats.bytes += *head - c->mark;
	spe_steer_account(c, *head);
	return true;
}
