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
