/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Switches sampling on and off for the session of a CPU, safe against NMIs and the
 * Profiling exception.  Call these functions on that CPU with interrupts disabled.
 */
#ifndef SPE_SAMPLING_H
#define SPE_SAMPLING_H

#include "compat.h"
#include "regs.h"
#include "spe.h"

/*
 * Begins a section in which calls of start() and stop() are deferred to update_work,
 * as in an NMI, and snapshot_aux() copies no records.  Such calls come from the overflow
 * of a software event, for example at one of the driver's tracepoints, or in an NMI.
 * Interrupts are disabled, so sections do not nest, except for that of the Profiling
 * exception.
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

/* The same for the Profiling exception, which may come in a section as soon as the unit runs. */
static inline bool spe_sampling_enter_exception(struct spe_cpu *c)
{
	bool busy = READ_ONCE(c->session.busy);

	spe_sampling_enter_driver(c);
	return busy;
}

static inline void spe_sampling_leave_exception(struct spe_cpu *c, bool busy)
{
	barrier();
	WRITE_ONCE(c->session.busy, busy);
}

/* Whether perf's last calls ask for sampling: the event is neither stopped nor paused. */
static inline bool spe_sampling_wanted(const struct spe_cpu *c, const struct perf_event *event)
{
	return READ_ONCE(c->session.wanted) && !spe_compat_aux_paused(event);
}

static inline u64 spe_sampling_guests(const struct perf_event *event)
{
	const struct spe_event_data *data = event->pmu_private;

	return data->prog.reg[SPE_PROG_PMSCR_EL12];
}

/*
 * Only for sessions that sample guests.  The unit samples a guest while PMSCR_EL12 says so,
 * whatever PMSCR_EL1 of a host at EL2 holds, so pausing, stopping and starting write both.
 */
static inline void spe_sampling_set_guests(struct spe_cpu *c, u64 pmscr_el12)
{
	WRITE_ONCE(c->session.guests, pmscr_el12);
	spe_regs_set_guests(pmscr_el12);
}

/*
 * spe_sampling_start() - start sampling, unless perf has paused or stopped the event
 *
 * An NMI may pause, resume, stop or start the event at any time, so compare again
 * after the write: perf's last call must win.  Once the unit runs, the Profiling
 * exception may end the session.  Stop the unit before reading "live", because the
 * exception does not come while the unit is stopped (regs.h).
 */
static inline void spe_sampling_start(struct spe_cpu *c)
{
	struct perf_event *event = c->session.event;
	const struct spe_event_data *data = event->pmu_private;
	u64 pmscr = data->prog.reg[SPE_PROG_PMSCR];
	u64 guests = spe_sampling_guests(event);
	bool due;

	WRITE_ONCE(c->session.live, true);
	for (;;) {
		due = spe_sampling_wanted(c, event);
		if (guests)
			spe_sampling_set_guests(c, due ? guests : 0);
		spe_regs_start(due ? pmscr : 0);
		if (due == spe_sampling_wanted(c, event))
			return;
		spe_regs_pause();
		if (!READ_ONCE(c->session.live))
			return;
	}
}

/*
 * Clear "live" first: from then on no resume in an NMI starts sampling again.  Look at the event
 * last: the Profiling exception, which may end the session, does not come any more, and its own
 * stop came before it cleared the event.  What the event asks for decides, and not
 * session.guests, which an NMI may have set to 0 before the interrupted code set PMSCR_EL12.
 */
static inline void spe_sampling_stop(struct spe_cpu *c)
{
	const struct perf_event *event;

	WRITE_ONCE(c->session.live, false);
	spe_regs_stop();
	event = READ_ONCE(c->session.event);
	if (event && spe_sampling_guests(event))
		spe_guests_leave(c);
}

/* Changes only PMSCR_EL1 and PMSCR_EL12.  Call this in any context on the event's CPU. */
static inline void spe_sampling_pause(struct spe_cpu *c, const struct perf_event *event)
{
	if (!READ_ONCE(c->session.live) || c->session.event != event)
		return;
	spe_regs_pause();
	if (spe_sampling_guests(event))
		spe_sampling_set_guests(c, 0);
}

/* The context is that of spe_sampling_pause(). */
static inline void spe_sampling_resume(struct spe_cpu *c, const struct perf_event *event)
{
	const struct spe_event_data *data = event->pmu_private;

	if (!READ_ONCE(c->session.live) || c->session.event != event ||
	    !spe_sampling_wanted(c, event))
		return;
	if (spe_sampling_guests(event))
		spe_sampling_set_guests(c, spe_sampling_guests(event));
	spe_regs_start(data->prog.reg[SPE_PROG_PMSCR]);
}

#endif /* SPE_SAMPLING_H */
