// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * PMBSR_ELx to a verdict.
 */
#include "syndrome.h"

#define SPE_ANY	0xff

/* The first row that matches decides; the last one matches everything. */
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
	  "unknown buffer status" },
	{ ARM_SPE_EC_GPC, SPE_ANY, SPE_EVENT_GPC, SPE_STOP,
	  "granule protection check fault" },
	{ ARM_SPE_EC_IMPDEF, SPE_ANY, SPE_EVENT_IMPDEF, SPE_STOP,
	  "IMPLEMENTATION DEFINED event" },
	{ ARM_SPE_EC_STAGE1, SPE_ANY, SPE_EVENT_STAGE1, SPE_STOP,
	  "stage 1 fault" },
	{ ARM_SPE_EC_STAGE2, SPE_ANY, SPE_EVENT_STAGE2, SPE_STOP,
	  "stage 2 fault" },
	{ SPE_ANY, SPE_ANY, SPE_EVENT_UNKNOWN, SPE_STOP,
	  "unknown event class" },
};

/* Fault status codes of Table D17-11's faults, as in ESR_ELx.DFSC. */
static const struct spe_fault_row {
	u8 first, last;
	const char *name;
} spe_fault_rows[] = {
	{ 0x00, 0x03, "address size fault" },
	{ 0x04, 0x07, "translation fault" },
	{ 0x08, 0x0b, "access flag fault" },
	{ 0x0c, 0x0f, "permission fault" },
	{ 0x10, 0x10, "synchronous External abort" },
	{ 0x11, 0x11, "asynchronous External abort" },
	{ 0x12, 0x17, "External abort on a translation table walk" },
	{ 0x1b, 0x1f, "parity or ECC error on a translation table walk" },
	{ 0x21, 0x21, "alignment fault" },
	{ 0x22, 0x27, "granule protection fault on a translation table walk" },
	{ 0x28, 0x28, "granule protection fault" },
	{ 0x29, 0x29, "address size fault" },
	{ 0x2a, 0x2b, "translation fault" },
	{ 0x2c, 0x2c, "address size fault" },
	{ 0x30, 0x30, "TLB conflict" },
	{ 0x31, 0x31, "unsupported atomic hardware update" },
	{ 0x00, 0x3f, "unknown fault" },
};

static const char * const spe_kind_names[SPE_EVENT_NR] = {
	[SPE_EVENT_NONE] = "none",
	[SPE_EVENT_FULL] = "full",
	[SPE_EVENT_NOT_ALLOWED] = "not_allowed",
	[SPE_EVENT_TOO_LARGE] = "too_large",
	[SPE_EVENT_OTHER] = "other",
	[SPE_EVENT_STAGE1] = "stage1",
	[SPE_EVENT_STAGE2] = "stage2",
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

static const char *spe_syndrome_fault(enum spe_event_kind kind, unsigned int fsc)
{
	const struct spe_fault_row *row = spe_fault_rows;

	if (kind != SPE_EVENT_STAGE1 && kind != SPE_EVENT_STAGE2)
		return "";
	while (fsc < row->first || fsc > row->last)
		row++;
	return row->name;
}

/*
 * COLL and DL outlive the event that set them and may stand alone: DL means
 * that what lies below the pointer is not all whole (RYZJQX), and after DL or
 * EA the saved pointer may not be used again (RHLXGD).
 */
static unsigned int spe_syndrome_loss(u64 pmbsr, enum spe_action action)
{
	unsigned int loss = 0;

	if (pmbsr & ARM_SPE_PMBSR_COLL)
		loss |= SPE_LOSS_COLLISION;
	if (pmbsr & (ARM_SPE_PMBSR_DL | ARM_SPE_PMBSR_EA))
		loss |= SPE_LOSS_PARTIAL;
	if (action == SPE_STOP)
		loss |= SPE_LOSS_TRUNCATED;
	return loss;
}

struct spe_verdict spe_syndrome_judge(u64 pmbsr)
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
		v.fault = spe_syndrome_fault(v.kind, spe_get(ARM_SPE_PMBSR_FSC, pmbsr));
	}
	if (v.action == SPE_RESUME && pmbsr & ARM_SPE_PMBSR_DL)
		v.action = SPE_RESUME_ELSEWHERE;
	/* An External abort says nothing good about the memory below. */
	if (v.action != SPE_IGNORE && pmbsr & ARM_SPE_PMBSR_EA)
		v.action = SPE_STOP;
	v.loss = spe_syndrome_loss(pmbsr, v.action);
	return v;
}

const char *spe_syndrome_kind_name(enum spe_event_kind kind)
{
	return (unsigned int)kind < SPE_EVENT_NR ? spe_kind_names[kind] : "?";
}
