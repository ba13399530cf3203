// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delivery of management events: the handlers of PMBIRQ and of the SPE Profiling
 * exception (FEAT_SPE_EXC, D17.8), a test whether the exception works on a CPU, and the
 * choice for each session.
 *
 * The exception's handler runs in NMI context, so disabled interrupts do not keep it away.  KE
 * does: the driver clears KE when it stops the unit (regs.h), which masks the
 * exception in the kernel.  Code that changes struct spe_cpu stops the unit first.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <asm/irq_regs.h>
#include <asm/ptrace.h>

#include "compat.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"

enum { SPE_EXC_AUTO, SPE_EXC_INTERRUPT, SPE_EXC_EXCEPTION };

static const char * const spe_exc_delivery_names[] = {
	[SPE_EXC_AUTO] = "auto",
	[SPE_EXC_INTERRUPT] = "interrupt",
	[SPE_EXC_EXCEPTION] = "exception",
};

static const char * const spe_exc_reasons[SPE_EXC_NR] = {
	[SPE_EXC_ALL] = "CPU, firmware and kernel allow it",
	[SPE_EXC_USER] =
		"only for sessions that exclude the kernel, because without FEAT_EBEP the kernel cannot unmask the exception",
	[SPE_EXC_UNTESTED] = "no CPU was online to test the exception",
	[SPE_EXC_PARAMETER] = "the module parameter is delivery=interrupt",
	[SPE_EXC_NO_KERNEL] = "this kernel does not handle the Profiling exception",
	[SPE_EXC_NO_CPU] = "this CPU has no FEAT_SPE_EXC, or the hypervisor hides it",
	[SPE_EXC_BUSY] = "another module handles the Profiling exception",
	[SPE_EXC_NO_IRQ] = "the driver's test event raised no interrupt",
	[SPE_EXC_STILL_IRQ] =
		"firmware (MDCR_EL3.PMSEE) or the hypervisor (PMSCR_EL2.EE) keeps the exception disabled",
	[SPE_EXC_NEITHER] = "the driver's test event raised neither interrupt nor exception",
};

static int spe_exc_delivery;
static int spe_exc_registered = -EOPNOTSUPP;

/* The handler is registered.  Each start of a session reads this. */
bool spe_exc_possible __ro_after_init;

/* The CPU's test, and the PMU's CPU that the handler serves. */
struct spe_exc_cpu {
	struct spe_cpu *c;
	enum spe_exc_status status;
	bool testing;
	unsigned int irqs;
	unsigned int exceptions;
};

static DEFINE_PER_CPU(struct spe_exc_cpu, spe_exc_cpus) = { .status = SPE_EXC_UNTESTED };

static int spe_exc_set(const char *text, const struct kernel_param *param)
{
	int i = sysfs_match_string(spe_exc_delivery_names, text);

	if (i < 0)
		return i;
	WRITE_ONCE(spe_exc_delivery, i);
	return 0;
}

static int spe_exc_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%s\n", spe_exc_delivery_names[READ_ONCE(spe_exc_delivery)]);
}

static const struct kernel_param_ops spe_exc_ops = { .set = spe_exc_set, .get = spe_exc_get };

module_param_cb(delivery, &spe_exc_ops, NULL, 0644);
MODULE_PARM_DESC(delivery,
		 "how management events arrive: auto (default: exception if it works), interrupt, or exception (refuse sessions that need the interrupt)");

/*
 * Runs in NMI context.  The exception entry was a Context synchronization event.
 * Returns false if the exception is not for this driver; the kernel then clears EE.
 */
static bool spe_exc_handle(struct pt_regs *regs)
{
	struct spe_exc_cpu *x = this_cpu_ptr(&spe_exc_cpus);
	struct spe_event_data *payer;
	bool busy;
	u64 pmbsr;

	if (x->testing) {
		x->exceptions++;
		spe_regs_resume();
		return true;
	}
	if (!x->c)
		return false;
	/* The CPU has powered up, its registers are UNKNOWN, and power.c has not run yet. */
	if (READ_ONCE(x->c->power.powered_down)) {
		spe_exc_clear();
		return true;
	}
	spe_regs_drain();
	pmbsr = spe_read(PMBSR);
	if (!(pmbsr & ARM_SPE_PMBSR_S)) {
		x->c->stats.spurious++;
		return true;
	}
	x->c->stats.exceptions++;
	busy = spe_sampling_enter_exception(x->c);
	payer = spe_throttle_enter(x->c);
	x->c->sample.interrupted = regs;
	spe_service_event(x->c, pmbsr);
	x->c->sample.interrupted = NULL;
	spe_throttle_charge(x->c, payer);
	spe_sampling_leave_exception(x->c, busy);
	return true;
}

static const struct profiling_handler spe_exc_handler = { .handle = spe_exc_handle };

/*
 * spe_exc_clear() - clear a pending management event
 *
 * The unit must be stopped and drained.  In a kernel at EL2, the name PMBSR_EL1
 * reaches PMBSR_EL2 while EE is set (Tables D17-5 to D17-7).  An event may be pending
 * in either register, so clear both.
 */
void spe_exc_clear(void)
{
	spe_write(0, PMSCR);
	spe_regs_resume();
	spe_regs_pause();
	spe_regs_resume();
}

static void spe_exc_switch(u64 stopped, u64 sampling)
{
	this_cpu_write(spe_regs_pmscr.stopped, stopped);
	this_cpu_write(spe_regs_pmscr.sampling, sampling);
	spe_exc_clear();
}

/*
 * spe_exc_test_irq() - handle PMBIRQ if the test of this CPU has raised it
 *
 * Returns false if no test runs.  Otherwise the interrupted context continues with
 * PSTATE.PM clear, which the test needs.  Without FEAT_EBEP only an exception return
 * can clear PM.
 */
static bool spe_exc_test_irq(void)
{
	struct spe_exc_cpu *x = this_cpu_ptr(&spe_exc_cpus);

	if (!x->testing)
		return false;
	x->irqs++;
	spe_regs_resume();
	get_irq_regs()->pstate &= ~ARM_SPE_PSTATE_PM;
	return true;
}

/* Makes a management event: software may write S (RNXPMV). */
static void spe_exc_raise(void)
{
	spe_write(ARM_SPE_PMBSR_S, PMBSR);
	spe_regs_sync();
}

/*
 * Preemption is disabled, so wait at most 1 ms (SPE_EXC_POLLS polls of 5 us).  If a
 * hypervisor deschedules this CPU meanwhile, the wait loses only the poll that was
 * running, and the hypervisor delivers the interrupt before the CPU continues.
 */
#define SPE_EXC_POLLS	200

static bool spe_exc_wait(const unsigned int *count)
{
	int i;

	for (i = 0; i < SPE_EXC_POLLS && !READ_ONCE(*count); i++)
		udelay(5);
	return READ_ONCE(*count);
}

/*
 * Makes one event with EE clear, which must come by PMBIRQ.  Then makes one with EE
 * set: PMBIRQ must stay low, and the CPU must take the exception once KE is set.
 */
static enum spe_exc_status spe_exc_test(struct spe_cpu *c, struct spe_exc_cpu *x)
{
	bool high = false;

	spe_exc_raise();
	if (!spe_exc_wait(&x->irqs))
		return SPE_EXC_NO_IRQ;
	spe_exc_switch(ARM_SPE_PMSCR_EE, ARM_SPE_PMSCR_EE | ARM_SPE_PMSCR_KE);
	x->irqs = 0;
	spe_exc_raise();
	udelay(5);
	irq_get_irqchip_state(c->pmu->device->irq, IRQCHIP_STATE_PENDING, &high);
	if (high || READ_ONCE(x->irqs))
		return SPE_EXC_STILL_IRQ;
	spe_regs_start(0);
	if (!READ_ONCE(x->exceptions))
		return SPE_EXC_NEITHER;
	return spe_compat_exc_maskable() ? SPE_EXC_ALL : SPE_EXC_USER;
}

static enum spe_exc_status spe_exc_test_cpu(struct spe_cpu *c, struct spe_exc_cpu *x)
{
	enum spe_exc_status status;
	int tries = 3;

	if (spe_exc_registered == -EOPNOTSUPP)
		return SPE_EXC_NO_KERNEL;
	if (!(spe_read_dfr2() & ARM_SPE_DFR2_SPE_EXC))
		return SPE_EXC_NO_CPU;
	if (spe_exc_registered)
		return SPE_EXC_BUSY;
	preempt_disable();
	WRITE_ONCE(x->testing, true);
	/*
	 * If PMBIRQ interrupts the handler of another interrupt, PM stays set here and
	 * masks the exception: try again.
	 */
	do {
		x->irqs = 0;
		x->exceptions = 0;
		status = spe_exc_test(c, x);
		spe_regs_pause();
		spe_exc_switch(0, 0);
	} while (status == SPE_EXC_NEITHER && --tries);
	WRITE_ONCE(x->testing, false);
	preempt_enable();
	return status;
}

/* Call this on the CPU of c, with PMBIRQ enabled and no session. */
void spe_exc_online(struct spe_cpu *c)
{
	struct spe_exc_cpu *x = this_cpu_ptr(&spe_exc_cpus);

	WRITE_ONCE(x->status, spe_exc_test_cpu(c, x));
	WRITE_ONCE(x->c, c);
}

/* Call this on the CPU of c, with the unit stopped and interrupts disabled. */
void spe_exc_offline(struct spe_cpu *c)
{
	spe_exc_switch(0, 0);
	this_cpu_write(spe_exc_cpus.c, NULL);
}

/*
 * The PMU's status is the worst of its CPUs.  A CPU that has never been online
 * (maxcpus=) has had no test and runs no session, so it does not count.
 */
static enum spe_exc_status spe_exc_status(const struct spe_pmu *spe)
{
	enum spe_exc_status worst = SPE_EXC_ALL, status;
	bool tested = false;
	int cpu;

	if (READ_ONCE(spe_exc_delivery) == SPE_EXC_INTERRUPT)
		return SPE_EXC_PARAMETER;
	for_each_cpu(cpu, &spe->supported) {
		status = READ_ONCE(per_cpu(spe_exc_cpus, cpu).status);
		if (status == SPE_EXC_UNTESTED)
			continue;
		tested = true;
		worst = max(worst, status);
	}
	return tested ? worst : SPE_EXC_UNTESTED;
}

const char *spe_exc_reason(const struct spe_pmu *spe)
{
	return spe_exc_reasons[spe_exc_status(spe)];
}

const char *spe_exc_delivery_name(const struct spe_pmu *spe)
{
	return spe_exc_status(spe) <= SPE_EXC_USER ? "exception" : "interrupt";
}

static bool spe_exc_usable(enum spe_exc_status status, bool exclude_kernel)
{
	return status == SPE_EXC_ALL || (status == SPE_EXC_USER && exclude_kernel);
}

/*
 * Returns 0, or -EOPNOTSUPP if delivery=exception is set and the session would need
 * PMBIRQ.
 */
int spe_exc_permit(const struct spe_pmu *spe, bool exclude_kernel)
{
	if (READ_ONCE(spe_exc_delivery) != SPE_EXC_EXCEPTION)
		return 0;
	return spe_exc_usable(spe_exc_status(spe), exclude_kernel) ? 0 : -EOPNOTSUPP;
}

/*
 * spe_exc_set_delivery() - choose interrupt or exception for the next session
 *
 * Call this with interrupts disabled and the unit stopped and drained.
 */
void spe_exc_set_delivery(bool exclude_kernel)
{
	enum spe_exc_status status = this_cpu_read(spe_exc_cpus.status);
	u64 stopped = 0, sampling = 0;

	if (READ_ONCE(spe_exc_delivery) != SPE_EXC_INTERRUPT &&
	    spe_exc_usable(status, exclude_kernel)) {
		stopped = ARM_SPE_PMSCR_EE;
		sampling = ARM_SPE_PMSCR_EE | (status == SPE_EXC_ALL ? ARM_SPE_PMSCR_KE : 0);
	}
	if (stopped != this_cpu_read(spe_regs_pmscr.stopped) ||
	    sampling != this_cpu_read(spe_regs_pmscr.sampling))
		spe_exc_switch(stopped, sampling);
}

void spe_exc_init(void)
{
	spe_exc_registered = spe_compat_exc_register(&spe_exc_handler);
	spe_exc_possible = !spe_exc_registered;
}

/* Call this after the last device is removed, when EE is clear on every CPU. */
void spe_exc_exit(void)
{
	if (!spe_exc_registered)
		spe_compat_exc_unregister(&spe_exc_handler);
}

static irqreturn_t spe_irq_serve(struct spe_cpu *c)
{
	u64 pmbsr;

	/* The interrupt's exception entry was a Context synchronization event. */
	spe_regs_drain();
	pmbsr = spe_read(PMBSR);
	if (!(pmbsr & ARM_SPE_PMBSR_S)) {
		/* The session ended between the interrupt's assertion and its handler. */
		c->stats.spurious++;
		return IRQ_NONE;
	}
	spe_service_event(c, pmbsr);
	return IRQ_HANDLED;
}

/* The handler of PMBIRQ */
irqreturn_t spe_irq_handle(int irq, void *data)
{
	struct spe_cpu *c = *(struct spe_cpu **)data;
	struct spe_event_data *payer;
	irqreturn_t ret;

	if (spe_exc_test_irq())
		return IRQ_HANDLED;
	spe_sampling_enter_driver(c);
	payer = spe_throttle_enter(c);
	c->sample.interrupted = get_irq_regs();
	ret = spe_irq_serve(c);
	c->sample.interrupted = NULL;
	spe_throttle_charge(c, payer);
	spe_sampling_leave_driver(c);
	if (ret == IRQ_NONE)
		return ret;
	/*
	 * A truncated record queues an irq_work that disables the event.  Run that
	 * work before the interrupted program continues.
	 */
	irq_work_run();
	spe_throttle_leave(c);
	return ret;
}
