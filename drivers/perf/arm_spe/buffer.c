// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's handle on the AUX buffer, and the part that the unit may write to: the
 * functions that are too rare or too long for buffer.h.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/ratelimit.h>
#include <linux/string.h>

#include "buffer.h"
#include "freq.h"
#include "outoftree.h"
#include "regs.h"
#include "trace.h"

/* Sets perf's flag for each kind of loss, and counts it. */
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
	/* Discard mode has no AUX record: only the counters show the loss. */
	if (flags && c->buffer.aux)
		perf_aux_output_flag(&c->buffer.handle, flags);
}

/* Zero bytes decode as Padding packets (D18.2.8). */
static void spe_buffer_pad(struct spe_cpu *c, u64 position, u64 bytes)
{
	if (!bytes)
		return;
	memset(c->buffer.aux->base + position % c->buffer.aux->size, 0, bytes);
	c->stats.padding += bytes;
	trace_arm_spe_padding(position, bytes);
}

/*
 * The last record is incomplete (PMBSR_EL1.DL).  A decoder would mix its packets with
 * those of the next record, so overwrite it with padding.  That needs the record's
 * start, which is known only if Align is the size of the largest record: then each
 * record starts at a multiple of Align (D18.1).
 */
void spe_buffer_erase_partial(struct spe_cpu *c, u64 head)
{
	u64 cut = head & (c->pmu->caps.align - 1);

	if (c->pmu->caps.align != c->pmu->caps.record_size || cut > head - c->buffer.aux->start_pos)
		return;
	spe_buffer_pad(c, head - cut, cut);
}

struct spe_plan spe_buffer_plan(struct spe_cpu *c, u64 head, u64 size, u64 wakeup, bool saved)
{
	struct spe_space space = {
		.head = head,
		.size = size,
		.wakeup = wakeup,
		.watermark = c->buffer.aux->watermark,
		.bufsize = c->buffer.aux->size,
		.pieces = c->buffer.aux->pieces,
		.nr_pieces = c->buffer.aux->nr_pieces,
		.max_bytes = spe_freq_max_bytes(c),
		.page = PAGE_SIZE,
		.record = c->pmu->caps.record_size,
		.align = c->pmu->caps.align,
		.saved = saved,
		.overwrite = c->buffer.aux->overwrite,
	};
	struct spe_plan plan = spe_limit_plan(&space);

	trace_arm_spe_limit(head, size, wakeup, &plan);
	return plan;
}

/*
 * spe_buffer_apply() - write the plan's padding, and program the unit
 * @head: the position for which the plan was made
 */
void spe_buffer_apply(struct spe_cpu *c, const struct spe_plan *plan, u64 head)
{
	spe_buffer_pad(c, head, plan->pad);
	c->buffer.aux->plan = *plan;
	c->buffer.aux->start_pos = head + plan->pad;
	spe_buffer_program(c);
}

/* Call this after a truncated record. */
void spe_buffer_disable_event(struct perf_event *event)
{
	spe_outoftree_disable(event);
}

/* Opens a new handle for a running session.  The unit keeps its plan. */
bool spe_buffer_reopen(struct spe_cpu *c)
{
	if (spe_buffer_open(c, c->session.event))
		return true;
	spe_buffer_open_failed(c, c->session.event);
	return false;
}

/*
 * There is no AUX buffer, or it is full: perf gives no handle, so no AUX record can
 * carry a flag.  If the buffer is full, perf must disable the event, as after a
 * truncated record.
 */
int spe_buffer_open_failed(struct spe_cpu *c, struct perf_event *event)
{
	if (c->session.event)
		c->stats.truncated++;
	else
		c->stats.no_buffer++;
	if (c->buffer.handle.size)
		return -EINVAL;
	spe_buffer_disable_event(event);
	return -ENOSPC;
}

/* spe_buffer_begin() calls this if the last plan does not hold any more. */
int spe_buffer_begin_new_plan(struct spe_cpu *c, bool saved)
{
	struct perf_output_handle *handle = &c->buffer.handle;
	u64 head = handle->head;
	struct spe_plan plan = spe_buffer_plan(c, head, handle->size, handle->wakeup, saved);

	if (!plan.run) {
		spe_buffer_flag(c, SPE_LOSS_TRUNCATED);
		spe_buffer_end(c, 0);
		return -ENOSPC;
	}
	/* For an overwritten buffer perf tracks no space, so there is nothing to skip. */
	if (plan.pad && !c->buffer.aux->overwrite)
		perf_aux_output_skip(handle, plan.pad);
	spe_buffer_apply(c, &plan, head);
	return 0;
}

/* The write pointer is outside the plan.  Returns false for spe_buffer_read_head(). */
bool spe_buffer_bad_pointer(struct spe_cpu *c, u64 offset)
{
	const struct spe_plan *plan = &c->buffer.aux->plan;

	pr_warn_ratelimited("CPU %d: PMBPTR_EL1 is outside the buffer (offset %#llx, expected %#llx to %#llx); records are lost, record again\n",
			    smp_processor_id(), offset, plan->start, plan->limit);
	c->stats.bad_pointer++;
	spe_buffer_flag(c, SPE_LOSS_PARTIAL | SPE_LOSS_TRUNCATED);
	return false;
}
