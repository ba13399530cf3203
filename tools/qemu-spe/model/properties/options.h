/*
 * Arm Statistical Profiling Extension: the table of properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PROPERTIES_OPTIONS_H
#define TARGET_ARM_SPE_PROPERTIES_OPTIONS_H

#include "../state/state.h"

typedef struct SPEWord {
    const char *word;
    int value;
} SPEWord;

enum OptionKind {
    FEATURE,        /* bool */
    CHOICE,         /* int: one of the words */
    NUMBER,         /* uint64_t */
};

/* The rows of spe_options[] that code refers to by name; others follow. */
enum {
    OPT_VERSION,
    OPT_LDS,
    OPT_FDS,
    OPT_FPF,
    OPT_EFT,
    OPT_SME,
    OPT_EXC,
    OPT_MAX_SIZE,
    OPT_ALIGN,
    OPT_EVENTS,
    OPT_EVENTS_SIZE,
};

typedef struct SPEOption {
    const char *name;
    const char *help;
    uint8_t kind;           /* enum OptionKind */
    uint8_t id_bit;         /* in PMSIDR_EL1; 0 if not shown there */
    uint16_t offset;        /* in SPEConfig */
    const SPEWord *words;
    /* Features: the first versions that allow, need, and by default have it */
    uint8_t since;
    uint8_t always;
    uint8_t usual;
    uint32_t needs;         /* bit n: it needs the feature in row n */
} SPEOption;

/* The last row has no name. */
extern const SPEOption spe_options[];

#define SPE_OPTION_FOREACH(o) \
    for (const SPEOption *o = spe_options; o->name; o++)

/* The word for @value; empty if there is none */
const char *spe_word_of(const SPEWord *words, int value);

static inline bool *spe_feature(SPEConfig *c, const SPEOption *o)
{
    return (bool *)((char *)c + o->offset);
}

/* The property in this row was set. */
static inline bool spe_given(ARMSPEState *s, int row)
{
    return s->options_given >> row & 1;
}

/* Adds the properties of the table to the CPU. */
void spe_config_init(ARMSPEState *s);

/* Returns false with @errp set if one of them was set, which needs spe=on. */
bool spe_config_unused(ARMSPEState *s, Error **errp);

#endif
