// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's AUX pages, made one range of virtual addresses: the unit writes
 * through the owning translation regime (D17.7.1), which is the kernel's.  Or
 * past it (FEAT_SPE_nVM, D17.7.2), to the pages where they are; the range is
 * then the driver's own, for padding and for a look at what was written.
 */
#include <linux/kasan.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "aux.h"

static void *spe_aux_map(void **pages, int nr_pages)
{
	struct page **list = kvmalloc_array(nr_pages, sizeof(*list), GFP_KERNEL);
	void *base;
	int i;

	if (!list)
		return NULL;
	for (i = 0; i < nr_pages; i++)
		list[i] = virt_to_page(pages[i]);
	/* Mapped written and accessed: the unit need not manage either flag. */
	base = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	kvfree(list);
	return base;
}

/* Counts the pieces, and fills them in where there is room for them. */
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
	/* Bits 63:56 of pointer and limit must agree (RHXSYK). */
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

/* perf turns NULL into -ENOMEM for the caller of mmap(). */
void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	const struct spe_pmu *spe = to_spe_pmu(event->pmu);
	u64 max_bytes = spe->caps.max_buffer;
	u64 size = (u64)nr_pages << PAGE_SHIFT;
	struct spe_aux *aux;

	/*
	 * The limit is a page boundary and perf never hands out the last byte:
	 * one page alone has no room for a record, two always have.  So must
	 * have what a hypervisor allows to be used at once.
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
	/* As perf itself has it: the next wakeup is known without a handle. */
	aux->watermark = event->attr.aux_watermark ?: min_t(u64, size / 2, U32_MAX);
	/*
	 * A mapping through another event that shares the ring buffer outlives
	 * this event, and with it the reference on the module that perf holds.
	 */
	__module_get(THIS_MODULE);
	return aux;
}

void spe_aux_free(void *data)
{
	spe_aux_release(data);
	/* Last: module exit waits for whoever is between this and the return. */
	module_put(THIS_MODULE);
}
