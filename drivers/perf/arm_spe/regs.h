/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All accesses to SPE registers, and all barriers (rules: D17.9).  Each function
 * documents what it orders.  Call the functions on the unit's own PE, with
 * interrupts disabled or before its first session.
 */
#ifndef SPE_REGS_H
#define SPE_REGS_H

#include <linux/build_bug.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <asm/virt.h>
#include <arm_spe/regs.h>

/* If the kernel defines the same register or field, the values must be equal. */
static_assert(ARM_SPE_PMSCR_EL1 == SYS_PMSCR_EL1);
static_assert(ARM_SPE_PMSICR_EL1 == SYS_PMSICR_EL1);
static_assert(ARM_SPE_PMSIRR_EL1 == SYS_PMSIRR_EL1);
static_assert(ARM_SPE_PMSFCR_EL1 == SYS_PMSFCR_EL1);
static_assert(ARM_SPE_PMSEVFR_EL1 == SYS_PMSEVFR_EL1);
static_assert(ARM_SPE_PMSLATFR_EL1 == SYS_PMSLATFR_EL1);
static_assert(ARM_SPE_PMSIDR_EL1 == SYS_PMSIDR_EL1);
static_assert(ARM_SPE_PMBLIMITR_EL1 == SYS_PMBLIMITR_EL1);
static_assert(ARM_SPE_PMBPTR_EL1 == SYS_PMBPTR_EL1);
static_assert(ARM_SPE_PMBSR_EL1 == SYS_PMBSR_EL1);
static_assert(ARM_SPE_PMBIDR_EL1 == SYS_PMBIDR_EL1);
#ifdef SYS_PMSNEVFR_EL1
static_assert(ARM_SPE_PMSNEVFR_EL1 == SYS_PMSNEVFR_EL1);
#endif
#ifdef SYS_PMSDSFR_EL1
static_assert(ARM_SPE_PMSDSFR_EL1 == SYS_PMSDSFR_EL1);
#endif
#ifdef PMSCR_EL1_CX
static_assert(ARM_SPE_PMSCR_CX == PMSCR_EL1_CX);
static_assert(ARM_SPE_PMSCR_E1SPE == PMSCR_EL1_E1SPE);
static_assert(ARM_SPE_PMSIRR_INTERVAL == PMSIRR_EL1_INTERVAL);
static_assert(ARM_SPE_PMSIDR_MAXSIZE == PMSIDR_EL1_MAXSIZE);
static_assert(ARM_SPE_PMBSR_S == PMBSR_EL1_S);
static_assert(ARM_SPE_PMBSR_DL == PMBSR_EL1_DL);
static_assert(ARM_SPE_PMBSR_EC == PMBSR_EL1_EC);
static_assert(ARM_SPE_PMBIDR_P == PMBIDR_EL1_P);
#endif

/*
 * Raw accesses without ordering.  In a kernel at EL2 with E2H, the name PMSCR_EL1
 * reaches PMSCR_EL2.  Its fields E0HSPE and E2SPE are at the positions of E0SPE and
 * E1SPE, so the same code serves both levels.
 *
 * While PMSCR_EL1.EE is clear, the unit reports events in PMBSR_EL1 and raises PMBIRQ
 * (Tables D17-5 to D17-7, RTSJRP).  exc.c sets EE if the Profiling exception works.
 *  - At EL2 with E2H, EE is PMSCR_EL2.EE.  While it is 0b00 the unit records all events
 *    in PMBSR_EL1, and the name PMBSR_EL1 reaches that register (D24.7.5, accessing).
 *  - At EL1, the unit records events in PMBSR_EL1 except for those that a hypervisor
 *    takes (PMSCR_EL2.EE).
 * Firmware (MDCR_EL3.PMSEE) and the hypervisor serve or inject the events that they
 * take.
 */
#define spe_read(reg)		read_sysreg_s(ARM_SPE_##reg##_EL1)
#define spe_write(val, reg)	write_sysreg_s(val, ARM_SPE_##reg##_EL1)

/* The SPE version.  A PE without SPE has this register too, and no other one. */
#define spe_read_dfr0()		read_sysreg(id_aa64dfr0_el1)
#define spe_read_dfr2()		read_sysreg_s(ARM_SPE_ID_AA64DFR2_EL1)

/*
 * PMSCR_EL1.EE and KE for this CPU, chosen by exc.c.  Only that CPU changes them,
 * while its unit is stopped.  Both are zero where management events come by PMBIRQ.
 *
 * stopped:	value while the unit is stopped.  EE stays set, because at EL2 EE also
 *		decides which register the name PMBSR_EL1 reaches.  KE is clear, so
 *		that the exception does not interrupt the code that stopped the unit.
 * sampling:	value while the unit samples.
 */
struct spe_regs_pmscr {
	u64 stopped;
	u64 sampling;
};

DECLARE_PER_CPU(struct spe_regs_pmscr, spe_regs_pmscr);

/* Makes earlier direct writes take effect before later direct reads. */
static inline void spe_regs_sync(void)
{
	isb();
}

/*
 * Whether and what the unit samples in guests of KVM.  A kernel at EL2 owns the buffer
 * (MDCR_EL2.E2PB is 0b00), also while a guest runs.  HCR_EL2.TGE is 0 then, so
 * PMSCR_EL1.E1SPE and E0SPE decide whether the unit samples EL1 and EL0 (Table D17-1).
 * These bits reset to UNKNOWN values.  KVM clears them only from Linux 6.17 on, when it
 * enables a CPU, and does not write them when it switches guests.  Guests cannot reach
 * the register (MDCR_EL2.TPMS).  The write takes effect before the next guest runs, as
 * that begins with an exception return.
 */
static inline void spe_regs_set_guests(u64 pmscr_el12)
{
	if (is_kernel_in_hyp_mode())
		write_sysreg_s(pmscr_el12, ARM_SPE_PMSCR_EL12);
}

/* Call this only in a kernel at EL2. */
static inline u64 spe_regs_guests(void)
{
	return read_sysreg_s(ARM_SPE_PMSCR_EL12);
}

/*
 * Waits for the records of all operations that this PE executed before the last
 * Context synchronization event (IMLGHW), and makes the results visible:
 *  - PSB CSYNC orders the writes of the records and the unit's writes to registers.
 *  - DSB ISH makes the records visible to readers on any CPU, before a later store
 *    publishes the new AUX head.
 *  - ISB makes later direct reads of PMBPTR_EL1 and PMBSR_EL1 see the unit's writes.
 */
static inline void spe_regs_drain(void)
{
	psb_csync();
	dsb(ish);
	isb();
}

/*
 * Stops sampling and drains the unit.  Afterwards each sampled operation has been
 * written or lost, and PMBPTR_EL1, PMBSR_EL1 and PMSICR_EL1 do not change.  The first
 * ISB makes the new PMSCR_EL1 effective, so the kernel takes no Profiling exception
 * after it (KE is clear).  It is also the Context synchronization event that
 * PSB CSYNC needs (IMLGHW).
 */
static inline void spe_regs_stop(void)
{
	spe_write(this_cpu_read(spe_regs_pmscr.stopped), PMSCR);
	isb();
	spe_regs_drain();
}

/*
 * Arm's known issue R24557 applies while the buffer is enabled, PMBSR_EL1.S is clear and the
 * mode is not discard.  Then the PE may ignore writes of PMBPTR_EL1 and PMBSR_EL1, and writes of
 * PMBLIMITR_EL1 that do not clear E; and the pointer must be below the limit.  So these two
 * functions keep the order of the writes:
 *  - The pointer, and S in PMBSR_EL1, are effective before the buffer is enabled.
 *  - The buffer is disabled before PMBSR_EL1 or PMBPTR_EL1 is written next.
 */
static inline void spe_regs_enable_buffer(u64 pmbptr, u64 pmblimitr)
{
	spe_write(pmbptr, PMBPTR);
	isb();
	spe_write(pmblimitr, PMBLIMITR);
}

static inline void spe_regs_disable_buffer(void)
{
	spe_write(0, PMBLIMITR);
	isb();
}

/*
 * Stops the unit for good, whatever it does: the CPU is about to enter another kernel.
 */
static inline void spe_regs_shut_down(void)
{
	spe_write(0, PMSCR);
	spe_regs_set_guests(0);
	isb();
	spe_regs_drain();
	spe_regs_disable_buffer();
	spe_write(0, PMBSR);
	isb();
}

/*
 * Stops sampling without a drain.  The unit may still write records of operations
 * that it has sampled, so the buffer stays enabled.
 */
static inline void spe_regs_pause(void)
{
	spe_write(this_cpu_read(spe_regs_pmscr.stopped), PMSCR);
	isb();
}

/*
 * Starts sampling in a stopped unit.  The first ISB makes all other controls
 * effective before sampling starts (INDWCG).  The second ISB makes sampling effective
 * before the function returns (IWZSLB).
 */
static inline void spe_regs_start(u64 pmscr)
{
	isb();
	spe_write(pmscr | this_cpu_read(spe_regs_pmscr.sampling), PMSCR);
	isb();
}

/*
 * Resumes a unit that a management event stopped, after the driver has programmed the
 * buffer.  The first ISB makes the new pointer and limit effective before S is
 * cleared.  The second ISB makes the cleared S effective at once, so that few
 * operations run unsampled.
 */
static inline void spe_regs_resume(void)
{
	isb();
	spe_write(0, PMBSR);
	isb();
}

#endif /* SPE_REGS_H */
