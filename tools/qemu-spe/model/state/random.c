/*
 * Arm Statistical Profiling Extension: pseudo-random numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "state.h"

/* xorshift64*: IMPLEMENTATION DEFINED (D17.3.2), uniform */
uint8_t spe_random_byte(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545f4914f6cdd1dULL) >> 56;
}
