// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU spe_sample_N: each record becomes an ordinary sample of perf.
 *
 * A session of samples has no AUX buffer.  The unit writes to a small buffer that belongs to
 * the CPU, and stops when "batch" records are in it.  The service hands each record to perf
 * and gives the unit the same buffer again.  What a stopped session leaves in the buffer
 * becomes samples too, while the task that executed the operations is still current.
 *
 * perf writes the sample, calls BPF programs and the owners of kernel counters, and throttles
 * the event, all in perf_event_overflow().  It may call stop() and start() there: the driver's
 * section is busy, so session.c defers these.
 *
 * Unless a comment says otherwise, call these functions on the CPU of c with interrupts
 * disabled, the unit stopped and drained.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/gfp.h>
#include <linux/kasan.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <asm/arch_timer.h>
#include <asm/cputype.h>
#include <trace/events/sched.h>

#include "compat.h"
#include "decode.h"
#include "parse.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"

#if SPE_COMPAT_SAMPLES

/* perf's function that handles a sample, or NULL: there is no PMU spe_sample_N. */
static int (*spe_sample_overflow)(struct perf_event *event, struct perf_sample_data *sample,
				  struct pt_regs *regs) __ro_after_init;
static struct tracepoint *spe_sample_sched_switch __ro_after_init;
/* Protects the buffers' allocation, spe_pmu.sample_watchers and .sample_watched. */
static DEFINE_MUTEX(spe_sample_mutex);

static size_t spe_sample_size(const struct spe_pmu *spe)
{
	return PAGE_ALIGN(SPE_BATCH_MAX * spe->caps.record_size);
}

/* The unit stops when less than a record fits below the limit, so it starts so far below. */
static u64 spe_sample_start(const struct spe_cpu *c)
{
	const struct spe_event_data *data = c->session.event->pmu_private;

	return spe_sample_size(c->pmu) - data->prog.reg[SPE_PROG_BATCH] * c->pmu->caps.record_size;
}

/* Gives the unit the buffer from its start.  The session's event is set. */
void spe_sample_program(struct spe_cpu *c)
{
	u64 enable = ARM_SPE_PMBLIMITR_E | (c->pmu->physical ? ARM_SPE_PMBLIMITR_NVM : 0);

	spe_regs_enable_buffer(c->sample.address + spe_sample_start(c),
			       (c->sample.address + spe_sample_size(c->pmu)) | enable);
}

/* When the records were drained, on perf's clock and on the counter of their timestamps. */
struct spe_sample_clock {
	u64 time;
	u64 count;
};

static struct spe_sample_clock spe_sample_now(const struct perf_event *event)
{
	const struct spe_event_data *data = event->pmu_private;
	bool physical = data->prog.reg[SPE_PROG_PMSCR] & ARM_SPE_PMSCR_PCT;

	return (struct spe_sample_clock) {
		.time = event->clock ? event->clock() : local_clock(),
		.count = physical ? __arch_counter_get_cntpct() : __arch_counter_get_cntvct(),
	};
}

static u64 spe_sample_time(const struct spe_sample_clock *now, u64 timestamp)
{
	u64 age = now->count > timestamp ? now->count - timestamp : 0;

	return now->time - min(now->time, mul_u64_u32_div(age, NSEC_PER_SEC,
							  arch_timer_get_cntfrq()));
}

static bool spe_sample_fetch_user(u64 address, u32 *instruction)
{
	return !copy_from_user_nofault(instruction, (const void __user *)address,
				       sizeof(*instruction));
}

static bool spe_sample_fetch_kernel(u64 address, u32 *instruction)
{
	return !copy_from_kernel_nofault(instruction, (const void *)address,
					 sizeof(*instruction));
}

/*
 * Whether the call chain of the interrupted context is that of the record.  With more
 * than one record for each interrupt it is not.  With one, the CPU has executed on until
 * the interrupt: so ask whether it may still be in the same call of the same function.
 */
static bool spe_sample_chain_is_own(const struct spe_cpu *c, const struct spe_event_data *data,
				    const struct spe_record *record)
{
	struct pt_regs *regs = c->sample.interrupted;
	bool user = !record->level;

	return regs && data->prog.reg[SPE_PROG_BATCH] == 1 && user == !!user_mode(regs) &&
	       !compat_user_mode(regs) &&
	       spe_decode_reaches(record->pc, instruction_pointer(regs),
				  user ? spe_sample_fetch_user : spe_sample_fetch_kernel);
}

/*
 * The registers at the record's operation, as far as they are known: its address and
 * Exception level.  The rest is 0, unless the call chain is the record's: perf unwinds
 * it from these registers.
 */
static struct pt_regs *spe_sample_regs(struct spe_cpu *c, const struct spe_record *record,
				       bool own_chain)
{
	struct pt_regs *regs = &c->sample.regs;

	if (own_chain)
		*regs = *c->sample.interrupted;
	else
		memset(regs, 0, sizeof(*regs));
	if (!own_chain)
		regs->pstate = record->level ? PSR_MODE_EL1h : PSR_MODE_EL0t;
	regs->pc = record->pc;
	return regs;
}

static struct perf_callchain_entry spe_sample_no_chain;

static void spe_sample_fill(struct perf_sample_data *sample, struct perf_event *event,
			    const struct spe_cpu *c, const struct spe_record *r)
{
	u64 type = event->attr.sample_type;

	if (type & PERF_SAMPLE_ADDR) {
		sample->addr = r->va;
		sample->sample_flags |= PERF_SAMPLE_ADDR;
	}
	if (type & PERF_SAMPLE_PHYS_ADDR) {
		sample->phys_addr = r->pa;
		sample->sample_flags |= PERF_SAMPLE_PHYS_ADDR;
	}
	if (type & PERF_SAMPLE_WEIGHT_TYPE) {
		sample->weight.full = r->total;
		if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
			sample->weight.var2_w = r->issue;
			sample->weight.var3_w = r->translation;
		}
		sample->sample_flags |= type & PERF_SAMPLE_WEIGHT_TYPE;
	}
	if (type & PERF_SAMPLE_DATA_SRC) {
		sample->data_src.val = spe_decode_data_src(r, read_cpuid_id(), c->pmu->caps.events);
		sample->sample_flags |= PERF_SAMPLE_DATA_SRC;
	}
}

/* perf's mark in hw.interrupts for a throttled event; with one more interrupt it is 0. */
#define SPE_SAMPLE_THROTTLED	(~0ULL)

/*
 * Hands one record to perf.  perf counts each call as an interrupt, and throttles the event if it
 * has too many in a tick.  A batch is one interrupt: so for all records but the first perf
 * counts from 0, and its own count comes back unless perf has throttled the event just now.
 * Returns nonzero if perf has asked the event to stop.
 */
static int spe_sample_output(struct spe_cpu *c, struct perf_event *event,
			     const struct spe_record *record, struct perf_raw_record *raw,
			     const struct spe_sample_clock *now, bool counted)
{
	const struct spe_event_data *data = event->pmu_private;
	u64 type = event->attr.sample_type;
	struct perf_sample_data sample;
	u64 interrupts = event->hw.interrupts;
	bool own_chain = false;
	int stop;

	perf_sample_data_init(&sample, 0, data->pmsirr & ARM_SPE_PMSIRR_INTERVAL);
	spe_sample_fill(&sample, event, c, record);
	if (type & PERF_SAMPLE_TIME && record->has & SPE_HAS(TIMESTAMP)) {
		sample.time = spe_sample_time(now, record->timestamp);
		sample.sample_flags |= PERF_SAMPLE_TIME;
	}
	if (type & PERF_SAMPLE_RAW)
		spe_compat_save_raw(&sample, raw);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		own_chain = spe_sample_chain_is_own(c, data, record);
		if (!own_chain) {
			spe_compat_save_callchain(&sample, &spe_sample_no_chain);
			c->stats.chains_empty++;
		}
	}
	/* perf -g asks for the link register, to complete the chain of a leaf function. */
	if (type & PERF_SAMPLE_REGS_USER && !own_chain)
		spe_compat_save_no_regs(&sample);
	/* The event's count: operations that the samples stand for */
	local64_add(sample.period, &event->count);
	event->hw.last_period = sample.period;
	c->stats.samples++;
	c->sample.unaccounted++;
	if (counted)
		event->hw.interrupts = SPE_SAMPLE_THROTTLED;
	stop = spe_sample_overflow(event, &sample, spe_sample_regs(c, record, own_chain));
	if (counted && event->hw.interrupts != SPE_SAMPLE_THROTTLED)
		event->hw.interrupts = interrupts;
	return stop;
}

static void spe_sample_lose(struct spe_cpu *c, struct perf_event *event, u64 records)
{
	c->stats.samples_lost += records;
	spe_compat_lost_samples(event, records);
}

/* Where the unit has stopped in the buffer. */
static u64 spe_sample_end(struct spe_cpu *c, u64 start)
{
	u64 end = spe_read(PMBPTR) - c->sample.address;

	if (end >= start && end <= spe_sample_size(c->pmu))
		return end;
	pr_warn_ratelimited("CPU %d: PMBPTR_EL1 is outside the buffer (of samples, offset %#llx); records are lost\n",
			    smp_processor_id(), end);
	c->stats.bad_pointer++;
	spe_sample_lose(c, c->session.event, 1);
	return start;
}

/*
 * Hands the records in the buffer to perf.  The caller then programs the buffer again, or ends
 * the session.  A record that is cut, or that has no address, counts as lost.
 *
 * perf may ask the event to stop.  If it throttles the event, it still gets the rest of the batch.
 * If the event has all samples that it was to have (PERF_EVENT_IOC_REFRESH), the rest counts
 * as lost, until perf starts the event again.
 */
void spe_sample_emit(struct spe_cpu *c)
{
	struct perf_event *event = c->session.event;
	u64 at = spe_sample_start(c), end = spe_sample_end(c, at);
	struct spe_sample_clock now = spe_sample_now(event);
	struct perf_raw_record raw = { 0 };
	/* What a stopped session leaves belongs to a batch that perf has counted, or to none. */
	bool first = c->sample.interrupted, limited;
	struct spe_record record;
	u32 size;

	c->stats.bytes += end - at;
	for (; at < end; at += size) {
		const u8 *bytes = c->sample.buffer + at;

		/* Padding brings each record to its alignment. */
		if (*bytes == SPE_HDR_PADDING) {
			size = 1;
			continue;
		}
		size = spe_decode(bytes, end - at, c->pmu->caps.record_size, &record);
		if (!size || !(record.has & SPE_HAS(PC)) || READ_ONCE(c->sample.ended)) {
			spe_sample_lose(c, event, 1);
			if (!size)
				break;
			continue;
		}
		raw.frag.data = (void *)bytes;
		raw.frag.size = size;
		limited = atomic_read(&event->event_limit) > 0;
		if (spe_sample_output(c, event, &record, &raw, &now, !first))
			event->pmu->stop(event, 0);
		if (limited && !atomic_read(&event->event_limit))
			WRITE_ONCE(c->sample.ended, true);
		first = false;
	}
}

/* A store by the CPU lets a hypervisor map the pages of the buffer for writing. */
void spe_sample_touch(struct spe_cpu *c)
{
	memset(c->sample.buffer, 0, spe_sample_size(c->pmu));
}

/* Hands over what the running unit has written, and gives it the buffer again.  It is stopped. */
void spe_sample_flush(struct spe_cpu *c)
{
	spe_sample_emit(c);
	spe_regs_disable_buffer();
	spe_sample_program(c);
}

/*
 * Whether the event stays on the CPU when a task leaves it: an event of a CPU, and one that is
 * inherited.  perf swaps the contexts of a task and its child instead of the events.
 */
static bool spe_sample_stays(const struct perf_event *event)
{
	return !(event->attach_state & PERF_ATTACH_TASK) || event->attr.inherit;
}

/*
 * A task leaves the CPU.  If the event stays, hand over the task's records while it is current.
 * Called by the scheduler with interrupts disabled and the lock of the run queue.
 */
static void spe_sample_switch(void *pmu, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct spe_pmu *spe = pmu;
	struct spe_cpu *c = this_cpu_ptr(spe->cpus);
	const struct perf_event *event = READ_ONCE(c->session.event);
	struct spe_event_data *payer;

	if (!event || READ_ONCE(c->session.busy) || !spe_is_sample_event(event) ||
	    !spe_sample_stays(event))
		return;
	spe_sampling_enter_driver(c);
	spe_sampling_stop(c);
	/* The Profiling exception may have ended the session before the stop. */
	if (!READ_ONCE(c->session.event))
		goto leave;
	payer = spe_throttle_enter(c);
	spe_sample_flush(c);
	spe_throttle_charge(c, payer);
	if (spe_throttle_due(c, payer))
		spe_throttle_pause(c, payer);
	else
		spe_sampling_start(c);
leave:
	spe_sampling_leave_driver(c);
}

/* Call this in process context.  Balanced by spe_sample_unwatch(). */
static int spe_sample_watch(struct spe_pmu *spe)
{
	int err = 0;

	mutex_lock(&spe_sample_mutex);
	if (!spe->sample_watched)
		err = tracepoint_probe_register(spe_sample_sched_switch, spe_sample_switch, spe);
	if (!err) {
		spe->sample_watched = true;
		spe->sample_watchers++;
	}
	mutex_unlock(&spe_sample_mutex);
	return err;
}

/*
 * The probe goes a second after the last watcher.  The first and the last probe of a tracepoint
 * patch the kernel's code, which interrupts all CPUs, and any user may open and close events.
 */
static void spe_sample_unwatch(struct spe_pmu *spe)
{
	mutex_lock(&spe_sample_mutex);
	if (!--spe->sample_watchers)
		schedule_delayed_work(&spe->sample_unwatch, HZ);
	mutex_unlock(&spe_sample_mutex);
}

static void spe_sample_unwatch_work(struct work_struct *work)
{
	struct spe_pmu *spe = container_of(to_delayed_work(work), struct spe_pmu, sample_unwatch);

	mutex_lock(&spe_sample_mutex);
	if (spe->sample_watched && !spe->sample_watchers) {
		tracepoint_probe_unregister(spe_sample_sched_switch, spe_sample_switch, spe);
		spe->sample_watched = false;
	}
	mutex_unlock(&spe_sample_mutex);
}

/* Call this before an event can open.  Undone by spe_sample_free(). */
void spe_sample_setup(struct spe_pmu *spe)
{
	INIT_DELAYED_WORK(&spe->sample_unwatch, spe_sample_unwatch_work);
}

/* Allocates the buffers of all CPUs, which spe_sample_free() frees. */
static int spe_sample_allocate(struct spe_pmu *spe)
{
	unsigned int order = get_order(spe_sample_size(spe));
	int cpu, err = 0;

	mutex_lock(&spe_sample_mutex);
	for_each_cpu(cpu, &spe->supported) {
		struct spe_cpu_sample *sample = &per_cpu_ptr(spe->cpus, cpu)->sample;
		struct page *pages;

		if (sample->buffer)
			continue;
		pages = alloc_pages_node(cpu_to_node(cpu), GFP_KERNEL | __GFP_ZERO, order);
		if (!pages) {
			err = -ENOMEM;
			break;
		}
		/* Bits 63:56 of the write pointer and the limit must be equal (RHXSYK). */
		sample->address = spe->physical ? page_to_phys(pages) :
				  (u64)kasan_reset_tag(page_address(pages));
		/* Later readers see the address with the buffer. */
		smp_store_release(&sample->buffer, page_address(pages));
	}
	mutex_unlock(&spe_sample_mutex);
	return err;
}

/* Call this when no session can start any more. */
void spe_sample_free(struct spe_pmu *spe)
{
	unsigned int order = get_order(spe_sample_size(spe));
	int cpu;

	flush_delayed_work(&spe->sample_unwatch);
	/* A CPU may still run spe_sample_switch(). */
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu) {
		struct spe_cpu_sample *sample = &per_cpu_ptr(spe->cpus, cpu)->sample;

		free_pages((unsigned long)sample->buffer, order);
	}
}

/* Fields of a sample that a record cannot fill: they would be those of the interrupt. */
#define SPE_SAMPLE_REFUSED	(PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER |	\
				 PERF_SAMPLE_BRANCH_STACK)

/*
 * Checks an event of spe_sample_N.  Returns 0, -EINVAL without a period, or -EOPNOTSUPP for
 * what a record cannot give.
 *
 * attr.sigtrap: perf warns if a second sample comes before the signal of the first one is
 * delivered, and a batch has many.
 */
int spe_sample_refuse(struct perf_event *event)
{
	if (!is_sampling_event(event))
		return -EINVAL;
	if (event->attr.sample_type & SPE_SAMPLE_REFUSED || event->attr.sigtrap)
		return -EOPNOTSUPP;
	return 0;
}

/*
 * The event may start from now on.  Returns 0 or an error.  perf makes a child's event with the
 * mutex of the parent's context held, under which spe_sample_watch() must not run; the parent
 * has allocated the buffers, and watches as long as it has children.
 */
int spe_sample_prepare(struct perf_event *event)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	int err;

	if (event->parent)
		return 0;
	err = spe_sample_allocate(spe);
	if (err || !spe_sample_stays(event))
		return err;
	return spe_sample_watch(spe);
}

void spe_sample_forget(struct perf_event *event)
{
	if (!event->parent && spe_sample_stays(event))
		spe_sample_unwatch(to_spe_pmu(event->pmu));
}

/* Why there is no PMU spe_sample_N, or NULL. */
const char *spe_sample_missing(void)
{
	if (spe_sample_overflow)
		return NULL;
	return SPE_OUTOFTREE ?
	       "without CONFIG_KPROBES the module cannot find perf_event_overflow()" :
	       "built with SPE_STRICT=1, and the kernel does not export perf_event_overflow()";
}

static void __init spe_sample_find_tracepoint(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		spe_sample_sched_switch = tp;
}

void __init spe_sample_init(void)
{
	check_trace_callback_type_sched_switch(spe_sample_switch);
	for_each_kernel_tracepoint(spe_sample_find_tracepoint, NULL);
	if (spe_sample_sched_switch)
		spe_sample_overflow = spe_outoftree_overflow();
}
#else
void spe_sample_emit(struct spe_cpu *c)
{
}

void spe_sample_program(struct spe_cpu *c)
{
}

void spe_sample_touch(struct spe_cpu *c)
{
}

void spe_sample_flush(struct spe_cpu *c)
{
}

int spe_sample_refuse(struct perf_event *event)
{
	return -EOPNOTSUPP;
}

int spe_sample_prepare(struct perf_event *event)
{
	return -EOPNOTSUPP;
}

void spe_sample_forget(struct perf_event *event)
{
}

void spe_sample_free(struct spe_pmu *spe)
{
}

const char *spe_sample_missing(void)
{
	return "perf of this kernel takes no times and addresses from a driver; Linux 6.1 does";
}

void spe_sample_setup(struct spe_pmu *spe)
{
}

void __init spe_sample_init(void)
{
}
#endif
