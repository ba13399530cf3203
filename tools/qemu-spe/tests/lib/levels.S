/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Visits from the highest Exception level to any level and back: see levels.h.
 * The first exception ends the visit, whatever level takes it.  The code
 * therefore preserves no register of the visited level, and it stores x0 in the
 * outcome.
 */

#define VALID		0
#define EL		8
#define VECTOR		16
#define ESR		24
#define ELR		32
#define SPSR		40
#define FAR		48
#define VALUE		56
#define PM_TAKEN	64
#define RECORDED	72

	.text
	.balign	2048
	.globl	visit_vectors
visit_vectors:
	.set	offset, 0
	.rept	16
	.balign	128
	mov	x17, #offset
	b	taken
	.set	offset, offset + 128
	.endr

	.balign	128
taken:
	adrp	x16, outcome
	add	x16, x16, :lo12:outcome
	adrp	x14, visit_home
	ldr	w14, [x14, :lo12:visit_home]
	mrs	x15, CurrentEL
	lsr	x15, x15, #2
	ldr	x13, [x16, #VALID]
	cbnz	x13, 5f				// already returning to the highest level
	stp	x15, x17, [x16, #EL]
	str	x0, [x16, #VALUE]
	cmp	x15, #2
	b.eq	2f
	b.hi	3f
	mrs	x10, esr_el1
	mrs	x11, elr_el1
	mrs	x12, spsr_el1
	mrs	x13, far_el1
	b	4f
2:	mrs	x10, esr_el2
	mrs	x11, elr_el2
	mrs	x12, spsr_el2
	mrs	x13, far_el2
	b	4f
3:	mrs	x10, esr_el3
	mrs	x11, elr_el3
	mrs	x12, spsr_el3
	mrs	x13, far_el3
4:	stp	x10, x11, [x16, #ESR]
	stp	x12, x13, [x16, #SPSR]
	mov	x13, #1
	str	x13, [x16, #VALID]
	/*
	 * If another exception follows, the vectors come back to this code,
	 * which sees VALID and does not overwrite the outcome.
	 */
	adrp	x13, visit_reads_pm
	ldr	w13, [x13, :lo12:visit_reads_pm]
	cbz	w13, 5f
	mrs	x13, S3_0_C4_C3_1
	str	x13, [x16, #PM_TAKEN]
	mov	x13, #1
	str	x13, [x16, #RECORDED]
5:	cmp	x15, x14
	b.eq	home
	cmp	x14, #3
	b.eq	6f
	hvc	#0
6:	smc	#0

home:
	adrp	x1, frame
	add	x1, x1, :lo12:frame
	ldp	x19, x20, [x1, #0]
	ldp	x21, x22, [x1, #16]
	ldp	x23, x24, [x1, #32]
	ldp	x25, x26, [x1, #48]
	ldp	x27, x28, [x1, #64]
	ldp	x29, x30, [x1, #80]
	ldr	x2, [x1, #96]
	msr	spsel, #1
	mov	sp, x2
	isb
	ret

/* void visit_go(const void *code, uint64_t spsr, uint64_t home, uint64_t x0) */
	.globl	visit_go
visit_go:
	adrp	x4, frame
	add	x4, x4, :lo12:frame
	stp	x19, x20, [x4, #0]
	stp	x21, x22, [x4, #16]
	stp	x23, x24, [x4, #32]
	stp	x25, x26, [x4, #48]
	stp	x27, x28, [x4, #64]
	stp	x29, x30, [x4, #80]
	mov	x5, sp
	str	x5, [x4, #96]
	cmp	x2, #2
	b.eq	2f
	b.hi	3f
	msr	elr_el1, x0
	msr	spsr_el1, x1
	b	4f
2:	msr	elr_el2, x0
	msr	spsr_el2, x1
	b	4f
3:	msr	elr_el3, x0
	msr	spsr_el3, x1
4:	mov	x0, x3
	eret

/* The code that a visit executes.  SVC leads back from every level. */
	.section .el0, "ax"
	.globl	visit_work, visit_wait, visit_leave, visit_injection
/*
 * One of these operations is sampled, and all of its record is written before
 * the visit ends.  Where the highest level is profiled too, it executes fewer
 * than VISIT_SAMPLE operations around the visit, so the sampled one is in this
 * block.
 */
visit_work:
	.rept	1000
	nop
	.endr
	hint	#17
	dsb	sy
	isb
	svc	#1
/*
 * The ISBs are Context synchronization events, at which the PE takes a pending
 * exception.
 */
visit_wait:
	isb
	nop
	isb
	nop
	nop
visit_leave:
	svc	#1
/* Reads SPEINJ_EL1, to find out whether this register of the model exists. */
visit_injection:
	mrs	x0, S3_0_C15_C9_0
	svc	#1

	.section .bss
	.balign	16
frame:
	.skip	128
