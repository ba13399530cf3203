/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling on and off for a CPU's session, whatever comes in between.
 *
 * Everything here runs on the CPU concerned with interrupts disabled.
 */
#ifndef SPE_SAMPLING_H
#define SPE_SAMPLING_H

#include "compat.h"
#include "regs.h"
#include "spe.h"

/*
 * The driver's code runs on the CPU, not in an NMI: what calls stop() or start()
 * from inside of it, a software event's overflow, leaves the rest to "update_work" as
 * an NMI does.  Interrupts are disabled, so there is one such section at a time.
 */
static inline void spe_sampling_enter_driver(struct spe_cpu *c)
{
	WRITE_ONCE(c->session.busy, true);
	barrier();
}

static inline void spe_sampling_leave_driver(struct spe_cpu *c)
{
	barrier();
	WRITE_ONCE(c->session.busy, false);
}

/* What perf has asked for last: sampling, not paused and not stopped. */
static inline bool spe_sampling_wanted(const struct spe_cpu *c, const struct perf_event *event)
{
	return READ_ONCE(c->session.wanted) && !spe_compat_aux_paused(event);
}

/*
 * spe_sampling_start() - sampling begins, unless it is paused or stopped
 *
 * Pause and resume, stop and start may come in between from an interrupt that
 * cannot be masked: what they last asked for is what holds at the end.  From the
 * first start on, the Profiling exception may end the session; only in a stopped
 * unit can it be told whether it has (regs.h).
 */
static inline void spe_sampling_start(struct spe_cpu *c)
{
	struct perf_event *event = c->session.event;
	const struct spe_event_data *data = event->pmu_private;
	u64 pmscr = data->prog.reg[SPE_PROG_PMSCR];
	bool due;

	WRITE_ONCE(c->session.live, true);
	for (;;) {
		due = spe_sampling_wanted(c, event);
		spe_regs_start(due ? pmscr : 0);
		if (due == spe_sampling_wanted(c, event))
			return;
		spe_regs_pause();
		if (!READ_ONCE(c->session.live))
			return;
	}
}

/* No resume can begin sampling again after the first line. */
static inline void spe_sampling_stop(struct spe_cpu *c)
{
	WRITE_ONCE(c->session.live, false);
	spe_regs_stop();
}

/* From any context, on the event's CPU: all but the switch stays as it is. */
static inline void spe_sampling_pause(struct spe_cpu *c, const struct perf_event *event)
{
	if (READ_ONCE(c->session.live) && c->session.event == event)
		spe_regs_pause();
}

/* As spe_sampling_pause(). */
static inline void spe_sampling_resume(struct spe_cpu *c, const struct perf_event *event)
{
	const struct spe_event_data *data = event->pmu_private;

	if (READ_ONCE(c->session.live) && c->session.event == event &&
	    spe_sampling_wanted(c, event))
		spe_regs_start(data->prog.reg[SPE_PROG_PMSCR]);
}

#endif /* SPE_SAMPLING_H */
