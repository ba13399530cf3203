/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bare-metal tests of the SPE model.  Each program runs several cases and
 * prints one TAP line for each.  The tests decode the records with code of
 * their own.
 */

#ifndef SPE_TEST_H
#define SPE_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The encodings of the registers, because an assembler may not know the names
 * of SPE.
 */
#define PMSCR_EL1	"S3_0_C9_C9_0"
#define PMSNEVFR_EL1	"S3_0_C9_C9_1"
#define PMSICR_EL1	"S3_0_C9_C9_2"
#define PMSIRR_EL1	"S3_0_C9_C9_3"
#define PMSFCR_EL1	"S3_0_C9_C9_4"
#define PMSEVFR_EL1	"S3_0_C9_C9_5"
#define PMSLATFR_EL1	"S3_0_C9_C9_6"
#define PMSIDR_EL1	"S3_0_C9_C9_7"
#define PMBLIMITR_EL1	"S3_0_C9_C10_0"
#define PMBPTR_EL1	"S3_0_C9_C10_1"
#define PMBSR_EL1	"S3_0_C9_C10_3"
#define PMSDSFR_EL1	"S3_0_C9_C10_4"
#define PMBIDR_EL1	"S3_0_C9_C10_7"
#define PMSCR_EL2	"S3_4_C9_C9_0"
#define PMSCR_EL12	"S3_5_C9_C9_0"

#define read_reg(name) ({						\
	uint64_t value_;						\
	asm volatile("mrs %0, " name : "=r"(value_) : : "memory");	\
	value_;								\
})
#define write_reg(name, value)						\
	asm volatile("msr " name ", %0" : : "r"((uint64_t)(value)) : "memory")
#define isb() asm volatile("isb" : : : "memory")

#define PMSCR_E0SPE	(1ul << 0)
#define PMSCR_E1SPE	(1ul << 1)
#define PMSCR_CX	(1ul << 3)
#define PMSCR_PA	(1ul << 4)
#define PMSCR_TS	(1ul << 5)
#define PMSCR_PCT(n)	((uint64_t)(n) << 6)
#define PMBSR_COLL	(1ul << 16)
#define PMBSR_S		(1ul << 17)
#define PMBSR_DL	(1ul << 19)
#define PMBSR_EC(r)	((r) >> 26 & 0x3f)
#define PMBSR_MSS(r)	((r) & 0xffff)
#define MDCR_E2PB(n)	((uint64_t)(n) << 12)
#define MDCR_TPMS	(1ul << 14)
#define HCR_VM		(1ul << 0)
#define HCR_TGE		(1ul << 27)
#define HCR_RW		(1ul << 31)
#define HCR_E2H		(1ul << 34)

#define SPSR_EL0	0x3c0ul
#define SPSR_EL1	0x3c5ul

#define ESR_EC(esr)	((esr) >> 26)
#define EC_UNKNOWN	0x00
#define EC_SYSREG	0x18

/* Addresses that the tests use.  RAM is identity mapped. */
#define RAM_BASE	0x40000000ul
#define BUFFER		0x46000000ul	/* 2 MiB for the Profiling Buffer */
#define PAGES		0x48000000ul	/* 2 MiB, mapped with single pages */

/* test.c */
extern void test_main(uint64_t el);
extern int current_el(void);
extern void ok(bool passed, const char *name);
/* If the numbers differ, prints both. */
extern void ok_eq(uint64_t got, uint64_t want, const char *name);
extern void note(const char *text, uint64_t value);
extern void say(const char *text);		/* prints a line of comment */
/* The hexadecimal number at the end of -append; 0 if there is none. */
extern uint64_t machine_argument(void);
extern void test_exit(void) __attribute__((noreturn));

/*
 * Executes a statement that may cause an exception.  Returns the exception's
 * ESR, or 0 if there was none.
 */
extern uint64_t trapped_esr;
extern int trapped_el;
#define expect_trap(statement) ({					\
	trap_arm();							\
	statement;							\
	trap_disarm();							\
})
extern void trap_arm(void);
extern uint64_t trap_disarm(void);
extern bool trap_skips;		/* otherwise the handler retries the instruction */
extern void (*trap_hook)(uint64_t esr, uint64_t elr);

extern void call_lower(void (*fn)(void), uint64_t spsr, uint64_t sp,
		       const void *ret);
extern char lower_svc[], lower_hvc[];
extern char stack_top[];
extern int64_t semihost(uint64_t op, const void *arg);
/* PSCI, which QEMU itself implements.  The new PE starts with @sp in x0. */
extern int64_t psci_cpu_on(uint64_t mpidr, const void *entry, uint64_t sp);

/* mmu.c: the identity map, for the translation regime of the current level */
extern void mmu_on(void);
extern void mmu_join(void);		/* for a second PE, with the same tables */
extern void mmu_el1_on(void);		/* called at EL2, for EL1 */
extern uint64_t *page_entry(uint64_t va);	/* @va is within PAGES */
extern void tlb_flush(void);
extern void stage2_on(void);
extern uint64_t *stage2_entry(uint64_t ipa);	/* blocks of 2 MiB */

/* spe.c: the Profiling Buffer, a session, a decoded record */
struct record {
	bool pc_valid, target_valid, va_valid, pa_valid, context1_valid,
	     context2_valid, type_valid, events_valid, total_valid,
	     issue_valid, translation_valid, source_valid, timestamp_valid,
	     previous_valid, alt_issue_valid;
	uint64_t pc, target, va, pa, previous;
	uint32_t context1, context2;
	uint8_t class, subclass;
	uint64_t events;
	uint32_t total, issue, translation, source, alt_issue;
	uint64_t timestamp;
	unsigned int length;
};

extern void spe_setup(uint64_t base, uint64_t limit);
extern void spe_start(uint64_t pmscr);
extern void spe_stop(void);
/* The number of records between @from and PMBPTR_EL1. */
extern unsigned int spe_records(uint64_t from);
/*
 * False if the bytes at @at are not a well-formed record.  Prints a note if a
 * packet or the padding is wrong.
 */
extern bool spe_decode(uint64_t at, struct record *r);

extern void *memset(void *dest, int c, size_t n);

#define PC(address) ((uint64_t)(address) & 0x00fffffffffffffful)

#endif
