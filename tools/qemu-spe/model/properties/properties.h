/*
 * What the folder properties offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PROPERTIES_PROPERTIES_H
#define TARGET_ARM_SPE_PROPERTIES_PROPERTIES_H

#include "qom/object.h"
#include "../memory/hierarchy.h"
#include "../state/state.h"

/* config.c: Completes and checks the properties of an SPU. */

/*
 * Derives the properties that were not given, checks that all of them fit
 * together, and sets what follows from them: ID registers, masks, the record
 * format, random numbers.  @pe: the number of this PE.
 */
bool spe_config_realize(ARMSPEState *s, int pe, Error **errp);

/* memory.c: The properties of the memory hierarchy. */

void spe_memory_defaults(SPEMemoryConfig *c);

/* Returns false with @errp set if a property was set, which needs spe=on. */
bool spe_memory_unused(const SPEMemoryConfig *c, Error **errp);

void spe_memory_add_properties(Object *obj);

/* Returns false with @errp set if the properties contradict each other. */
bool spe_memory_check(const SPEMemoryConfig *c, Error **errp);

/*
 * options.c: Arm Statistical Profiling Extension: the table of properties.
 */

typedef struct SPEWord {
    const char *word;
    int value;
} SPEWord;

enum OptionKind {
    FEATURE,        /* bool */
    CHOICE,         /* int: one of the words */
    NUMBER,         /* uint64_t */
    SIZE,           /* uint64_t in bytes, which may have a suffix */
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
    /* Features: the first version that allows it, that requires it, that has it by default */
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

/*
 * unlike.c: The property spe-unlike: single PEs that differ from the others.
 */

/* Sets what spe-unlike gives this PE; cpu->has_spe may be off afterwards. */
bool spe_config_unlike(ARMSPEState *s, Error **errp);

#endif
