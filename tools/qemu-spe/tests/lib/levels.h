/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests that run at the highest implemented Exception level.  They set up
 * all registers there, and visit the levels below for a few instructions.
 */

#ifndef SPE_LEVELS_H
#define SPE_LEVELS_H

#include "test.h"

#define PMBMAR_EL1	"S3_0_C9_C10_5"
#define PMBSR_EL2	"S3_4_C9_C10_3"
#define PMBSR_EL12	"S3_5_C9_C10_3"
#define PMBSR_EL3	"S3_6_C9_C10_3"
#define PM		"S3_0_C4_C3_1"
#define SPEINJ_EL1	"S3_0_C15_C9_0"		/* implemented by the model only */

#define SCR_NS		(1ul << 0)
#define SCR_EA		(1ul << 3)
#define SCR_HCE		(1ul << 8)
#define SCR_RW		(1ul << 10)
#define SCR_EEL2	(1ul << 18)
#define SCR_FGTEN	(1ul << 27)
#define SCR_ECVEN	(1ul << 28)
#define SCR_GPF		(1ul << 48)
#define SCR_FGTEN2	(1ul << 59)
#define SCR_NSE		(1ul << 62)

#define HCR_TEA		(1ul << 37)
#define HCR_NV		(1ul << 42)
#define HCR_NV1		(1ul << 43)
#define HCR_NV2		(1ul << 45)
#define HCR_GPF		(1ul << 48)

#define MDCR3_NSPBE(n)	((uint64_t)(n) << 11)
#define MDCR3_NSPB(n)	((uint64_t)(n) << 12)
#define MDCR3_ENPMSN	(1ul << 36)
#define MDCR3_ENPMS3	(1ul << 42)
#define MDCR3_PMSEE(n)	((uint64_t)(n) << 51)
#define MDCR3_ENPMS4	(1ul << 55)

#define PMSCR_EE(n)	((uint64_t)(n) << 8)
#define PMSCR_KE(n)	((uint64_t)(n) << 10)

#define SPSR_PM		(1ul << 32)
#define EC_SVC		0x15
#define EC_PROFILING	0x3d

/* What the machine implements.  levels_init() sets these. */
extern bool have_el3, have_el2, have_rme, have_sel2, have_spe_exc, have_ebep,
	    have_injection;
extern uint32_t visit_home;		/* the highest level, where the test runs */
extern uint32_t visit_reads_pm;		/* a visit also records PSTATE.PM */

/* How a visit ended.  levels.S uses the offsets of these fields. */
struct outcome {
	uint64_t valid;
	uint64_t el;			/* the level that took the exception */
	uint64_t vector;		/* offset from VBAR */
	uint64_t esr, elr, spsr, far;
	uint64_t value;			/* x0 when the exception was taken */
	uint64_t pm, pm_valid;
};

extern struct outcome outcome;

extern char visit_work[], visit_wait[], visit_leave[], visit_injection[];
/* PMSICR_EL1 before a visit of visit_work: the middle operation is sampled */
#define VISIT_SAMPLE	500
extern char visit_vectors[];
extern void visit_go(const void *code, uint64_t spsr, uint64_t home,
		     uint64_t x0);

extern void levels_init(void);
extern const char *levels_variant(void);
/* Sets PSTATE.PM during the visit.  PM has no effect without FEAT_SPE_EXC. */
extern void visit(int el, const void *code, bool pm);
extern void visit_with(int el, const void *code, bool pm, uint64_t x0);
extern void visit_spsr(const void *code, uint64_t spsr, uint64_t x0);
/* True if the visited code executed up to its final SVC. */
extern bool visit_left(void);
/*
 * True if an SPE Profiling exception ended the visit, with the expected
 * syndrome, vector and PSTATE.PM.
 */
extern bool visit_profiling(void);

enum world { NONSECURE, SECURE, REALM };

/*
 * Sets the Security state of EL2 and below. Without EL3 only Non-secure is
 * possible.
 */
extern void enter_world(enum world world, bool eel2, uint64_t scr);
extern bool world_possible(enum world world, bool eel2);
/*
 * MDCR_EL3.{NSPBE,NSPB} with which @world is the owner and may access the
 * registers.
 */
extern uint64_t owner_bits(enum world world);

/* These do nothing if the register is not implemented. */
extern void set_scr(uint64_t value);
extern void set_mdcr3(uint64_t value);
extern void set_hcr(uint64_t value);	/* sets HCR_EL2.RW as well */
extern void set_mdcr2(uint64_t value);
extern void set_pmscr2(uint64_t value);
extern void set_pmbsr(int el, uint64_t value);
extern uint64_t get_pmbsr(int el);
extern void clear_pmbsr(void);

/* Identity maps for EL1&0, for EL2 or EL2&0, and for stage 2. */
enum regime { REGIME_EL1, REGIME_EL2, REGIME_STAGE2 };

/*
 * Builds the maps.  Later calls restore the first 16 pages of PAGES and the
 * entry that points to its table.
 */
extern void regimes_build(void);
/*
 * The descriptor of a page within PAGES, and that of the table which maps
 * PAGES.
 */
extern uint64_t *regime_page(enum regime regime, uint64_t va);
extern uint64_t *regime_table(enum regime regime);
/*
 * Turns stage 1 on or off.  The caller sets HCR_EL2.{E2H,VM}, and calls this
 * while E2H is 0.
 */
extern void regimes_on(bool el1, bool el2, bool e2h);
extern void regimes_flush(void);

/* gpt.c: the granule protection table of FEAT_RME */
enum { GPI_NONE = 0, GPI_SECURE = 8, GPI_NONSECURE = 9, GPI_REALM = 11,
       GPI_ALL = 15 };
#define NO_GPT		0xc0000000ul	/* physical, not in the table */

extern void gpt_on(void);
extern void gpt_off(void);
extern void gpt_set(uint64_t pa, unsigned int gpi);
extern void gpt_flush(void);

/* Reads the state of PMBIRQ, PPI 21, at the redistributor. */
extern bool pmbirq_high(void);

#endif
