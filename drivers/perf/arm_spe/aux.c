// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps perf's AUX pages into one range of kernel addresses.  The unit writes to that
 * range through the kernel's translation regime (D17.7.1).  With FEAT_SPE_nVM it can
 * write to physical addresses instead (D17.7.2).  The driver itself always uses the
 * range: it writes padding and counts records there.
 */
#include <linux/kasan.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "regs.h"
#include "sampling.h"
#include "spe.h"
#include "window.h"

static void *spe_aux_map(void **pages, int nr_pages)
{
	struct page **list = kvmalloc_array(nr_pages, sizeof(*list), GFP_KERNEL);
	void *base;
	int i;

	if (!list)
		return NULL;
	for (i = 0; i < nr_pages; i++)
		list[i] = virt_to_page(pages[i]);
	/* The mapping has the Access flag and dirty state set: the unit updates neither. */
	base = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	kvfree(list);
	return base;
}

/* Returns the number of physically contiguous pieces.  Fills in pieces[] unless it is NULL. */
static u32 spe_aux_find_pieces(void **pages, int nr_pages, struct spe_piece *pieces)
{
	phys_addr_t last = 0;
	u32 nr = 0;
	int i;

	for (i = 0; i < nr_pages; i++) {
		phys_addr_t address = page_to_phys(virt_to_page(pages[i]));
		u64 offset = (u64)i << PAGE_SHIFT;

		if (!i || address != last + PAGE_SIZE) {
			if (pieces)
				pieces[nr] = (struct spe_piece) { offset, address - offset };
			nr++;
		}
		last = address;
	}
	return nr;
}

static bool spe_aux_set_pieces(struct spe_aux *aux, void **pages, int nr_pages, bool physical)
{
	aux->enable = ARM_SPE_PMBLIMITR_E;
	/* Bits 63:56 of the write pointer and the limit must be equal (RHXSYK). */
	aux->single.base = (u64)kasan_reset_tag(aux->base);
	aux->pieces = &aux->single;
	aux->nr_pieces = 1;
	if (!physical)
		return true;
	aux->enable |= ARM_SPE_PMBLIMITR_NVM;
	aux->nr_pieces = spe_aux_find_pieces(pages, nr_pages, NULL);
	aux->pieces = kvmalloc_array(aux->nr_pieces, sizeof(*aux->pieces), GFP_KERNEL);
	if (!aux->pieces)
		return false;
	spe_aux_find_pieces(pages, nr_pages, aux->pieces);
	return true;
}

static void spe_aux_release(struct spe_aux *aux)
{
	if (aux->pieces != &aux->single)
		kvfree(aux->pieces);
	if (aux->base)
		vunmap(aux->base);
	kfree(aux);
}

/* Returns NULL on failure; mmap() then fails with ENOMEM. */
void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	const struct spe_pmu *spe = to_spe_pmu(event->pmu);
	u64 max_bytes = spe->caps.max_buffer;
	u64 size = (u64)nr_pages << PAGE_SHIFT;
	struct spe_aux *aux;

	/*
	 * The limit is a page boundary, and perf keeps the last byte free.  So a
	 * buffer of one page has no room for a record, and one of two pages always
	 * has.  The same holds for the size that a hypervisor allows (MaxBuffSize).
	 */
	if (nr_pages < 2 || (max_bytes && max_bytes < 2 * PAGE_SIZE))
		return NULL;
	aux = kzalloc(sizeof(*aux), GFP_KERNEL);
	if (!aux)
		return NULL;
	aux->base = spe_aux_map(pages, nr_pages);
	if (!aux->base || !spe_aux_set_pieces(aux, pages, nr_pages, spe->physical)) {
		spe_aux_release(aux);
		return NULL;
	}
	aux->size = size;
	aux->overwrite = overwrite;
	aux->cpu = -1;
	/* perf uses the same value, so the driver can compute the next wakeup itself. */
	aux->watermark = event->attr.aux_watermark ?: min_t(u64, size / 2, U32_MAX);
	/*
	 * perf holds a reference on the module for each event.  A mapping through
	 * another event that shares the ring buffer may outlive all of them.
	 */
	__module_get(THIS_MODULE);
	return aux;
}

void spe_aux_free(void *data)
{
	spe_aux_release(data);
	/* Keep this last: module exit waits for tasks that have not returned yet. */
	module_put(THIS_MODULE);
}

/*
 * Samples of other events that carry records (PERF_SAMPLE_AUX).
 *
 * An event of a group that an SPE event leads has perf_event_attr.aux_sample_size set.
 * At each of its samples perf calls snapshot_aux(), in the context of the overflow: an NMI
 * if the kernel uses pseudo-NMIs, else mostly hard interrupt context.  The callback pauses
 * the unit, drains it, copies the newest whole records to the sample, and resumes the unit.
 * window.c chooses the records.  The event, perf's handle and the plan stay as they are.
 */

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
