/*
 * Pseudo-random numbers: the same seed gives the same numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_RANDOM_H
#define TARGET_ARM_SPE_STATE_RANDOM_H

#include <stdint.h>

/* A uniform random byte.  @state must not be zero, and never becomes zero. */
uint8_t spe_random_byte(uint64_t *state);

#endif
