// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: perf schedules an event in and out on a CPU.
 *
 * All functions run on the event's CPU with interrupts disabled.  start, stop, pause
 * and resume also run in NMIs.  perf calls this code at each switch of a profiled
 * task, so rare cases are out of line, and the rest is inline: each call costs about
 * ten instructions.
 */
#include <linux/hardirq.h>
#include <linux/ktime.h>

#include "buffer.h"
#include "compat.h"
#include "filter.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"
#include "trace.h"

static void spe_session_program(const struct spe_cpu *c, struct perf_event *event)
{
	struct spe_event_data *data = event->pmu_private;
	const u64 *reg = data->prog.reg;
	u64 pmsfcr = reg[SPE_PROG_PMSFCR];

	/* The event starts for the first time, or its period has changed. */
	if (event->hw.sample_period != data->period) {
		data->period = event->hw.sample_period;
		data->pmsirr = reg[SPE_PROG_PMSIRR] | spe_attr_period(data->period, &c->pmu->caps);
	}
	spe_write(pmsfcr, PMSFCR);
	if (pmsfcr)
		spe_filter_write(&data->prog);
	spe_write(data->pmsirr, PMSIRR);
	trace_arm_spe_start(reg[SPE_PROG_PMSCR], pmsfcr,
			    data->pmsirr & ARM_SPE_PMSIRR_INTERVAL,
			    c->buffer.aux ? c->buffer.aux->start_pos : 0);
	/* Continue the count where the event's last session stopped. */
	spe_write((u64)local64_read(&event->hw.period_left), PMSICR);
}

/*
 * The session cannot start now.  If there is no AUX buffer, perf tries again.  If the
 * buffer is full, perf disables the event until the reader has freed space.
 */
static noinline int
spe_session_begin_failed(struct spe_cpu *c, struct spe_event_data *data, int err)
{
	c->freq.rate = NULL;
	WRITE_ONCE(c->session.wanted, false);
	if (!data->halted_since)
		data->halted_since = ktime_get_mono_fast_ns();
	return err;
}

/* A task may have moved: records that another CPU's unit has written are not this CPU's. */
static void spe_session_note_cpu(struct spe_aux *aux)
{
	int cpu = smp_processor_id();

	if (aux->cpu == cpu)
		return;
	aux->cpu = cpu;
	aux->first_pos = aux->start_pos;
}

/* Gives the stopped unit a buffer.  Returns 0 or an error of spe_buffer_begin(). */
static int spe_session_open(struct spe_cpu *c, struct perf_event *event)
{
	struct spe_event_data *data = event->pmu_private;
	u64 mode = data->prog.reg[SPE_PROG_PMBLIMITR];
	int err;

	c->buffer.retryable = false;
	if (data->rate.wanted)
		spe_freq_open(c, event);
	if (spe_is_sample_event(event)) {
		c->session.event = event;
		WRITE_ONCE(c->sample.ended, false);
		spe_sample_program(c);
	} else if (mode) {
		spe_write(mode | ARM_SPE_PMBLIMITR_E, PMBLIMITR);
	} else {
		err = spe_buffer_begin(c, event, false);
		if (err)
			return spe_session_begin_failed(c, data, err);
		spe_session_note_cpu(c->buffer.aux);
	}
	/* A pause has delayed this start: samples are missing before this AUX record too. */
	if (data->delayed) {
		data->delayed = false;
		spe_buffer_flag(c, SPE_LOSS_PARTIAL);
	}
	if (data->halted_since) {
		c->stats.halted_ns += ktime_get_mono_fast_ns() - data->halted_since;
		data->halted_since = 0;
	}
	c->session.event = event;
	c->stats.sessions++;
	return 0;
}

/*
 * Starts a session.  The CPU must be online and have no session.  Returns 0 or an
 * error of spe_buffer_begin().
 */
static __always_inline int spe_session_begin(struct spe_cpu *c, struct perf_event *event)
{
	struct spe_event_data *data = event->pmu_private;
	int err;

	event->hw.state = PERF_HES_STOPPED;
	spe_exc_select_delivery(event->attr.exclude_kernel);
	err = spe_session_open(c, event);
	if (err)
		return err;
	event->hw.state = 0;
	spe_session_program(c, event);
	if (c->freq.rate)
		spe_freq_start(c);
	/* One PERF_RECORD_ITRACE_START is enough. */
	if (data->set_attach_itrace) {
		data->set_attach_itrace = false;
		spe_outoftree_attach_itrace(event);
	}
	/* Keep this last: from here on the Profiling exception may end the session. */
	spe_sampling_start(c);
	return 0;
}

/*
 * Publishes the records of the stopped unit and takes the buffer back.  If a
 * management event is pending, the driver accounts for it here.
 */
static void spe_session_close(struct spe_cpu *c)
{
	const struct spe_event_data *data = c->session.event->pmu_private;
	u64 pmbsr = spe_read(PMBSR);
	u64 head = 0;

	if (pmbsr)
		spe_service_account(c, pmbsr);
	/* A sample with records has used up the budget: the pause begins here. */
	if (data->throttled)
		spe_buffer_flag(c, SPE_LOSS_PARTIAL);
	if (spe_is_sample_event(c->session.event)) {
		spe_sample_emit(c);
		if (c->freq.rate)
			spe_freq_account_samples(c);
	} else if (c->buffer.aux) {
		if (spe_buffer_read_head(c, &head) && pmbsr & ARM_SPE_PMBSR_DL)
			spe_buffer_erase_partial(c, head);
		spe_buffer_publish(c, head);
	}
	trace_arm_spe_stop(head, pmbsr);
	if (c->freq.rate)
		spe_freq_close(c);
	c->session.event = NULL;
	spe_regs_disable_buffer();
	if (pmbsr)
		spe_write(0, PMBSR);
}

static __always_inline void spe_session_end(struct spe_cpu *c)
{
	struct perf_event *event = c->session.event;

	if (!event)
		return;
	spe_sampling_stop(c);
	/* The Profiling exception may have ended the session before the stop. */
	if (!READ_ONCE(c->session.event))
		return;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	spe_session_close(c);
	/* PMSICR_EL1 has not changed since the stop, unless frequency mode set it to 0. */
	local64_set(&event->hw.period_left, spe_read(PMSICR));
}

static bool spe_session_throttled(const struct perf_event *event)
{
	const struct spe_event_data *data = event->pmu_private;

	return data->throttled;
}

/* Whether perf's last call, the event's budget and the CPU's hotplug state ask for a session. */
static __always_inline bool spe_session_due(const struct spe_cpu *c)
{
	const struct perf_event *event = c->session.added;

	return event && READ_ONCE(c->session.wanted) && c->session.online &&
	       !spe_session_throttled(event);
}

/*
 * Starts or ends the session.  An NMI that changes "wanted" meanwhile queues update_work,
 * which calls this again.  While the unit runs, the Profiling exception may end the session,
 * so look at what it changes only once there is no session.
 */
static __always_inline void spe_session_update(struct spe_cpu *c)
{
	struct perf_event *event = c->session.added;

	spe_sampling_enter_driver(c);
	if (!spe_session_due(c))
		spe_session_end(c);
	if (c->throttle.waiting || (event && spe_session_throttled(event)))
		spe_throttle_follow(c);
	if (!READ_ONCE(c->session.event) && spe_session_due(c))
		spe_session_begin(c, event);
	spe_sampling_leave_driver(c);
}

/* Runs in hard interrupt context, also with PREEMPT_RT. */
static void spe_session_update_work(struct irq_work *work)
{
	struct spe_cpu *c = container_of(work, struct spe_cpu, session.update_work);

	spe_session_update(c);
	spe_throttle_arm(c);
}

/*
 * perf calls start() or stop() in an NMI, or while the driver's own code runs.  Only
 * switch sampling here, and leave the session to update_work.  The interrupted code
 * finishes with the session that it began with; spe_sampling_start() checks "wanted"
 * again, so the interrupted code does not undo this call.
 */
static noinline void spe_session_defer(struct spe_cpu *c, struct perf_event *event, bool wanted)
{
	if (wanted)
		spe_sampling_resume(c, event);
	else
		spe_sampling_pause(c, event);
	irq_work_queue(&c->session.update_work);
}

static struct spe_cpu *spe_session_cpu(struct perf_event *event)
{
	return this_cpu_ptr(to_spe_pmu(event->pmu)->cpus);
}

static __always_inline void spe_session_request(struct perf_event *event, bool wanted)
{
	struct spe_cpu *c = spe_session_cpu(event);

	/* An NMI may interrupt perf's add() or del() of this event. */
	if (READ_ONCE(c->session.added) != event)
		return;
	WRITE_ONCE(c->session.wanted, wanted);
	if (wanted)
		WRITE_ONCE(c->sample.ended, false);
	if (in_nmi() || READ_ONCE(c->session.busy))
		spe_session_defer(c, event, wanted);
	else
		spe_session_update(c);
}

void spe_session_start(struct perf_event *event, int flags)
{
	if (flags & SPE_COMPAT_EF_RESUME)
		spe_sampling_resume(spe_session_cpu(event), event);
	else
		spe_session_request(event, true);
}

void spe_session_stop(struct perf_event *event, int flags)
{
	if (flags & SPE_COMPAT_EF_PAUSE)
		spe_sampling_pause(spe_session_cpu(event), event);
	else
		spe_session_request(event, false);
}

/*
 * Returns 0, or
 * -ENOENT	the PMU does not have this CPU, or the CPU goes offline
 * -EAGAIN	the CPU's unit has an event already
 * -EINVAL	there is no AUX buffer; perf tries again
 *
 * If the buffer is full the function returns 0 and the event is on the CPU, but
 * stopped.  The driver has asked perf to disable the event until the reader frees
 * space, and perf can only disable an event that is on a CPU.  While the event's budget
 * is exceeded, the event is on the CPU and stopped too; update_work starts it.
 */
int spe_session_add(struct perf_event *event, int flags)
{
	struct spe_event_data *data = event->pmu_private;
	struct spe_cpu *c = spe_session_cpu(event);
	int err = 0;

	if (!c->session.online)
		return -ENOENT;
	if (c->session.added) {
		c->stats.busy_other += c->session.added->pmu != event->pmu;
		return -EAGAIN;
	}
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (data->budget.debt)
		spe_throttle_sched_in(data);
	WRITE_ONCE(c->session.wanted, flags & PERF_EF_START);
	WRITE_ONCE(c->session.added, event);
	if (data->throttled) {
		data->delayed = true;
		spe_session_update(c);
	} else if (flags & PERF_EF_START) {
		spe_sampling_enter_driver(c);
		err = spe_session_begin(c, event);
		spe_sampling_leave_driver(c);
	}
	if (!err || err == -ENOSPC)
		return 0;
	WRITE_ONCE(c->session.added, NULL);
	return err;
}

void spe_session_del(struct perf_event *event, int flags)
{
	struct spe_event_data *data = event->pmu_private;
	struct spe_cpu *c = spe_session_cpu(event);

	if (event->nr_siblings)
		spe_outoftree_stop_samplers(event);
	WRITE_ONCE(c->session.added, NULL);
	spe_session_update(c);
	if (data->budget.debt)
		spe_throttle_sched_out(data);
}

void spe_session_setup(struct spe_cpu *c)
{
	spe_compat_irq_work_init(&c->session.update_work, spe_session_update_work);
}

/*
 * The CPU comes online or goes offline.  Call this with interrupts disabled.  perf
 * removes the CPU's events later, or not at all if the kernel rolls back the offline.
 */
void spe_session_online(struct spe_cpu *c, bool online)
{
	c->session.online = online;
	spe_session_update(c);
}

/*
 * perf calls no callback any more, and spe_cpu_offline() has cancelled the timers.  Wait
 * for work that an NMI or a timer has queued.
 */
void spe_session_cleanup(struct spe_pmu *spe)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(spe->cpus, cpu)->session.update_work);
}
