/*
 * Arm Statistical Profiling Extension: the properties of the memory hierarchy,
 * one row each.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "cpu.h"
#include "properties.h"
#include "../state/state.h"

typedef struct Row {
    const char *name;
    size_t offset;
    uint64_t initial;
    uint64_t min, max;
    bool power_of_two;
    const char *text;
} Row;

#define SIZE(NAME, FIELD, INITIAL, MIN, MAX, TEXT) \
    { "spe-" NAME, offsetof(SPEMemoryConfig, FIELD), INITIAL, MIN, MAX, \
      true, TEXT }
#define COUNT(NAME, FIELD, INITIAL, MIN, MAX, TEXT) \
    { "spe-" NAME, offsetof(SPEMemoryConfig, FIELD), INITIAL, MIN, MAX, \
      false, TEXT }
#define CYCLES(NAME, FIELD, INITIAL, TEXT) \
    COUNT(NAME "-latency", FIELD, INITIAL, 0, 65535, TEXT)

static const Row rows[] = {
    SIZE("line-size", line_size, 64, 16, 2 * KiB, "Bytes of a cache line"),
    SIZE("l1d-size", l1d_size, 32 * KiB, 64, 1 * MiB,
         "Bytes of a PE's level 1 data cache"),
    SIZE("l1d-ways", l1d_ways, 4, 1, 64, "Ways of the level 1 data cache"),
    SIZE("l2-size", l2_size, 512 * KiB, 64, 16 * MiB,
         "Bytes of a PE's level 2 cache"),
    SIZE("l2-ways", l2_ways, 8, 1, 64, "Ways of the level 2 cache"),
    SIZE("llc-size", llc_size, 4 * MiB, 64, 256 * MiB,
         "Bytes of a socket's last level cache"),
    SIZE("llc-ways", llc_ways, 16, 1, 64, "Ways of the last level cache"),
    SIZE("tlb-entries", tlb_entries, 64, 1, 4096,
         "Pages of 4 KiB that a PE's data TLB holds"),
    SIZE("tlb-ways", tlb_ways, 4, 1, 64, "Ways of the data TLB"),
    COUNT("fill-buffers", fill_buffers, 8, 0, 64,
          "Number of lines that count as recently fetched"),
    COUNT("cluster-pes", cluster_pes, 16, 1, 512, "Number of PEs of a cluster"),
    COUNT("sockets", sockets, 1, 1, 8, "Number of sockets"),
    COUNT("socket-pes", socket_pes, 512, 1, 512,
          "Number of PEs of a socket; the last one has the rest"),
    SIZE("socket-stripe", socket_stripe, 1 * GiB, 4 * KiB, 1 * TiB,
         "Bytes of memory after which the next socket's memory begins"),
    CYCLES("l1d", l1d_latency, 4, "Cycles of a level 1 data cache lookup"),
    CYCLES("l2", l2_latency, 8, "Cycles that the level 2 cache adds"),
    CYCLES("llc", llc_latency, 28, "Cycles that the last level cache adds"),
    CYCLES("snoop", snoop_latency, 20, "Cycles that another PE's cache adds"),
    CYCLES("dram", dram_latency, 110, "Cycles that memory adds"),
    CYCLES("remote", remote_latency, 80, "Cycles that another socket adds"),
    CYCLES("walk", walk_latency, 24, "Cycles that a translation walk adds"),
    CYCLES("split", split_latency, 3, "Cycles that crossing a line adds"),
};

static uint64_t *value_of(SPEMemoryConfig *c, const Row *row)
{
    return (uint64_t *)((char *)c + row->offset);
}

void spe_memory_defaults(SPEMemoryConfig *c)
{
    for (int i = 0; i < ARRAY_SIZE(rows); i++) {
        *value_of(c, &rows[i]) = rows[i].initial;
    }
}

bool spe_memory_unused(const SPEMemoryConfig *c, Error **errp)
{
    if (c->full) {
        error_setg(errp, "spe-hierarchy needs spe=on");
        return false;
    }
    for (int i = 0; i < ARRAY_SIZE(rows); i++) {
        const uint64_t *value = (uint64_t *)((char *)c + rows[i].offset);

        if (*value != rows[i].initial) {
            error_setg(errp, "%s needs spe=on", rows[i].name);
            return false;
        }
    }
    return true;
}

static void get_row(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    ARMSPEState *s = ARM_CPU(obj)->env.spe;
    const Row *row = opaque;
    uint64_t value = s ? *value_of(&s->mem_config, row) : row->initial;

    visit_type_uint64(v, name, &value, errp);
}

static void set_row(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    ARMSPEState *s = ARM_CPU(obj)->env.spe;
    const Row *row = opaque;
    uint64_t value;

    if (!visit_type_size(v, name, &value, errp)) {
        return;
    }
    if (!s || s->mem) {
        error_setg(errp, "%s cannot change once the CPU is created; "
                   "give it in -cpu", name);
    } else if (value < row->min || value > row->max ||
               (row->power_of_two && !is_power_of_2(value))) {
        error_setg(errp, "%s must be %s from %" PRIu64 " to %" PRIu64, name,
                   row->power_of_two ? "a power of two" : "a number",
                   row->min, row->max);
    } else {
        *value_of(&s->mem_config, row) = value;
    }
}

static const char * const modes[] = { "sampled", "full" };

static char *get_mode(Object *obj, Error **errp)
{
    ARMSPEState *s = ARM_CPU(obj)->env.spe;

    return g_strdup(modes[s ? s->mem_config.full : 0]);
}

static void set_mode(Object *obj, const char *value, Error **errp)
{
    ARMSPEState *s = ARM_CPU(obj)->env.spe;
    bool full = !strcmp(value, modes[1]);

    if (!s || s->mem) {
        error_setg(errp, "spe-hierarchy cannot change once the CPU "
                   "is created; give it in -cpu");
    } else if (!full && strcmp(value, modes[0])) {
        error_setg(errp, "spe-hierarchy must be sampled or full");
    } else {
        s->mem_config.full = full;
    }
}

void spe_memory_add_properties(Object *obj)
{
    object_property_add_str(obj, "spe-hierarchy", get_mode, set_mode);
    object_property_set_description(obj, "spe-hierarchy",
        "Accesses that the memory hierarchy simulates: sampled ones (sampled, "
        "the default) or all while profiling is enabled (full)");
    for (int i = 0; i < ARRAY_SIZE(rows); i++) {
        object_property_add(obj, rows[i].name, "size", get_row, set_row, NULL,
                            (void *)&rows[i]);
        object_property_set_description(obj, rows[i].name, rows[i].text);
    }
}

static bool check_ways(const char *name, uint64_t size, uint64_t unit,
                       uint64_t ways, Error **errp)
{
    if (ways <= size / unit) {
        return true;
    }
    error_setg(errp, "spe-%s-ways must be at most %" PRIu64 ", the number of "
               "entries", name, size / unit);
    return false;
}

bool spe_memory_check(const SPEMemoryConfig *c, Error **errp)
{
    if (c->l2_size < c->l1d_size) {
        error_setg(errp, "spe-l2-size must not be less than spe-l1d-size, "
                   "because level 2 includes level 1");
        return false;
    }
    return check_ways("l1d", c->l1d_size, c->line_size, c->l1d_ways, errp) &&
           check_ways("l2", c->l2_size, c->line_size, c->l2_ways, errp) &&
           check_ways("llc", c->llc_size, c->line_size, c->llc_ways, errp) &&
           check_ways("tlb", c->tlb_entries, 1, c->tlb_ways, errp);
}
