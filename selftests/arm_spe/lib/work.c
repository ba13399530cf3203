// SPDX-License-Identifier: GPL-2.0-only
#include "work.h"

#include <arm_spe/packet.h>

#define FUNCTION(name, body)						\
	asm(".pushsection .text." name ", \"ax\"\n"			\
	    ".arch armv8.1-a\n"						\
	    ".balign 64\n"						\
	    ".global " name "\n"					\
	    ".type " name ", %function\n"				\
	    name ":\n"							\
	    body							\
	    ".global " name "_end\n"					\
	    name "_end:\n"						\
	    ".size " name ", . - " name "\n"				\
	    ".popsection\n")

#define ALU_BODY							\
	"1:	add	x1, x1, x0\n"					\
	"	eor	x2, x2, x1\n"					\
	"	subs	x0, x0, #1\n"					\
	"	b.ne	1b\n"						\
	"	ret\n"

FUNCTION("work_alu", ALU_BODY);
FUNCTION("work_alu2", ALU_BODY);

/* Calls getppid(), which does not sleep. */
FUNCTION("work_svc",
	 "	mov	x9, x0\n"
	 "1:	mov	x8, #173\n"
	 "	svc	#0\n"
	 "	sub	x9, x9, #1\n"
	 "	cbnz	x9, 1b\n"
	 "	ret\n");

#define LABEL(name)	".global " name "\n" name ":\n"

FUNCTION("work_mixed",
	 "	mov	x3, #1\n"
	 "1:\n"
	 LABEL("work_mixed_load")
	 "	ldr	x2, [x1]\n"
	 LABEL("work_mixed_store")
	 "	str	x0, [x1, #8]\n"
	 LABEL("work_mixed_atomic")
	 "	ldadd	x3, x4, [x1]\n"
	 LABEL("work_mixed_never")
	 "	cbz	x3, 2f\n"
	 "	add	x5, x5, x2\n"
	 LABEL("work_mixed_always")
	 "	b	2f\n"
	 "	nop\n"
	 LABEL("work_mixed_landing")
	 "2:	subs	x0, x0, #1\n"
	 "	b.ne	1b\n"
	 "	ret\n");

FUNCTION("work_vector",
	 "1:\n"
	 LABEL("work_vector_fp")
	 "	fadd	d16, d17, d18\n"
	 LABEL("work_vector_simd")
	 "	add	v19.4s, v20.4s, v21.4s\n"
	 "	ldr	x2, [x1]\n"
	 "	str	x2, [x1, #8]\n"
	 "	add	x3, x3, x2\n"
	 "	nop\n"
	 "	sub	x0, x0, #1\n"
	 "	cbnz	x0, 1b\n"
	 "	ret\n");

FUNCTION("work_walk",
	 "	mov	x4, #0\n"
	 "1:\n"
	 LABEL("work_walk_load")
	 "	ldr	x5, [x1, x4]\n"
	 "	add	x5, x5, #1\n"
	 LABEL("work_walk_store")
	 "	str	x5, [x1, x4]\n"
	 "	add	x4, x4, x3\n"
	 "	cmp	x4, x2\n"
	 "	csel	x4, xzr, x4, hs\n"
	 "	subs	x0, x0, #1\n"
	 "	b.ne	1b\n"
	 "	ret\n");

/*
 * A loop of four operations: the operation itself, a filler if needed, and the counting of
 * rounds, which does not change the flags.  x0 is the counter, x1 the memory; x9 and above are
 * scratch registers.
 */
#define OPERATION(name, before, operation, after)			\
	extern const char work_##name##_pc[], work_##name##_to[];	\
	extern const char work_##name##_end[];				\
	void work_##name(uint64_t rounds, void *at);			\
	FUNCTION("work_" #name,						\
		 before							\
		 "1:\n"							\
		 LABEL("work_" #name "_pc")				\
		 "	" operation "\n"				\
		 after							\
		 "	sub	x0, x0, #1\n"				\
		 "	cbnz	x0, 1b\n"				\
		 "	ret\n")

#define PLAIN(name, operation)						\
	OPERATION(name, "mov x9, #0\n", operation, "nop\n")

PLAIN(nop, "nop");
PLAIN(add, "add x10, x10, #1");
PLAIN(mul, "mul x10, x10, x11");
OPERATION(csel, "cmp xzr, xzr\n", "csel x10, x11, x12, eq", "nop\n");
OPERATION(ccmp, "cmp xzr, xzr\n", "ccmp xzr, xzr, #0, eq", "nop\n");
PLAIN(prfm, "prfm pldl1keep, [x1]");
PLAIN(fadd, "fadd d16, d17, d18");
PLAIN(vadd, "add v16.4s, v17.4s, v18.4s");
PLAIN(ldr, "ldr x10, [x1]");
PLAIN(ldrb, "ldrb w10, [x1]");
PLAIN(ldp, "ldp x10, x11, [x1]");
PLAIN(str, "str x9, [x1]");
PLAIN(stp, "stp x9, x9, [x1]");
PLAIN(ldr_d, "ldr d16, [x1]");
PLAIN(str_q, "str q16, [x1]");
PLAIN(ld1, "ld1 {v16.16b}, [x1]");
PLAIN(ldar, "ldar x10, [x1]");
PLAIN(stlr, "stlr x9, [x1]");
OPERATION(ldxr, "mov x9, #0\n", "ldxr x10, [x1]", "stxr w11, x9, [x1]\n");
PLAIN(ldadd, "ldadd x9, x10, [x1]");
PLAIN(stadd, "stadd x9, [x1]");
PLAIN(cas, "cas x9, x9, [x1]");
PLAIN(swpal, "swpal x9, x10, [x1]");

/* The same pair of instructions, but this test looks at the second one. */
extern const char work_stxr_pc[];
void work_stxr(uint64_t rounds, void *at);
FUNCTION("work_stxr",
	 "	mov	x9, #0\n"
	 "1:	ldxr	x10, [x1]\n"
	 LABEL("work_stxr_pc")
	 "	stxr	w11, x9, [x1]\n"
	 "	subs	x0, x0, #1\n"
	 "	b.ne	1b\n"
	 "	ret\n");

#define TARGET(name)	LABEL("work_" #name "_to")

OPERATION(b, "", "b 2f", "nop\n" TARGET(b) "2: nop\n");
OPERATION(b_eq, "cmp xzr, xzr\n", "b.eq 2f",
	  "nop\n" TARGET(b_eq) "2: nop\n");
OPERATION(b_ne, "cmp xzr, xzr\n", "b.ne 2f", "2: nop\n");
OPERATION(cbz, "mov x9, #0\n", "cbz x9, 2f", "nop\n" TARGET(cbz) "2: nop\n");
OPERATION(tbnz, "mov x9, #8\n", "tbnz x9, #3, 2f",
	  "nop\n" TARGET(tbnz) "2: nop\n");
OPERATION(br, "adr x9, 2f\n", "br x9", "nop\n" TARGET(br) "2: nop\n");

/* The called code returns by an ordinary branch, so that the loop has only one call. */
OPERATION(bl, "mov x9, x30\n", "bl 2f",
	  "nop\n" TARGET(bl) "2: mov x30, x9\n");
OPERATION(blr, "mov x9, x30\n adr x10, 2f\n", "blr x10",
	  "nop\n" TARGET(blr) "2: mov x30, x9\n");
extern const char work_ret_pc[], work_ret_to[];
void work_ret(uint64_t rounds, void *at);
FUNCTION("work_ret",
	 "	mov	x9, x30\n"
	 "	adr	x30, 2f\n"
	 "1:	nop\n"
	 LABEL("work_ret_pc")
	 "	ret\n"
	 "	nop\n"
	 LABEL("work_ret_to")
	 "2:	subs	x0, x0, #1\n"
	 "	b.ne	1b\n"
	 "	ret	x9\n");

#define OTHER(name, mask, value)					\
	{ #name, work_##name, work_##name##_pc, 0,			\
	  SPE_OP_CLASS_OTHER, mask, value, 0, 0 }
#define MEMORY(name, value, bytes)					\
	{ #name, work_##name, work_##name##_pc, 0,			\
	  SPE_OP_CLASS_LDST, 0xff, value, bytes, 0 }
/* Calls and returns are marked in the payload only with FEAT_SPE_CRR. */
#define BRANCH(name, value)						\
	{ #name, work_##name, work_##name##_pc, work_##name##_to,	\
	  SPE_OP_CLASS_BRANCH, (uint8_t)~SPE_OP_CR_MASK, value, 0, 0 }

#define EXTENDED	SPE_OP_LDST_EXTENDED
#define STORE		SPE_OP_LDST

/*
 * D18.2.7.  An FP or Advanced SIMD operation may be marked as such (FEAT_SPE_FPF) or be simply
 * "other".  Whether conditional select and compare count as conditional is IMPLEMENTATION
 * DEFINED (D17.6.5); in the model they do.
 */
const struct work_operation work_operations[WORK_OPERATIONS] = {
	[WORK_NOP] = OTHER(nop, 0xff, 0),
	[WORK_ADD] = OTHER(add, 0xff, 0),
	[WORK_MUL] = OTHER(mul, 0xff, 0),
	[WORK_CSEL] = OTHER(csel, 0xff, SPE_OP_COND),
	[WORK_CCMP] = OTHER(ccmp, 0xff, SPE_OP_COND),
	[WORK_PRFM] = OTHER(prfm, 0xff, 0),
	[WORK_FADD] = OTHER(fadd, (uint8_t)~SPE_OP_FP, 0),
	[WORK_VADD] = OTHER(vadd, (uint8_t)~SPE_OP_OTHER_ASE, 0),
	[WORK_LDR] = MEMORY(ldr, SPE_OP_LDST_GP, 8),
	[WORK_LDRB] = MEMORY(ldrb, SPE_OP_LDST_GP, 1),
	[WORK_LDP] = MEMORY(ldp, SPE_OP_LDST_GP, 16),
	[WORK_STR] = MEMORY(str, SPE_OP_LDST_GP | STORE, 8),
	[WORK_STP] = MEMORY(stp, SPE_OP_LDST_GP | STORE, 16),
	[WORK_LDR_D] = MEMORY(ldr_d, SPE_OP_LDST_SIMD_FP, 8),
	[WORK_STR_Q] = MEMORY(str_q, SPE_OP_LDST_SIMD_FP | STORE, 16),
	[WORK_LD1] = MEMORY(ld1, SPE_OP_LDST_SIMD_FP, 16),
	[WORK_LDAR] = MEMORY(ldar, EXTENDED | SPE_OP_AR, 8),
	[WORK_STLR] = MEMORY(stlr, EXTENDED | SPE_OP_AR | STORE, 8),
	[WORK_LDXR] = MEMORY(ldxr, EXTENDED | SPE_OP_EXCL, 8),
	[WORK_STXR] = MEMORY(stxr, EXTENDED | SPE_OP_EXCL | STORE, 8),
	[WORK_LDADD] = MEMORY(ldadd, EXTENDED | SPE_OP_AT, 8),
	[WORK_STADD] = MEMORY(stadd, EXTENDED | SPE_OP_AT | STORE, 8),
	[WORK_CAS] = MEMORY(cas, EXTENDED | SPE_OP_AT, 8),
	[WORK_SWPAL] = MEMORY(swpal, EXTENDED | SPE_OP_AT | SPE_OP_AR, 8),
	[WORK_B] = BRANCH(b, 0),
	[WORK_B_EQ_TAKEN] = BRANCH(b_eq, SPE_OP_COND),
	[WORK_B_NE_NOT_TAKEN] = { "b_ne", work_b_ne, work_b_ne_pc, 0,
				  SPE_OP_CLASS_BRANCH,
				  (uint8_t)~SPE_OP_CR_MASK, SPE_OP_COND, 0, 1 },
	[WORK_CBZ] = BRANCH(cbz, SPE_OP_COND),
	[WORK_TBNZ] = BRANCH(tbnz, SPE_OP_COND),
	[WORK_BL] = BRANCH(bl, 0),
	[WORK_BR] = BRANCH(br, SPE_OP_IND),
	[WORK_BLR] = BRANCH(blr, SPE_OP_IND),
	[WORK_RET] = BRANCH(ret, SPE_OP_IND),
};
