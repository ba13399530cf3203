// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests: calls an event's stop(), start() and snapshot_aux() in NMI context at a chosen
 * place in the kernel.  perf does so if another PMU's interrupt is an NMI and overflows too often
 * (perf_event_throttle_group() in Linux 7.3).  Here a kprobe replaces the interrupt: it hits an
 * exact place and works on every kernel.
 *
 * /sys/module/spe_nmi/parameters:
 *   at		write "FD FUNCTION CALLER ACTIONS": the event is the caller's file
 *		descriptor FD.  CALLER is "driver" (FUNCTION is a function of the
 *		event's driver, or the driver calls it) or "any".  ACTIONS has a
 *		letter for each call: s is stop(), r is start(), a is
 *		snapshot_aux(); S, R and A are the same calls outside NMI context,
 *		as after an overflow of a software event; a comma waits for the
 *		next entry of FUNCTION.
 *		write "none": no more calls
 *   done	read: the calls made since the last write to "at"; a call of
 *		snapshot_aux() that did not fill the sample does not count
 */
#include <linux/ctype.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/string.h>

struct place {
	char symbol[64];
	char actions[32];
	const char *next;	/* next action */
	bool any;
	struct file *file;	/* holds the event */
	struct perf_event *event;
	struct kprobe probe;
	bool probed;
};

/*
 * The writer changes this only while no probe is registered; afterwards only the event's CPU
 * does.
 */
static struct place place;
static unsigned int done;

/* More than the bytes of a sample: perf_output_copy() never asks for the next page of a ring. */
static u8 sample[4096 + 8];

/* As perf does for a sample with PERF_SAMPLE_AUX.  Returns whether the sample was filled. */
static bool take_sample(struct perf_event *event)
{
	struct perf_output_handle handle = {
		.event = event, .addr = sample, .size = sizeof(sample),
	};
	unsigned long flags;
	long size;

	local_irq_save(flags);
	size = event->pmu->snapshot_aux(event, &handle, sizeof(sample) - 8);
	local_irq_restore(flags);
	return size == sizeof(sample) - 8 && handle.size == 8;
}

/* Like perf_event_throttle() and perf_event_unthrottle(), but without their records. */
static void call(struct perf_event *event, char action)
{
	bool nmi = islower(action), made = true;

	/* Like nmi_enter(); the breakpoint's entry has done the rest. */
	if (nmi)
		__preempt_count_add(NMI_OFFSET + HARDIRQ_OFFSET);
	if (tolower(action) == 's')
		event->pmu->stop(event, 0);
	else if (tolower(action) == 'r')
		event->pmu->start(event, 0);
	else
		made = take_sample(event);
	if (nmi)
		__preempt_count_sub(NMI_OFFSET + HARDIRQ_OFFSET);
	WRITE_ONCE(done, done + made);
}

static void act(struct perf_event *event)
{
	for (; *place.next && *place.next != ','; place.next++)
		call(event, *place.next);
	if (*place.next)
		place.next++;
}

static int entered(struct kprobe *probe, struct pt_regs *regs)
{
	struct perf_event *event = place.event;
	const struct module *driver = event->pmu->module;

	if (!*place.next || READ_ONCE(event->oncpu) != smp_processor_id() ||
	    READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE)
		return 0;
	if (place.any || within_module(regs->pc, driver) ||
	    within_module(regs->regs[30], driver))
		act(event);
	return 0;
}

static void forget(void)
{
	if (place.probed)
		unregister_kprobe(&place.probe);
	if (place.file)
		fput(place.file);
	memset(&place, 0, sizeof(place));
	place.next = place.actions;
}

static int arm(const char *text)
{
	char caller[8];
	int fd, err;

	if (sscanf(text, "%d %63s %7s %31s", &fd, place.symbol, caller, place.actions) != 4 ||
	    strspn(place.actions, "sraSRA,") != strlen(place.actions))
		return -EINVAL;
	place.any = !strcmp(caller, "any");
	place.file = fget(fd);
	if (!place.file)
		return -EBADF;
	place.event = place.file->private_data;
	place.probe.symbol_name = place.symbol;
	place.probe.pre_handler = entered;
	err = register_kprobe(&place.probe);
	place.probed = !err;
	return err;
}

/* The kernel holds the lock of this module's parameters. */
static int set_at(const char *text, const struct kernel_param *unused)
{
	int err;

	forget();
	if (sysfs_streq(text, "none"))
		return 0;
	WRITE_ONCE(done, 0);
	err = arm(text);
	if (err)
		forget();
	return err;
}

static const struct kernel_param_ops at_ops = { .set = set_at };
module_param_cb(at, &at_ops, NULL, 0200);
module_param(done, uint, 0400);

static int __init place_init(void)
{
	forget();
	return 0;
}

static void __exit place_exit(void)
{
	forget();
}

module_init(place_init);
module_exit(place_exit);

MODULE_DESCRIPTION("stop(), start() and samples in NMI context, for tests of arm_spe_pmu");
MODULE_LICENSE("GPL");
