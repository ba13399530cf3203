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

#include "cpu.h"
#include "internals.h"
#include "counts.h"
#include "injection.h"
#include "registers.h"
#include "sample.h"
#include "../config/features.h"
#include "../memory/hierarchy.h"
#include "../memory/predict.h"
#include "../spe-pmu.h"

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
