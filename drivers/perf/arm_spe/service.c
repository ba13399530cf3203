// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Profiling Buffer of a running session: given to the unit, served when
 * it fills or fails, taken back.
 *
 * Everything here runs on the CPU concerned with interrupts disabled, and
 * after a drain (regs.h), so that PMBPTR and PMBSR are settled.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/ratelimit.h>
#include <linux/string.h>

#include "compat.h"
#include "regs.h"
#include "spe.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* perf's flag for each kind of loss, and its counter. */
static void spe_service_flag(struct spe_cpu *c, unsigned int loss)
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

static void spe_service_program(struct spe_cpu *c)
{
	u64 address = c->aux->address;

	c->counted = c->mark;
	spe_write(address + c->plan.start, PMBPTR);
	spe_write((address + c->plan.limit) | ARM_SPE_PMBLIMITR_E, PMBLIMITR);
}

/* Zeroes decode as padding packets (D18.2.9). */
static void spe_service_fill_padding(struct spe_cpu *c, u64 position, u64 bytes)
{
	if (!bytes)
		return;
	memset(c->aux->base + position % c->aux->size, 0, bytes);
	c->stats.padding += bytes;
}

static struct spe_plan spe_service_plan(struct spe_cpu *c, u64 head, u64 size,
					u64 wakeup, bool saved)
{
	struct spe_space space = {
		.head = head,
		.size = size,
		.wakeup = wakeup,
		.watermark = c->aux->watermark,
		.bufsize = c->aux->size,
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
 * Opens a handle and programs the buffer at perf's head.  Where too little is
 * free, the handle ends in a truncated record: perf then wakes the reader and
 * disables the event until the reader has made room.
 */
static bool spe_service_begin(struct spe_cpu *c, struct perf_event *event, bool saved)
{
	u64 head;

	c->aux = perf_aux_output_begin(&c->handle, event);
	if (!c->aux) {
		/* A running event has lost its buffer, and no record says so. */
		if (c->event)
			c->stats.truncated++;
		return false;
	}
	head = c->handle.head;
	c->plan = spe_service_plan(c, head, c->handle.size, c->handle.wakeup, saved);
	if (!c->plan.run) {
		spe_service_flag(c, SPE_LOSS_TRUNCATED);
		perf_aux_output_end(&c->handle, 0);
		c->aux = NULL;
		return false;
	}
	spe_service_fill_padding(c, head, c->plan.pad);
	/* Of an overwritten buffer perf knows no space, and so skips none. */
	if (c->plan.pad && !c->aux->overwrite)
		perf_aux_output_skip(&c->handle, c->plan.pad);
	c->mark = head + c->plan.pad;
	c->end = c->handle.head + c->handle.size;
	spe_service_program(c);
	return true;
}

/* Closes the handle with all that lies below position head. */
static void spe_service_publish(struct spe_cpu *c, u64 head)
{
	u64 size = head - c->handle.head;

	if (c->aux->overwrite) {
		/* One record tells of all that is still there. */
		c->handle.head = head;
		size = min(size, c->aux->size);
	}
	c->aux = NULL;
	trace_arm_spe_publish(head, size);
	perf_aux_output_end(&c->handle, size);
}

/*
 * The position up to which the unit has written.  False, and flagged, where
 * the write pointer is not to be believed.
 */
static bool spe_service_head(struct spe_cpu *c, u64 *head)
{
	u64 offset = spe_read(PMBPTR) - c->aux->address;

	if (!spe_limit_advance(c->mark, c->plan.start, c->plan.limit, offset, head)) {
		pr_warn_ratelimited("CPU %d: PMBPTR_EL1 left the buffer (offset %#llx of %#llx..%#llx)\n",
				    smp_processor_id(), offset, c->plan.start, c->plan.limit);
		c->stats.strays++;
		spe_service_flag(c, SPE_LOSS_PARTIAL | SPE_LOSS_TRUNCATED);
		return false;
	}
	c->stats.bytes += *head - c->mark;
	spe_steer_account(c, *head);
	return true;
}

/*
 * spe_service_run() - sampling begins, unless it is paused
 *
 * Pause and resume may come in between from an interrupt that cannot be
 * masked: what they last asked for is what holds at the end.
 */
void spe_service_run(struct spe_cpu *c)
{
	const struct spe_session *session = c->event->pmu_private;
	u64 pmscr = session->prog.reg[SPE_PROG_PMSCR];
	bool paused;

	WRITE_ONCE(c->live, true);
	do {
		paused = spe_compat_aux_paused(c->event);
		spe_regs_start(paused ? 0 : pmscr);
	} while (paused != spe_compat_aux_paused(c->event));
}

/* No resume can begin sampling again after the first line. */
void spe_service_stop(struct spe_cpu *c)
{
	WRITE_ONCE(c->live, false);
	spe_regs_stop();
}

/* From any context, on the event's CPU: all but the switch stays as it is. */
void spe_service_resume(struct spe_cpu *c, struct perf_event *event)
{
	const struct spe_session *session = event->pmu_private;

	if (READ_ONCE(c->live) && c->event == event)
		spe_regs_start(session->prog.reg[SPE_PROG_PMSCR]);
}

/* The unit stops here; the event is over until perf starts it again. */
static void spe_service_halt(struct spe_cpu *c)
{
	spe_service_stop(c);
	if (c->event) {
		local64_set(&c->event->hw.period_left, spe_read(PMSICR));
		c->event->hw.state |= PERF_HES_STOPPED;
	}
	spe_steer_close(c);
	c->event = NULL;
	spe_write(0, PMBLIMITR);
	/* Drops the interrupt, now that sampling is off. */
	spe_regs_resume();
}

/*
 * The snapshot's buffer is full: the unit goes round it, and nothing needs
 * to be told to perf before the end of the session.
 */
static void spe_service_wrap(struct spe_cpu *c, u64 head, bool saved)
{
	c->plan = spe_service_plan(c, head, 0, 0, saved);
	spe_service_fill_padding(c, head, c->plan.pad);
	c->mark = head + c->plan.pad;
	spe_service_program(c);
	spe_regs_resume();
	c->stats.early++;
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
static bool spe_service_early(struct spe_cpu *c, u64 head, bool saved)
{
	struct perf_event *event = c->event;
	u64 address = c->aux->address;
	u64 wakeup = spe_limit_wakeup(head, c->aux->watermark);
	struct spe_plan plan = spe_service_plan(c, head, c->end - head, wakeup, saved);

	if (!plan.run)
		return false;
	spe_service_fill_padding(c, head, plan.pad);
	c->plan = plan;
	c->mark = head + plan.pad;
	spe_service_program(c);
	spe_regs_resume();
	c->stats.early++;

	spe_service_publish(c, c->mark);
	c->aux = perf_aux_output_begin(&c->handle, event);
	if (!c->aux) {
		/*
		 * The buffer was unmapped, or its tail moved backwards: what
		 * the unit has written since has no owner.
		 */
		spe_service_halt(c);
		c->stats.discarded += spe_read(PMBPTR) - address - c->plan.start;
		c->stats.truncated++;
		return true;
	}
	c->end = c->handle.head + c->handle.size;
	return true;
}

/* Perf's books first: only a new handle knows what the reader has freed. */
static void spe_service_late(struct spe_cpu *c, u64 head, bool saved)
{
	struct perf_event *event = c->event;

	spe_service_publish(c, head);
	if (spe_service_begin(c, event, saved))
		spe_regs_resume();
	else
		spe_service_halt(c);
}

static void spe_service_report(const struct spe_verdict *v, u64 pmbsr)
{
	pr_warn_ratelimited("CPU %d: sampling stopped: %s%s%s (PMBSR_EL1 %#llx, PMBPTR_EL1 %#llx)\n",
			    smp_processor_id(), v->name, *v->fault ? ": " : "", v->fault,
			    pmbsr, spe_read(PMBPTR));
}

/*
 * spe_service_event() - serve a management event
 *
 * The unit is stopped (PMBSR_EL1.S) and drained.  Afterwards it runs again,
 * or its event is stopped and the AUX record says so.
 */
void spe_service_event(struct spe_cpu *c, u64 pmbsr)
{
	struct spe_verdict v = spe_syndrome_judge(pmbsr);
	bool saved = v.action == SPE_RESUME;
	u64 head;

	c->stats.services++;
	c->stats.kinds[v.kind]++;
	trace_arm_spe_event(pmbsr, &v);
	/* No session, or one that discards: nothing can be resumed. */
	if (!c->aux && v.action != SPE_STOP) {
		v.action = SPE_STOP;
		v.loss |= SPE_LOSS_TRUNCATED;
	}
	spe_service_flag(c, v.loss);
	if (c->aux && !spe_service_head(c, &head))
		v.action = SPE_STOP;
	if (v.action == SPE_STOP) {
		spe_service_report(&v, pmbsr);
		spe_service_halt(c);
		if (c->aux)
			spe_service_publish(c, head);
	} else if (c->aux->overwrite) {
		spe_service_wrap(c, head, saved);
	} else if (!spe_service_early(c, head, saved)) {
		spe_service_late(c, head, saved);
	}
}

/*
 * spe_service_open() - give the unit a buffer for an event
 *
 * The unit is stopped.  Returns false where there is no buffer or no room in
 * it; perf knows then, and starts the event again when that has changed.
 */
bool spe_service_open(struct spe_cpu *c, struct perf_event *event)
{
	const struct spe_session *session = event->pmu_private;
	u64 mode = session->prog.reg[SPE_PROG_PMBLIMITR];

	c->aux = NULL;
	spe_steer_open(c, event);
	if (mode) {
		spe_write(mode | ARM_SPE_PMBLIMITR_E, PMBLIMITR);
	} else if (!spe_service_begin(c, event, false)) {
		c->rate = NULL;
		return false;
	}
	c->event = event;
	c->stats.sessions++;
	return true;
}

/*
 * spe_service_close() - take the buffer back and publish what it holds
 *
 * The unit has been stopped (spe_regs_stop()).  An event that arose in the
 * last moment is accounted here: its interrupt finds nothing to do.
 */
void spe_service_close(struct spe_cpu *c)
{
	u64 pmbsr = spe_read(PMBSR);
	struct spe_verdict v = spe_syndrome_judge(pmbsr);
	u64 head;

	if (pmbsr) {
		c->stats.kinds[v.kind]++;
		trace_arm_spe_event(pmbsr, &v);
	}
	spe_service_flag(c, v.loss);
	if (c->aux) {
		spe_service_head(c, &head);
		spe_service_publish(c, head);
	}
	spe_steer_close(c);
	c->event = NULL;
	spe_write(0, PMBLIMITR);
	if (pmbsr)
		spe_write(0, PMBSR);
}
