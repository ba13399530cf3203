// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's AUX pages, made one range of virtual addresses: the unit writes
 * through the owning translation regime (D17.7.1), which is the kernel's.
 */
#include <linux/kasan.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "spe.h"

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

/* perf turns NULL into -ENOMEM for the caller of mmap(). */
void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	u64 most = to_spe_pmu(event->pmu)->caps.max_buffer;
	u64 size = (u64)nr_pages << PAGE_SHIFT;
	struct spe_aux *aux;

	/*
	 * The limit is a page boundary and perf never hands out the last byte:
	 * one page alone has no room for a record, two always have.  So must
	 * have what a hypervisor allows to be used at once.
	 */
	if (nr_pages < 2 || (most && most < 2 * PAGE_SIZE))
		return NULL;
	aux = kzalloc(sizeof(*aux), GFP_KERNEL);
	if (!aux)
		return NULL;
	aux->base = spe_aux_map(pages, nr_pages);
	if (!aux->base) {
		kfree(aux);
		return NULL;
	}
	/* Bits 63:56 of pointer and limit must agree (RHXSYK). */
	aux->address = (u64)kasan_reset_tag(aux->base);
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
	struct spe_aux *aux = data;

	vunmap(aux->base);
	kfree(aux);
	/* Last: module exit waits for whoever is between this and the return. */
	module_put(THIS_MODULE);
}
