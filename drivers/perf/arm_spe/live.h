/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling on and off for a CPU's session, whatever comes in between.
 *
 * Everything here runs on the CPU concerned with interrupts disabled.
 */
#ifndef SPE_LIVE_H
#define SPE_LIVE_H

#include "compat.h"
#include "regs.h"
#include "spe.h"

/*
 * spe_live_run() - sampling begins, unless it is paused
 *
 * Pause and resume may come in between from an interrupt that cannot be
 * masked: what they last asked for is what holds at the end.  From the first
 * start on, the Profiling exception may end the session; only in a stopped unit
 * can it be told whether it has (regs.h).
 */
static inline void spe_live_run(struct spe_cpu *c)
{
	struct perf_event *event = c->event;
	const struct spe_session *session = event->pmu_private;
	u64 pmscr = session->prog.reg[SPE_PROG_PMSCR];
	bool paused;

	WRITE_ONCE(c->live, true);
	for (;;) {
		paused = spe_compat_aux_paused(event);
		spe_regs_start(paused ? 0 : pmscr);
		if (paused == spe_compat_aux_paused(event))
			return;
		spe_regs_pause();
		if (!READ_ONCE(c->live))
			return;
	}
}

/* No resume can begin sampling again after the first line. */
static inline void spe_live_stop(struct spe_cpu *c)
{
	WRITE_ONCE(c->live, false);
	spe_regs_stop();
}

/* From any context, on the event's CPU: all but the switch stays as it is. */
static inline void spe_live_pause(struct spe_cpu *c, const struct perf_event *event)
{
	if (READ_ONCE(c->live) && c->event == event)
		spe_regs_pause();
}

/* As spe_live_pause(). */
static inline void spe_live_resume(struct spe_cpu *c, const struct perf_event *event)
{
	const struct spe_session *session = event->pmu_private;

	if (READ_ONCE(c->live) && c->event == event)
		spe_regs_start(session->prog.reg[SPE_PROG_PMSCR]);
}

#endif /* SPE_LIVE_H */
