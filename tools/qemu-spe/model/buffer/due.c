/*
 * Arm Statistical Profiling Extension: the injected event that a record write
 * raises.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "buffer.h"

/* If several events are due, one is raised and the others wait. */
bool spe_injection_due(ARMSPEState *s, SPEInjection *due)
{
    uint32_t kept = 0;
    bool found = false;

    for (uint32_t i = 0; i < s->injections; i++) {
        SPEInjection in = s->injection[i];

        if (in.record == 1 && !found) {
            *due = in;
            found = true;
            continue;
        }
        in.record -= in.record > 1;
        s->injection[kept++] = in;
    }
    s->injections = kept;
    s->injected += found;
    return found;
}
