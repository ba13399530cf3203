/*
 * What a Statistical Profiling Unit is: its version, its optional features,
 * and what follows from them for records.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONFIG_FEATURES_H
#define TARGET_ARM_SPE_CONFIG_FEATURES_H

#include "../record/record.h"

/* ID_AA64DFR0_EL1.PMSVer */
enum {
    SPE_V1 = 1,
    SPE_V1P1,
    SPE_V1P2,
    SPE_V1P3,
    SPE_V1P4,
    SPE_V1P5,
    SPE_NEVER,              /* later than all of them */
};

/* RJFYNW: the result of an External abort on a write to the buffer */
enum {
    SPE_ABORT_IGNORED,
    SPE_ABORT_SYNC,         /* reported to the SPU, before v1p3 */
    SPE_ABORT_ASYNC,
};

/* The properties of the CPU, complete and checked */
typedef struct SPEConfig {
    int version;            /* SPE_V* */
    bool lds;               /* FEAT_SPE_LDS, and so on */
    bool ernd;
    bool fne;
    bool fds;
    bool pbt;
    bool crr;
    bool fpf;
    bool eft;
    bool sme;
    bool altclk;
    bool exc;
    bool ebep;              /* the PM accessors of FEAT_EBEP */
    bool discard;           /* Discard mode and PMBLIMITR_EL1.PMFZ */
    bool optional_filters;  /* those that FEAT_SPEv1p4 makes mandatory */
    bool imp_packets;       /* IMPLEMENTATION DEFINED packets */
    bool flag_updates;      /* PMBIDR_EL1.F */
    bool inject_reg;        /* S3_0_C15_C9_0 exists */
    bool ignore_writes;     /* of the buffer's registers: regs/order.c */
    bool nvm;               /* FEAT_SPE_nVM */
    bool log_rejected;      /* rejected records are logged, too */
    bool sve;               /* the PE has FEAT_SVE or FEAT_SME */
    uint64_t events;        /* the optional events that exist */
    uint64_t known_events;  /* all that exist: spe_settle_events() */
    uint64_t imp_events;    /* of these the IMPLEMENTATION DEFINED ones */
    uint64_t seed;
    uint64_t unknown_seed;  /* 0: fields with UNKNOWN reset values are 0 */
    uint64_t log_limit;     /* bytes of the log, by whatever PE */
    uint64_t window;        /* operations for which a sample is in flight */
    int external_abort;     /* SPE_ABORT_*, on a write to the buffer */
    int max_size;           /* as PMSIDR_EL1 and PMBIDR_EL1 encode them */
    int align;
    int interval;
    int count_size;
    int padding;            /* see SPEFormat */
    int order;
    int extended;
    int events_size;
    int source_size;
} SPEConfig;

/* Sets known_events and imp_events from the other properties. */
void spe_settle_events(SPEConfig *c);

/* The known events that filters can test */
uint64_t spe_events_filterable(const SPEConfig *c);

/* The events that this version leaves to the implementation */
uint64_t spe_events_optional(const SPEConfig *c);

/*
 * Removes from @rec the events, packets and subclasses that this version and
 * these features do not have.  Adds what is IMPLEMENTATION DEFINED: event n is
 * bit n % 16 + 2 of the PC, the address is the PC, and the counter is the
 * execution latency.
 */
void spe_apply_features(const SPEConfig *c, SPERecord *rec);

/* The length of the largest record that can occur. */
size_t spe_largest_record(const SPEConfig *c, const SPEFormat *format);

#endif
