/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between the kernels that this module supports: 5.10, 6.1, 6.12 and
 * newer.  The build compiles the probes of kernel_has.c, and writes SPE_HAVE_* to
 * kernel_has.h.  The table "Which kernel has what" of
 * Documentation/admin-guide/perf/arm_spe.rst tells users what each of these kernels lacks.
 */
#ifndef SPE_COMPAT_H
#define SPE_COMPAT_H

#include <linux/acpi.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/irqdesc.h>
#include <linux/perf_event.h>
#include <linux/percpu.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel_has.h"

/* Older kernels have fewer attribute words; read a missing word as 0. */
static inline u64 spe_compat_config3(const struct perf_event_attr *attr)
{
#ifdef PERF_ATTR_SIZE_VER8
	return attr->config3;
#else
	return 0;
#endif
}

static inline u64 spe_compat_config4(const struct perf_event_attr *attr)
{
#ifdef PERF_ATTR_SIZE_VER9
	return attr->config4;
#else
	return 0;
#endif
}

/* The number of attribute words in this kernel's perf_event_attr. */
#if defined(PERF_ATTR_SIZE_VER9)
#define SPE_COMPAT_ATTR_WORDS	5
#elif defined(PERF_ATTR_SIZE_VER8)
#define SPE_COMPAT_ATTR_WORDS	4
#else
#define SPE_COMPAT_ATTR_WORDS	3
#endif

/*
 * Returns 0 if the caller may profile the kernel, or -EACCES.  A module cannot read
 * perf_event_paranoid or ask the security modules if the kernel does not export
 * perf_allow_kernel().  On such a kernel this function checks only the capability.
 */
static inline int spe_compat_allow_kernel(struct perf_event_attr *attr)
{
#if defined(SPE_HAVE_ALLOW_KERNEL)
	return perf_allow_kernel();
#elif defined(SPE_HAVE_ALLOW_KERNEL_ATTR)
	return perf_allow_kernel(attr);
#else
	return perfmon_capable() ? 0 : -EACCES;
#endif
}

/* What perf's core does to disable an event after its handler; see outoftree.c. */
static inline void spe_compat_request_disable(struct perf_event *event)
{
#if defined(SPE_HAVE_DISABLE_IRQ)
	event->pending_disable = 1;
	irq_work_queue(&event->pending_disable_irq);
#elif defined(SPE_HAVE_PENDING_IRQ)
	event->pending_disable = 1;
	irq_work_queue(&event->pending_irq);
#else
	event->pending_disable = smp_processor_id();
	irq_work_queue(&event->pending);
#endif
}

/* perf's function that copies bytes to a sample, or NULL if the kernel does not export it. */
static inline typeof(perf_output_copy) *spe_compat_output_copy(void)
{
#ifdef SPE_HAVE_OUTPUT_COPY
	return perf_output_copy;
#else
	return NULL;
#endif
}

/* perf's function that handles a sample, or NULL if the kernel does not export it. */
static inline typeof(perf_event_overflow) *spe_compat_overflow(void)
{
#ifdef SPE_HAVE_EVENT_OVERFLOW
	return perf_event_overflow;
#else
	return NULL;
#endif
}

/* Whether a driver may fill in any field of a sample: without that there is no spe_sample_N. */
#ifdef SPE_HAVE_SAMPLE_FLAGS
#define SPE_COMPAT_SAMPLES	1
#else
#define SPE_COMPAT_SAMPLES	0
#endif

/* Adds to what perf reports as PERF_RECORD_LOST_SAMPLES.  Only for events of spe_sample_N. */
static inline void spe_compat_lost_samples(struct perf_event *event, u64 samples)
{
#if SPE_COMPAT_SAMPLES
	atomic64_add(samples, &event->lost_samples);
#endif
}

#if SPE_COMPAT_SAMPLES
/* Fields that vary in size: since Linux 6.3 the driver adds the size, before perf does. */
static inline void spe_compat_add_size(struct perf_sample_data *sample, u64 bytes)
{
#ifdef SPE_HAVE_SAMPLE_DYN_SIZE
	sample->dyn_size += bytes;
#endif
}

static inline void spe_compat_save_callchain(struct perf_sample_data *sample,
					     struct perf_callchain_entry *chain)
{
	sample->callchain = chain;
	sample->sample_flags |= PERF_SAMPLE_CALLCHAIN;
	spe_compat_add_size(sample, (1 + chain->nr) * sizeof(u64));
}

/* Before Linux 6.3 perf copies the registers that it is given with the sample, which are 0. */
static inline void spe_compat_save_no_regs(struct perf_sample_data *sample)
{
#ifdef SPE_HAVE_SAMPLE_DYN_SIZE
	sample->regs_user.abi = PERF_SAMPLE_REGS_ABI_NONE;
	sample->regs_user.regs = NULL;
	sample->sample_flags |= PERF_SAMPLE_REGS_USER;
	spe_compat_add_size(sample, sizeof(u64));
#endif
}

/* The record has one fragment.  perf writes its size, and pads both to a multiple of 8. */
static inline void spe_compat_save_raw(struct perf_sample_data *sample,
				       struct perf_raw_record *raw)
{
	u32 size = round_up(raw->frag.size + sizeof(u32), sizeof(u64));

	raw->size = size - sizeof(u32);
	raw->frag.pad = raw->size - raw->frag.size;
	sample->raw = raw;
	sample->sample_flags |= PERF_SAMPLE_RAW;
	spe_compat_add_size(sample, size);
}
#endif

/* Prepares work that runs in hard interrupt context, also on a kernel with PREEMPT_RT. */
static inline void spe_compat_irq_work_init(struct irq_work *work,
					    void (*function)(struct irq_work *work))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(function);
#else
	init_irq_work(work, function);
	atomic_or(IRQ_WORK_HARD_IRQ, &work->flags);
#endif
}

/*
 * The memory of a driver's data that contains its struct pmu.  Until Linux 6.1 the context
 * of a task's events points to the PMU of the context's first event.  The task keeps its
 * context, and perf reads that PMU at each switch of the task, also after the events and
 * the module are gone.  So on these kernels this memory is freed only if no event can have
 * used it: each unload of the module keeps sizeof(struct spe_pmu) for ever.
 */
static inline void *spe_compat_pmu_alloc(struct device *dev, size_t size)
{
#ifdef SPE_HAVE_PMU_CONTEXT
	return devm_kzalloc(dev, size, GFP_KERNEL);
#else
	return kzalloc(size, GFP_KERNEL);
#endif
}

/* The probe failed: perf has never had an event of this PMU. */
static inline void spe_compat_pmu_free(void *data)
{
#ifndef SPE_HAVE_PMU_CONTEXT
	kfree(data);
#endif
}

/*
 * perf_pmu_unregister() frees pmu_disable_count.  On older kernels perf_pmu_disable() still
 * writes there if a task opens a software event in a context that points to this PMU.  So
 * the PMU gets other counts then, which are never freed.  Allocate these before the PMU is
 * registered: when it is unregistered there is no way to fail.  Returns false if there is
 * no memory.
 */
static inline bool spe_compat_pmu_reserve(int __percpu **counts)
{
#ifndef SPE_HAVE_PMU_CONTEXT
	*counts = alloc_percpu(int);
	return *counts;
#else
	return true;
#endif
}

/* The PMU was not registered. */
static inline void spe_compat_pmu_unreserve(int __percpu *counts)
{
	free_percpu(counts);
}

static inline void spe_compat_pmu_unregister(struct pmu *pmu, int __percpu *counts)
{
	perf_pmu_unregister(pmu);
#ifndef SPE_HAVE_PMU_CONTEXT
	pmu->pmu_disable_count = counts;
#endif
}

/* Linux 6.13 added AUX pause and resume; older kernels never set the flags. */
#ifdef PERF_PMU_CAP_AUX_PAUSE
#define SPE_COMPAT_CAP_AUX_PAUSE	PERF_PMU_CAP_AUX_PAUSE
#define SPE_COMPAT_EF_PAUSE		PERF_EF_PAUSE
#define SPE_COMPAT_EF_RESUME		PERF_EF_RESUME
#else
#define SPE_COMPAT_CAP_AUX_PAUSE	0
#define SPE_COMPAT_EF_PAUSE		0
#define SPE_COMPAT_EF_RESUME		0
#endif

/* The event would pause or resume the AUX data of another event. */
static inline bool spe_compat_aux_switch(const struct perf_event_attr *attr)
{
#ifdef PERF_PMU_CAP_AUX_PAUSE
	return attr->aux_pause || attr->aux_resume;
#else
	return false;
#endif
}

/*
 * Asks perf for AUX pages in large contiguous pieces.  Kernels without this capability
 * allocate large pieces for every PMU.
 */
#ifdef PERF_PMU_CAP_AUX_PREFER_LARGE
#define SPE_COMPAT_CAP_AUX_LARGE	PERF_PMU_CAP_AUX_PREFER_LARGE
#else
#define SPE_COMPAT_CAP_AUX_LARGE	0
#endif

/* Makes the PMU's device in sysfs a child of the platform device.  Older kernels cannot. */
static inline void spe_compat_set_parent(struct pmu *pmu, struct device *parent)
{
#ifdef SPE_HAVE_PMU_PARENT
	pmu->parent = parent;
#endif
}

/*
 * Since Linux 6.15 a PMU has a list of its events, and perf_pmu_unregister() ends them.
 * Older kernels leave them with a pointer to a PMU that is gone.
 */
#ifdef SPE_HAVE_PMU_EVENTS
#define SPE_COMPAT_PMU_ENDS_EVENTS	true

static inline bool spe_compat_pmu_busy(struct pmu *pmu)
{
	bool busy;

	spin_lock(&pmu->events_lock);
	busy = !list_empty(&pmu->events);
	spin_unlock(&pmu->events_lock);
	return busy;
}
#else
#define SPE_COMPAT_PMU_ENDS_EVENTS	false

static inline bool spe_compat_pmu_busy(struct pmu *pmu)
{
	return true;
}
#endif

static inline bool spe_compat_aux_paused(const struct perf_event *event)
{
#ifdef PERF_PMU_CAP_AUX_PAUSE
	return READ_ONCE(event->hw.aux_paused);
#else
	return false;
#endif
}

static inline void
spe_compat_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *),
			 clockid_t clock, enum hrtimer_mode mode)
{
#ifdef SPE_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

#ifdef SPE_HAVE_IRQ_AFFINITY
/* The kernel returns the interrupt's CPUs, as firmware describes them. */
static inline int spe_compat_irq_get(struct platform_device *pdev, struct cpumask *cpus)
{
	const struct cpumask *affinity = NULL;
	int irq = platform_get_irq_affinity(pdev, 0, &affinity);

	cpumask_copy(cpus, irq >= 0 && affinity ? affinity : cpu_possible_mask);
	return irq;
}

static inline int spe_compat_irq_request(int irq, irq_handler_t handler, const char *name,
					 const struct cpumask *cpus, void __percpu *data)
{
	return request_percpu_irq_affinity(irq, handler, name, cpus, data);
}
#else
/* The interrupt's CPUs are the partition of its descriptor. */
static inline int spe_compat_irq_get(struct platform_device *pdev, struct cpumask *cpus)
{
	int irq = platform_get_irq(pdev, 0);

	if (irq < 0 || irq_get_percpu_devid_partition(irq, cpus))
		cpumask_copy(cpus, cpu_possible_mask);
	return irq;
}

static inline int spe_compat_irq_request(int irq, irq_handler_t handler, const char *name,
					 const struct cpumask *cpus, void __percpu *data)
{
	return request_percpu_irq(irq, handler, name, data);
}
#endif

#ifdef CONFIG_ACPI
/*
 * Copies the GICC entry of a CPU from ACPI's MADT, or as much as @gicc can hold.  Returns
 * false if the table has none.  Linux 5.10 exports neither acpi_cpu_get_madt_gicc() nor
 * the MPIDR of a CPU.  There CPU n gets entry n of the enabled CPUs.  The order may differ
 * from the kernel's, so compare the entries of all CPUs, but do not tell CPUs apart.
 */
#ifdef SPE_HAVE_MADT_GICC
static inline bool spe_compat_madt_gicc(int cpu, struct acpi_madt_generic_interrupt *gicc)
{
	const struct acpi_madt_generic_interrupt *entry = acpi_cpu_get_madt_gicc(cpu);

	if (!entry)
		return false;
	memcpy(gicc, entry, min_t(size_t, entry->header.length, sizeof(*gicc)));
	return true;
}
#else
static inline bool spe_compat_madt_gicc(int cpu, struct acpi_madt_generic_interrupt *gicc)
{
	const size_t smallest = offsetofend(struct acpi_madt_generic_interrupt, flags);
	const struct acpi_madt_generic_interrupt *entry;
	struct acpi_table_header *madt;
	unsigned long at, end;
	bool found = false;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &madt)))
		return false;
	at = (unsigned long)madt + sizeof(struct acpi_table_madt);
	end = (unsigned long)madt + madt->length;
	for (; !found && at + sizeof(entry->header) <= end; at += entry->header.length) {
		entry = (const void *)at;
		/* An entry without a length, or that passes the end, hides the rest. */
		if (entry->header.length < sizeof(entry->header) ||
		    entry->header.length > end - at)
			break;
		if (entry->header.type != ACPI_MADT_TYPE_GENERIC_INTERRUPT ||
		    entry->header.length < smallest || !(entry->flags & ACPI_MADT_ENABLED))
			continue;
		found = !cpu--;
		if (found)
			memcpy(gicc, entry, min_t(size_t, entry->header.length, sizeof(*gicc)));
	}
	acpi_put_table(madt);
	return found;
}
#endif
#endif /* CONFIG_ACPI */

#ifdef SPE_HAVE_PROFILING_EXC
#include <asm/profiling.h>

static inline int spe_compat_exc_register(const struct profiling_handler *handler)
{
	return profiling_register_handler(PROFILING_SPE, handler);
}

static inline void spe_compat_exc_unregister(const struct profiling_handler *handler)
{
	profiling_unregister_handler(PROFILING_SPE, handler);
}

static inline bool spe_compat_exc_maskable(void)
{
	return profiling_kernel_can_mask();
}
#else
/* The kernel does not have the patches of patches/linux: EE must stay clear. */
struct pt_regs;

struct profiling_handler {
	bool (*handle)(struct pt_regs *regs);
};

static inline int spe_compat_exc_register(const struct profiling_handler *handler)
{
	return -EOPNOTSUPP;
}

static inline void spe_compat_exc_unregister(const struct profiling_handler *handler)
{
}

static inline bool spe_compat_exc_maskable(void)
{
	return false;
}
#endif

#ifdef SPE_HAVE_VOID_REMOVE
#define spe_compat_remove_ret	void
#define SPE_COMPAT_REMOVED
#else
#define spe_compat_remove_ret	int
#define SPE_COMPAT_REMOVED	0
#endif

#endif /* SPE_COMPAT_H */
