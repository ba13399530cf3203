// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limit of the time that services take.  budget.c does the arithmetic.
 *
 * Each event has a budget: the share of the time in which the event is on a CPU.  A
 * service that finds this budget exceeded ends the session and sets "throttled", which
 * keeps the event from starting.  A timer clears it.  So an event pauses only for its own
 * services, not for those of another user's event on the same CPU.
 *
 * A program could open one event after another, each with an unused budget.  So each CPU
 * has a budget too.  While that is exceeded, an event with any debt of its own pauses.
 *
 * The pause leaves the interval as it is: a reader cannot see a change of the interval,
 * so records from before and after the change would count the same although they stand
 * for different numbers of operations.
 *
 * Services may run in NMI context, so they take the time from local_clock(), and leave
 * the timer to update_work.
 */
#include <linux/moduleparam.h>
#include <linux/sched/clock.h>

#include "compat.h"
#include "spe.h"

static unsigned int spe_throttle_percent = SPE_BUDGET_DEFAULT;

static int spe_throttle_set(const char *text, const struct kernel_param *param)
{
	unsigned int percent;
	int err = kstrtouint(text, 0, &percent);

	if (err)
		return err;
	if (percent > 100)
		return -EINVAL;
	WRITE_ONCE(spe_throttle_percent, percent);
	return 0;
}

static const struct kernel_param_ops spe_throttle_ops = {
	.set = spe_throttle_set,
	.get = param_get_uint,
};

module_param_cb(cpu_time_max_percent, &spe_throttle_ops, &spe_throttle_percent, 0644);
MODULE_PARM_DESC(cpu_time_max_percent,
		 "share of a CPU's time that the driver's interrupts may take, in percent (default 25); 0 or 100: no limit");

static void spe_throttle_add(struct spe_cpu *c, struct spe_event_data *data, u64 ns)
{
	c->stats.service_ns += ns;
	spe_budget_charge(&c->throttle.budget, ns);
	if (data)
		spe_budget_charge(&data->budget, ns);
}

/*
 * A service or a sample with records starts, in a section of the driver's code
 * (spe_sampling_enter_driver()).  Returns the data of the event that pays for it, or NULL
 * if there is no session.  The event stays until interrupts are enabled.  The unit may be
 * stopped now, so accounts wait until spe_throttle_charge().
 */
struct spe_event_data *spe_throttle_enter(struct spe_cpu *c)
{
	c->throttle.entered = local_clock();
	return c->session.event ? c->session.event->pmu_private : NULL;
}

/* Pays until the start of the service, or its end if it has been charged. */
static void spe_throttle_pay(struct spe_cpu *c, struct spe_event_data *data)
{
	unsigned int percent = READ_ONCE(spe_throttle_percent);
	u64 now = max(c->throttle.entered, c->throttle.charged);

	spe_budget_pay(&c->throttle.budget, percent, now);
	if (data)
		spe_budget_pay(&data->budget, percent, now);
}

/* The service ends, in the same section. */
void spe_throttle_charge(struct spe_cpu *c, struct spe_event_data *data)
{
	struct spe_cpu_throttle *t = &c->throttle;

	spe_throttle_pay(c, data);
	if (t->left > t->charged)
		spe_throttle_add(c, data == t->payer ? data : NULL, t->left - t->charged);
	t->left = 0;
	t->charged = local_clock();
	t->payer = data;
	spe_throttle_add(c, data, t->charged - t->entered);
}

/*
 * The handler of the interrupt ends, which has called irq_work_run() after the service.
 * The next service accounts for that time: only then it is known whether the event still
 * exists.
 */
void spe_throttle_leave(struct spe_cpu *c)
{
	c->throttle.left = local_clock();
}

static bool spe_throttle_exceeded(const struct spe_cpu *c, const struct spe_event_data *data)
{
	unsigned int percent = READ_ONCE(spe_throttle_percent);

	return spe_budget_exceeded(&data->budget, percent) ||
	       (data->budget.debt && spe_budget_exceeded(&c->throttle.budget, percent));
}

/*
 * Whether sampling of the event must pause, as of spe_throttle_enter().  To pay lowers the
 * debts, so it can be left for later where even the unpaid debts are within the limit.
 */
bool spe_throttle_due(struct spe_cpu *c, struct spe_event_data *data)
{
	if (!spe_throttle_exceeded(c, data))
		return false;
	spe_throttle_pay(c, data);
	return spe_throttle_exceeded(c, data);
}

/* Begins a pause of the event.  If there is a session, update_work ends it. */
void spe_throttle_pause(struct spe_cpu *c, struct spe_event_data *data)
{
	data->throttled = true;
	c->stats.throttles++;
	spe_throttle_follow(c);
}

/* The event comes to a CPU with a debt: time that it has spent elsewhere pays nothing. */
void spe_throttle_sched_in(struct spe_event_data *data)
{
	data->budget.paid_to = local_clock();
}

void spe_throttle_sched_out(struct spe_event_data *data)
{
	spe_budget_pay(&data->budget, READ_ONCE(spe_throttle_percent), local_clock());
}

/*
 * Whether the event on the CPU waits for the end of its pause.  While perf has stopped
 * the event, or the CPU is offline, no time counts.
 */
static bool spe_throttle_waits(const struct spe_cpu *c)
{
	const struct perf_event *event = c->session.added;
	const struct spe_event_data *data = event ? event->pmu_private : NULL;

	return data && data->throttled && READ_ONCE(c->session.wanted) && c->session.online;
}

/* Call this after a change of the event, of perf's request, or of "throttled". */
void spe_throttle_follow(struct spe_cpu *c)
{
	bool waits = spe_throttle_waits(c);

	if (waits == c->throttle.waiting)
		return;
	c->throttle.waiting = waits;
	if (waits) {
		c->throttle.since = local_clock();
		/* Starts the timer: this code may have interrupted code with hrtimer's locks. */
		irq_work_queue(&c->session.update_work);
	} else {
		c->stats.throttled_ns += local_clock() - c->throttle.since;
	}
}

/* Returns the ns until the end of the pause; 0: it has ended.  The event must wait. */
static u64 spe_throttle_left(struct spe_cpu *c)
{
	struct spe_event_data *data = c->session.added->pmu_private;
	unsigned int percent = READ_ONCE(spe_throttle_percent);

	spe_budget_pay(&data->budget, percent, local_clock());
	return spe_budget_due(&data->budget, percent);
}

/* The percentage may have changed, so compute the end of the pause again. */
static enum hrtimer_restart spe_throttle_timer(struct hrtimer *timer)
{
	struct spe_cpu *c = container_of(timer, struct spe_cpu, throttle.timer);
	struct spe_event_data *data;
	u64 left;

	/* A sample with records has begun the pause: update_work will end the session first. */
	if (!c->throttle.waiting || c->session.event)
		return HRTIMER_NORESTART;
	left = spe_throttle_left(c);
	if (left) {
		hrtimer_forward_now(timer, ns_to_ktime(left));
		return HRTIMER_RESTART;
	}
	data = c->session.added->pmu_private;
	data->throttled = false;
	irq_work_queue(&c->session.update_work);
	return HRTIMER_NORESTART;
}

/*
 * Called by update_work, in hard interrupt context, soon after the pause has begun.  The time
 * since then was the kernel's, and pays nothing: the pause is for the program.
 */
void spe_throttle_arm(struct spe_cpu *c)
{
	struct spe_event_data *data;

	if (!c->throttle.waiting || hrtimer_active(&c->throttle.timer))
		return;
	data = c->session.added->pmu_private;
	data->budget.paid_to = local_clock();
	hrtimer_start(&c->throttle.timer, ns_to_ktime(spe_throttle_left(c)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/* A CPU that goes offline has no session, and the kernel would move its timer to another CPU. */
void spe_throttle_cleanup(struct spe_cpu *c)
{
	hrtimer_cancel(&c->throttle.timer);
}

void spe_throttle_setup(struct spe_cpu *c)
{
	spe_compat_hrtimer_setup(&c->throttle.timer, spe_throttle_timer, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
}
