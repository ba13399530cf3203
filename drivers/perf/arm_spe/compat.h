/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between the kernels that this module supports: 6.1, 6.12 and newer.
 * Kbuild searches the kernel's headers and defines SPE_HAVE_*.
 */
#ifndef SPE_COMPAT_H
#define SPE_COMPAT_H

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/irqdesc.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

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
static inline int spe_compat_allow_kernel(void)
{
#ifdef SPE_HAVE_PERF_ALLOW_KERNEL
	return perf_allow_kernel();
#else
	return perfmon_capable() ? 0 : -EACCES;
#endif
}

/*
 * Disables an event after a truncated AUX record.  perf_aux_output_end() should do
 * that, but has two bugs.  Until Linux 6.16 it stores the CPU number where perf
 * expects a flag, so it never disables an event on CPU 0.  From 6.10 to 6.16 it queues
 * an irq_work that does not read the flag.  On fixed kernels the second request has no
 * effect.  Call this on the event's CPU with interrupts disabled.
 */
static inline void spe_compat_disable(struct perf_event *event)
{
	event->pending_disable = 1;
#ifdef SPE_HAVE_DISABLE_IRQ
	irq_work_queue(&event->pending_disable_irq);
#else
	irq_work_queue(&event->pending_irq);
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

/*
 * Asks perf for AUX pages in large contiguous pieces.  Kernels without this capability
 * allocate large pieces for every PMU.
 */
#ifdef PERF_PMU_CAP_AUX_PREFER_LARGE
#define SPE_COMPAT_CAP_AUX_LARGE	PERF_PMU_CAP_AUX_PREFER_LARGE
#else
#define SPE_COMPAT_CAP_AUX_LARGE	0
#endif

/* Makes the PMU's device in sysfs a child of the platform device.  Linux 6.1 cannot. */
static inline void spe_compat_set_parent(struct pmu *pmu, struct device *parent)
{
#ifdef SPE_HAVE_PMU_PARENT
	pmu->parent = parent;
#endif
}

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
