/*
 * What the SPU counts for the report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_COUNTS_H
#define TARGET_ARM_SPE_STATE_COUNTS_H

#include <stdint.h>

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

#endif
