// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequency mode of a session.  The driver accounts for the records at each full
 * buffer, when the event is scheduled out, and from a timer.  rate.c computes the
 * new interval, and this file writes it to the unit.
 */
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"
#include "trace.h"

/*
 * Writes the new interval.  The unit is stopped.  With PMSICR_EL1 zero the unit loads
 * the counter when sampling starts (D17.3.3).  Software may write no other new value,
 * because the counter is opaque to it (D24.7.13).
 */
static void spe_freq_apply(struct spe_cpu *c)
{
	struct spe_event_data *data = c->session.event->pmu_private;

	data->period = c->freq.rate->interval;
	data->pmsirr = data->prog.reg[SPE_PROG_PMSIRR] | data->period;
	c->session.event->hw.sample_period = data->period;
	spe_write(data->pmsirr, PMSIRR);
	spe_write(0, PMSICR);
}

static void spe_freq_account_parts(struct spe_cpu *c, u64 parts)
{
	struct spe_rate *rate = c->freq.rate;
	u64 now = ktime_get_mono_fast_ns(), from = rate->interval;

	if (spe_rate_account(rate, parts, now - c->freq.counted_at)) {
		trace_arm_spe_period(from, rate->interval, rate->wanted);
		spe_freq_apply(c);
	}
	c->freq.counted_at = now;
}

/*
 * spe_freq_account() - account for the records below a position
 *
 * The unit is stopped, and the session has a frequency.
 */
void spe_freq_account(struct spe_cpu *c, u64 position)
{
	u64 parts = spe_rate_records(c->buffer.aux->base + c->freq.counted_to % c->buffer.aux->size,
				     position - c->freq.counted_to, c->pmu->caps.record_size);

	spe_freq_account_parts(c, parts);
	c->freq.counted_to = position;
}

/* The same for a session of samples: accounts for those since the last call. */
void spe_freq_account_samples(struct spe_cpu *c)
{
	u64 samples = c->sample.unaccounted;

	c->sample.unaccounted = 0;
	spe_freq_account_parts(c, samples * SPE_RATE_PART);
}

/* Bytes from write pointer to limit at most; 0: no maximum. */
u64 spe_freq_max_bytes(const struct spe_cpu *c)
{
	u64 max_bytes = c->pmu->caps.max_buffer, bytes;

	if (!c->freq.rate)
		return max_bytes;
	bytes = max_t(u64, 2 * PAGE_SIZE,
		      PAGE_ALIGN(spe_rate_bytes(c->freq.rate, c->pmu->caps.record_size)));
	return max_bytes ? min(max_bytes, bytes) : bytes;
}

/*
 * Called by the timer.  The Profiling exception may have ended the session before the
 * stop: then returns false.  If a management event is pending, its interrupt or
 * exception does the accounting.
 */
static bool spe_freq_stop_and_account(struct spe_cpu *c)
{
	const struct spe_plan *plan;
	u64 position;

	spe_sampling_stop(c);
	if (!c->freq.rate)
		return false;
	if (spe_is_sample_event(c->session.event)) {
		spe_sample_flush(c);
		spe_freq_account_samples(c);
		return true;
	}
	plan = &c->buffer.aux->plan;
	if (!(spe_read(PMBSR) & ARM_SPE_PMBSR_S) &&
	    spe_limit_advance(c->buffer.aux->start_pos, plan->start, plan->limit,
			      spe_read(PMBPTR) - plan->base, &position))
		spe_freq_account(c, position);
	return true;
}

static enum hrtimer_restart spe_freq_timer(struct hrtimer *timer)
{
	struct spe_cpu *c = container_of(timer, struct spe_cpu, freq.timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;

	if (!c->freq.rate)
		return restart;
	spe_sampling_enter_driver(c);
	if (spe_freq_stop_and_account(c)) {
		hrtimer_forward_now(timer, ns_to_ktime(spe_rate_due(c->freq.rate)));
		spe_sampling_start(c);
		restart = HRTIMER_RESTART;
	}
	spe_sampling_leave_driver(c);
	return restart;
}

/* An event with a frequency is scheduled in. */
void spe_freq_open(struct spe_cpu *c, struct perf_event *event)
{
	struct spe_event_data *data = event->pmu_private;
	struct spe_rate *rate = &data->rate;

	/* PERF_EVENT_IOC_PERIOD has changed the frequency. */
	if (event->attr.sample_freq != data->frequency) {
		data->frequency = event->attr.sample_freq;
		spe_rate_init(rate, data->frequency, rate->shortest, rate->interval);
	}
	event->hw.sample_period = rate->interval;
	c->freq.rate = rate;
	c->sample.unaccounted = 0;
	c->freq.counted_at = ktime_get_mono_fast_ns();
}

void spe_freq_start(struct spe_cpu *c)
{
	hrtimer_start(&c->freq.timer, ns_to_ktime(spe_rate_due(c->freq.rate)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * The timer is pinned to this CPU and its handler is not running, so hrtimer_cancel()
 * does not wait.  In an NMI the CPU may hold hrtimer's locks: then leave the timer
 * alone.  It expires, and its handler finds no session.
 */
void spe_freq_close(struct spe_cpu *c)
{
	WRITE_ONCE(c->freq.rate, NULL);
	if (!in_nmi())
		hrtimer_cancel(&c->freq.timer);
}

/* The CPU goes offline and has no session: cancel a timer that was left to expire. */
void spe_freq_cleanup(struct spe_cpu *c)
{
	hrtimer_cancel(&c->freq.timer);
}

void spe_freq_setup(struct spe_cpu *c)
{
	spe_compat_hrtimer_setup(&c->freq.timer, spe_freq_timer, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
}
