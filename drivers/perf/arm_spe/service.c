// SPDX-License-Identifier: GPL-2.0-only
/*
 * Service of management events: the buffer is full, or the unit could not
 * write.  From bottom to top: the decision, how the unit resumes or the session ends, and
 * perf's handle on the AUX buffer, with what buffer.h has inline.  exc.c has the handlers.
 *
 * All functions run on the unit's CPU with interrupts disabled, after a drain
 * (regs.h), so PMBPTR_EL1 and PMBSR_EL1 do not change any more.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/ratelimit.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "buffer.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"

#define CREATE_TRACE_POINTS
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
	if (flags && c->session.event && spe_is_sample_event(c->session.event))
		spe_compat_lost_samples(c->session.event, 1);
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

static struct spe_plan spe_buffer_plan(struct spe_cpu *c, u64 head, u64 size, u64 wakeup,
				       bool saved)
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
static void spe_buffer_apply(struct spe_cpu *c, const struct spe_plan *plan, u64 head)
{
	spe_buffer_pad(c, head, plan->pad);
	c->buffer.aux->plan = *plan;
	c->buffer.aux->start_pos = head + plan->pad;
	spe_buffer_program(c);
}

/* Opens a new handle for a running session.  The unit keeps its plan. */
static bool spe_buffer_reopen(struct spe_cpu *c)
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
	spe_outoftree_disable(event);
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

/*
 * The write pointer is outside the plan: flags the AUX record.  Returns false, which
 * spe_buffer_read_head() returns to its caller.
 */
bool spe_buffer_bad_pointer(struct spe_cpu *c, u64 offset)
{
	const struct spe_plan *plan = &c->buffer.aux->plan;

	pr_warn_ratelimited("CPU %d: PMBPTR_EL1 is outside the buffer (offset %#llx, expected %#llx to %#llx); records are lost, record again\n",
			    smp_processor_id(), offset, plan->start, plan->limit);
	c->stats.bad_pointer++;
	spe_buffer_flag(c, SPE_LOSS_PARTIAL | SPE_LOSS_TRUNCATED);
	return false;
}

/* Resumes the unit after a management event. */
static void spe_service_resume(struct spe_cpu *c, enum spe_path path, u64 position)
{
	u64 ns;

	spe_regs_resume();
	ns = ktime_get_mono_fast_ns() - c->buffer.stopped_at;
	c->stats.stopped_ns += ns;
	trace_arm_spe_service(path, position, ns);
}

/* Ends the session of a stopped unit. */
static void spe_service_end_session(struct spe_cpu *c, enum spe_path path, u64 position)
{
	struct perf_event *event = c->session.event;

	if (event) {
		local64_set(&event->hw.period_left, spe_read(PMSICR));
		event->hw.state |= PERF_HES_STOPPED;
	}
	trace_arm_spe_service(path, position, 0);
	trace_arm_spe_stop(position, spe_read(PMBSR));
	if (c->freq.rate)
		spe_freq_close(c);
	c->session.event = NULL;
	spe_regs_disable_buffer();
	/* Clears S, which lowers the interrupt.  Sampling is off by now. */
	spe_regs_resume();
}

/* Stops the unit and ends the session, until perf starts the event again. */
static void spe_service_halt(struct spe_cpu *c, u64 position)
{
	struct spe_event_data *data;

	spe_sampling_stop(c);
	if (c->session.event) {
		data = c->session.event->pmu_private;
		data->halted_since = c->buffer.stopped_at;
		WRITE_ONCE(c->session.wanted, false);
		c->stats.halted++;
	}
	spe_service_end_session(c, SPE_PATH_HALT, position);
}

/*
 * The event's services have taken more than their budget: stops the unit, publishes, and
 * ends the session for a while.  For perf the event stays started.  PARTIAL tells the
 * reader that samples are missing after this AUX record; perf would disable the event
 * after TRUNCATED.
 */
static void spe_service_throttle(struct spe_cpu *c, struct spe_event_data *data, u64 head)
{
	spe_sampling_stop(c);
	spe_buffer_flag(c, SPE_LOSS_PARTIAL);
	spe_service_end_session(c, SPE_PATH_THROTTLE, head);
	spe_throttle_pause(c, data);
	if (c->buffer.aux)
		spe_buffer_publish(c, head);
}

/*
 * The buffer of a snapshot is full: the unit continues at its start.  The driver
 * publishes at the end of the session.
 */
static void spe_service_wrap(struct spe_cpu *c, u64 head, bool saved)
{
	struct spe_plan plan = spe_buffer_plan(c, head, 0, 0, saved);

	spe_buffer_apply(c, &plan, head);
	spe_service_resume(c, SPE_PATH_WRAP, head);
	c->stats.resumed_first++;
}

/*
 * If perf's handle has space beyond the unit's limit, resume the unit there at once
 * and publish while it runs.  Since the handle was opened the reader can only have
 * freed more space.
 *
 *	 handle.head      head   plan.start                  end
 *	 |################|0000000|...........................|
 *	 published now     padding  the unit runs here
 */
static bool spe_service_resume_first(struct spe_cpu *c, u64 head, bool saved)
{
	u64 wakeup = spe_limit_wakeup(head, c->buffer.aux->watermark);
	u64 end = c->buffer.handle.head + c->buffer.handle.size;
	/* A reader that moves aux_tail back makes the handle end before "head": no space then. */
	u64 room = end > head ? end - head : 0;
	struct spe_plan plan = spe_buffer_plan(c, head, room, wakeup, saved);
	u64 start_pos;

	if (!plan.run)
		return false;
	spe_buffer_apply(c, &plan, head);
	start_pos = head + plan.pad;
	spe_service_resume(c, SPE_PATH_RESUME_FIRST, head);
	c->stats.resumed_first++;

	spe_buffer_publish(c, start_pos);
	if (!spe_buffer_reopen(c)) {
		/*
		 * The buffer was unmapped, or the reader moved aux_tail
		 * backwards.  perf takes no records that the unit has written
		 * since it resumed.
		 */
		c->buffer.stopped_at = ktime_get_mono_fast_ns();
		spe_service_halt(c, start_pos);
		c->stats.discarded += spe_read(PMBPTR) - plan.base - plan.start;
	}
	return true;
}

/*
 * A new handle knows how much the reader has freed since the last one was opened.
 * To reopen it without publishing is cheap; the driver publishes once the unit runs.
 *
 * Returns false, after a halt, if perf has taken the buffer away.
 */
static bool spe_service_reopen(struct spe_cpu *c, u64 head)
{
	u64 unpublished = head - c->buffer.handle.head;

	spe_buffer_end(c, 0);
	if (spe_buffer_reopen(c))
		return true;
	spe_service_halt(c, head);
	c->stats.discarded += unpublished;
	return false;
}

/* No space is free until the AUX head moves, so publish first. */
static void spe_service_publish_first(struct spe_cpu *c, u64 head, bool saved)
{
	struct perf_event *event = c->session.event;

	spe_buffer_publish(c, head);
	if (spe_buffer_begin(c, event, saved)) {
		spe_service_halt(c, head);
		return;
	}
	spe_service_resume(c, SPE_PATH_PUBLISH_FIRST, head);
	c->stats.published_first++;
}

/* Resumes the unit in the next free space. */
static void spe_service_continue(struct spe_cpu *c, u64 head, bool saved)
{
	if (spe_service_resume_first(c, head, saved))
		return;
	/* With a flag set, reopening would write an empty AUX record, so publish first. */
	if (!c->buffer.handle.aux_flags &&
	    (!spe_service_reopen(c, head) || spe_service_resume_first(c, head, saved)))
		return;
	spe_service_publish_first(c, head, saved);
}

static void spe_service_resume_or_throttle(struct spe_cpu *c, u64 head, bool saved)
{
	struct spe_event_data *data = c->session.event->pmu_private;

	if (spe_throttle_due(c, data))
		spe_service_throttle(c, data, head);
	else if (c->buffer.aux->overwrite)
		spe_service_wrap(c, head, saved);
	else
		spe_service_continue(c, head, saved);
}

static void spe_service_warn(const struct spe_verdict *v, u64 pmbsr)
{
	pr_warn_ratelimited("CPU %d: sampling stopped: %s%s%s (PMBSR_EL1 %#llx, PMBPTR_EL1 %#llx)\n",
			    smp_processor_id(), v->name, *v->fault ? ": " : "", v->fault,
			    pmbsr, spe_read(PMBPTR));
}

/*
 * A stage 2 fault: the hypervisor may have unmapped the page or made it read-only.  A
 * store by the CPU to the same page traps to the hypervisor, which then maps the page
 * for writing.  The store keeps the byte's value.
 *
 * A hypervisor may have fixed the fault, or may not.  Returns true only if the unit
 * has written something since the last attempt; otherwise the same fault would
 * repeat forever.
 */
static bool spe_service_retry(struct spe_cpu *c, u64 head, bool whole)
{
	const struct spe_aux *aux = c->buffer.aux;
	u8 *byte = aux->base + head % aux->size;

	/* One whole record at least; if the last one is incomplete, ask for its full size. */
	if (c->buffer.retryable &&
	    head - aux->start_pos < (whole ? 1 : c->pmu->caps.record_size))
		return false;
	WRITE_ONCE(*byte, READ_ONCE(*byte));
	c->stats.retried++;
	return true;
}

/*
 * There is no AUX buffer: either the session has ended, or it is in discard mode.
 * In discard mode the pointers have no meaning (D17.7.4), and the unit can resume.
 */
static void spe_service_without_buffer(struct spe_cpu *c, struct spe_verdict *v, u64 pmbsr)
{
	trace_arm_spe_event(pmbsr, v);
	if (c->session.event)
		spe_buffer_flag(c, v->loss);
	if (c->session.event && v->action != SPE_STOP) {
		spe_service_resume(c, SPE_PATH_DISCARD, 0);
		return;
	}
	if (c->session.event)
		spe_service_warn(v, pmbsr);
	spe_service_halt(c, 0);
}

/*
 * A session of samples: hands the records to perf, and gives the unit the same buffer again.
 * A fault that may repeat is retried if the unit has written something.  After a halt perf
 * disables the event, as after a truncated AUX record.
 */
static void spe_service_samples(struct spe_cpu *c, struct spe_verdict *v, u64 pmbsr)
{
	struct perf_event *event = c->session.event;
	struct spe_event_data *data = event->pmu_private;
	u64 bytes = c->stats.bytes;

	trace_arm_spe_event(pmbsr, v);
	spe_buffer_flag(c, v->loss);
	spe_sample_emit(c);
	if (v->retryable && c->stats.bytes == bytes)
		v->action = SPE_STOP;
	else if (v->retryable)
		spe_sample_touch(c);
	if (v->action == SPE_STOP) {
		spe_service_warn(v, pmbsr);
		spe_service_halt(c, 0);
		spe_outoftree_disable(event);
	} else if (spe_throttle_due(c, data)) {
		spe_service_throttle(c, data, 0);
	} else {
		if (c->freq.rate)
			spe_freq_account_samples(c);
		spe_sample_program(c);
		spe_service_resume(c, SPE_PATH_WRAP, 0);
	}
}

/*
 * spe_service_event() - serve a management event
 * @pmbsr: PMBSR_EL1 with S set; the unit is stopped and drained
 *
 * Afterwards the unit runs again, or the session has ended and its AUX record has
 * the flag TRUNCATED, or PARTIAL if the driver starts the session again by itself.
 */
void spe_service_event(struct spe_cpu *c, u64 pmbsr)
{
	struct spe_verdict v = spe_syndrome_decode(pmbsr, &c->pmu->caps);
	bool saved = v.action == SPE_RESUME;
	bool known;
	u64 head;

	c->buffer.stopped_at = ktime_get_mono_fast_ns();
	c->stats.services++;
	c->stats.kinds[v.kind]++;
	if (c->session.event && spe_is_sample_event(c->session.event)) {
		spe_service_samples(c, &v, pmbsr);
		return;
	}
	if (!c->buffer.aux) {
		spe_service_without_buffer(c, &v, pmbsr);
		return;
	}
	known = spe_buffer_read_head(c, &head);
	if (v.retryable && !(known && spe_service_retry(c, head, saved))) {
		v.action = SPE_STOP;
		v.loss |= SPE_LOSS_TRUNCATED;
	}
	c->buffer.retryable = v.retryable;
	trace_arm_spe_event(pmbsr, &v);
	if (known && pmbsr & ARM_SPE_PMBSR_DL)
		spe_buffer_erase_partial(c, head);
	/* For an unknown pointer, spe_buffer_read_head() has set the other flags. */
	spe_buffer_flag(c, known ? v.loss : v.loss & SPE_LOSS_COLLISION);
	if (v.action == SPE_STOP)
		spe_service_warn(&v, pmbsr);
	if (v.action == SPE_STOP || !known) {
		spe_service_halt(c, head);
		spe_buffer_publish(c, head);
		return;
	}
	c->stats.repositioned += !saved;
	spe_service_resume_or_throttle(c, head, saved);
}

/*
 * spe_service_account() - account for an event found when the session is stopped
 *
 * If its interrupt still comes, the handler finds PMBSR_EL1.S clear.
 */
void spe_service_account(struct spe_cpu *c, u64 pmbsr)
{
	struct spe_verdict v = spe_syndrome_decode(pmbsr, &c->pmu->caps);

	c->stats.kinds[v.kind]++;
	trace_arm_spe_event(pmbsr, &v);
	if (v.action == SPE_STOP)
		spe_service_warn(&v, pmbsr);
	spe_buffer_flag(c, v.loss);
}
