/*
 * The state of one Statistical Profiling Unit.
 *
 * Only the thread of its CPU changes it.  The report reads the counters of
 * other CPUs without a lock, so it may miss the operations in progress.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_STATE_H
#define TARGET_ARM_SPE_STATE_STATE_H

#include <stdint.h>
#include <stdbool.h>
#include "cpu.h"
#include "internals.h"
#include "../config/features.h"
#include "../insn/insn.h"
#include "../memory/hierarchy.h"
#include "../memory/predict.h"
#include "../record/record.h"
#include "../spe-pmu.h"

/* What the SPU counts for the report. */

/* The report lists this many intervals between an event and its resumption. */
#define SPE_STOPPED_LIST 4096

/* Documentation/qemu-model.rst explains each counter. */
#define SPE_COUNTS(X) \
    X(operations) \
    X(sampled) \
    X(rejected_event) \
    X(rejected_inverted_event) \
    X(rejected_type) \
    X(rejected_latency) \
    X(rejected_data_source) \
    X(records) \
    X(bytes) \
    X(padding) \
    X(discarded) \
    X(collisions) \
    X(buffer_full) \
    X(stage1_fault) \
    X(stage2_fault) \
    X(gpc_fault) \
    X(external_abort) \
    X(access_not_allowed) \
    X(buffer_too_large) \
    X(imp_def) \
    X(register_writes) \
    X(ignored_writes) \
    X(unordered_writes) \
    X(illegal_pointers) \
    X(stopped_writes) \
    X(stopped_intervals) \
    X(stopped_operations) \
    X(stopped_max)

typedef struct ARMSPECounts {
#define X(NAME) uint64_t NAME;
    SPE_COUNTS(X)
#undef X
    uint64_t stopped_list[SPE_STOPPED_LIST];
} ARMSPECounts;

/*
 * Arm Statistical Profiling Extension: injected management events, with which
 * tests check how software handles them.
 */

/* The values of SPEINJ_EL1.KIND: see Documentation/qemu-model.rst */
enum SPEInjectKind {
    SPE_INJECT_CLEAR,           /* no event: empties the queue */
    SPE_INJECT_FULL,
    SPE_INJECT_STAGE1,
    SPE_INJECT_STAGE2,
    SPE_INJECT_GPC,
    SPE_INJECT_EXTERNAL,        /* on the write itself, synchronous */
    SPE_INJECT_ASYNC,           /* on the write itself, asynchronous */
    SPE_INJECT_NOT_ALLOWED,
    SPE_INJECT_TOO_LARGE,
    SPE_INJECT_IMP_DEF,
    SPE_INJECT_COLLISION,
    SPE_INJECT_KINDS,
};

typedef struct SPEInjection {
    uint32_t record;    /* 1: at the next record write; 0: now */
    uint32_t kind;      /* enum SPEInjectKind */
    uint32_t mss;       /* FSC; for imp-def all of PMBSR_ELx.MSS */
    uint32_t mss2;
    uint32_t pointer;   /* bytes of the record before the failing one */
    bool dl;
    bool ea;
} SPEInjection;

#define SPE_INJECT_MAX 32

/*
 * random.c: Pseudo-random numbers: the same seed gives the same numbers.
 */

/* A uniform random byte.  @state must not be zero, and never becomes zero. */
uint8_t spe_random_byte(uint64_t *state);

/*
 * Fields and values of the System registers of the SPU (D24.7), and the fields
 * for the SPU in other registers.
 */

/* PMSCR_EL1 and PMSCR_EL2 */
FIELD(PMSCR, E0SPE, 0, 1)       /* EL2: E0HSPE */
FIELD(PMSCR, E1SPE, 1, 1)       /* EL2: E2SPE */
FIELD(PMSCR, CX, 3, 1)
FIELD(PMSCR, PA, 4, 1)
FIELD(PMSCR, TS, 5, 1)
FIELD(PMSCR, PCT, 6, 2)
FIELD(PMSCR, EE, 8, 2)          /* FEAT_SPE_EXC, as KE */
FIELD(PMSCR, KE, 10, 1)
FIELD(PMSCR, ENVM, 11, 1)       /* FEAT_SPE_nVM */

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
FIELD(PMSFCR, FP, 19, 1)        /* FP, SIMD, TYPEM: FEAT_SPE_EFT */
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
FIELD(PMSIDR, PBT, 24, 1)
FIELD(PMSIDR, CRR, 25, 1)
FIELD(PMSIDR, EFT, 26, 1)
FIELD(PMSIDR, FPF, 27, 1)
FIELD(PMSIDR, ALTCLK, 28, 4)
FIELD(PMSIDR, SME, 32, 1)

FIELD(PMBLIMITR, E, 0, 1)
FIELD(PMBLIMITR, FM, 1, 2)
FIELD(PMBLIMITR, PMFZ, 5, 1)
FIELD(PMBLIMITR, NVM, 7, 1)
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
FIELD(PMBIDR, ADDRMODE, 6, 2)
FIELD(PMBIDR, EA, 8, 4)

FIELD(SPE_MDCR_EL2, E2PB, 12, 2)
FIELD(SPE_MDCR_EL2, TPMS, 14, 1)
FIELD(SPE_MDCR_EL3, NSPBE, 11, 1)
FIELD(SPE_MDCR_EL3, NSPB, 12, 2)
FIELD(SPE_MDCR_EL3, ENPMSN, 36, 1)
FIELD(SPE_MDCR_EL3, ENPMS3, 42, 1)
FIELD(SPE_MDCR_EL3, PMSEE, 51, 2)
FIELD(SPE_MDCR_EL3, ENPMS4, 55, 1)
FIELD(SPE_HFGITR_EL2, PSBCSYNC, 63, 1)

FIELD(ID_AA64DFR2, SPE_EXC, 16, 4)
FIELD(ID_AA64DFR2, SPE_NVM, 20, 4)

/* MDCR_EL3.PMSEE, PMSCR_EL2.EE; PMSCR_EL1.EE uses the first and the last. */
enum {
    SPE_EE_DISABLED = 0,
    SPE_EE_DELEGATED = 1,
    SPE_EE_ENABLED = 2,
    SPE_EE_ALL = 3,
};

#define SPE_PMBSR_BITS \
    (R_PMBSR_MSS_MASK | R_PMBSR_COLL_MASK | R_PMBSR_S_MASK | \
     R_PMBSR_EA_MASK | R_PMBSR_DL_MASK | R_PMBSR_EC_MASK | R_PMBSR_MSS2_MASK)

/* PMBIDR.EA */
enum {
    SPE_EA_NOT_DESCRIBED = 0,
    SPE_EA_IGNORED = 1,
};

enum {
    SPE_FM_FILL = 0,
    SPE_FM_DISCARD = 2,
};

/* PMBSR.EC */
enum {
    SPE_EC_OTHER = 0x00,
    SPE_EC_GPC = 0x1e,
    SPE_EC_IMP_DEF = 0x1f,
    SPE_EC_STAGE1 = 0x24,
    SPE_EC_STAGE2 = 0x25,
};

/* PMBSR.MSS.BSC where EC is SPE_EC_OTHER */
enum {
    SPE_BSC_NOT_ALLOWED = 0,
    SPE_BSC_FILLED = 1,
    SPE_BSC_TOO_LARGE = 4,
};

/* The sampled operation. */

/* Filled in from the capture of the operation to its end */
typedef struct ARMSPESample {
    SPEInsn insn;
    SPERecord rec;
    uint64_t pc;
    uint64_t vaddr;         /* as it is translated: without its tag */
    int el;
    int mmu_idx;            /* translation regime of its data access */
    int size;               /* bytes accessed */
    bool taken;             /* a branch that is taken */
    bool collects_pa;
    bool hides_address;     /* its virtual address is EL2's: D17.6.4.2 */
    bool monitor_lost;      /* a Store-Exclusive that must fail */
    bool tag_checked;       /* provided that the page is Tagged */
    bool on_smcu;           /* executes in the alternate clock domain */
} ARMSPESample;

/* What executed operations are charged to */
enum ARMSPEActivity {
    SPE_IDLE,       /* nothing: profiling is disabled */
    SPE_PROFILING,  /* the sample interval */
    SPE_STOPPED,    /* the time from a management event to the resumption */
};

/* PMBLIMITR_EL1.E was cleared, and what profiling was before */
enum SPEClosing {
    SPE_CLOSING_NOT,
    SPE_CLOSING_LIVE,
    SPE_CLOSING_STOPPED,
};

typedef struct ARMSPEState {
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
    uint64_t pmbmar;        /* FEAT_SPE_nVM */
    uint64_t pmbsr;         /* _EL1 */
    uint64_t pmbsr_el2;     /* FEAT_SPE_EXC, as the next ones */
    uint64_t pmbsr_el3;
    bool pm;                /* PSTATE.PM */
    bool pm_to_save;        /* its old value, until the SPSR has it */
    bool irq_level;         /* the level of PMBIRQ */
    uint64_t pmsidr;
    uint64_t pmbidr;        /* without P, which depends on the reader */
    uint64_t event_mask;    /* events that filters can test */

    /* The record that is being written; QEMU would clear it on the stack. */
    uint8_t packed[SPE_MAX_SIZE];

    /* Counting: see control/interval.c */
    enum ARMSPEActivity activity;
    int32_t loaded;         /* the start value of env->spe_budget */
    bool stepping;          /* the budget is too small for a whole TB */
    uint64_t random;        /* state of the interval's generator; not 0 */
    uint64_t choice;        /* of that which chooses elements */
    uint64_t noise;         /* of that for UNKNOWN values at reset */

    /* The counters before spe_count_operation(), for arm_spe_abandon() */
    uint64_t pmsicr_before;
    uint64_t random_before;

    /* FEAT_SPE_PBT, see capture/branch.c: an address as in the packet */
    uint64_t previous;
    bool previous_valid;

    /* A management event was recorded and profiling has not resumed. */
    bool stopped;
    uint64_t stopped_ops;

    bool in_flight;
    ARMSPESample sample;

    /* D17.3.7: the sample has ended but its record is not yet written */
    bool pending;
    int32_t pending_left;
    int32_t pending_before;     /* for arm_spe_abandon(), as collided */
    bool collided;

    bool aborted;               /* a write of this record; to be reported */

    /* Since the last Context synchronization event: see regs/order.c */
    uint8_t unordered;          /* enum SPEBufferReg: direct writes */
    uint8_t closing;            /* enum SPEClosing */

    /* For the PMU: see machine/pmu.c */
    uint64_t pmu[SPE_PM_EVENTS];
    uint64_t population_offset;

    /* Events in the queue: see inject/queue.c */
    SPEInjection injection[SPE_INJECT_MAX];
    uint32_t injections;
    uint32_t injected;          /* how many have been raised */
    bool injection_refused;
    char *inject;

    /* The position in the log when the machine was saved */
    uint64_t log_sequence;
    uint64_t log_offset;

    SPEMemoryConfig mem_config;
    SPEHierarchy *mem;
    SPEPredictor *predictor;
    ARMSPECounts n;

    /* Properties and the report */
    SPEConfig config;
    uint64_t options_given; /* bit n: row n of spe_options[] was set */
    uint64_t features;      /* bit n: row n is a feature that is on */
    SPEFormat format;       /* how records look with these properties */
    char *report_path;
    char *log_path;
    char *unlike;           /* properties of single PEs */
    QLIST_ENTRY(ARMSPEState) next;

    /* FEAT_FGT2, which some features need together with EL2: see regs/fgt.c */
    bool fgt2;
    uint64_t hdfgrtr2;
    uint64_t hdfgwtr2;
} ARMSPEState;

#endif
