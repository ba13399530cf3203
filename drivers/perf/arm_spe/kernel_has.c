// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interfaces that some kernels have and others lack.  The build compiles this file once for each
 * PROBE_NAME, and defines SPE_HAVE_NAME if that compiles and the kernel exports all that it uses.
 * So neither a version number nor the text of a header decides: distributions backport interfaces.
 * compat.h uses the results.  Nothing of this file becomes a part of the module.
 */
#include <linux/acpi.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

/* What every kernel has.  If this fails, the others say nothing about the kernel. */
#ifdef PROBE_ANYTHING
int spe_try(struct perf_event *event, struct platform_device *pdev)
{
	return event->cpu + pdev->id;
}
#endif

#ifdef PROBE_ALLOW_KERNEL
int spe_try(void)
{
	return perf_allow_kernel();
}
#endif

/* Linux 6.13 and 6.14, and Red Hat's kernels */
#ifdef PROBE_ALLOW_KERNEL_ATTR
int spe_try(struct perf_event_attr *attr)
{
	return perf_allow_kernel(attr);
}
#endif

#ifdef PROBE_IRQ_AFFINITY
int spe_try(struct platform_device *pdev, irq_handler_t handler, void __percpu *data)
{
	const struct cpumask *cpus;
	int irq = platform_get_irq_affinity(pdev, 0, &cpus);

	return request_percpu_irq_affinity(irq, handler, "", cpus, data);
}
#endif

#ifdef PROBE_VOID_REMOVE
void spe_try(struct platform_driver *driver, void (*removed)(struct platform_device *pdev))
{
	driver->remove = removed;
}
#endif

#ifdef PROBE_PENDING_IRQ
struct irq_work *spe_try(struct perf_event *event)
{
	return &event->pending_irq;
}
#endif

#ifdef PROBE_DISABLE_IRQ
struct irq_work *spe_try(struct perf_event *event)
{
	return &event->pending_disable_irq;
}
#endif

#ifdef PROBE_PMU_CONTEXT
int spe_try(void)
{
	return sizeof(struct perf_event_pmu_context);
}
#endif

#ifdef PROBE_PMU_PARENT
void spe_try(struct pmu *pmu, struct device *parent)
{
	pmu->parent = parent;
}
#endif

#ifdef PROBE_PMU_EVENTS
bool spe_try(struct pmu *pmu)
{
	bool empty;

	spin_lock(&pmu->events_lock);
	empty = list_empty(&pmu->events);
	spin_unlock(&pmu->events_lock);
	return empty;
}
#endif

#ifdef PROBE_HRTIMER_SETUP
void spe_try(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *timer))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
#endif

#ifdef PROBE_MADT_GICC
struct acpi_madt_generic_interrupt *spe_try(int cpu)
{
	return acpi_cpu_get_madt_gicc(cpu);
}
#endif

#ifdef PROBE_OUTPUT_COPY
typeof(perf_output_copy) *spe_try(void)
{
	return perf_output_copy;
}
#endif

/* Linux 6.1: a driver may fill in any field of a sample. */
#ifdef PROBE_SAMPLE_FLAGS
void spe_try(struct perf_sample_data *data)
{
	data->sample_flags |= PERF_SAMPLE_TIME | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_PHYS_ADDR;
}
#endif

/* Linux 6.3: ... and adds the size of fields that vary. */
#ifdef PROBE_SAMPLE_DYN_SIZE
void spe_try(struct perf_sample_data *data)
{
	data->dyn_size = 0;
}
#endif

#ifdef PROBE_EVENT_OVERFLOW
typeof(perf_event_overflow) *spe_try(void)
{
	return perf_event_overflow;
}
#endif

/* patches/linux */
#ifdef PROBE_PROFILING_EXC
#include <asm/profiling.h>

int spe_try(const struct profiling_handler *handler)
{
	return profiling_register_handler(PROFILING_SPE, handler);
}
#endif
