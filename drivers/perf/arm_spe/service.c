// SPDX-License-Identifier: GPL-2.0-only
/*
 * Service of management events: the buffer is full, or the unit could not write.
 *
 * All functions run on the unit's CPU with interrupts disabled, after a drain
 * (regs.h), so PMBPTR_EL1 and PMBSR_EL1 do not change any more.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/ratelimit.h>
#include <linux/timekeeping.h>

#include "buffer.h"
#include "freq.h"
#include "regs.h"
#include "sampling.h"
#include "service.h"
#include "throttle.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

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

/* A reader that moves aux_tail back makes the handle end before "head": no space then. */
static u64 spe_service_room(const struct spe_cpu *c, u64 head)
{
	u64 end = c->buffer.handle.head + c->buffer.handle.size;

	return end > head ? end - head : 0;
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
	u64 room = spe_service_room(c, head);
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
