// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequency mode on a CPU: looks at what was recorded when a buffer is full,
 * when a session leaves the CPU and, in between, by a timer; gives the unit
 * the interval that rate.c decides.
 *
 * Everything here runs on the CPU concerned with interrupts disabled.
 */
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "sampling.h"
#include "regs.h"
#include "spe.h"
#include "trace.h"

/*
 * The unit is stopped, so its interval may change.  Zero has the unit load the
 * counter when sampling begins (D17.3.3); software has no other value to write,
 * for the counter is opaque to it (D24.7.13).
 */
static void spe_freq_apply(struct spe_cpu *c)
{
	const struct spe_session *session = c->event->pmu_private;

	c->event->hw.sample_period = c->rate->interval;
	spe_write(session->prog.reg[SPE_PROG_PMSIRR] | c->rate->interval, PMSIRR);
	spe_write(0, PMSICR);
}

/*
 * spe_freq_account() - the unit, which is stopped, has written up to position
 *
 * For a session with a frequency, as the two that follow.
 */
void spe_freq_account(struct spe_cpu *c, u64 position)
{
	struct spe_rate *rate = c->rate;
	u64 now, from, parts;

	now = ktime_get_mono_fast_ns();
	from = rate->interval;
	parts = spe_rate_records(c->aux->base + c->counted_to % c->aux->size,
				 position - c->counted_to, c->pmu->caps.record_size);
	if (spe_rate_account(rate, parts, now - c->counted_at)) {
		trace_arm_spe_period(from, rate->interval, rate->wanted);
		spe_freq_apply(c);
	}
	c->counted_to = position;
	c->counted_at = now;
}

/* Bytes that the unit may be given at once; 0: any number. */
u64 spe_freq_max_bytes(const struct spe_cpu *c)
{
	u64 max_bytes = c->pmu->caps.max_buffer, bytes;

	if (!c->rate)
		return max_bytes;
	bytes = max(2 * PAGE_SIZE,
		    PAGE_ALIGN(spe_rate_bytes(c->rate, c->pmu->caps.record_size)));
	return max_bytes ? min(max_bytes, bytes) : bytes;
}

/*
 * Between two looks by others; an event that is pending is left to its
 * interrupt or exception, which may have ended the session before the stop.
 */
static bool spe_freq_stop_and_account(struct spe_cpu *c)
{
	const struct spe_plan *plan;
	u64 position;

	spe_sampling_stop(c);
	if (!c->rate)
		return false;
	plan = &c->aux->plan;
	if (!(spe_read(PMBSR) & ARM_SPE_PMBSR_S) &&
	    spe_limit_advance(c->aux->start_pos, plan->start, plan->limit,
			      spe_read(PMBPTR) - plan->base, &position))
		spe_freq_account(c, position);
	return true;
}

static enum hrtimer_restart spe_freq_timer(struct hrtimer *timer)
{
	struct spe_cpu *c = container_of(timer, struct spe_cpu, timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;

	if (!c->rate)
		return restart;
	spe_sampling_enter_driver(c);
	if (spe_freq_stop_and_account(c)) {
		hrtimer_forward_now(timer, ns_to_ktime(spe_rate_due(c->rate)));
		spe_sampling_start(c);
		restart = HRTIMER_RESTART;
	}
	spe_sampling_leave_driver(c);
	return restart;
}

/* An event that wants a frequency comes to the CPU. */
void spe_freq_open(struct spe_cpu *c, struct perf_event *event)
{
	struct spe_session *session = event->pmu_private;
	struct spe_rate *rate = &session->rate;

	/* PERF_EVENT_IOC_PERIOD has changed what is wanted. */
	if (event->attr.sample_freq != session->frequency) {
		session->frequency = event->attr.sample_freq;
		spe_rate_init(rate, session->frequency, rate->shortest, rate->interval);
	}
	event->hw.sample_period = rate->interval;
	c->rate = rate;
	c->counted_at = ktime_get_mono_fast_ns();
}

void spe_freq_start(struct spe_cpu *c)
{
	hrtimer_start(&c->timer, ns_to_ktime(spe_rate_due(c->rate)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * The timer is this CPU's, and nothing here runs inside it: no wait.  But an
 * NMI may run inside of hrtimer's locks, and leaves it to expire: it then
 * finds nothing to do.
 */
void spe_freq_close(struct spe_cpu *c)
{
	WRITE_ONCE(c->rate, NULL);
	if (!in_nmi())
		hrtimer_cancel(&c->timer);
}

/* The CPU has no session, and starts none: not even an idle timer is left. */
void spe_freq_cleanup(struct spe_cpu *c)
{
	hrtimer_cancel(&c->timer);
}

void spe_freq_setup(struct spe_cpu *c)
{
	spe_compat_hrtimer_setup(&c->timer, spe_freq_timer, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
}
