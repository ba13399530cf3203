/*
 * The properties of the memory hierarchy.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PROPERTIES_MEMORY_H
#define TARGET_ARM_SPE_PROPERTIES_MEMORY_H

#include "qom/object.h"
#include "../memory/hierarchy.h"

void spe_memory_defaults(SPEMemoryConfig *c);

/* Returns false with @errp set if a property was set, which needs spe=on. */
bool spe_memory_unused(const SPEMemoryConfig *c, Error **errp);

void spe_memory_add_properties(Object *obj);

/* Returns false with @errp set if the properties contradict each other. */
bool spe_memory_check(const SPEMemoryConfig *c, Error **errp);

#endif
