/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data structures of the module: a PMU, its CPUs, and what an event keeps; and what
 * the sources offer to each other.  Pure files have headers of their own, and so has what
 * is inline: buffer.h, filter.h, regs.h, sampling.h.
 */
#ifndef SPE_H
#define SPE_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irqreturn.h>
#include <linux/irq_work.h>
#include <linux/notifier.h>
#include <linux/of.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "attr.h"
#include "budget.h"
#include "caps.h"
#include "limit.h"
#include "rate.h"
#include "syndrome.h"

#define SPE_NAME	"arm_spe_pmu"
#define SPE_ACPI_NAME	"arm,spe-v1"	/* name of the platform device made from the MADT */

/*
 * Each CPU increments its own counters.  Readers take no lock.  Where a comment begins with
 * "loss", samples may be missing: guests of the tests watch these.  Lint compares the lists.
 */
struct spe_stats {
	u64 sessions;		/* sessions started */
	u64 services;		/* interrupts and exceptions with a management event */
	u64 exceptions;		/* services by exception */
	u64 resumed_first;	/* services that resumed the unit, then published */
	u64 published_first;	/* services that published, then resumed the unit */
	u64 repositioned;	/* loss: services that gave the unit another write pointer */
	u64 retried;		/* loss: services that resumed after a fault that may repeat */
	u64 halted;		/* loss: services that ended the session */
	u64 stopped_ns;		/* time from the service until the unit resumed */
	u64 halted_ns;		/* time from a halt until the event's next session */
	u64 service_ns;		/* time that interrupts, exceptions and samples with records took */
	u64 throttles;		/* loss: services that paused sampling by the budget */
	u64 throttled_ns;	/* time that an event on a CPU waited for the end of its pause */
	u64 bytes;		/* bytes that the unit wrote */
	u64 padding;		/* bytes of padding that the driver wrote */
	u64 collisions;		/* loss: times that PMBSR_EL1.COLL was set */
	u64 partial;		/* loss: times that records were incomplete or lost */
	u64 truncated;		/* loss: times that sampling stopped, without space or by a fault */
	u64 no_buffer;		/* loss: starts without an AUX buffer, or with a full one */
	u64 discarded;		/* loss: bytes written after perf took the buffer away */
	u64 bad_pointer;	/* loss: write pointers outside the plan */
	u64 spurious;		/* interrupts and exceptions without a management event */
	u64 powerdowns;		/* power-downs of the CPU during a session */
	u64 aux_samples;	/* samples of other events that asked for records */
	u64 aux_empty;	/* ... and got none */
	u64 samples;		/* records that became samples of spe_sample_N */
	u64 samples_lost;	/* loss: ... and that did not: cut, damaged, or after the end */
	u64 chains_empty;	/* samples whose call chain is unknown, and so empty */
	u64 busy_other;		/* loss: events that waited, as the other PMU's had the unit */
	u64 guests_changed;	/* loss: times that PMSCR_EL12 was not as the session had set it */
	u64 kinds[SPE_EVENT_NR];
};

/* The AUX buffer of an event, from setup_aux to free_aux. */
struct spe_aux {
	void *base;
	u64 size;		/* bytes */
	u64 enable;		/* PMBLIMITR_EL1 without the limit address */
	struct spe_piece single;	/* the only piece of a buffer at virtual addresses */
	struct spe_piece *pieces;
	u32 nr_pieces;
	u64 watermark;		/* bytes between wakeups */
	bool overwrite;
	struct spe_plan plan;	/* what the unit was given last; see spe_limit_continue() */
	u64 start_pos;		/* position of plan.start */
	u64 first_pos;		/* since here the unit of one CPU has written to the buffer */
	int cpu;		/* that CPU; -1: none yet */
};

/* What the driver keeps for an event, from event_init to destroy (event->pmu_private). */
struct spe_event_data {
	struct spe_prog prog;
	u64 period;			/* the period that pmsirr holds */
	u64 pmsirr;
	bool set_attach_itrace;		/* at the next start; see outoftree.c */
	u64 frequency;			/* records a second; 0: the event has a period */
	struct spe_rate rate;
	u64 halted_since;		/* ns of the halt; 0: the session ended as perf asked */
	struct spe_budget budget;	/* of the event's services; see throttle.c */
	bool throttled;			/* the budget is exceeded: no session may start */
	bool delayed;			/* perf has scheduled it in while it was throttled */
};

/*
 * What perf asks for, and what the CPU does.
 *
 * added, wanted:	written by perf's callbacks.  An NMI writes "wanted" too, so
 *			access both with READ_ONCE() and WRITE_ONCE().
 * online:		written by CPU hotplug with interrupts disabled.
 * busy:		written by the driver around each section that an NMI must not
 *			re-enter.  An NMI reads it, and snapshot_aux() in an NMI is such a
 *			section itself.
 * event, live:		written with interrupts disabled, and by the Profiling
 *			exception.  An NMI reads them; snapshot_aux() in an NMI clears
 *			"live" and sets it again.
 * guests:		written by start(), stop(), pause and resume together with PMSCR_EL12,
 *			in an NMI only while "live" is set.
 * update_work:		queued by an NMI, runs in hard interrupt context.
 */
struct spe_cpu_session {
	struct perf_event *added;	/* event between perf's add() and del(), or NULL */
	bool wanted;			/* perf's last call was start(), not stop() */
	bool online;			/* the CPU is set up: sessions may start */
	bool busy;			/* the driver's code runs: calls are deferred */
	struct perf_event *event;	/* event that is sampled now, or NULL */
	bool live;			/* pause and resume may write PMSCR_EL1 */
	u64 guests;			/* PMSCR_EL12; 0: guests are not sampled now */
	struct irq_work update_work;	/* makes "event" follow "added" and "wanted" */
};

/*
 * The AUX buffer of the session, and the last service of a management event.
 * Accessed with interrupts disabled, and by the Profiling exception.  snapshot_aux() reads
 * "aux" in an NMI while "busy" is clear; else never accessed by an NMI.
 */
struct spe_cpu_buffer {
	struct perf_output_handle handle;
	struct spe_aux *aux;		/* buffer of the open handle, or NULL */
	u64 stopped_at;			/* ns at the start of the last service */
	bool retryable;			/* the last service resumed after a stage 2 fault */
};

/*
 * Samples.  "buffer" and "address" are written once, in process context.  The rest is accessed
 * with interrupts disabled, and by the Profiling exception; another NMI writes "ended" alone.
 */
struct spe_cpu_sample {
	u8 *buffer;			/* of the unit while it samples for spe_sample_N, or NULL */
	u64 address;			/* ... as the unit is given it: virtual or physical */
	struct pt_regs *interrupted;	/* by the service that runs now, or NULL */
	struct pt_regs regs;		/* of the record that perf is given now */
	bool ended;			/* perf takes no more samples until it starts the event */
	u64 unaccounted;		/* samples since frequency mode has last accounted */
};

/*
 * Frequency mode.  Accessed with interrupts disabled: by sessions, services and
 * the timer.  The Profiling exception clears "rate"; never accessed by an NMI.
 */
struct spe_cpu_freq {
	struct spe_rate *rate;		/* the event's, or NULL if the event has a period */
	struct hrtimer timer;		/* accounts while the session runs */
	u64 counted_to;			/* position up to which records are accounted */
	u64 counted_at;			/* ns of that accounting */
};

/*
 * The budget of the CPU's time for services, and the pause of the event on the CPU.
 * Accessed with interrupts disabled, and by the Profiling exception.  snapshot_aux() in an
 * NMI accesses all but the timer while "busy" is clear; else never accessed by an NMI.
 */
struct spe_cpu_throttle {
	struct spe_budget budget;	/* of all services on the CPU */
	u64 entered, charged;		/* ns: start and end of the last service */
	u64 left;			/* ns: end of the interrupt's handler, or 0 */
	struct spe_event_data *payer;	/* of the last service; only to compare */
	bool waiting;			/* the event on the CPU waits for the end of its pause */
	u64 since;			/* ns: ... since then */
	struct hrtimer timer;		/* ends the pause */
};

/*
 * The unit's registers while the CPU is powered down.  Accessed by the CPU_PM
 * notifier with interrupts disabled.  The Profiling exception reads "powered_down".
 */
struct spe_cpu_power {
	bool powered_down;		/* the registers are UNKNOWN until the unit is reset */
	bool valid;			/* the fields below hold the session's registers */
	u64 pmbsr, pmbptr, pmblimitr;
	u64 pmsicr, pmsirr;
	struct spe_prog filters;	/* PMSFCR_EL1 and the filter registers; see filter.h */
};

/*
 * One CPU of one PMU.  Only that CPU changes it, with interrupts disabled: so
 * perf's callbacks, the interrupt, hotplug and power-down exclude each other
 * without a lock.
 *
 * Two contexts ignore disabled interrupts.  The Profiling exception comes only
 * while the unit runs, so stop the unit before you read a field that the
 * exception writes.  An NMI may call start(), stop() and snapshot_aux(); it writes
 * session.wanted, PMSCR_EL1, session.guests and PMSCR_EL12, and queues
 * session.update_work.  See "Contexts and locking" in Documentation/driver-api/arm_spe.rst.
 */
struct spe_cpu {
	struct spe_pmu *pmu;		/* written once, when the CPU comes online */
	struct spe_cpu_session session;
	struct spe_cpu_buffer buffer;
	struct spe_cpu_sample sample;
	struct spe_cpu_freq freq;
	struct spe_cpu_throttle throttle;
	struct spe_cpu_power power;
	atomic_t claims;		/* open events of the CPU: > 0 AUX data, < 0 samples */
	struct spe_stats stats;
};

/* A platform device: one interrupt, and a PMU for each kind of CPU that has it. */
struct spe_device {
	struct platform_device *pdev;
	struct cpumask cpus;		/* CPUs that have the interrupt */
	struct cpumask rest;		/* during the probe: CPUs that have no PMU yet */
	struct list_head pmus;		/* changed by probe and remove alone */
	/* The interrupt's argument.  Each CPU sets its own before it enables the interrupt. */
	struct spe_cpu * __percpu *handled;
	int irq;
};

struct spe_pmu {
	struct pmu pmu;
	struct platform_device *pdev;
	struct spe_device *device;
	struct list_head list;		/* in device->pmus */
	struct spe_caps caps;
	bool physical;			/* the unit is given physical addresses */
	struct cpumask supported;	/* CPUs that have the interrupt and these capabilities */
	struct spe_cpu __percpu *cpus;
	struct hlist_node node;		/* CPU hotplug */
	struct notifier_block power;	/* CPU power-down */
	int __percpu *late_counts;	/* see spe_compat_pmu_reserve() */
	struct pmu sample_pmu;		/* spe_sample_N */
	bool has_samples;		/* ... is registered */
	struct spe_caps sample_caps;	/* ... and what it offers */
	int __percpu *sample_late_counts;
	unsigned int sample_watchers;	/* events of CPUs; see spe_sample_watch() */
	bool sample_watched;		/* the probe of sched_switch is registered */
	struct delayed_work sample_unwatch;
	struct dentry *debugfs;
};

/* The platform device is for SPE, by its device tree node or its name. */
static inline bool spe_is_device(const struct device *dev)
{
	return !strncmp(dev_name(dev), SPE_ACPI_NAME, strlen(SPE_ACPI_NAME)) ||
	       of_device_is_compatible(dev->of_node, "arm,statistical-profiling-extension-v1");
}

/* The PMU is spe_sample_N, and not arm_spe_N. */
static inline bool spe_is_sampler(const struct pmu *pmu)
{
	return !pmu->setup_aux;
}

static inline struct spe_pmu *to_spe_pmu(struct pmu *pmu)
{
	return spe_is_sampler(pmu) ? container_of(pmu, struct spe_pmu, sample_pmu) :
				     container_of(pmu, struct spe_pmu, pmu);
}

static inline bool spe_is_sample_event(const struct perf_event *event)
{
	return spe_is_sampler(event->pmu);
}

/* aux.c: AUX buffers: callbacks of struct pmu, in process context */
void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite);
void spe_aux_free(void *data);

/* aux.c: Samples of other events that carry records (PERF_SAMPLE_AUX) */
void spe_auxsample_init(void);
bool spe_auxsample_possible(void);

/* Callback of struct pmu, in any context. */
long spe_auxsample_snapshot(struct perf_event *event, struct perf_output_handle *handle,
			    unsigned long size);

/* event.c: The perf PMUs */
int spe_event_register(struct spe_pmu *spe);
void spe_event_unregister(struct spe_pmu *spe);

/*
 * exc.c: Delivery of management events: by PMBIRQ, or by the SPE Profiling exception
 * (FEAT_SPE_EXC).  Documentation/driver-api/arm-spe-exception.rst has the design.
 */
/* Result of a CPU's test.  The order is that of the checks; a later one is worse. */
enum spe_exc_status {
	SPE_EXC_ALL,		/* exception, for every session */
	SPE_EXC_USER,		/* exception, for sessions that exclude the kernel */
	SPE_EXC_UNTESTED,
	SPE_EXC_PARAMETER,	/* delivery=interrupt */
	SPE_EXC_NO_KERNEL,	/* the kernel does not handle the exception */
	SPE_EXC_NO_CPU,		/* the CPU has no FEAT_SPE_EXC */
	SPE_EXC_BUSY,		/* another module has registered a handler */
	SPE_EXC_NO_IRQ,		/* the test's event with EE clear raised no PMBIRQ */
	SPE_EXC_STILL_IRQ,	/* the test's event with EE set raised PMBIRQ */
	SPE_EXC_NEITHER,	/* the test's event with EE set raised nothing */
	SPE_EXC_NR
};

void spe_exc_init(void);
void spe_exc_exit(void);
void spe_exc_online(struct spe_cpu *c);
void spe_exc_offline(struct spe_cpu *c);
void spe_exc_clear(void);
irqreturn_t spe_irq_handle(int irq, void *data);
int spe_exc_permit(const struct spe_pmu *spe, bool exclude_kernel);
void spe_exc_set_delivery(bool exclude_kernel);
const char *spe_exc_delivery_name(const struct spe_pmu *spe);
const char *spe_exc_reason(const struct spe_pmu *spe);

/* If this is false, spe_regs_pmscr is zero on every CPU. */
extern bool spe_exc_possible;

static inline void spe_exc_select_delivery(bool exclude_kernel)
{
	if (spe_exc_possible)
		spe_exc_set_delivery(exclude_kernel);
}

/* irq.c: A platform device from the MADT where the kernel makes none */
void spe_firmware_init(void);
void spe_firmware_exit(void);

/*
 * freq.c: Frequency mode of a session.  Call these functions on the CPU of c with
 * interrupts disabled.
 */
void spe_freq_setup(struct spe_cpu *c);
void spe_freq_open(struct spe_cpu *c, struct perf_event *event);
void spe_freq_start(struct spe_cpu *c);
void spe_freq_account(struct spe_cpu *c, u64 position);
void spe_freq_account_samples(struct spe_cpu *c);
u64 spe_freq_max_bytes(const struct spe_cpu *c);
void spe_freq_close(struct spe_cpu *c);
void spe_freq_cleanup(struct spe_cpu *c);

/* guests.c: Guests of KVM */
/* Why no event may sample them, for sysfs and the log; or NULL. */
const char *spe_guests_missing(void);

/* The unit is stopped: from now on it samples no guest.  Call this on the CPU of c. */
void spe_guests_leave(struct spe_cpu *c);

/* irq.c: PMBIRQ, the interrupt for management events */
int spe_irq_find(struct spe_device *device);
int spe_irq_request(struct spe_device *device);
void spe_irq_free(struct spe_device *device);

/* outoftree.c: What this module does and no driver of Linux's tree may do, with the reasons */
/* SPE_STRICT=1 on make's command line builds the module without all of it. */
#define SPE_OUTOFTREE	(!__is_defined(SPE_STRICT))

typeof(perf_output_copy) *spe_outoftree_output_copy(void);
typeof(perf_event_overflow) *spe_outoftree_overflow(void);
void spe_outoftree_disable(struct perf_event *event);
void spe_outoftree_attach_itrace(struct perf_event *event);
void spe_outoftree_stop_samplers(struct perf_event *event);

/* Module init and exit. */
void spe_outoftree_init(void);
void spe_outoftree_exit(void);
void spe_takeover_begin(void);
void spe_takeover_settle(void);
void spe_takeover_end(void);

/* power.c: Power-down of a CPU during a session */
int spe_power_register(struct spe_pmu *spe);
void spe_power_unregister(struct spe_pmu *spe);

/* probe.c: Capabilities of the CPUs, reset of the unit, and why a device is not bound */
int spe_probe_pmu(struct spe_pmu *spe);
void spe_probe_split(struct spe_pmu *spe, struct cpumask *rest);
enum spe_bind spe_probe_this_cpu(struct spe_caps *caps);
void spe_probe_reset_this_cpu(void);
void spe_probe_deassert_irqs(const struct cpumask *in_use);
bool spe_probe_device_exists(void);
void spe_probe_announce(const struct spe_pmu *spe);
void spe_probe_explain_absence(void);

/* sample.c: The PMU spe_sample_N */
void spe_sample_program(struct spe_cpu *c);
void spe_sample_emit(struct spe_cpu *c);
void spe_sample_touch(struct spe_cpu *c);
void spe_sample_flush(struct spe_cpu *c);

/* An event opens and closes, in process context. */
int spe_sample_refuse(struct perf_event *event);
int spe_sample_prepare(struct perf_event *event);
void spe_sample_forget(struct perf_event *event);

const char *spe_sample_missing(void);
void spe_sample_setup(struct spe_pmu *spe);
void spe_sample_free(struct spe_pmu *spe);
void spe_sample_init(void);

/*
 * service.c: Service of management events.  Call these functions on the CPU of c with
 * interrupts disabled.
 */
void spe_service_event(struct spe_cpu *c, u64 pmbsr);
void spe_service_account(struct spe_cpu *c, u64 pmbsr);

/* session.c: Sessions: perf schedules an event in and out on a CPU */
/* Callbacks of struct pmu.  perf calls start() and stop() also in NMI context. */
int spe_session_add(struct perf_event *event, int flags);
void spe_session_del(struct perf_event *event, int flags);
void spe_session_start(struct perf_event *event, int flags);
void spe_session_stop(struct perf_event *event, int flags);

/* CPU hotplug and module unload. */
void spe_session_setup(struct spe_cpu *c);
void spe_session_online(struct spe_cpu *c, bool online);
void spe_session_cleanup(struct spe_pmu *spe);

/* stats.c: Counters in sysfs and debugfs */
extern const struct attribute_group spe_stats_group;

void spe_stats_init(void);
void spe_stats_create(struct spe_pmu *spe);
void spe_stats_remove(struct spe_pmu *spe);
void spe_stats_exit(void);

/* event.c: The PMU's attributes in sysfs */
extern const struct attribute_group *spe_sysfs_groups[];
void spe_sysfs_init(void);

/*
 * throttle.c: The limit of the time that services take.  Call these functions on the CPU of
 * c with interrupts disabled.
 */
struct spe_event_data *spe_throttle_enter(struct spe_cpu *c);
void spe_throttle_charge(struct spe_cpu *c, struct spe_event_data *data);
void spe_throttle_leave(struct spe_cpu *c);
bool spe_throttle_due(struct spe_cpu *c, struct spe_event_data *data);
void spe_throttle_pause(struct spe_cpu *c, struct spe_event_data *data);

void spe_throttle_sched_in(struct spe_event_data *data);
void spe_throttle_sched_out(struct spe_event_data *data);
void spe_throttle_follow(struct spe_cpu *c);
void spe_throttle_arm(struct spe_cpu *c);

void spe_throttle_setup(struct spe_cpu *c);
void spe_throttle_cleanup(struct spe_cpu *c);

#endif /* SPE_H */
