// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of other events that carry records (PERF_SAMPLE_AUX).
 *
 * An event of a group that an SPE event leads has perf_event_attr.aux_sample_size set.
 * At each of its samples perf calls snapshot_aux(), in the context of the overflow: an NMI
 * if the kernel uses pseudo-NMIs, else mostly hard interrupt context.  The callback pauses
 * the unit, drains it, copies the newest whole records to the sample, and resumes the unit.
 * window.c chooses the records.  The event, perf's handle and the plan stay as they are.
 */
#include <linux/minmax.h>

#include "auxsample.h"
#include "outoftree.h"
#include "regs.h"
#include "sampling.h"
#include "throttle.h"
#include "window.h"

/* perf's function that copies bytes to a sample, or NULL: no event can ask for records. */
static unsigned int (*spe_auxsample_copy)(struct perf_output_handle *handle, const void *bytes,
					  unsigned int size) __ro_after_init;

/* Zero bytes decode as Padding packets (D18.2.8). */
static const u8 spe_auxsample_padding[512];

/* The unit is stopped and drained.  Returns from == to if there is nothing to copy. */
static struct spe_window spe_auxsample_choose(const struct spe_cpu *c, u64 size)
{
	const struct spe_aux *aux = c->buffer.aux;
	struct spe_window_space space = {
		.data = aux->base,
		.bufsize = aux->size,
		.first = aux->first_pos,
		.known = aux->start_pos,
		.want = size,
		.record = c->pmu->caps.record_size,
		.align = c->pmu->caps.align,
		.cut = spe_read(PMBSR) & ARM_SPE_PMBSR_DL,
	};

	if (!spe_limit_advance(aux->start_pos, aux->plan.start, aux->plan.limit,
			       spe_read(PMBPTR) - aux->plan.base, &space.head))
		return (struct spe_window) { 0 };
	return spe_window_choose(&space);
}

/* Copies the bytes of the window, which may wrap at the end of the buffer. */
static unsigned long spe_auxsample_output(const struct spe_aux *aux, struct spe_window window,
					  struct perf_output_handle *handle)
{
	unsigned long size = window.to - window.from;
	u64 offset = window.from % aux->size;
	unsigned long part = min_t(u64, size, aux->size - offset);

	spe_auxsample_copy(handle, aux->base + offset, part);
	if (size > part)
		spe_auxsample_copy(handle, aux->base, size - part);
	return size;
}

static void spe_auxsample_pad(struct perf_output_handle *handle, unsigned long size)
{
	while (size) {
		unsigned long part = min_t(unsigned long, size, sizeof(spe_auxsample_padding));

		spe_auxsample_copy(handle, spe_auxsample_padding, part);
		size -= part;
	}
}

/*
 * Copies records from the session.  After a management event the unit stays stopped, and
 * PMBSR_EL1 as it is: the interrupt or exception serves the event later.
 */
static unsigned long spe_auxsample_from_session(struct spe_cpu *c,
						struct perf_output_handle *handle,
						unsigned long size)
{
	struct spe_event_data *payer;
	unsigned long copied;

	spe_sampling_stop(c);
	/* The Profiling exception may have ended the session before the stop. */
	if (!READ_ONCE(c->session.event))
		return 0;
	payer = spe_throttle_enter(c);
	copied = spe_auxsample_output(c->buffer.aux, spe_auxsample_choose(c, size), handle);
	spe_throttle_charge(c, payer);
	/* The unit stays stopped, and update_work ends the session. */
	if (spe_throttle_due(c, payer))
		spe_throttle_pause(c, payer);
	else
		/* This also obeys what an NMI has requested meanwhile. */
		spe_sampling_start(c);
	return copied;
}

/*
 * perf's callback, with interrupts disabled, on the CPU where the event is active.  perf has
 * already written "size" into the sample, a multiple of 8, so write as many bytes:
 * padding follows the records.  There is only padding if
 *
 *  - the callback has interrupted the driver's own code, which may be about to change what
 *    the callback reads,
 *  - the CPU has no session: it goes offline, its budget is exceeded, the buffer is full, or
 *    perf has stopped the event,
 *  - no record fits.
 */
long spe_auxsample_snapshot(struct perf_event *event, struct perf_output_handle *handle,
			    unsigned long size)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_cpu *c = this_cpu_ptr(spe->cpus);
	unsigned long copied = 0;

	if (!READ_ONCE(c->session.busy)) {
		spe_sampling_enter_driver(c);
		if (READ_ONCE(c->session.live) && c->session.event == event && c->buffer.aux)
			copied = spe_auxsample_from_session(c, handle, size);
		spe_sampling_leave_driver(c);
	}
	/* An NMI may interrupt an increment: count atomically. */
	this_cpu_inc(spe->cpus->stats.aux_samples);
	if (!copied)
		this_cpu_inc(spe->cpus->stats.aux_empty);
	spe_auxsample_pad(handle, size - copied);
	return size;
}

/* Whether the callback works on this kernel.  Without it perf refuses such events. */
bool spe_auxsample_possible(void)
{
	return spe_auxsample_copy;
}

void __init spe_auxsample_init(void)
{
	spe_auxsample_copy = spe_outoftree_output_copy();
}
