/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delivery of management events: by PMBIRQ, or by the SPE Profiling exception
 * (FEAT_SPE_EXC).  Documentation/driver-api/arm-spe-exception.rst has the design.
 */
#ifndef SPE_EXC_H
#define SPE_EXC_H

#include <linux/types.h>

struct spe_cpu;
struct spe_pmu;
struct perf_event;

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
bool spe_exc_test_irq(void);
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

#endif /* SPE_EXC_H */
