/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every difference between the kernels that this module supports: 6.1, 6.12
 * and newer.  SPE_HAVE_* come from Kbuild, which looks into the headers.
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

/* Attribute words appeared one by one; user space of older ones has none. */
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

/* How many words this kernel's perf_event_attr has. */
#if defined(PERF_ATTR_SIZE_VER9)
#define SPE_COMPAT_ATTR_WORDS	5
#elif defined(PERF_ATTR_SIZE_VER8)
#define SPE_COMPAT_ATTR_WORDS	4
#else
#define SPE_COMPAT_ATTR_WORDS	3
#endif

/*
 * May the caller see what only the kernel may?  0 or -EACCES.  Before
 * perf_allow_kernel() was exported only the capability could be asked for,
 * not perf_event_paranoid and the security modules.
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
 * Disables an event whose AUX record was truncated, as perf_aux_output_end()
 * means to.  Until Linux 6.16 that stores the number of the CPU where a flag
 * is expected, so never disables on CPU 0; and between 6.10 and 6.16 it raises
 * another irq_work than the one that looks at the flag.  Elsewhere it is done
 * already, and once more does no harm.  Context: the event's CPU, interrupts
 * disabled.
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

/* AUX pause and resume came with Linux 6.13; elsewhere nobody asks for them. */
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
 * AUX pages in contiguous pieces, as far as there are any.  Kernels without the
 * capability give such to everybody.
 */
#ifdef PERF_PMU_CAP_AUX_PREFER_LARGE
#define SPE_COMPAT_CAP_AUX_LARGE	PERF_PMU_CAP_AUX_PREFER_LARGE
#else
#define SPE_COMPAT_CAP_AUX_LARGE	0
#endif

/* The PMU's device in sysfs is a child of the unit's, where perf has parents (not in 6.1). */
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
/* Interrupt affinity is the firmware's, found with the interrupt. */
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
/* Affinity is the partition that the interrupt's descriptor stands for. */
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
/* patches/linux has not been applied: EE must stay clear. */
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
