/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffer management events on demand, by the module arm_spe_inject and the model's register
 * SPEINJ_EL1.
 */
#ifndef ARM_SPE_TEST_INJECT_H
#define ARM_SPE_TEST_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of events; Documentation/qemu-model.rst lists the fields that some of them take. */
enum spe_inject_kind {
	SPE_INJECT_CLEAR, SPE_INJECT_FULL, SPE_INJECT_STAGE1, SPE_INJECT_STAGE2,
	SPE_INJECT_GPC, SPE_INJECT_EXTERNAL, SPE_INJECT_EXTERNAL_ASYNC,
	SPE_INJECT_NOT_ALLOWED, SPE_INJECT_TOO_LARGE, SPE_INJECT_IMP_DEF,
	SPE_INJECT_COLLISION,
};

/* An event of KIND at the RECORDth record write from now; 0: at once. */
#define SPE_INJECT(kind, record)	\
	((uint64_t)SPE_INJECT_##kind << 12 | (uint64_t)(record))
#define SPE_INJECT_FSC(fsc)		((uint64_t)(fsc) << 16)
#define SPE_INJECT_DL			(UINT64_C(1) << 22)
#define SPE_INJECT_EA			(UINT64_C(1) << 23)
#define SPE_INJECT_POINTER(bytes)	((uint64_t)(bytes) / 8 << 24)
#define SPE_INJECT_MSS2(mss2)		((uint64_t)(mss2) << 32)

/* Values of PMBSR_EL1. */
#define SPE_PMBSR(ec, status)		((uint64_t)(ec) << 26 | (status) | UINT64_C(1) << 17)
#define SPE_PMBSR_DL			(UINT64_C(1) << 19)
#define SPE_PMBSR_EA			(UINT64_C(1) << 18)

/*
 * Writes the values to SPEINJ_EL1 of a CPU, in order and with interrupts masked.  Returns 0,
 * -EINVAL if the model rejects a value, or -ENXIO if the CPU is offline.
 */
int spe_inject_all(int cpu, const uint64_t *values, size_t count);

static inline int spe_inject(int cpu, uint64_t value)
{
	return spe_inject_all(cpu, &value, 1);
}

/* Writes PMBSR_EL1 of a CPU directly. */
int spe_inject_syndrome(int cpu, uint64_t pmbsr);

/* Writes the value to SPEINJ_EL1 on the CPU that next enters FUNCTION of the kernel. */
int spe_inject_at(const char *function, uint64_t value);

/* Makes each entry of FUNCTION of the kernel spin for ROUNDS rounds; 0: no more. */
int spe_inject_burden(const char *function, uint64_t rounds);

/* Whether this kernel has kprobes, which spe_inject_at() and spe_inject_burden() need. */
bool spe_inject_can_at(void);

/* Whether the value of spe_inject_at() has not been written yet. */
bool spe_inject_waits(void);

/* How many events are queued for a CPU, or a negative error number. */
int spe_inject_queued(int cpu);

#endif
