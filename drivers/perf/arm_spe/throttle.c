// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limit of the time that services take on a CPU.  budget.c does the arithmetic.
 *
 * A service that finds the budget exceeded ends the session and sets "throttled", which
 * keeps other sessions from starting.  A timer clears it.  The pause leaves the interval
 * as it is: a reader cannot see a change of the interval, so records from before and
 * after the change would count the same although they stand for different numbers of
 * operations.
 *
 * Services may run in NMI context, so they take the time from local_clock(), and leave
 * the timer to update_work.
 */
#include <linux/moduleparam.h>
#include <linux/sched/clock.h>

#include "compat.h"
#include "throttle.h"

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

/* The handler of an interrupt or an exception starts. */
void spe_throttle_enter(struct spe_cpu *c)
{
	c->stats.service_ns += spe_budget_enter(&c->throttle.budget,
						READ_ONCE(spe_throttle_percent), local_clock());
}

/*
 * The handler ends.  A session that irq_work_run() has started may take the Profiling
 * exception meanwhile: then the handler's time is lost for the account, and nothing else.
 */
void spe_throttle_leave(struct spe_cpu *c)
{
	spe_budget_leave(&c->throttle.budget, local_clock());
}

/* Whether the service that has started must pause sampling. */
bool spe_throttle_due(const struct spe_cpu *c)
{
	return spe_budget_exceeded(&c->throttle.budget, READ_ONCE(spe_throttle_percent));
}

/* Begins a pause.  The caller has ended the session. */
void spe_throttle_pause(struct spe_cpu *c)
{
	c->throttle.throttled = true;
	c->throttle.since = local_clock();
	c->stats.throttles++;
	/* Starts the timer: an NMI may have interrupted code that holds hrtimer's locks. */
	irq_work_queue(&c->session.update_work);
}

static void spe_throttle_end(struct spe_cpu *c)
{
	c->stats.throttled_ns += local_clock() - c->throttle.since;
	c->throttle.throttled = false;
}

static u64 spe_throttle_left(const struct spe_cpu *c)
{
	return spe_budget_due(&c->throttle.budget, READ_ONCE(spe_throttle_percent),
			      local_clock());
}

/* The percentage may have changed, so compute the end of the pause again. */
static enum hrtimer_restart spe_throttle_timer(struct hrtimer *timer)
{
	struct spe_cpu *c = container_of(timer, struct spe_cpu, throttle.timer);
	u64 left = spe_throttle_left(c);

	if (!c->throttle.throttled)
		return HRTIMER_NORESTART;
	if (left) {
		hrtimer_forward_now(timer, ns_to_ktime(left));
		return HRTIMER_RESTART;
	}
	spe_throttle_end(c);
	irq_work_queue(&c->session.update_work);
	return HRTIMER_NORESTART;
}

/* Called by update_work, in hard interrupt context. */
void spe_throttle_update(struct spe_cpu *c)
{
	if (c->throttle.throttled && !hrtimer_active(&c->throttle.timer))
		hrtimer_start(&c->throttle.timer, ns_to_ktime(spe_throttle_left(c)),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

/* The CPU goes offline and has no session.  Its timer would move to another CPU. */
void spe_throttle_cleanup(struct spe_cpu *c)
{
	if (c->throttle.throttled)
		spe_throttle_end(c);
	hrtimer_cancel(&c->throttle.timer);
}

void spe_throttle_setup(struct spe_cpu *c)
{
	spe_compat_hrtimer_setup(&c->throttle.timer, spe_throttle_timer, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
}
