// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decodes PMBSR_ELx.
 *
 * Rule RHLXGD decides whether profiling can continue after an event.  If EA or DL is
 * set, the driver cannot use the saved write pointer.  After a full buffer, the unit
 * continues with a new limit.  After an MMU fault it could continue too, but the same
 * fault repeats until software fixes the cause.
 *
 * The kernel maps the buffer for the whole session with the Access flag and dirty state
 * set.  It can fix nothing in stage 1, so a stage 1 fault ends the session.  A
 * hypervisor owns stage 2, and maps the page when the CPU accesses it, so the driver
 * retries after a stage 2 fault.
 */
#include "syndrome.h"

#define SPE_ANY	0xff

/* Classes of fault status codes. */
enum spe_fault_class {
	SPE_FAULT_TABLE,	/* the translation tables refuse the access: may be fixed */
	SPE_FAULT_FATAL,	/* no software fixes this */
	SPE_FAULT_EXTERNAL,
	SPE_FAULT_GPF,
};

/* The first matching row applies.  The last row matches everything. */
static const struct spe_syndrome_row {
	u8 ec;
	u8 bsc;
	u8 kind;
	u8 action;
	const char *name;
} spe_syndrome_rows[] = {
	{ ARM_SPE_EC_OTHER, ARM_SPE_BSC_NOT_ALLOWED, SPE_EVENT_NOT_ALLOWED, SPE_STOP,
	  "access not allowed" },
	{ ARM_SPE_EC_OTHER, ARM_SPE_BSC_FULL, SPE_EVENT_FULL, SPE_RESUME,
	  "buffer full" },
	{ ARM_SPE_EC_OTHER, ARM_SPE_BSC_TOO_LARGE, SPE_EVENT_TOO_LARGE, SPE_STOP,
	  "buffer too large" },
	{ ARM_SPE_EC_OTHER, SPE_ANY, SPE_EVENT_OTHER, SPE_STOP,
	  "reserved buffer status" },
	{ ARM_SPE_EC_GPC, SPE_ANY, SPE_EVENT_GPC, SPE_STOP,
	  "granule protection check fault (address size, walk or External abort)" },
	{ ARM_SPE_EC_IMPDEF, SPE_ANY, SPE_EVENT_IMPDEF, SPE_STOP,
	  "IMPLEMENTATION DEFINED event" },
	{ ARM_SPE_EC_STAGE1, SPE_ANY, SPE_EVENT_STAGE1, SPE_STOP,
	  "stage 1 abort" },
	{ ARM_SPE_EC_STAGE2, SPE_ANY, SPE_EVENT_STAGE2, SPE_STOP,
	  "stage 2 abort" },
	{ SPE_ANY, SPE_ANY, SPE_EVENT_UNKNOWN, SPE_STOP,
	  "reserved event class" },
};

struct spe_fault_row {
	const char *name;	/* NULL: the fault status is reserved */
	u8 class;
};

#define SPE_FAULT(status, _class, text) \
	[status] = { .name = text, .class = SPE_FAULT_##_class }
#define SPE_WALK	" on a translation table walk"

/* Fault status codes (D24.7.5, FSC). */
static const struct spe_fault_row spe_fault_rows[64] = {
	SPE_FAULT(0x00, FATAL, "address size fault, level 0"),
	SPE_FAULT(0x01, FATAL, "address size fault, level 1"),
	SPE_FAULT(0x02, FATAL, "address size fault, level 2"),
	SPE_FAULT(0x03, FATAL, "address size fault, level 3"),
	SPE_FAULT(0x04, TABLE, "translation fault, level 0"),
	SPE_FAULT(0x05, TABLE, "translation fault, level 1"),
	SPE_FAULT(0x06, TABLE, "translation fault, level 2"),
	SPE_FAULT(0x07, TABLE, "translation fault, level 3"),
	SPE_FAULT(0x08, TABLE, "access flag fault, level 0"),
	SPE_FAULT(0x09, TABLE, "access flag fault, level 1"),
	SPE_FAULT(0x0a, TABLE, "access flag fault, level 2"),
	SPE_FAULT(0x0b, TABLE, "access flag fault, level 3"),
	SPE_FAULT(0x0c, TABLE, "permission fault, level 0"),
	SPE_FAULT(0x0d, TABLE, "permission fault, level 1"),
	SPE_FAULT(0x0e, TABLE, "permission fault, level 2"),
	SPE_FAULT(0x0f, TABLE, "permission fault, level 3"),
	SPE_FAULT(0x10, EXTERNAL, "synchronous External abort"),
	SPE_FAULT(0x11, EXTERNAL, "asynchronous External abort"),
	SPE_FAULT(0x12, EXTERNAL, "synchronous External abort" SPE_WALK ", level -2"),
	SPE_FAULT(0x13, EXTERNAL, "synchronous External abort" SPE_WALK ", level -1"),
	SPE_FAULT(0x14, EXTERNAL, "synchronous External abort" SPE_WALK ", level 0"),
	SPE_FAULT(0x15, EXTERNAL, "synchronous External abort" SPE_WALK ", level 1"),
	SPE_FAULT(0x16, EXTERNAL, "synchronous External abort" SPE_WALK ", level 2"),
	SPE_FAULT(0x17, EXTERNAL, "synchronous External abort" SPE_WALK ", level 3"),
	SPE_FAULT(0x1b, EXTERNAL, "parity or ECC error" SPE_WALK ", level -1"),
	SPE_FAULT(0x1c, EXTERNAL, "parity or ECC error" SPE_WALK ", level 0"),
	SPE_FAULT(0x1d, EXTERNAL, "parity or ECC error" SPE_WALK ", level 1"),
	SPE_FAULT(0x1e, EXTERNAL, "parity or ECC error" SPE_WALK ", level 2"),
	SPE_FAULT(0x1f, EXTERNAL, "parity or ECC error" SPE_WALK ", level 3"),
	SPE_FAULT(0x21, FATAL, "alignment fault"),
	SPE_FAULT(0x22, GPF, "granule protection fault" SPE_WALK ", level -2"),
	SPE_FAULT(0x23, GPF, "granule protection fault" SPE_WALK ", level -1"),
	SPE_FAULT(0x24, GPF, "granule protection fault" SPE_WALK ", level 0"),
	SPE_FAULT(0x25, GPF, "granule protection fault" SPE_WALK ", level 1"),
	SPE_FAULT(0x26, GPF, "granule protection fault" SPE_WALK ", level 2"),
	SPE_FAULT(0x27, GPF, "granule protection fault" SPE_WALK ", level 3"),
	SPE_FAULT(0x28, GPF, "granule protection fault"),
	SPE_FAULT(0x29, FATAL, "address size fault, level -1"),
	SPE_FAULT(0x2a, TABLE, "translation fault, level -2"),
	SPE_FAULT(0x2b, TABLE, "translation fault, level -1"),
	SPE_FAULT(0x2c, FATAL, "address size fault, level -2"),
	SPE_FAULT(0x30, FATAL, "TLB conflict abort"),
	SPE_FAULT(0x31, FATAL, "unsupported atomic hardware update fault"),
};

static const char * const spe_kind_names[SPE_EVENT_NR] = {
	[SPE_EVENT_NONE] = "none",
	[SPE_EVENT_FULL] = "full",
	[SPE_EVENT_NOT_ALLOWED] = "not_allowed",
	[SPE_EVENT_TOO_LARGE] = "too_large",
	[SPE_EVENT_OTHER] = "other",
	[SPE_EVENT_STAGE1] = "stage1",
	[SPE_EVENT_STAGE2] = "stage2",
	[SPE_EVENT_EXTERNAL] = "external",
	[SPE_EVENT_GPF] = "gpf",
	[SPE_EVENT_GPC] = "gpc",
	[SPE_EVENT_IMPDEF] = "impdef",
	[SPE_EVENT_UNKNOWN] = "unknown",
};

static const struct spe_syndrome_row *spe_syndrome_find(unsigned int ec, unsigned int bsc)
{
	const struct spe_syndrome_row *row = spe_syndrome_rows;

	while ((row->ec != SPE_ANY && row->ec != ec) ||
	       (row->bsc != SPE_ANY && row->bsc != bsc))
		row++;
	return row;
}

/* Bits of MSS2 for aborts (D24.7.5), which are valid under these conditions only. */
static unsigned int spe_syndrome_detail(u64 pmbsr, bool stage2)
{
	unsigned int detail = 0;

	if ((pmbsr & ARM_SPE_PMBSR_FSC & ~3ULL) != ARM_SPE_FSC_PERMISSION)
		return 0;
	if (pmbsr & ARM_SPE_PMBSR_DIRTY_BIT)
		detail |= SPE_DETAIL_DIRTY_BIT;
	if (pmbsr & ARM_SPE_PMBSR_OVERLAY)
		detail |= SPE_DETAIL_OVERLAY;
	if (stage2 && pmbsr & ARM_SPE_PMBSR_ASSURED_ONLY)
		detail |= SPE_DETAIL_ASSURED_ONLY;
	if (stage2 && pmbsr & ARM_SPE_PMBSR_TOP_LEVEL)
		detail |= SPE_DETAIL_TOP_LEVEL;
	return detail;
}

/* Refines the verdict by the fault status code. */
static void spe_syndrome_abort(struct spe_verdict *v, u64 pmbsr)
{
	const struct spe_fault_row *row = &spe_fault_rows[spe_get(ARM_SPE_PMBSR_FSC, pmbsr)];
	bool stage2 = v->kind == SPE_EVENT_STAGE2;

	v->detail = spe_syndrome_detail(pmbsr, stage2);
	v->fault = row->name ?: "reserved fault status";
	if (!row->name)
		return;
	switch ((enum spe_fault_class)row->class) {
	case SPE_FAULT_TABLE:
		/* A store does not change the memory attributes AssuredOnly and TopLevel. */
		v->retryable = stage2 && !(v->detail & (SPE_DETAIL_ASSURED_ONLY |
						       SPE_DETAIL_TOP_LEVEL));
		if (v->retryable)
			v->action = SPE_RESUME;
		break;
	case SPE_FAULT_EXTERNAL:
		v->kind = SPE_EVENT_EXTERNAL;
		break;
	case SPE_FAULT_GPF:
		v->kind = SPE_EVENT_GPF;
		break;
	case SPE_FAULT_FATAL:
		break;
	}
}

/* From v1p5 on the unit may sample and lose operations after a fault (D17.8). */
static bool spe_syndrome_loses_later(enum spe_event_kind kind, const struct spe_caps *caps)
{
	switch (kind) {
	case SPE_EVENT_STAGE1:
	case SPE_EVENT_STAGE2:
	case SPE_EVENT_EXTERNAL:
	case SPE_EVENT_GPF:
	case SPE_EVENT_GPC:
		return caps->pmsver >= ARM_SPE_PMSVER_V1P5;
	default:
		return false;
	}
}

/*
 * COLL and DL stay set until software clears them, also without an event.  DL means
 * that a record below the write pointer may be incomplete (RMYXZK).  After DL or EA,
 * software may not reuse the saved write pointer (RHLXGD).
 */
static unsigned int spe_syndrome_loss(u64 pmbsr, const struct spe_verdict *v,
				      const struct spe_caps *caps)
{
	unsigned int loss = 0;

	if (pmbsr & ARM_SPE_PMBSR_COLL)
		loss |= SPE_LOSS_COLLISION;
	/* The record whose write faulted is lost, even if DL is clear. */
	if (pmbsr & (ARM_SPE_PMBSR_DL | ARM_SPE_PMBSR_EA) || v->retryable ||
	    spe_syndrome_loses_later(v->kind, caps))
		loss |= SPE_LOSS_PARTIAL;
	if (v->action == SPE_STOP)
		loss |= SPE_LOSS_TRUNCATED;
	return loss;
}

struct spe_verdict spe_syndrome_decode(u64 pmbsr, const struct spe_caps *caps)
{
	const struct spe_syndrome_row *row;
	struct spe_verdict v = {
		.kind = SPE_EVENT_NONE, .action = SPE_IGNORE, .name = "none", .fault = "",
	};

	if (pmbsr & ARM_SPE_PMBSR_S) {
		row = spe_syndrome_find(spe_get(ARM_SPE_PMBSR_EC, pmbsr),
					spe_get(ARM_SPE_PMBSR_BSC, pmbsr));
		v.kind = row->kind;
		v.action = row->action;
		v.name = row->name;
		if (v.kind == SPE_EVENT_STAGE1 || v.kind == SPE_EVENT_STAGE2)
			spe_syndrome_abort(&v, pmbsr);
	}
	if (v.action == SPE_RESUME && pmbsr & ARM_SPE_PMBSR_DL)
		v.action = SPE_REPOSITION;
	/* After an External abort the memory may be broken: end the session. */
	if (v.action != SPE_IGNORE && pmbsr & ARM_SPE_PMBSR_EA) {
		v.action = SPE_STOP;
		v.retryable = false;
	}
	v.loss = spe_syndrome_loss(pmbsr, &v, caps);
	return v;
}

const char *spe_syndrome_kind_name(enum spe_event_kind kind)
{
	return (unsigned int)kind < SPE_EVENT_NR ? spe_kind_names[kind] : "?";
}
