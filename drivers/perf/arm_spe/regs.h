/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only accesses to SPE registers, and the only barriers.  Each function
 * says what it orders; D17.9 is the law.  All of them run on the PE whose
 * unit they mean, with interrupts disabled (or before its first session).
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

/* Where the kernel names the same thing, it must mean the same thing. */
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
 * Raw accesses, unordered.  In a kernel at EL2 with E2H the name PMSCR_EL1
 * reaches PMSCR_EL2, whose E0HSPE and E2SPE have the places of E0SPE and
 * E1SPE: the same code serves both.
 *
 * With EE of PMSCR clear (exc.c sets it where the Profiling exception works)
 * every event is found in PMBSR_EL1 and raises PMBIRQ (Tables D17-5 to D17-7,
 * RTSJRP):
 *  - at EL2 with E2H, PMSCR_EL2.EE is then 0b00: all events are recorded in
 *    PMBSR_EL1, and that name reaches it, not PMBSR_EL2 (D24.7.5, accessing);
 *  - at EL1, PMSCR_EL1.EE is 0b00: what a hypervisor does not keep for itself
 *    (PMSCR_EL2.EE) is recorded in PMBSR_EL1 and told by the interrupt.
 * What MDCR_EL3.PMSEE or a hypervisor keeps is theirs to serve or to inject.
 */
#define spe_read(reg)		read_sysreg_s(ARM_SPE_##reg##_EL1)
#define spe_write(val, reg)	write_sysreg_s(val, ARM_SPE_##reg##_EL1)

/* SPE's version; the only register that a PE without SPE has. */
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

/* Earlier direct writes take effect before later direct reads and operations. */
static inline void spe_regs_sync(void)
{
	isb();
}

/*
 * A kernel at EL2 owns the buffer (MDCR_EL2.E2PB is 0b00), also while a guest of
 * KVM runs.  HCR_EL2.TGE is 0 then, and PMSCR_EL1.E1SPE and E0SPE decide whether
 * EL1 and EL0 are sampled (Table D17-2).  They reset to UNKNOWN values, and KVM
 * clears them from Linux 6.17 on.  Takes effect at the next ISB.
 */
static inline void spe_regs_exclude_guests(void)
{
	if (is_kernel_in_hyp_mode())
		write_sysreg_s(0, ARM_SPE_PMSCR_EL12);
}

/*
 * Completes the profiling operations of everything that this PE executed
 * before the last Context synchronization event (IMLGHW), and makes their
 * results visible:
 *  - PSB: orders the records' writes and the registers' indirect writes;
 *  - DSB, of loads and stores and for the inner shareable domain: the records
 *    have reached the point where any CPU's reader of the AUX buffer sees
 *    them, before a later store publishes the new head;
 *  - ISB: later direct reads of PMBPTR and PMBSR see the indirect writes.
 */
static inline void spe_regs_drain(void)
{
	psb_csync();
	dsb(ish);
	isb();
}

/*
 * No operation is sampled after this; what was sampled is written or lost,
 * and PMBPTR, PMBSR and PMSICR hold still.  The first ISB makes the cleared
 * controls effective and is the Context synchronization event that the PSB
 * needs (IMLGHW).  It also makes the cleared KE effective: no Profiling
 * exception is taken in the kernel after it.
 */
static inline void spe_regs_stop(void)
{
	spe_write(this_cpu_read(spe_regs_pmscr.stopped), PMSCR);
	isb();
	spe_regs_drain();
}

/*
 * No operation is sampled after this; records may still be on their way to
 * the buffer, which stays enabled for them.
 */
static inline void spe_regs_pause(void)
{
	spe_write(this_cpu_read(spe_regs_pmscr.stopped), PMSCR);
	isb();
}

/*
 * Starts the unit, from a state in which it was stopped: all other controls
 * are in effect before sampling is (INDWCG).  The controls of sampling itself
 * take effect at the next Context synchronization event at the latest on the
 * return to user space; IWZSLB.
 */
static inline void spe_regs_start(u64 pmscr)
{
	isb();
	spe_write(pmscr | this_cpu_read(spe_regs_pmscr.sampling), PMSCR);
	isb();
}

/*
 * Lets a unit that a management event stopped go on in a buffer that has
 * been reprogrammed: the new limits are in effect before S is cleared, and
 * the clear takes effect at once, so that as few operations as possible run
 * unsampled.
 */
static inline void spe_regs_resume(void)
{
	isb();
	spe_write(0, PMBSR);
	isb();
}

#endif /* SPE_REGS_H */
