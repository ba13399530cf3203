/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work in which every operation is known: loops in assembly, with labels at the first operation
 * and after the last.
 *
 * The loops have four or eight operations, so that the odd interval (INTERVAL * 256 + 1,
 * D17.3.4.1) meets each of them in turn.
 */
#ifndef ARM_SPE_TEST_WORK_H
#define ARM_SPE_TEST_WORK_H

#include <stddef.h>
#include <stdint.h>

/* A loop of WORK_ALU_OPS operations, none of them a load or a store. */
#define WORK_ALU_OPS	4
void work_alu(uint64_t rounds);
extern const char work_alu_end[];

/* The same loop at another address. */
void work_alu2(uint64_t rounds);
extern const char work_alu2_end[];

/*
 * WORK_MIXED_OPS operations a round: load, store, atomic that returns a value, branch never
 * taken, branch always taken, arithmetic.  AT: 64 bytes, aligned.
 */
#define WORK_MIXED_OPS	8
void work_mixed(uint64_t rounds, void *at);
extern const char work_mixed_end[], work_mixed_load[], work_mixed_store[];
extern const char work_mixed_atomic[], work_mixed_never[];
extern const char work_mixed_always[], work_mixed_landing[];

/*
 * Walks through SIZE bytes at AT: loads and stores eight bytes every STRIDE bytes and begins
 * again at the end.  Eight operations a round.
 */
#define WORK_WALK_OPS	8
void work_walk(uint64_t rounds, void *at, uint64_t size, uint64_t stride);
extern const char work_walk_end[], work_walk_load[], work_walk_store[];

/*
 * WORK_VECTOR_OPS operations a round: one each of floating-point, Advanced SIMD on integers,
 * load, store and branch; the rest are other.  AT as above.
 */
#define WORK_VECTOR_OPS	8
void work_vector(uint64_t rounds, void *at);
extern const char work_vector_end[], work_vector_fp[], work_vector_simd[];

/* WORK_SVC_OPS operations a round, one of them a system call. */
#define WORK_SVC_OPS	4
void work_svc(uint64_t rounds);
extern const char work_svc_end[];

/* One operation in a loop of four, and what its record must hold. */
struct work_operation {
	const char *name;
	/* AT: 64 bytes, aligned to 64, which the operation may access. */
	void (*run)(uint64_t rounds, void *at);
	const char *pc;
	const char *target;		/* NULL if it is no taken branch */
	uint8_t class;
	uint8_t mask, value;		/* of the Operation Type payload */
	uint8_t bytes;			/* accessed at AT; 0: none */
	uint8_t not_taken;		/* expected value of E[6] */
};

enum work_index {
	WORK_NOP, WORK_ADD, WORK_MUL, WORK_CSEL, WORK_CCMP, WORK_PRFM,
	WORK_FADD, WORK_VADD,
	WORK_LDR, WORK_LDRB, WORK_LDP, WORK_STR, WORK_STP, WORK_LDR_D,
	WORK_STR_Q, WORK_LD1, WORK_LDAR, WORK_STLR, WORK_LDXR, WORK_STXR,
	WORK_LDADD, WORK_STADD, WORK_CAS, WORK_SWPAL,
	WORK_B, WORK_B_EQ_TAKEN, WORK_B_NE_NOT_TAKEN, WORK_CBZ, WORK_TBNZ,
	WORK_BL, WORK_BR, WORK_BLR, WORK_RET,
	WORK_OPERATIONS
};
extern const struct work_operation work_operations[WORK_OPERATIONS];

#endif
