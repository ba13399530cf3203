/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the buffer on demand, by the module arm_spe_inject and the model's
 * register SPEINJ_EL1.
 */
#ifndef ARM_SPE_TEST_INJECT_H
#define ARM_SPE_TEST_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds, and fields that some of them take: Documentation/qemu-model.rst. */
enum spe_inject_kind {
	SPE_INJECT_CLEAR, SPE_INJECT_FULL, SPE_INJECT_STAGE1, SPE_INJECT_STAGE2,
	SPE_INJECT_GPC, SPE_INJECT_EXTERNAL, SPE_INJECT_EXTERNAL_ASYNC,
	SPE_INJECT_NOT_ALLOWED, SPE_INJECT_TOO_LARGE, SPE_INJECT_IMP_DEF,
	SPE_INJECT_COLLISION,
};

/* KIND on the RECORDth record write from now, 0: at once. */
#define SPE_INJECT(kind, record)	\
	((uint64_t)SPE_INJECT_##kind << 12 | (uint64_t)(record))
#define SPE_INJECT_FSC(fsc)		((uint64_t)(fsc) << 16)
#define SPE_INJECT_DL			(UINT64_C(1) << 22)
#define SPE_INJECT_EA			(UINT64_C(1) << 23)
#define SPE_INJECT_POINTER(bytes)	((uint64_t)(bytes) / 8 << 24)
#define SPE_INJECT_MSS2(mss2)		((uint64_t)(mss2) << 32)

/* PMBSR_EL1 */
#define SPE_PMBSR(ec, status)		((uint64_t)(ec) << 26 | (status) | UINT64_C(1) << 17)
#define SPE_PMBSR_DL			(UINT64_C(1) << 19)
#define SPE_PMBSR_EA			(UINT64_C(1) << 18)

/*
 * Values for a CPU, one after the other with its interrupts masked.  Returns 0,
 * -EINVAL where the model refuses one, or -ENXIO for a CPU that is offline.
 */
int spe_inject_all(int cpu, const uint64_t *values, size_t count);

static inline int spe_inject(int cpu, uint64_t value)
{
	return spe_inject_all(cpu, &value, 1);
}

/* The CPU's PMBSR_EL1 itself. */
int spe_inject_syndrome(int cpu, uint64_t pmbsr);

/* The value, on the CPU that enters FUNCTION of the kernel next. */
int spe_inject_at(const char *function, uint64_t value);

/* Each entry of this function of the kernel takes rounds of nothing more; 0: no more. */
int spe_inject_burden(const char *function, uint64_t rounds);

/* Whether this kernel has kprobes, which that takes. */
bool spe_inject_can_at(void);

/* Whether that is still to come. */
bool spe_inject_waits(void);

/* How many events wait on a CPU, or a negative error number. */
int spe_inject_queued(int cpu);

#endif
