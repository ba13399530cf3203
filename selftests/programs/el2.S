/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A minimal hypervisor, in three variants.
 *
 * It is an arm64 kernel image of 2 MiB that is entered at EL2.  run-guest --under puts it in
 * front of the kernel, which it enters at EL1 as the boot protocol requires.  An unexpected
 * exception to EL2 prints ESR_EL2 on the console and powers the machine off.  For one CPU
 * without SVE and SME.
 *
 * owner.image keeps the Statistical Profiling Unit: MDCR_EL2.E2PB is 0b00, so EL2 owns the
 * buffer.  At EL1 PMBIDR_EL1.P is 1 and accesses to PMB* trap; TPMS traps PMS*.
 *
 * power.image (POWER) powers its CPU down, which QEMU's PSCI does not do.  It traps the
 * kernel's firmware calls and passes them on, except a CPU_SUSPEND that may lose registers.
 * For that call it waits for an interrupt, fills the registers of the unit and of stage 1 with
 * noise, leaves PMBLIMITR_EL1.E at 0 as after a Warm reset, and enters the kernel at the
 * requested address with the MMU off.
 *
 * denier.image (DENIER) gives EL1 the unit but keeps the Profiling exception disabled:
 * PMSCR_EL2.EE is 0b00, which no ID register shows.
 */
#define KERNEL_PAGES	0x200		/* this image's size in 4 KiB pages */
#define MDCR_TPMS	(1 << 14)
#define HCR_VALUE	((1 << 31) | (3 << 40) | HCR_TSC)	/* RW; APK, API */
#define HCRX_MSCEN	(1 << 11)	/* memory copy and set */
#define HCRX_EL2	S3_4_C1_C2_2
#define HDFGRTR_EL2	S3_4_C3_C1_4
#define HDFGWTR_EL2	S3_4_C3_C1_5
#define HDFG_NPMSNEVFR	(1 << 62)
#define HDFGRTR2_EL2	S3_4_C3_C1_0	/* FEAT_FGT2 */
#define HDFGWTR2_EL2	S3_4_C3_C1_1
#define HDFG2_SPE	(1 << 24 | 1 << 19)	/* nPMBMAR_EL1, nPMSDSFR_EL1 */
#define PMSCR_EL1	S3_0_C9_C9_0
#define PMSCR_EL2	S3_4_C9_C9_0
#define PMSCR_EE	(3 << 8)
#define PMSCR_BASE	(1 << 6 | 1 << 4)	/* PCT, PA */
#define ICC_SRE_EL2	S3_4_C12_C9_5
#define ICH_HCR_EL2	S3_4_C12_C11_0
#define SCTLR_EL1_OFF	0x30d00800
/*
 * All exceptions masked.  PM, bit 32, masks the Profiling exception until the kernel
 * clears PM.  By then the exception must be disabled (PMSCR_EL1.EE): PMSCR_EL1 and
 * PMBSR_EL1 reset to UNKNOWN values, which may raise it before the kernel has vectors.
 */
#define SPSR_EL1H	0x1000003c5
#define UART		0x09000000
#define PSCI_SYSTEM_OFF	0x84000008
#define PSCI_CPU_SUSPEND 0xc4000001
#define SUSPEND_DOWN	16		/* bit of power_state: StateType */
#define EC_SMC		0x17

#ifdef POWER
#define MDCR_VALUE	(3 << 12)	/* E2PB: EL1 owns the buffer */
#define HCR_TSC		(1 << 19)
#define PMSCR_VALUE	(1 << 8 | PMSCR_BASE)	/* EE: delegated, with FEAT_SPE_EXC */
#elif defined(DENIER)
#define MDCR_VALUE	(3 << 12)
#define HCR_TSC		0
#define PMSCR_VALUE	PMSCR_BASE
#else
#define OWNER
#define MDCR_VALUE	MDCR_TPMS
#define HCR_TSC		0
#endif

	.text
	.globl	_start
_start:
	b	enter
	.word	0
	.quad	0			/* text offset */
	.quad	0x4000000		/* large enough for both images */
	.quad	0xa			/* little-endian, 4 KiB, anywhere */
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.word	0

enter:
	adr	x9, vectors
	msr	vbar_el2, x9
	ldr	x9, =HCR_VALUE
	msr	hcr_el2, x9
	mrs	x9, id_aa64mmfr1_el1
	ubfx	x9, x9, #40, #4
	cbz	x9, 1f
	mov	x9, #HCRX_MSCEN
	msr	HCRX_EL2, x9
1:	mov	x9, #0x33ff		/* RES1: no floating-point trap */
	msr	cptr_el2, x9
	msr	hstr_el2, xzr
	mrs	x9, pmcr_el0		/* keep N in HPMN: EL1 has all counters */
	ubfx	x9, x9, #11, #5
	orr	x9, x9, #MDCR_VALUE
	msr	mdcr_el2, x9
#ifndef OWNER
	mov	x9, #PMSCR_VALUE
	msr	PMSCR_EL2, x9
	mrs	x9, PMSCR_EL1		/* the kernel starts with PM clear */
	bic	x9, x9, #PMSCR_EE
	msr	PMSCR_EL1, x9
	mrs	x9, id_aa64mmfr0_el1
	lsr	x10, x9, #56
	ands	x10, x10, #0xf
	b.eq	1f
	mov	x9, #HDFG_NPMSNEVFR	/* FEAT_FGT traps PMSNEVFR_EL1 if this is 0 */
	msr	HDFGRTR_EL2, x9
	msr	HDFGWTR_EL2, x9
	cmp	x10, #2
	b.lo	1f
	ldr	x9, =HDFG2_SPE		/* likewise */
	msr	HDFGRTR2_EL2, x9
	msr	HDFGWTR2_EL2, x9
1:
#endif
	mov	x9, #3			/* timer and counter */
	msr	cnthctl_el2, x9
	msr	cntvoff_el2, xzr
	mov	x9, #0xf		/* the GIC's registers */
	msr	ICC_SRE_EL2, x9
	isb
	msr	ICH_HCR_EL2, xzr
	mrs	x9, midr_el1
	msr	vpidr_el2, x9
	mrs	x9, mpidr_el1
	msr	vmpidr_el2, x9
	msr	vttbr_el2, xzr
	ldr	x9, =SCTLR_EL1_OFF
	msr	sctlr_el1, x9
	ldr	x9, =SPSR_EL1H
	msr	spsr_el2, x9
	adr	x9, _start
	add	x9, x9, #KERNEL_PAGES, lsl #12
	msr	elr_el2, x9
	isb
	eret				/* x0 is the device tree, x1 to x3 are 0 */

/* Prints "2" and ESR_EL2 in hexadecimal digits, then powers the machine off. */
trapped:
	mov	x10, #UART
	mov	w11, #'2'
	mrs	x12, esr_el2
	mov	w13, #8
2:	str	w11, [x10]
	ubfx	w11, w12, #28, #4
	lsl	w12, w12, #4
	cmp	w11, #10
	add	w14, w11, #'a' - 10
	add	w11, w11, #'0'
	csel	w11, w11, w14, lo
	subs	w13, w13, #1
	b.pl	2b
	ldr	w0, =PSCI_SYSTEM_OFF
	smc	#0
3:	b	3b

#ifdef POWER
/* The call defines x0 to x3 only; every other register must keep its value. */
called:
	msr	tpidr_el2, x9
	mrs	x9, esr_el2
	lsr	x9, x9, #26
	cmp	x9, #EC_SMC
	b.ne	trapped
	ldr	w9, =PSCI_CPU_SUSPEND
	cmp	w0, w9
	b.ne	4f
	tbnz	w1, #SUSPEND_DOWN, 5f
4:	mrs	x9, elr_el2		/* the instruction after the trapped call */
	add	x9, x9, #4
	msr	elr_el2, x9
	mrs	x9, tpidr_el2
	smc	#0
	eret

/* x2: the address to enter; x3: the argument to pass there. */
5:	dsb	sy
	wfi
	ldr	x9, =0xa5a5a5a5a5a7a5a5	/* PMBSR.S is set in it */
	bic	x10, x9, #1		/* PMBLIMITR.E is not */
	msr	S3_0_C9_C10_0, x10
	isb
	.irp	reg, S3_0_C9_C9_0, S3_0_C9_C9_1, S3_0_C9_C9_2, S3_0_C9_C9_3, S3_0_C9_C9_4, S3_0_C9_C9_5, \
		S3_0_C9_C9_6, S3_0_C9_C10_1, S3_0_C9_C10_3
	msr	\reg, x9		/* PMSCR to PMSLATFR, PMBPTR, PMBSR */
	.endr
	.irp	reg, ttbr0_el1, ttbr1_el1, tcr_el1, mair_el1, vbar_el1, tpidr_el1, tpidr_el0, \
		contextidr_el1, cpacr_el1, sp_el1, sp_el0, far_el1, esr_el1, elr_el1
	msr	\reg, x9
	.endr
	ldr	x9, =SCTLR_EL1_OFF
	msr	sctlr_el1, x9
	ldr	x9, =SPSR_EL1H
	msr	spsr_el2, x9
	msr	elr_el2, x2
	mov	x0, x3
	ic	iallu
	tlbi	alle1
	dsb	sy
	isb
	eret
#endif

	.balign	2048
vectors:
	.rept	8
	b	trapped
	.balign	128
	.endr
#ifdef POWER
	b	called			/* synchronous, from EL1 */
#else
	b	trapped
#endif
	.balign	128
	.rept	7
	b	trapped
	.balign	128
	.endr
