/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's own types.  Dependencies point one way: facts and pure files,
 * then hardware (regs.h, probe.c, irq.c, exc.c, sampling.h, buffer.c, service.c, freq.c,
 * power.c), then perf (session.c, event.c, aux.c, sysfs.c), then main.c.
 */
#ifndef SPE_H
#define SPE_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

#include "attr.h"
#include "caps.h"
#include "limit.h"
#include "rate.h"
#include "syndrome.h"

#define SPE_NAME	"arm_spe_pmu"
#define SPE_ACPI_NAME	"arm,spe-v1"	/* of the device that stands for the MADT's entries */

/* Only ever incremented, by their own CPU; read without ordering. */
struct spe_stats {
	u64 sessions;		/* started */
	u64 services;		/* interrupts and exceptions with a management event */
	u64 exceptions;		/* ... that were exceptions */
	u64 resumed_first;	/* ... after which sampling went on before perf's books */
	u64 published_first;	/* ... and after them */
	u64 repositioned;	/* ... and from another pointer than the saved one */
	u64 retried;		/* ... though the cause may be there still */
	u64 halted;		/* ... and which ended the session */
	u64 livelocks;		/* ... since nothing but services was executed */
	u64 stopped_ns;		/* from the interrupt until sampling went on */
	u64 halted_ns;		/* from the end of a session too soon to its next start */
	u64 bytes;		/* written by the unit and published */
	u64 padding;		/* bytes of padding published */
	u64 collisions;		/* times that COLL was found set */
	u64 partial;		/* times that records were incomplete or lost */
	u64 truncated;		/* times that sampling stopped for want of room or by a fault */
	u64 no_buffer;		/* starts without an AUX buffer, or one that perf calls full */
	u64 discarded;		/* bytes written but not published: no buffer to publish in */
	u64 bad_pointer;	/* write pointers that had left the buffer */
	u64 spurious;		/* interrupts and exceptions without a management event */
	u64 powerdowns;		/* times that the CPU came back from a power-down */
	u64 kinds[SPE_EVENT_NR];
};

/* An event's AUX buffer, from setup_aux to free_aux. */
struct spe_aux {
	void *base;
	u64 size;		/* bytes */
	u64 enable;		/* PMBLIMITR_EL1 but for the limit */
	struct spe_piece single;	/* pieces, where the unit has base */
	struct spe_piece *pieces;
	u32 nr_pieces;
	u64 watermark;		/* bytes between wakeups */
	bool overwrite;
	/* What the unit was given of it last: see spe_limit_continue(). */
	struct spe_plan plan;
	u64 start_pos;		/* position of plan.start */
};

/* An event's registers, from event_init to destroy. */
struct spe_session {
	struct spe_prog prog;
	u64 period;			/* period that pmsirr was made of */
	u64 pmsirr;
	bool itrace_once;		/* see spe_session_itrace_started() */
	u64 frequency;			/* as asked for; 0: a period was */
	struct spe_rate rate;
	u64 halted_since;		/* ns when sampling ended before it was to; 0: it did not */
};

/* The unit's registers while its CPU has no power; see power.c. */
struct spe_power_regs {
	bool valid;
	u64 pmbsr, pmbptr, pmblimitr;
	u64 pmsicr, pmsirr, pmsfcr;
	u64 pmsevfr, pmsnevfr, pmslatfr, pmsdsfr;
};

/* The last service, and how many there were with nothing executed in between. */
struct spe_livelock {
	u64 pc, sp;		/* of what it interrupted */
	unsigned long irqs;	/* interrupts of this CPU until then */
	unsigned int repeats;
};

/*
 * One CPU of one PMU.  Changed only on that CPU with interrupts disabled:
 * by perf's callbacks, the interrupt, hotplug and power-down, which therefore
 * exclude each other without a lock.  The Profiling exception, which that does
 * not mask, can come only while the unit runs: stop it first, then look.
 *
 * perf also calls start() and stop() from NMIs, which interrupt all of that:
 * there they change "wanted" and the switch in PMSCR_EL1, and "update_work"
 * does the rest.  See "Contexts and locking" in Documentation/driver-api/arm_spe.rst.
 */
struct spe_cpu {
	struct spe_pmu *pmu;
	bool online;			/* set up: sessions may start */
	bool busy;			/* the driver's own code runs: calls only leave a mark */
	bool wanted;			/* perf's last call was start(), not stop() */
	struct perf_event *added;	/* between perf's add() and del(), or NULL */
	struct irq_work update_work;	/* makes "event" what "added" and "wanted" ask for */
	struct perf_event *event;	/* sampling now, or NULL */
	bool live;			/* ... and it may be paused and resumed */
	struct perf_output_handle handle;
	struct spe_aux *aux;		/* handle's, NULL without or in discard mode */
	struct spe_rate *rate;		/* the event's, NULL where its interval is fixed */
	struct hrtimer timer;		/* ... looks at it */
	u64 counted_to;			/* position up to which it was */
	u64 counted_at;			/* ... and when, in ns */
	u64 stopped_at;			/* ns when the unit was last found stopped */
	bool retryable;			/* ... and it went on though it may stop again at once */
	struct spe_livelock livelock;
	struct spe_power_regs saved;
	bool powered_down;		/* until the unit is reset, its registers hold anything */
	struct spe_stats stats;
};

struct spe_pmu {
	struct pmu pmu;
	struct platform_device *pdev;
	struct spe_caps caps;
	bool physical;			/* buffers are at physical addresses */
	struct cpumask supported;	/* CPUs whose interrupt and features are the PMU's */
	struct spe_cpu __percpu *cpus;
	struct hlist_node node;		/* CPU hotplug */
	struct notifier_block power;	/* CPU power-down */
	struct dentry *debugfs;
	int irq;
};

static inline struct spe_pmu *to_spe_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct spe_pmu, pmu);
}

/* probe.c */
int spe_probe_pmu(struct spe_pmu *spe);
enum spe_bind spe_probe_this_cpu(struct spe_caps *caps);
void spe_probe_reset_this_cpu(void);
void spe_probe_lower_irqs(const struct cpumask *in_use);
bool spe_probe_device_exists(void);
void spe_probe_announce(const struct spe_pmu *spe);
void spe_probe_explain_absence(void);

/* firmware.c */
void spe_firmware_init(void);
void spe_firmware_exit(void);

/* irq.c */
int spe_irq_find(struct spe_pmu *spe);
int spe_irq_request(struct spe_pmu *spe);
void spe_irq_free(struct spe_pmu *spe);

/* service.c: on the CPU of c, interrupts disabled */
void spe_service_event(struct spe_cpu *c, u64 pmbsr, const struct pt_regs *regs);
void spe_service_account(struct spe_cpu *c, u64 pmbsr);

/* freq.c: as service.c */
void spe_freq_setup(struct spe_cpu *c);
void spe_freq_open(struct spe_cpu *c, struct perf_event *event);
void spe_freq_start(struct spe_cpu *c);
void spe_freq_account(struct spe_cpu *c, u64 position);
u64 spe_freq_max_bytes(const struct spe_cpu *c);
void spe_freq_close(struct spe_cpu *c);
void spe_freq_cleanup(struct spe_cpu *c);

/* power.c */
int spe_power_register(struct spe_pmu *spe);
void spe_power_unregister(struct spe_pmu *spe);

/* session.c: perf's callbacks on the event's CPU, interrupts disabled or in an NMI */
int spe_session_add(struct perf_event *event, int flags);
void spe_session_del(struct perf_event *event, int flags);
void spe_session_start(struct perf_event *event, int flags);
void spe_session_stop(struct perf_event *event, int flags);

/* ... and the CPU, which comes and goes */
void spe_session_setup(struct spe_cpu *c);
void spe_session_online(struct spe_cpu *c, bool online);
void spe_session_cleanup(struct spe_pmu *spe);

/* event.c */
int spe_event_register(struct spe_pmu *spe);

/* aux.c */
void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite);
void spe_aux_free(void *aux);

/* sysfs.c */
extern const struct attribute_group *spe_sysfs_groups[];
void spe_sysfs_init(void);

/* stats.c */
void spe_stats_create(struct spe_pmu *spe);
void spe_stats_remove(struct spe_pmu *spe);
void spe_stats_exit(void);

#endif /* SPE_H */
