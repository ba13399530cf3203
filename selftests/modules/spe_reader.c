// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of samples in the kernel, as DAMON is one: kernel counters of any PMU, whose handler
 * takes the address that each sample has.
 *
 * Parameters: type and config of the event; period.  The module opens an event on each online
 * CPU.  Writing N to "on" disables the events.  "samples", "addresses" and "cycles" are how many
 * samples the handler got, how many of them had an address of data, and the sum of their
 * latencies.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

static unsigned int type;
module_param(type, uint, 0444);
static unsigned long long config;
module_param(config, ullong, 0444);
static unsigned long period = 4096;
module_param(period, ulong, 0444);

static DEFINE_PER_CPU(struct perf_event *, reader_event);
static atomic_long_t reader_samples, reader_addresses, reader_cycles;

static int reader_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%ld\n", atomic_long_read((atomic_long_t *)param->arg));
}

static const struct kernel_param_ops reader_ops = { .get = reader_get };
module_param_cb(samples, &reader_ops, &reader_samples, 0444);
module_param_cb(addresses, &reader_ops, &reader_addresses, 0444);
module_param_cb(cycles, &reader_ops, &reader_cycles, 0444);

/* Context: whatever the PMU calls perf in, an NMI included. */
static void reader_handle(struct perf_event *event, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
	atomic_long_inc(&reader_samples);
	if (data->sample_flags & PERF_SAMPLE_ADDR && data->addr)
		atomic_long_inc(&reader_addresses);
	if (data->sample_flags & PERF_SAMPLE_WEIGHT_STRUCT)
		atomic_long_add(data->weight.var1_dw, &reader_cycles);
}

static void reader_close(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct perf_event *event = per_cpu(reader_event, cpu);

		if (event)
			perf_event_release_kernel(event);
		per_cpu(reader_event, cpu) = NULL;
	}
}

static int reader_set_on(const char *text, const struct kernel_param *param)
{
	bool on;
	int cpu, err = kstrtobool(text, &on);

	if (err)
		return err;
	for_each_possible_cpu(cpu) {
		struct perf_event *event = per_cpu(reader_event, cpu);

		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
	return 0;
}

static const struct kernel_param_ops reader_on_ops = { .set = reader_set_on };
module_param_cb(on, &reader_on_ops, NULL, 0200);

static int __init reader_init(void)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config, .sample_period = period,
		.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR |
			       PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC,
	};
	struct perf_event *event;
	int cpu, err = 0;

	/* Not under cpus_read_lock(), which a PMU's event_init takes.  Nothing unplugs a CPU. */
	for_each_online_cpu(cpu) {
		event = perf_event_create_kernel_counter(&attr, cpu, NULL, reader_handle, NULL);
		if (IS_ERR(event)) {
			err = PTR_ERR(event);
			break;
		}
		per_cpu(reader_event, cpu) = event;
	}
	if (err)
		reader_close();
	return err;
}
module_init(reader_init);

static void __exit reader_exit(void)
{
	reader_close();
}
module_exit(reader_exit);

MODULE_DESCRIPTION("Reads the samples of a PMU in the kernel");
MODULE_LICENSE("GPL");
