// SPDX-License-Identifier: GPL-2.0-only
/*
 * For bench-driver: the minimum cost of a session with any driver.  A PMU with the driver's
 * name but no hardware: it begins perf's AUX output when its task is scheduled in, ends it when
 * the task is scheduled out, and does nothing else.  The cost of a task switch with it is
 * perf's own share.
 *
 * Parameter bytes: how many bytes to publish each time, with arbitrary content; 0: none.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

static unsigned long bytes;
module_param(bytes, ulong, 0444);

struct floor_aux {
	int nr_pages;
};

static DEFINE_PER_CPU(struct perf_output_handle, floor_handle);

static struct pmu floor_pmu;

static int floor_init(struct perf_event *event)
{
	return event->attr.type == floor_pmu.type ? 0 : -ENOENT;
}

/* Context: the event's CPU, interrupts disabled; also for the functions below. */
static int floor_add(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	return perf_aux_output_begin(this_cpu_ptr(&floor_handle), event) ? 0 : -EINVAL;
}

static void floor_del(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	perf_aux_output_end(this_cpu_ptr(&floor_handle), bytes);
}

static void floor_start(struct perf_event *event, int flags)
{
}

static void floor_stop(struct perf_event *event, int flags)
{
}

static void floor_read(struct perf_event *event)
{
}

static void *floor_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	struct floor_aux *aux = kzalloc(sizeof(*aux), GFP_KERNEL);

	if (aux)
		aux->nr_pages = nr_pages;
	return aux;
}

static void floor_free_aux(void *aux)
{
	kfree(aux);
}

static struct pmu floor_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE,
	.task_ctx_nr = perf_sw_context,
	.event_init = floor_init,
	.add = floor_add,
	.del = floor_del,
	.start = floor_start,
	.stop = floor_stop,
	.read = floor_read,
	.setup_aux = floor_setup_aux,
	.free_aux = floor_free_aux,
};

static int __init floor_module_init(void)
{
	return perf_pmu_register(&floor_pmu, "arm_spe_0", -1);
}
module_init(floor_module_init);

static void __exit floor_module_exit(void)
{
	perf_pmu_unregister(&floor_pmu);
}
module_exit(floor_module_exit);

MODULE_DESCRIPTION("The least that a session of an AUX PMU costs, for bench-driver");
MODULE_LICENSE("GPL");
