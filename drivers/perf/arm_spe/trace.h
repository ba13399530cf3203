/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints for the driver's decisions about the Profiling Buffer.  A position
 * counts bytes since the AUX buffer was mapped, as perf does.  An offset counts bytes
 * from the start of the buffer.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM arm_spe_pmu

#if !defined(SPE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SPE_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>

#include "limit.h"
#include "syndrome.h"

#ifndef SPE_TRACE_FAULT
/* Size of the array for the name of a fault, in bytes. */
#define SPE_TRACE_FAULT	80

/* How the driver serves a management event. */
enum spe_path {
	SPE_PATH_RESUME_FIRST,	/* it resumes the unit, then publishes */
	SPE_PATH_PUBLISH_FIRST,	/* it publishes, then resumes the unit */
	SPE_PATH_WRAP,		/* it resumes the unit at the start of a snapshot's buffer */
	SPE_PATH_DISCARD,	/* it resumes the unit in discard mode */
	SPE_PATH_HALT,		/* it ends the session */
	SPE_PATH_THROTTLE,	/* it ends the session for a while: services took too long */
};
#endif

/* perf and trace-cmd do not know the enums, so the formats must contain their values. */
TRACE_DEFINE_ENUM(SPE_EVENT_NONE);
TRACE_DEFINE_ENUM(SPE_EVENT_FULL);
TRACE_DEFINE_ENUM(SPE_EVENT_NOT_ALLOWED);
TRACE_DEFINE_ENUM(SPE_EVENT_TOO_LARGE);
TRACE_DEFINE_ENUM(SPE_EVENT_OTHER);
TRACE_DEFINE_ENUM(SPE_EVENT_STAGE1);
TRACE_DEFINE_ENUM(SPE_EVENT_STAGE2);
TRACE_DEFINE_ENUM(SPE_EVENT_EXTERNAL);
TRACE_DEFINE_ENUM(SPE_EVENT_GPF);
TRACE_DEFINE_ENUM(SPE_EVENT_GPC);
TRACE_DEFINE_ENUM(SPE_EVENT_IMPDEF);
TRACE_DEFINE_ENUM(SPE_EVENT_UNKNOWN);
TRACE_DEFINE_ENUM(SPE_IGNORE);
TRACE_DEFINE_ENUM(SPE_RESUME);
TRACE_DEFINE_ENUM(SPE_REPOSITION);
TRACE_DEFINE_ENUM(SPE_STOP);
TRACE_DEFINE_ENUM(SPE_LOSS_COLLISION);
TRACE_DEFINE_ENUM(SPE_LOSS_PARTIAL);
TRACE_DEFINE_ENUM(SPE_LOSS_TRUNCATED);
TRACE_DEFINE_ENUM(SPE_DETAIL_DIRTY_BIT);
TRACE_DEFINE_ENUM(SPE_DETAIL_OVERLAY);
TRACE_DEFINE_ENUM(SPE_DETAIL_ASSURED_ONLY);
TRACE_DEFINE_ENUM(SPE_DETAIL_TOP_LEVEL);
TRACE_DEFINE_ENUM(SPE_PATH_RESUME_FIRST);
TRACE_DEFINE_ENUM(SPE_PATH_PUBLISH_FIRST);
TRACE_DEFINE_ENUM(SPE_PATH_WRAP);
TRACE_DEFINE_ENUM(SPE_PATH_DISCARD);
TRACE_DEFINE_ENUM(SPE_PATH_HALT);
TRACE_DEFINE_ENUM(SPE_PATH_THROTTLE);

/* The driver gives the unit a part of the buffer, or (run=0) the buffer is full. */
TRACE_EVENT(arm_spe_limit,

	TP_PROTO(u64 position, u64 size, u64 wakeup, const struct spe_plan *plan),

	TP_ARGS(position, size, wakeup, plan),

	TP_STRUCT__entry(
		__field(u64, position)
		__field(u64, size)
		__field(u64, wakeup)
		__field(u64, pad)
		__field(u64, start)
		__field(u64, limit)
		__field(bool, run)
	),

	TP_fast_assign(
		__entry->position = position;
		__entry->size = size;
		__entry->wakeup = wakeup;
		__entry->pad = plan->pad;
		__entry->start = plan->start;
		__entry->limit = plan->limit;
		__entry->run = plan->run;
	),

	TP_printk("position=%#llx size=%#llx wakeup=%#llx run=%d pad=%#llx start=%#llx limit=%#llx",
		  __entry->position, __entry->size, __entry->wakeup, __entry->run,
		  __entry->pad, __entry->start, __entry->limit)
);

/* The driver writes padding over bytes that the unit will not write. */
TRACE_EVENT(arm_spe_padding,

	TP_PROTO(u64 position, u64 bytes),

	TP_ARGS(position, bytes),

	TP_STRUCT__entry(
		__field(u64, position)
		__field(u64, bytes)
	),

	TP_fast_assign(
		__entry->position = position;
		__entry->bytes = bytes;
	),

	TP_printk("position=%#llx bytes=%#llx", __entry->position, __entry->bytes)
);

/* A session starts on this CPU: the registers that choose what the unit samples. */
TRACE_EVENT(arm_spe_start,

	TP_PROTO(u64 pmscr, u64 pmsfcr, u64 period, u64 position),

	TP_ARGS(pmscr, pmsfcr, period, position),

	TP_STRUCT__entry(
		__field(u64, pmscr)
		__field(u64, pmsfcr)
		__field(u64, period)
		__field(u64, position)
	),

	TP_fast_assign(
		__entry->pmscr = pmscr;
		__entry->pmsfcr = pmsfcr;
		__entry->period = period;
		__entry->position = position;
	),

	TP_printk("pmscr=%#llx pmsfcr=%#llx period=%llu position=%#llx", __entry->pmscr,
		  __entry->pmsfcr, __entry->period, __entry->position)
);

/* A session ends: PMBSR_EL1, and the position up to which the unit has written. */
TRACE_EVENT(arm_spe_stop,

	TP_PROTO(u64 position, u64 pmbsr),

	TP_ARGS(position, pmbsr),

	TP_STRUCT__entry(
		__field(u64, position)
		__field(u64, pmbsr)
	),

	TP_fast_assign(
		__entry->position = position;
		__entry->pmbsr = pmbsr;
	),

	TP_printk("position=%#llx pmbsr=%#llx", __entry->position, __entry->pmbsr)
);

/* A management event: its syndrome, and the driver's decision. */
TRACE_EVENT(arm_spe_event,

	TP_PROTO(u64 pmbsr, const struct spe_verdict *verdict),

	TP_ARGS(pmbsr, verdict),

	TP_STRUCT__entry(
		__field(u64, pmbsr)
		__field(unsigned int, kind)
		__field(unsigned int, action)
		__field(unsigned int, loss)
		__field(unsigned int, detail)
		__array(char, fault, SPE_TRACE_FAULT)
	),

	TP_fast_assign(
		__entry->pmbsr = pmbsr;
		__entry->kind = verdict->kind;
		__entry->action = verdict->action;
		__entry->loss = verdict->loss;
		__entry->detail = verdict->detail;
		strscpy(__entry->fault, verdict->fault, SPE_TRACE_FAULT);
	),

	TP_printk("pmbsr=%#llx kind=%s action=%s loss=%s detail=%s fault=%s", __entry->pmbsr,
		  __print_symbolic(__entry->kind,
				   { SPE_EVENT_NONE, "none" },
				   { SPE_EVENT_FULL, "full" },
				   { SPE_EVENT_NOT_ALLOWED, "not_allowed" },
				   { SPE_EVENT_TOO_LARGE, "too_large" },
				   { SPE_EVENT_OTHER, "other" },
				   { SPE_EVENT_STAGE1, "stage1" },
				   { SPE_EVENT_STAGE2, "stage2" },
				   { SPE_EVENT_EXTERNAL, "external" },
				   { SPE_EVENT_GPF, "gpf" },
				   { SPE_EVENT_GPC, "gpc" },
				   { SPE_EVENT_IMPDEF, "impdef" },
				   { SPE_EVENT_UNKNOWN, "unknown" }),
		  __print_symbolic(__entry->action,
				   { SPE_IGNORE, "ignore" },
				   { SPE_RESUME, "resume" },
				   { SPE_REPOSITION, "reposition" },
				   { SPE_STOP, "stop" }),
		  __print_flags(__entry->loss, "|",
				{ SPE_LOSS_COLLISION, "collision" },
				{ SPE_LOSS_PARTIAL, "partial" },
				{ SPE_LOSS_TRUNCATED, "truncated" }),
		  __print_flags(__entry->detail, "|",
				{ SPE_DETAIL_DIRTY_BIT, "dirty_bit" },
				{ SPE_DETAIL_OVERLAY, "overlay" },
				{ SPE_DETAIL_ASSURED_ONLY, "assured_only" },
				{ SPE_DETAIL_TOP_LEVEL, "top_level" }),
		  __entry->fault)
);

/* The path by which the driver served the event, and how long the unit was stopped, in ns. */
TRACE_EVENT(arm_spe_service,

	TP_PROTO(unsigned int path, u64 position, u64 ns),

	TP_ARGS(path, position, ns),

	TP_STRUCT__entry(
		__field(unsigned int, path)
		__field(u64, position)
		__field(u64, ns)
	),

	TP_fast_assign(
		__entry->path = path;
		__entry->position = position;
		__entry->ns = ns;
	),

	TP_printk("path=%s position=%#llx ns=%llu",
		  __print_symbolic(__entry->path,
				   { SPE_PATH_RESUME_FIRST, "resume_first" },
				   { SPE_PATH_PUBLISH_FIRST, "publish_first" },
				   { SPE_PATH_WRAP, "wrap" },
				   { SPE_PATH_DISCARD, "discard" },
				   { SPE_PATH_HALT, "halt" },
				   { SPE_PATH_THROTTLE, "throttle" }),
		  __entry->position, __entry->ns)
);

/* The driver publishes records in one AUX record. */
TRACE_EVENT(arm_spe_publish,

	TP_PROTO(u64 position, u64 size),

	TP_ARGS(position, size),

	TP_STRUCT__entry(
		__field(u64, position)
		__field(u64, size)
	),

	TP_fast_assign(
		__entry->position = position;
		__entry->size = size;
	),

	TP_printk("position=%#llx size=%#llx", __entry->position, __entry->size)
);

/* Frequency mode has chosen another interval, in operations. */
TRACE_EVENT(arm_spe_period,

	TP_PROTO(u64 from, u64 to, u64 wanted),

	TP_ARGS(from, to, wanted),

	TP_STRUCT__entry(
		__field(u64, from)
		__field(u64, to)
		__field(u64, wanted)
	),

	TP_fast_assign(
		__entry->from = from;
		__entry->to = to;
		__entry->wanted = wanted;
	),

	TP_printk("from=%llu to=%llu wanted=%llu", __entry->from, __entry->to,
		  __entry->wanted)
);

#endif /* SPE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
