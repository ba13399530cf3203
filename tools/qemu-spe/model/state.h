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
#include "internals.h"
#include "cpregs.h"
#include "insn.h"
#include "config.h"
#include "record.h"
#include "memory.h"
#include "inject.h"
#include "pmu.h"

/* PMSCR_EL1 and PMSCR_EL2 */
FIELD(PMSCR, E0SPE, 0, 1)       /* EL2: E0HSPE */
FIELD(PMSCR, E1SPE, 1, 1)       /* EL2: E2SPE */
FIELD(PMSCR, CX, 3, 1)
FIELD(PMSCR, PA, 4, 1)
FIELD(PMSCR, TS, 5, 1)
FIELD(PMSCR, PCT, 6, 2)
FIELD(PMSCR, EE, 8, 2)          /* FEAT_SPE_EXC, like KE */
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

/* MDCR_EL3.PMSEE, PMSCR_EL2.EE; PMSCR_EL1.EE has the first and the last. */
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

/* Kinds of management event: the columns of Tables D17-5, D17-6, D17-7. */
enum SPECause {
    SPE_CAUSE_OTHER,            /* no abort: full, not allowed, ... */
    SPE_CAUSE_STAGE1,           /* EC 0x24, of no kind named below */
    SPE_CAUSE_STAGE2,           /* EC 0x25, likewise */
    SPE_CAUSE_STAGE1_GPF,       /* EC 0x24, FSC a Granule Protection Fault */
    SPE_CAUSE_STAGE2_GPF,
    SPE_CAUSE_GPC,              /* EC 0x1e */
    SPE_CAUSE_STAGE1_EXTERNAL,  /* EC 0x24, FSC an External abort */
    SPE_CAUSE_STAGE2_EXTERNAL,
};

/* What is recorded of an event in PMBSR_ELx; false leaves a bit unchanged. */
typedef struct SPESyndrome {
    uint8_t ec;
    uint16_t mss;
    uint32_t mss2;
    bool dl;
    bool ea;
} SPESyndrome;

/* What the operations that run are charged to. */
enum ARMSPEActivity {
    SPE_IDLE,       /* nothing: profiling is disabled */
    SPE_PROFILING,  /* the sample interval */
    SPE_STOPPED,    /* the time from a management event to the resumption */
};

/* The first intervals between event and resumption are listed one by one. */
#define SPE_STOPPED_LIST 4096

/* Counted for the report; Documentation/qemu-model.rst says what each is. */
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
    bool hides_address;     /* its virtual address is EL2's: D17.6.4.2 */
    bool monitor_lost;      /* a Store-Exclusive to another address */
    bool tag_checked;       /* if the page is Tagged */
    bool on_smcu;           /* executes in the alternate clock domain */
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
    uint64_t pmbmar;        /* FEAT_SPE_nVM */
    uint64_t pmbsr;         /* _EL1 */
    uint64_t pmbsr_el2;     /* FEAT_SPE_EXC, like the next ones */
    uint64_t pmbsr_el3;
    bool pm;                /* PSTATE.PM */
    bool pm_to_save;        /* what it was, until the SPSR takes it */
    bool irq_level;         /* PMBIRQ as it is driven */
    uint64_t pmsidr;
    uint64_t pmbidr;        /* without P, which depends on the reader */
    uint64_t event_mask;    /* events that can be filtered on */

    /* Counting: see interval.c */
    enum ARMSPEActivity activity;
    int32_t loaded;         /* what env->spe_budget started from */
    bool stepping;          /* the budget is nearly used up */
    uint64_t random;        /* state of the generator; never zero */
    uint64_t choice;        /* that of another, which chooses elements */
    uint64_t noise;         /* and of one for UNKNOWN values, see reset.c */

    /* The counters before the last count_event(), see arm_spe_abandon() */
    uint64_t pmsicr_before;
    uint64_t random_before;

    /* FEAT_SPE_PBT, see branch.c: an address as in its packet */
    uint64_t previous;
    bool previous_valid;

    /* A management event was recorded and profiling has not resumed. */
    bool stopped;
    uint64_t stopped_ops;

    bool in_flight;
    ARMSPESample sample;

    /* D17.3.7: the sample has ended but is not written, see collision.c */
    bool pending;
    int32_t pending_left;
    int32_t pending_before;     /* for arm_spe_abandon(), as is collided */
    bool collided;

    bool aborted;               /* a write of this record, to be reported */

    /* For the PMU: see pmu.c */
    uint64_t pmu[SPE_PM_EVENTS];
    uint64_t population_offset;

    /* Events to come: see inject.c */
    SPEInjection injection[SPE_INJECT_MAX];
    uint32_t injections;
    uint32_t injected;          /* how many have been raised */
    bool injection_refused;
    char *inject;

    /* Where the log was when the machine was saved. */
    uint64_t log_sequence;
    uint64_t log_offset;

    SPEMemoryConfig mem_config;
    SPEHierarchy *mem;
    SPEPredictor *predictor;
    ARMSPECounts n;

    /* Properties and the report */
    SPEConfig config;
    uint64_t options_given; /* rows of options.c's table */
    uint64_t features;      /* those of them that are features and are on */
    SPEFormat format;       /* what follows from them for records */
    char *report_path;
    char *log_path;
    char *unlike;           /* what single PEs have instead */
    QLIST_ENTRY(ARMSPEState) next;

    /* FEAT_FGT2, which EL2 and some features need: see regs-fgt.c */
    bool fgt2;
    uint64_t hdfgrtr2;
    uint64_t hdfgwtr2;
};

typedef struct ARMSPEState ARMSPEState;

/* config.c: the properties that choose what the SPU is. */
void spe_config_init(ARMSPEState *s);
/* With spe=off, none may have been set. */
bool spe_config_unused(ARMSPEState *s, Error **errp);
/* Sets what spe-unlike has for this PE; has_spe may be off afterwards. */
bool spe_config_unlike(ARMSPEState *s, Error **errp);
/*
 * Completes and checks them, and sets what follows: ID registers, masks, the
 * record format, random numbers.  @pe: this one's number.
 */
bool spe_config_realize(ARMSPEState *s, int pe, Error **errp);

/* owner.c: who owns the Profiling Buffer, who is being profiled (D17.4). */
int spe_owning_el(CPUARMState *env);
/* EL2 is implemented and enabled in the owning Security state. */
bool spe_owner_has_el2(CPUARMState *env);
bool spe_in_owning_security_state(CPUARMState *env, int el);
bool spe_buffer_enabled(CPUARMState *env);
bool spe_profiling_enabled(CPUARMState *env, int el);
/* MDCR_EL3.{NSPBE, NSPB} trap accesses at the current Exception level. */
bool spe_nspb_traps(CPUARMState *env);
/* NS and NSE in an Address packet for an address of @space */
uint64_t spe_packet_space(ARMSecuritySpace space);
/* The translation regime of writes to the buffer. */
ARMMMUIdx spe_buffer_mmu_idx(CPUARMState *env);

/* interval.c: the sample interval (D17.3). */
void spe_sync_counters(CPUARMState *env);
void spe_set_pmsicr(CPUARMState *env, uint64_t value);
void spe_set_pmsirr(CPUARMState *env, uint64_t value);
/* Uniform, repeatable; @state is not zero and never becomes so. */
uint8_t spe_random_byte(uint64_t *state);
void spe_reset_activity(CPUARMState *env);

/* capture.c: the sampled operation, about to execute (D17.6). */
void spe_capture(CPUARMState *env, uint32_t insn);

/* The condition of @insn, about to execute, holds; true if it has none. */
bool spe_condition_passes(CPUARMState *env, const SPEInsn *insn);

/* capture-data.c: the data address (D17.6.4). */
/*
 * Finds what p->insn, the decoded @insn at p->pc and about to execute, will
 * access: p->vaddr, p->mmu_idx, p->size, and @va with its tag.  False if that
 * is nothing, or is not known.
 */
bool spe_find_access(CPUARMState *env, ARMSPESample *p, uint32_t insn,
                     uint64_t *va);
/* After it has executed: it is a Store-Exclusive that failed. */
bool spe_store_failed(CPUARMState *env, const ARMSPESample *p);
/* For those with an address for each element: that of number @element. */
bool spe_element_address(CPUARMState *env, const SPEInsn *insn, int element,
                         uint64_t *va);
int spe_elements(CPUARMState *env, const SPEInsn *insn);
/* The regime of its access. */
int spe_data_mmu_idx(CPUARMState *env, const SPEInsn *insn);
/* An address as it is translated. */
uint64_t spe_without_tag(CPUARMState *env, uint64_t va);

/* feed.c: the memory hierarchy gets to know of accesses. */
/* One access to p->vaddr; false if that is not mapped (any more). */
bool spe_feed(CPUARMState *env, const ARMSPESample *p, SPEAccess *out);
/* Whether every access is to be fed, and not the sampled ones alone. */
bool spe_feeds_all(void);
/* Creates the hierarchy of PE number @pe; false with @errp set if it cannot. */
bool spe_feed_realize(ARMSPEState *s, unsigned pe, Error **errp);

/* branch.c: set before anything is translated, some CPU has FEAT_SPE_PBT. */
extern bool arm_spe_tells_branches;

/* sample.c: its end, at the next boundary or by @exception of its own. */
void spe_finish(CPUARMState *env, bool exception);
/* Filters and writes the record that spe_finish() has made. */
void spe_complete(CPUARMState *env);
/* Filters and counts it, but does not write it. */
void spe_discard(CPUARMState *env);
void spe_pre_el_change(ARMCPU *cpu, void *opaque);
void spe_el_change(ARMCPU *cpu, void *opaque);

/*
 * filter.c: which records are kept (D17.5).  Returns NULL if this one is,
 * else the name of the first filter that rejects it, which is counted.
 */
const char *spe_filter(ARMSPEState *s, const ARMSPESample *p);
/* Counts the sample's PMU events, which do not care for what is enabled. */
void spe_count_feed(ARMSPEState *s, const ARMSPESample *p);

/* buffer.c: the Profiling Buffer (D17.7, D17.8). */
void spe_write_record(CPUARMState *env, const SPERecord *rec);
/* Of a record at @start, the write at @at fails so. */
void spe_raise_injected(CPUARMState *env, const SPEInjection *in,
                        uint64_t start, uint64_t at);

/* collision.c: samples that stay in flight (D17.3.7). */
void spe_hold(CPUARMState *env);
void spe_release(CPUARMState *env);
void spe_drop_held(CPUARMState *env);
void spe_collide(CPUARMState *env);
/* PSB CSYNC: what is still to be written is written. */
void spe_synchronize(CPUARMState *env);

/* pmu.c: the counters of the PMU go on where the SPU is loaded. */
void spe_pmu_pre_load(ARMSPEState *s);
void spe_pmu_post_load(ARMSPEState *s);

/* migrate.c */
void spe_vmstate_register(ARMSPEState *s);

/* nvm.c: what the pointer is, and its translation; false: see @fi */
bool spe_translate(CPUARMState *env, uint64_t at, GetPhysAddrResult *res,
                   ARMMMUFaultInfo *fi);
bool spe_effective_envm(CPUARMState *env);
void spe_nvm_define_cpreg(ARMCPU *cpu);

/* inject.c: management events on demand. */
/* Called once for each record write; true if this one has an event. */
bool spe_injection_due(ARMSPEState *s, SPEInjection *due);
bool spe_inject_text(CPUARMState *env, const char *text, Error **errp);
char *spe_inject_list(ARMSPEState *s);
void spe_inject_define_cpreg(ARMCPU *cpu);

struct GetPhysAddrResult;

/* walk.c: a walk for a write, where PMBIDR_EL1.F is 0; false if it faults. */
bool spe_walk_without_updates(CPUARMState *env, uint64_t va, ARMMMUIdx idx,
                              struct GetPhysAddrResult *res,
                              ARMMMUFaultInfo *fi);

/* event.c: where its events are recorded and how reported (D17.8). */
/* 1, 2 or 3: the ELx of the PMBSR_ELx that records such an event now */
int spe_event_el(CPUARMState *env, enum SPECause cause);
uint64_t *spe_pmbsr(ARMSPEState *s, int el);
void spe_report_event(CPUARMState *env, enum SPECause cause,
                      const SPESyndrome *syn);
void spe_report_collision(CPUARMState *env);
/* Of the controls; SPE_EE_* */
int spe_effective_pmsee(CPUARMState *env);
int spe_effective_ee_el2(CPUARMState *env);
int spe_effective_ee_el1(CPUARMState *env);
bool spe_effective_tge(CPUARMState *env);
/* D17.4: profiling is stopped */
bool spe_stopped(CPUARMState *env);
/* Where the SPE Profiling exception is taken to now; 0 if it is not. */
int spe_exception_el(CPUARMState *env);
/* After a change of anything that PMBIRQ and the exception depend on. */
void spe_update_irq(CPUARMState *env);
/* Likewise, where mostly nothing changes */
void spe_recheck_irq(CPUARMState *env);

/* exception.c: PSTATE.PM around changes of the Exception level. */
void spe_pm_entering(CPUARMState *env);
void spe_pm_entered(CPUARMState *env);
void spe_pm_returning(CPUARMState *env);

/* regs.c, nvm.c: the bits of @value that a register keeps. */
uint64_t spe_pmscr_value(CPUARMState *env, uint64_t value);     /* _EL2 */
uint64_t spe_pmscr_el1_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsicr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsfcr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmblimitr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmbmar_value(uint64_t value);

/* regs.c, regs-exc.c */
/* Software writes a System register of the SPU: counted and traced. */
void spe_count_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value);
void spe_define_exc_cpregs(ARMCPU *cpu);
CPAccessResult spe_access_el12(CPUARMState *env, const ARMCPRegInfo *ri,
                               bool isread);
CPAccessResult spe_access_pmb(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread);
/* @ri is PMBSR_EL1, of FEAT_SPE_EXC, and now at VNCR_EL2 + @offset */
bool spe_pmbsr_in_memory(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint32_t *offset);

/* regs-fgt.c: what of FEAT_FGT2 concerns the SPU. */
#define SPE_FGT2_NPMSDSFR (1ULL << 19)
#define SPE_FGT2_NPMBMAR (1ULL << 24)
/* The control @bit of HDFGRTR2_EL2 or HDFGWTR2_EL2 traps an access to EL2. */
bool spe_fgt2_traps(CPUARMState *env, uint64_t bit, bool isread);
/* The bits of @value that HDFGRTR2_EL2 and HDFGWTR2_EL2 keep. */
uint64_t spe_fgt2_value(CPUARMState *env, uint64_t value);
void spe_fgt2_realize(ARMSPEState *s);
void spe_fgt2_define_cpregs(ARMCPU *cpu);

/* report.c: ground truth. */
/* Returns how many were there before. */
void spe_report_add(ARMSPEState *s);
bool spe_report_check(ARMSPEState *s, Error **errp);
bool spe_log_open(ARMSPEState *s, Error **errp);
void spe_log_rejected(ARMSPEState *s, const SPERecord *rec);
void spe_log_record(ARMSPEState *s, uint64_t ptr, const uint8_t *bytes,
                    int len);
char *spe_report_json(void);
/* How much has been logged, and back to there where a machine is loaded. */
void spe_log_position(ARMSPEState *s, uint64_t *sequence, uint64_t *offset);
void spe_log_rewind(ARMSPEState *s, uint64_t sequence, uint64_t offset);

#endif
