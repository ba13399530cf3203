// SPDX-License-Identifier: GPL-2.0-only
/*
 * Management events of a running session: the buffer has filled, or failed.
 *
 * Everything here runs on the CPU concerned with interrupts disabled, and
 * after a drain (regs.h), so that PMBPTR and PMBSR are settled.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/kernel_stat.h>
#include <linux/ptrace.h>
#include <linux/ratelimit.h>
#include <linux/timekeeping.h>

#include "buffer.h"
#include "freq.h"
#include "regs.h"
#include "sampling.h"
#include "service.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * So many services with nothing in between end the session: milliseconds, but
 * more than there are between two ticks in a program that is at one place.
 */
#define SPE_LIVELOCK_SERVICES	2000

/* The unit goes on after an event. */
static void spe_service_resume(struct spe_cpu *c, enum spe_path path, u64 position)
{
	u64 ns;

	spe_regs_resume();
	ns = ktime_get_mono_fast_ns() - c->buffer.stopped_at;
	c->stats.stopped_ns += ns;
	trace_arm_spe_service(path, position, ns);
}

/* The unit stops here; the event is over until perf starts it again. */
static void spe_service_halt(struct spe_cpu *c, u64 position)
{
	struct perf_event *event;
	struct spe_event_data *data;

	spe_sampling_stop(c);
	event = c->session.event;
	if (event) {
		data = event->pmu_private;
		data->halted_since = c->buffer.stopped_at;
		local64_set(&event->hw.period_left, spe_read(PMSICR));
		event->hw.state |= PERF_HES_STOPPED;
		WRITE_ONCE(c->session.wanted, false);
		c->stats.halted++;
	}
	trace_arm_spe_service(SPE_PATH_HALT, position, 0);
	trace_arm_spe_stop(position, spe_read(PMBSR));
	if (c->freq.rate)
		spe_freq_close(c);
	c->session.event = NULL;
	spe_write(0, PMBLIMITR);
	/* Clears S, which lowers the interrupt.  Sampling is off by now. */
	spe_regs_resume();
}

/*
 * The snapshot's buffer is full: the unit goes round it, and nothing needs
 * to be told to perf before the end of the session.
 */
static void spe_service_wrap(struct spe_cpu *c, u64 head, bool saved)
{
	struct spe_plan plan = spe_buffer_plan(c, head, 0, 0, saved);

	spe_buffer_apply(c, &plan, head);
	spe_service_resume(c, SPE_PATH_WRAP, head);
	c->stats.resumed_first++;
}

/*
 * perf's handle knows room beyond what the unit was given: the unit goes on
 * there at once, and perf's books are kept while it runs.  A reader can only
 * have added to the room since the handle was opened.
 *
 *	 handle.head      head   plan.start                  end
 *	 |################|0000000|...........................|
 *	 published now     padding  the unit runs here
 */
static bool spe_service_resume_first(struct spe_cpu *c, u64 head, bool saved)
{
	u64 wakeup = spe_limit_wakeup(head, c->buffer.aux->watermark);
	u64 room = c->buffer.handle.head + c->buffer.handle.size - head;
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
		 * The buffer was unmapped, or its tail moved backwards: what
		 * the unit has written since has no owner.
		 */
		c->buffer.stopped_at = ktime_get_mono_fast_ns();
		spe_service_halt(c, start_pos);
		c->stats.discarded += spe_read(PMBPTR) - plan.base - plan.start;
	}
	return true;
}

/*
 * Only a new handle knows what the reader has freed since.  One that publishes
 * nothing costs a fraction of one that does, and that can follow once the unit
 * runs.
 *
 * False, and halted, where perf has taken the buffer away.
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

/* Perf's books first: there is no room before them. */
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

/* The unit goes on where there is room, as soon as that is known. */
static void spe_service_continue(struct spe_cpu *c, u64 head, bool saved)
{
	if (spe_service_resume_first(c, head, saved))
		return;
	/* A flag would make a record of nothing: then all is published in one. */
	if (!c->buffer.handle.aux_flags &&
	    (!spe_service_reopen(c, head) || spe_service_resume_first(c, head, saved)))
		return;
	spe_service_publish_first(c, head, saved);
}

static void spe_service_warn(const struct spe_verdict *v, u64 pmbsr)
{
	pr_warn_ratelimited("CPU %d: sampling stopped: %s%s%s (PMBSR_EL1 %#llx, PMBPTR_EL1 %#llx)\n",
			    smp_processor_id(), v->name, *v->fault ? ": " : "", v->fault,
			    pmbsr, spe_read(PMBPTR));
}

/*
 * A fault that a hypervisor may remove: a store to where the unit has failed
 * asks it to map that page and to permit writing, as any store of the kernel's
 * does.  The byte stays what it is.  True where it is worth trying.
 */
static bool spe_service_retry(struct spe_cpu *c, u64 head, bool whole)
{
	const struct spe_aux *aux = c->buffer.aux;
	u8 *byte = aux->base + head % aux->size;

	/* A record at least must have come of the last time. */
	if (c->buffer.retryable &&
	    head - aux->start_pos < (whole ? 1 : c->pmu->caps.record_size))
		return false;
	WRITE_ONCE(*byte, READ_ONCE(*byte));
	c->stats.retried++;
	return true;
}

/*
 * No session: a late event of one that has ended.  Or one that discards: the
 * pointers have no meaning then (D17.7.4), and nothing is lost by going on.
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
 * Whether services are all that this CPU executes: the unit samples the kernel
 * and fills its buffer again while the last service is still being left.  Then
 * what is interrupted stays where it is, and no other interrupt is taken, be it
 * the tick, without which an idle CPU would fill no buffer.
 */
static bool spe_service_livelocked(struct spe_cpu *c, const struct pt_regs *regs)
{
	unsigned long irqs = kstat_cpu_irqs_sum(smp_processor_id());
	struct spe_livelock *p = &c->buffer.livelock;

	if (regs->pc == p->pc && regs->sp == p->sp && irqs - p->irqs <= 1 &&
	    !c->session.event->attr.exclude_kernel)
		p->repeats++;
	else
		p->repeats = 0;
	p->pc = regs->pc;
	p->sp = regs->sp;
	p->irqs = irqs;
	if (p->repeats < SPE_LIVELOCK_SERVICES)
		return false;
	p->repeats = 0;
	c->stats.livelocks++;
	return true;
}

/*
 * spe_service_event() - serve a management event
 *
 * The unit is stopped (PMBSR_EL1.S) and drained.  Afterwards it runs again,
 * or its event is stopped and the AUX record says so.
 *
 * @regs: of what the event has interrupted
 */
void spe_service_event(struct spe_cpu *c, u64 pmbsr, const struct pt_regs *regs)
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
	if (spe_service_livelocked(c, regs)) {
		v.name = "events leave no time for anything else";
		v.fault = "";
		v.action = SPE_STOP;
		v.loss |= SPE_LOSS_TRUNCATED;
	}
	if (v.retryable && !(known && spe_service_retry(c, head, saved))) {
		v.action = SPE_STOP;
		v.loss |= SPE_LOSS_TRUNCATED;
	}
	c->buffer.retryable = v.retryable;
	trace_arm_spe_event(pmbsr, &v);
	if (known && pmbsr & ARM_SPE_PMBSR_DL)
		spe_buffer_erase_partial(c, head);
	/* What is not known has been flagged as all that is lost. */
	spe_buffer_flag(c, known ? v.loss : v.loss & SPE_LOSS_COLLISION);
	if (v.action == SPE_STOP)
		spe_service_warn(&v, pmbsr);
	if (v.action == SPE_STOP || !known) {
		spe_service_halt(c, head);
		spe_buffer_publish(c, head);
		return;
	}
	c->stats.repositioned += !saved;
	if (c->buffer.aux->overwrite)
		spe_service_wrap(c, head, saved);
	else
		spe_service_continue(c, head, saved);
}

/*
 * spe_service_account() - account an event that arose as the session was stopped
 *
 * Its interrupt, if it still comes, finds nothing to do.
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
