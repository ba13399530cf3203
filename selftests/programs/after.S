/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The image that kexec.c starts in place of another kernel: reports the state in which the next
 * kernel would find the unit.
 *
 * It executes some million operations, so that a unit that still samples writes records.  Then
 * it prints on the console what the unit's registers held at first and how many bytes the unit
 * has written since, and powers the machine off.  Linux enters it with the MMU off, at Linux's
 * own Exception level.  At EL2 HCR_EL2.E2H is still set, so the names of EL1's registers reach
 * EL2's.
 */
#define PMSCR		S3_0_C9_C9_0
#define PMSCR_EL12	S3_5_C9_C9_0
#define PMBLIMITR	S3_0_C9_C10_0
#define PMBPTR		S3_0_C9_C10_1
#define UART		0x09000000
#define PSCI_SYSTEM_OFF	0x84000008
#define TURNS		0x400000	/* of two operations; the period is 0x10000 */

	.text
	.globl	_start
_start:
	mrs	x19, CurrentEL
	lsr	x19, x19, #2
	mrs	x20, PMSCR
	mov	x24, #0			/* what the unit samples in guests */
	cmp	x19, #1
	b.eq	0f
	mrs	x24, PMSCR_EL12
0:
	mrs	x21, PMBLIMITR
	mrs	x22, PMBPTR
	ldr	x0, =TURNS
1:	subs	x0, x0, #1
	b.ne	1b
	psb	csync
	dsb	sy
	isb
	mrs	x23, PMBPTR
	sub	x23, x23, x22
	adr	x0, el
	mov	x1, x19
	bl	print
	adr	x0, pmscr
	mov	x1, x20
	bl	print
	adr	x0, guests
	mov	x1, x24
	bl	print
	adr	x0, pmblimitr
	mov	x1, x21
	bl	print
	adr	x0, written
	mov	x1, x23
	bl	print
	mov	x2, #UART
	mov	w3, #'\n'
	str	w3, [x2]
	ldr	w0, =PSCI_SYSTEM_OFF
	cmp	x19, #1			/* on a machine with EL2, PSCI uses SMC */
	b.eq	2f
	smc	#0
2:	hvc	#0
3:	b	3b

/* Prints the text at x0, then x1 in hexadecimal digits. */
print:
	mov	x2, #UART
4:	ldrb	w3, [x0], #1
	cbz	w3, 5f
	str	w3, [x2]
	b	4b
5:	mov	w4, #16
6:	lsr	x3, x1, #60
	lsl	x1, x1, #4
	cmp	w3, #10
	add	w5, w3, #'a' - 10
	add	w3, w3, #'0'
	csel	w3, w3, w5, lo
	str	w3, [x2]
	subs	w4, w4, #1
	b.ne	6b
	ret

el:		.asciz	"\nafter kexec: el="
pmscr:		.asciz	" pmscr="
guests:		.asciz	" guests="
pmblimitr:	.asciz	" pmblimitr="
written:	.asciz	" written="
	.balign	4
	.ltorg
