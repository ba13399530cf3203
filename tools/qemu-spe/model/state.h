/*
 * Arm Statistical Profiling Extension: the state of one SPU.
 *
 * Everything here belongs to its CPU's thread; the report reads the counters
 * of other CPUs without a lock and may miss the operations in progress.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_H
#define TARGET_ARM_SPE_STATE_H

#include "cpu.h"
#include "insn.h"
#include "record.h"
#include "memory.h"

/* PMSCR_EL1 and PMSCR_EL2 */
FIELD(PMSCR, E0SPE, 0, 1)       /* EL2: E0HSPE */
FIELD(PMSCR, E1SPE, 1, 1)       /* EL2: E2SPE */
FIELD(PMSCR, CX, 3, 1)
FIELD(PMSCR, PA, 4, 1)
FIELD(PMSCR, TS, 5, 1)
FIELD(PMSCR, PCT, 6, 2)

FIELD(PMSICR, COUNT, 0, 32)
FIELD(PMSICR, ECOUNT, 56, 8)

FIELD(PMSIRR, RND, 0, 1)
FIELD(PMSIRR, INTERVAL, 8, 24)

FIELD(PMSFCR, FE, 0, 1)
FIELD(PMSFCR, FT, 1, 1)
FIELD(PMSFCR, FL, 2, 1)
FIELD(PMSFCR, FNE, 3, 1)
FIELD(PMSFCR, FDS, 4, 1)
FIELD(PMSFCR, B, 16, 1)
FIELD(PMSFCR, LD, 17, 1)
FIELD(PMSFCR, ST, 18, 1)
FIELD(PMSFCR, FP, 19, 1)        /* FEAT_SPE_EFT, like the masks */
FIELD(PMSFCR, SIMD, 20, 1)
FIELD(PMSFCR, TYPE, 16, 5)
FIELD(PMSFCR, TYPEM, 48, 5)

FIELD(PMSIDR, FE, 0, 1)
FIELD(PMSIDR, FT, 1, 1)
FIELD(PMSIDR, FL, 2, 1)
FIELD(PMSIDR, ARCHINST, 3, 1)
FIELD(PMSIDR, LDS, 4, 1)
FIELD(PMSIDR, ERND, 5, 1)
FIELD(PMSIDR, FNE, 6, 1)
FIELD(PMSIDR, FDS, 7, 1)
FIELD(PMSIDR, INTERVAL, 8, 4)
FIELD(PMSIDR, MAXSIZE, 12, 4)
FIELD(PMSIDR, COUNTSIZE, 16, 4)
FIELD(PMSIDR, CRR, 25, 1)
FIELD(PMSIDR, EFT, 26, 1)
FIELD(PMSIDR, FPF, 27, 1)

FIELD(PMBLIMITR, E, 0, 1)
FIELD(PMBLIMITR, FM, 1, 2)
FIELD(PMBLIMITR, PMFZ, 5, 1)
FIELD(PMBLIMITR, LIMIT, 12, 52)

FIELD(PMBSR, MSS, 0, 16)
FIELD(PMBSR, COLL, 16, 1)
FIELD(PMBSR, S, 17, 1)
FIELD(PMBSR, EA, 18, 1)
FIELD(PMBSR, DL, 19, 1)
FIELD(PMBSR, EC, 26, 6)
FIELD(PMBSR, MSS2, 32, 24)

FIELD(PMBIDR, ALIGN, 0, 4)
FIELD(PMBIDR, P, 4, 1)
FIELD(PMBIDR, F, 5, 1)
FIELD(PMBIDR, EA, 8, 4)

FIELD(SPE_MDCR_EL2, E2PB, 12, 2)
FIELD(SPE_MDCR_EL2, TPMS, 14, 1)
FIELD(SPE_MDCR_EL3, NSPB, 12, 2)
FIELD(SPE_MDCR_EL3, ENPMSN, 36, 1)
FIELD(SPE_MDCR_EL3, ENPMS3, 42, 1)

enum {
    SPE_FM_FILL = 0,
    SPE_FM_DISCARD = 2,
};

/* PMBSR.EC */
enum {
    SPE_EC_OTHER = 0x00,
    SPE_EC_GPC = 0x1e,
    SPE_EC_STAGE1 = 0x24,
    SPE_EC_STAGE2 = 0x25,
};

/* PMBSR.MSS.BSC where EC is SPE_EC_OTHER */
enum {
    SPE_BSC_NOT_ALLOWED = 0,
    SPE_BSC_FILLED = 1,
};

/* What the operations that run are charged to. */
enum ARMSPEActivity {
    SPE_IDLE,       /* nothing: profiling is disabled */
    SPE_PROFILING,  /* the sample interval */
    SPE_STOPPED,    /* the time from a management event to the resumption */
};

/* PMSIDR_EL1.CountSize: counters have 12 bits and saturate. */
#define SPE_COUNTER_MAX 0xfff

/* The first intervals between event and resumption are listed one by one. */
#define SPE_STOPPED_LIST 4096

/* Counted for the report; see README.md for what each one means. */
typedef struct ARMSPECounts {
    uint64_t operations;
    uint64_t sampled;
    uint64_t rejected_event;
    uint64_t rejected_inverted_event;
    uint64_t rejected_type;
    uint64_t rejected_latency;
    uint64_t rejected_data_source;
    uint64_t records;
    uint64_t bytes;
    uint64_t padding;
    uint64_t discarded;
    uint64_t collisions;
    uint64_t buffer_full;
    uint64_t stage1_fault;
    uint64_t stage2_fault;
    uint64_t access_not_allowed;
    uint64_t stopped_intervals;
    uint64_t stopped_operations;
    uint64_t stopped_max;
    uint64_t stopped_list[SPE_STOPPED_LIST];
} ARMSPECounts;

/* The sampled operation from its capture to its end. */
typedef struct ARMSPESample {
    SPEInsn insn;
    SPERecord rec;
    uint64_t pc;
    uint64_t vaddr;         /* without its tag, as it is translated */
    int el;
    int mmu_idx;            /* regime of its data access */
    int size;               /* bytes accessed */
    bool taken;             /* branch */
    bool collects_pa;
    bool hides_va;          /* its address is EL2's: D17.6.4.2 */
} ARMSPESample;

struct ARMSPEState {
    ARMCPU *cpu;

    /* System registers */
    uint64_t pmscr_el1;
    uint64_t pmscr_el2;
    uint64_t pmsicr;
    uint64_t pmsirr;
    uint64_t pmsfcr;
    uint64_t pmsevfr;
    uint64_t pmsnevfr;
    uint64_t pmslatfr;
    uint64_t pmsdsfr;
    uint64_t pmblimitr;
    uint64_t pmbptr;
    uint64_t pmbsr;
    uint64_t pmsidr;
    uint64_t pmbidr;        /* without P, which depends on the reader */
    uint64_t event_mask;    /* events that can be filtered on */

    /* Counting: see interval.c */
    enum ARMSPEActivity activity;
    int32_t loaded;         /* what env->spe_budget started from */
    bool stepping;          /* the budget is nearly used up */
    uint64_t random;        /* state of the generator; never zero */
    uint64_t choice;        /* that of another, which chooses elements */

    /* The counters before the last count_event(), see arm_spe_abandon() */
    uint64_t pmsicr_before;
    uint64_t random_before;

    /* A management event was recorded and profiling has not resumed. */
    bool stopped;
    uint64_t stopped_ops;

    bool in_flight;
    ARMSPESample sample;

    SPEHierarchy *mem;
    ARMSPECounts n;

    /* Properties and the report */
    bool has_crr;
    bool has_fpf;
    bool has_eft;
    char *report_path;
    char *log_path;
    QLIST_ENTRY(ARMSPEState) next;
};

typedef struct ARMSPEState ARMSPEState;

/* owner.c: who owns the Profiling Buffer, who is being profiled (D17.4). */
int spe_owning_el(CPUARMState *env);
bool spe_in_owning_security_state(CPUARMState *env, int el);
bool spe_buffer_enabled(CPUARMState *env);
bool spe_profiling_enabled(CPUARMState *env, int el);

/* interval.c: the sample interval (D17.3). */
void spe_sync_counters(CPUARMState *env);
void spe_set_pmsicr(CPUARMState *env, uint64_t value);
void spe_set_pmsirr(CPUARMState *env, uint64_t value);
/* Uniform, repeatable; @state is not zero and never becomes so. */
uint8_t spe_random_byte(uint64_t *state);
void spe_reset_activity(CPUARMState *env);

/* capture.c: the sampled operation, about to execute (D17.6). */
void spe_capture(CPUARMState *env, uint32_t insn);

/* sample.c: its end, at the next boundary or by @exception of its own. */
void spe_finish(CPUARMState *env, bool exception);
void spe_pre_el_change(ARMCPU *cpu, void *opaque);
void spe_el_change(ARMCPU *cpu, void *opaque);

/*
 * filter.c: which records are kept (D17.5).  Returns NULL if this one is,
 * else the name of the first filter that rejects it, which is counted.
 */
const char *spe_filter(ARMSPEState *s, const ARMSPESample *p);

/* buffer.c: the Profiling Buffer (D17.7, D17.8). */
void spe_write_record(CPUARMState *env, const SPERecord *rec);
void spe_update_irq(CPUARMState *env);

/* report.c: ground truth. */
/* Returns how many were there before. */
int spe_report_add(ARMSPEState *s);
bool spe_report_check(ARMSPEState *s, Error **errp);
bool spe_log_open(ARMSPEState *s, Error **errp);
void spe_log_record(ARMSPEState *s, uint64_t ptr, const uint8_t *bytes,
                    int len);
char *spe_report_json(void);

#endif
