/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry point, vectors and moves between Exception levels for bare-metal
 * tests.  EL1, EL2 and EL3 use the same vectors.  A handler reads CurrentEL to
 * find its level.
 */

	.section .text.start, "ax"
	.globl	_start
_start:
	adrp	x0, stack_top
	mov	sp, x0
	adr	x1, vectors
	mrs	x0, CurrentEL
	lsr	x0, x0, #2
	cmp	x0, #2
	b.eq	1f
	b.hi	3f
	msr	vbar_el1, x1
	mov	x2, #(3 << 20) | (3 << 16)	// FP and SVE
	msr	cpacr_el1, x2
	isb
	b	2f
1:	msr	vbar_el2, x1
	msr	vbar_el1, x1
	msr	cptr_el2, xzr
	mov	x2, #(3 << 20) | (3 << 16)
	msr	cpacr_el1, x2
	mov	x2, #(1 << 31)			// HCR_EL2.RW: EL1 is AArch64
	msr	hcr_el2, x2
	mov	x2, #0x30d0
	lsl	x2, x2, #16
	orr	x2, x2, #0x0800			// SCTLR_EL1 with RES1 bits
	msr	sctlr_el1, x2
	isb
	b	2f
3:	msr	vbar_el3, x1
	msr	cptr_el3, xzr
	isb
2:	bl	test_main
	b	test_exit

/* Saves x0 to x18 and x30, which a C handler may change. */
	.macro	vector label
	.balign	128
	b	\label
	.endm

	.balign	2048
vectors:
	vector	unexpected			// current EL, SP_EL0
	vector	unexpected
	vector	unexpected
	vector	unexpected
	vector	sync				// current EL, SP_ELx
	vector	irq
	vector	unexpected
	vector	unexpected
	vector	sync				// lower EL, AArch64
	vector	irq
	vector	unexpected
	vector	unexpected
	vector	unexpected			// lower EL, AArch32
	vector	unexpected
	vector	unexpected
	vector	unexpected

	.macro	save
	sub	sp, sp, #192
	stp	x0, x1, [sp, #0]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x18, x30, [sp, #144]
	.endm

	.macro	restore
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	ldp	x18, x30, [sp, #144]
	ldp	x0, x1, [sp, #0]
	add	sp, sp, #192
	.endm

	.macro	read_el dest, reg
	mrs	\dest, CurrentEL
	cmp	\dest, #8
	b.eq	8f
	b.hi	7f
	mrs	\dest, \reg\()_el1
	b	9f
7:	mrs	\dest, \reg\()_el3
	b	9f
8:	mrs	\dest, \reg\()_el2
9:
	.endm

	.macro	write_el reg, src, tmp
	mrs	\tmp, CurrentEL
	cmp	\tmp, #8
	b.eq	8f
	b.hi	7f
	msr	\reg\()_el1, \src
	b	9f
7:	msr	\reg\()_el3, \src
	b	9f
8:	msr	\reg\()_el2, \src
9:
	.endm

sync:
	save
	read_el	x0, esr
	read_el	x1, elr
	read_el	x2, far
	bl	on_sync				// returns the address to continue at
	cbz	x0, 1f
	write_el elr, x0, x1
	restore
	eret
	/* 0: the lower level is done, so return to call_lower()'s caller */
1:	adrp	x1, lower_frame
	add	x1, x1, :lo12:lower_frame
	ldp	x19, x20, [x1, #0]
	ldp	x21, x22, [x1, #16]
	ldp	x23, x24, [x1, #32]
	ldp	x25, x26, [x1, #48]
	ldp	x27, x28, [x1, #64]
	ldp	x29, x30, [x1, #80]
	ldr	x2, [x1, #96]
	mov	sp, x2
	msr	daifset, #15
	ret

irq:
	save
	bl	on_irq
	restore
	eret

unexpected:
	save
	read_el	x0, esr
	read_el	x1, elr
	mov	x2, #0
	bl	on_unexpected

/*
 * void call_lower(void (*fn)(void), uint64_t spsr, uint64_t sp, const void *ret)
 *
 * @ret is lower_svc or lower_hvc, whichever leads back from the lower level.
 */
	.globl	call_lower
call_lower:
	adrp	x4, lower_frame
	add	x4, x4, :lo12:lower_frame
	stp	x19, x20, [x4, #0]
	stp	x21, x22, [x4, #16]
	stp	x23, x24, [x4, #32]
	stp	x25, x26, [x4, #48]
	stp	x27, x28, [x4, #64]
	stp	x29, x30, [x4, #80]
	mov	x5, sp
	str	x5, [x4, #96]
	write_el elr, x0, x5
	write_el spsr, x1, x5
	mrs	x5, CurrentEL
	cmp	x5, #8
	b.ne	1f
	msr	sp_el1, x2
1:	msr	sp_el0, x2
	mov	x30, x3
	eret

	.section .el0, "ax"
	.globl	lower_svc
lower_svc:
	svc	#1

	.text
	.globl	lower_hvc
lower_hvc:
	hvc	#1

/* int64_t semihost(uint64_t op, const void *arg) */
	.globl	semihost
semihost:
	hlt	#0xf000
	ret

	.section .bss
	.balign	16
lower_frame:
	.skip	128
	.balign	4096
	.skip	65536
	.globl	stack_top
stack_top:
	.skip	4096
