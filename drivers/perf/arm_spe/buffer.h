/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's handle on the AUX buffer of a session, and the part of the buffer that the
 * unit may write to (see the drawing in limit.h).
 *
 * Call these functions on the unit's CPU with interrupts disabled, after a drain
 * (regs.h), so that PMBPTR_EL1 and PMBSR_EL1 do not change.  What runs at each task
 * switch is inline: that may be ten thousand times a second.  service.c has the rest.
 */
#ifndef SPE_BUFFER_H
#define SPE_BUFFER_H

#include <linux/perf_event.h>

#include "regs.h"
#include "spe.h"
#include "trace.h"

int spe_buffer_open_failed(struct spe_cpu *c, struct perf_event *event);
int spe_buffer_begin_new_plan(struct spe_cpu *c, bool saved);
void spe_buffer_flag(struct spe_cpu *c, unsigned int loss);
bool spe_buffer_bad_pointer(struct spe_cpu *c, u64 offset);

void spe_buffer_erase_partial(struct spe_cpu *c, u64 head);

/* perf never sets handle.size to this value, and sets it to 0 if the buffer is full. */
#define SPE_BUFFER_UNKNOWN	ULONG_MAX

/* Writes the plan's write pointer and limit to the unit. */
static inline void spe_buffer_program(struct spe_cpu *c)
{
	const struct spe_aux *aux = c->buffer.aux;

	if (c->freq.rate)
		c->freq.counted_to = aux->start_pos;
	spe_regs_enable_buffer(aux->plan.base + aux->plan.start,
			       (aux->plan.base + aux->plan.limit) | aux->enable);
}

/*
 * Closes the handle.  perf disables the event after a truncated record, until the
 * reader has read the buffer and enables the event.  Some kernels fail to do so on
 * some CPUs (see spe_outoftree_disable()), so the driver asks for it as well.
 */
static inline void spe_buffer_end(struct spe_cpu *c, u64 size)
{
	struct perf_event *event = c->buffer.handle.event;
	bool truncated = c->buffer.handle.aux_flags & PERF_AUX_FLAG_TRUNCATED;

	c->buffer.aux = NULL;
	perf_aux_output_end(&c->buffer.handle, size);
	if (truncated)
		spe_outoftree_disable(event);
}

/*
 * Opens a handle on the event's buffer.  If it returns NULL, call
 * spe_buffer_open_failed() for the reason.
 */
static inline struct spe_aux *spe_buffer_open(struct spe_cpu *c, struct perf_event *event)
{
	c->buffer.handle.size = SPE_BUFFER_UNKNOWN;
	c->buffer.aux = perf_aux_output_begin(&c->buffer.handle, event);
	return c->buffer.aux;
}

/*
 * Opens a handle and programs the buffer at the AUX head.  If too little space is
 * free, the driver closes the handle with a truncated record: perf then wakes the
 * reader, and disables the event until the reader has freed space.
 *
 * When a task is scheduled in, mostly the buffer has not changed since it was
 * scheduled out, and the last plan still holds.  In frequency mode each plan has its
 * own size, so there the driver always makes a new one.
 *
 * Returns 0, -ENOSPC if the buffer is full, or -EINVAL without a buffer.
 */
static inline int spe_buffer_begin(struct spe_cpu *c, struct perf_event *event, bool saved)
{
	struct spe_aux *aux = spe_buffer_open(c, event);
	const struct perf_output_handle *handle = &c->buffer.handle;
	const struct spe_caps *caps = &c->pmu->caps;

	if (!aux)
		return spe_buffer_open_failed(c, event);
	if (c->freq.rate || aux->overwrite ||
	    !spe_limit_continue(&aux->plan, aux->start_pos, handle->head, handle->size,
				handle->wakeup, caps->record_size, caps->align))
		return spe_buffer_begin_new_plan(c, saved);
	aux->start_pos = handle->head;
	trace_arm_spe_limit(aux->start_pos, handle->size, handle->wakeup, &aux->plan);
	spe_buffer_program(c);
	return 0;
}

/* Publishes all records below position head, and closes the handle. */
static inline void spe_buffer_publish(struct spe_cpu *c, u64 head)
{
	u64 size = head - c->buffer.handle.head;

	if (c->buffer.aux->overwrite) {
		/* One AUX record covers everything that is still in the buffer. */
		c->buffer.handle.head = head;
		size = min(size, c->buffer.aux->size);
	}
	trace_arm_spe_publish(head, size);
	spe_buffer_end(c, size);
}

/*
 * Reads the position up to which the unit has written.  Returns false, after it has
 * flagged the AUX record, if the write pointer is outside the plan.
 */
static inline bool spe_buffer_read_head(struct spe_cpu *c, u64 *head)
{
	const struct spe_aux *aux = c->buffer.aux;
	u64 offset = spe_read(PMBPTR) - aux->plan.base;

	if (!spe_limit_advance(aux->start_pos, aux->plan.start, aux->plan.limit, offset, head))
		return spe_buffer_bad_pointer(c, offset);
	c->stats.bytes += *head - aux->start_pos;
	if (c->freq.rate)
		spe_freq_account(c, *head);
	return true;
}

#endif /* SPE_BUFFER_H */
